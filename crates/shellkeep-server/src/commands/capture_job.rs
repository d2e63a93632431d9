//! Captures of many rows: made from a copy of the pane on a thread, and printed piece by piece as fast as the client
//! reads them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shellkeep_command::cmd::capture_pane::Args;
use shellkeep_core::PaneId;
use shellkeep_term::Emulator;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;

use crate::action::Action;
use crate::clients::clipboard;
use crate::commands::answer;
use crate::commands::capture_text::{Capture, ended};
use crate::commands::captured::{Captured, Destination, News};
use crate::commands::queue::Wait;
use crate::commands::reply::{Outcome, Reply};
use crate::event::Event;
use crate::model::Secrecy;
use crate::persistence::kept_buffers;
use crate::search::cancel_on_drop::CancelOnDrop;
use crate::server::Server;

/// How many pieces are made before the first one has been read.
const MAX_UNREAD_PIECES: usize = 4;

/// Begins a capture; the running queue waits for it.
pub(crate) fn start_capture(
    server: &mut Server,
    pane: PaneId,
    emulator: Emulator,
    args: Args,
) -> Reply {
    let number = server.model.next_wait();
    let cancel_on_drop = CancelOnDrop::default();
    let (cancel, events) = (cancel_on_drop.flag(), server.events.clone());
    let work = Work::new(emulator, args.clone(), cancel);
    if args.print {
        tokio::spawn(print(work, number, events));
    } else {
        let destination = Destination {
            buffer: args.buffer,
            secrecy: kept_buffers::secrecy_of(&server.model, pane),
        };
        tokio::spawn(gather(work, number, events, destination));
    }
    if let Some(queue) = server
        .model
        .running()
        .and_then(|id| server.commands.queues.get_mut(&id))
    {
        queue.cancel_on_drop = Some(cancel_on_drop);
    }
    Reply {
        wait: Some(Wait::Capture(number)),
        ..Reply::default()
    }
}

/// A piece of a capture is ready, or the last one was.
pub(crate) fn captured(server: &mut Server, captured: Captured) {
    let wait = Some(Wait::Capture(captured.number));
    let mut waiting = server.commands.queues.iter_mut();
    // The client may be gone, and its queue with it.
    let Some((id, queue)) = waiting.find(|(_, queue)| queue.wait == wait) else {
        return;
    };
    let (id, caller) = (*id, queue.caller_now());
    let outcome = match captured.news {
        News::Lines(lines, permit) => {
            answer::print(&mut server.model, &caller, lines);
            let client = caller.client.and_then(|id| server.model.clients.get(&id));
            if let Some(client) = client {
                client.writer.give_back(permit);
            }
            return;
        }
        News::Whole(bytes, to) => keep_capture(server, to.buffer.as_deref(), &bytes, to.secrecy),
        News::End(end) => end.map(|()| Reply::default()),
    };
    if let Some(queue) = server.commands.queues.get_mut(&id) {
        queue.cancel_on_drop = None;
    }
    server.model.act(Action::Resume(id, outcome));
}

/// Puts a capture into a paste buffer.
pub(crate) fn keep_capture(
    server: &mut Server,
    buffer: Option<&str>,
    bytes: &[u8],
    secrecy: Secrecy,
) -> Outcome {
    clipboard::store_buffer(&mut server.model, buffer, bytes, secrecy)?;
    Ok(kept_buffers::buffers_changed(
        &mut server.model,
        &server.persistence,
    ))
}

/// Makes pieces and sends them to be printed.
async fn print(mut work: Work, number: u64, events: Sender<Event>) {
    let room = Arc::new(Semaphore::new(MAX_UNREAD_PIECES));
    loop {
        let Ok(permit) = room.clone().acquire_owned().await else {
            return;
        };
        let made = tokio::task::spawn_blocking(move || {
            let lines = work.next_lines();
            if work.is_over {
                // The pages that were read have been freed.
                shellkeep_keeper::process::give_back_memory();
            }
            (work, lines)
        });
        let (rest, news) = match made.await {
            Ok((_, Ok(lines))) if lines.is_empty() => (None, News::End(Ok(()))),
            Ok((rest, Ok(lines))) => (Some(rest), News::Lines(lines, permit)),
            Ok((_, Err(error))) => (None, News::End(Err(error))),
            Err(error) => (None, News::End(Err(failed(&error)))),
        };
        let sent = events.send(Event::Captured(Box::new(Captured { number, news })));
        match (sent.await, rest) {
            (Ok(()), Some(rest)) => work = rest,
            _ => return,
        }
    }
}

/// Makes the whole capture, for a buffer.
async fn gather(mut work: Work, number: u64, events: Sender<Event>, to: Destination) {
    let made = tokio::task::spawn_blocking(move || {
        let mut all = Vec::new();
        loop {
            match work.next_lines() {
                Ok(lines) if lines.is_empty() => return Ok(all),
                Ok(mut lines) => all.append(&mut lines),
                Err(error) => return Err(error),
            }
        }
    });
    let news = match made.await {
        Ok(Ok(all)) => News::Whole(all, to),
        Ok(Err(error)) => News::End(Err(error)),
        Err(error) => News::End(Err(failed(&error))),
    };
    let _ = events
        .send(Event::Captured(Box::new(Captured { number, news })))
        .await;
}

fn failed(error: &tokio::task::JoinError) -> String {
    tracing::error!(%error, "a capture was dropped; this is a bug in shellkeep");
    "the capture has failed; shellkeep's log says why".to_owned()
}

/// A capture in progress.
struct Work {
    emulator: Emulator,
    args: Args,
    /// Set once it has begun.
    capture: Option<Capture>,
    /// The beginning of a line that ends in the next piece.
    unfinished: String,
    is_over: bool,
    cancel: Arc<AtomicBool>,
}

impl Work {
    fn new(emulator: Emulator, args: Args, cancel: Arc<AtomicBool>) -> Self {
        Self {
            emulator,
            args,
            capture: None,
            unfinished: String::new(),
            is_over: false,
            cancel,
        }
    }

    /// The next complete lines. Empty at the end, or if the capture was cancelled.
    fn next_lines(&mut self) -> Result<Vec<u8>, String> {
        let capture = match &mut self.capture {
            Some(capture) => capture,
            none => none.insert(Capture::new(&self.emulator, &self.args)?),
        };
        let mut text = std::mem::take(&mut self.unfinished);
        while !self.is_over && !self.cancel.load(Ordering::Relaxed) {
            self.is_over = !capture.push_some(&self.emulator, &mut text);
            if self.is_over {
                break;
            }
            if let Some(end) = text.rfind('\n') {
                self.unfinished = text.split_off(end + 1);
                return Ok(text.into_bytes());
            }
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        let bytes = text.into_bytes();
        Ok(match self.args.print && !bytes.is_empty() {
            true => ended(bytes),
            false => bytes,
        })
    }
}
