//! `pipe-pane`: a command that reads a pane's output, or types into it, or both.
//!
//! The pane never waits for the command, so output that the command has not read yet is kept here. A command that reads
//! slower than the program prints loses what exceeds [`MAX_KEPT_BYTES`]; the loss is counted and reported.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_core::PaneId;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::{Notify, mpsc};

use crate::commands::job;
use crate::commands::job::JobSpec;
use crate::event::Event;
use crate::model::ticket::Ticket;
use crate::panes::tap::Tap;

/// How many bytes are kept for a command that does not read.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Which of a command's streams are connected to the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ways {
    /// The command's output is typed into the pane.
    In,
    /// The pane's output goes to the command's input.
    Out,
    Both,
}

/// A pipe, as its pane holds it. Dropping it closes the command's input once the command has read what is left.
pub(crate) struct Pipe {
    /// Names this pipe in events: the pane may have another one when they are handled.
    pub(crate) ticket: Ticket,
    flow: Arc<Flow>,
    ways: Ways,
}

impl Pipe {
    pub(crate) fn is_open(&self) -> bool {
        !self.flow.is_over.load(Ordering::Relaxed)
    }

    /// The tap for the pane's output. None if the pipe only types.
    pub(crate) fn tap(&self) -> Option<Arc<dyn Tap>> {
        (self.ways != Ways::In).then(|| self.flow.clone() as Arc<dyn Tap>)
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.flow.close();
    }
}

/// Output on its way to the command.
#[derive(Default)]
struct Flow {
    pending: Mutex<Pending>,
    grown: Notify,
    is_over: AtomicBool,
}

#[derive(Default)]
struct Pending {
    bytes: Vec<u8>,
    /// How many bytes were dropped since the last report.
    lost: u64,
    is_closed: bool,
}

impl Flow {
    fn close(&self) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.is_closed = true;
        self.grown.notify_one();
    }

    fn take(&self) -> Pending {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let is_closed = pending.is_closed;
        std::mem::replace(
            &mut pending,
            Pending {
                is_closed,
                ..Pending::default()
            },
        )
    }
}

impl Tap for Flow {
    fn printed(&self, _: PaneId, bytes: &[u8]) {
        if self.is_over.load(Ordering::Relaxed) {
            return;
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.bytes.len() + bytes.len() > MAX_KEPT_BYTES {
            pending.lost += bytes.len() as u64;
        } else {
            pending.bytes.extend_from_slice(bytes);
        }
        self.grown.notify_one();
    }
}

/// Starts a command for a pane.
///
/// # Errors
/// If it cannot be started.
pub(crate) fn start(
    pane: PaneId,
    spec: &JobSpec,
    ways: Ways,
    events: mpsc::Sender<Event>,
) -> std::io::Result<Pipe> {
    let stream = |is_wanted| {
        if is_wanted {
            Stdio::piped()
        } else {
            Stdio::null()
        }
    };
    let mut child = job::shell(spec)
        .stdin(stream(ways != Ways::In))
        .stdout(stream(ways != Ways::Out))
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let flow = Arc::new(Flow::default());
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let ticket = Ticket::new();
    let whose = (pane, ticket);
    tokio::spawn(attend(whose, child, (stdin, stdout), flow.clone(), events));
    Ok(Pipe { ticket, flow, ways })
}

/// Passes bytes both ways until the command or the pipe is closed, and then waits for the command to end.
async fn attend(
    (pane, ticket): (PaneId, Ticket),
    mut child: Child,
    (stdin, stdout): (Option<ChildStdin>, Option<ChildStdout>),
    flow: Arc<Flow>,
    events: mpsc::Sender<Event>,
) {
    let reads = stdin.is_some();
    let feed = feed(pane, stdin, &flow, &events);
    let listen = listen((pane, ticket), stdout, &events);
    if reads {
        // When one direction ends, the other has nothing left to pass either.
        tokio::select! {
            () = feed => {}
            () = async { listen.await; let _ = child.wait().await; } => {}
        }
    } else {
        tokio::select! {
            () = feed => {}
            () = listen => {}
        }
    }
    flow.is_over.store(true, Ordering::Relaxed);
    let _ = child.wait().await;
}

/// Writes the pane's output to the command, until the pipe is closed or the command stops reading.
async fn feed(pane: PaneId, stdin: Option<ChildStdin>, flow: &Flow, events: &mpsc::Sender<Event>) {
    let mut stdin = stdin;
    loop {
        flow.grown.notified().await;
        let pending = flow.take();
        if let Some(stdin) = &mut stdin
            && stdin.write_all(&pending.bytes).await.is_err()
        {
            return;
        }
        if pending.lost > 0 {
            let lost = pending.lost;
            let _ = events.send(Event::PipeLost { pane, lost }).await;
        }
        if pending.is_closed {
            return;
        }
    }
}

/// Sends the command's output to the event loop as input for the pane, as fast as the loop takes it.
async fn listen(
    (pane, pipe): (PaneId, Ticket),
    stdout: Option<ChildStdout>,
    events: &mpsc::Sender<Event>,
) {
    let Some(mut stdout) = stdout else {
        return;
    };
    let mut buffer = vec![0; 4096];
    while let Ok(count @ 1..) = stdout.read(&mut buffer).await {
        let bytes = buffer[..count].to_vec();
        if events
            .send(Event::Piped { pane, pipe, bytes })
            .await
            .is_err()
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flood_beyond_what_is_kept_is_counted() {
        let flow = Flow::default();
        let piece = vec![b'x'; MAX_KEPT_BYTES / 2];
        for _ in 0..3 {
            flow.printed(PaneId(0), &piece);
        }
        let pending = flow.take();
        assert_eq!(pending.bytes.len(), MAX_KEPT_BYTES);
        assert_eq!(pending.lost, piece.len() as u64);
        assert_eq!(flow.take().lost, 0);
    }

    #[test]
    fn pipe_dropped_is_closed_with_what_is_left() {
        let flow = Arc::new(Flow::default());
        let pipe = Pipe {
            ticket: Ticket::new(),
            flow: flow.clone(),
            ways: Ways::Out,
        };
        pipe.tap().unwrap().printed(PaneId(0), b"rest");
        drop(pipe);
        let pending = flow.take();
        assert_eq!(
            (&pending.bytes[..], pending.is_closed),
            (&b"rest"[..], true)
        );
    }
}
