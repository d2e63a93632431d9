//! A client's terminal in the server's own hands.
//!
//! The server opens the terminal anew, so that not blocking is its own affair and not that of the
//! user's shell; reads the keys; and leaves the painting to the client's outbox. A key and its echo then
//! wake this process twice and no other. Where the terminal cannot be opened (another user's after `su`,
//! another system) the client passes the bytes instead.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;

use shellkeep_core::Size;
use shellkeep_keeper::{Pty, process};
use tokio::task::AbortHandle;

use crate::keyboard::Keyboard;

/// Opens the terminal that is a client's standard input.
#[cfg(target_os = "linux")]
pub(crate) fn open(pid: Option<u32>) -> io::Result<Arc<dyn Pty>> {
    use std::io::IsTerminal as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let pid = pid.ok_or_else(|| io::Error::other("nobody knows whose it is"))?;
    // Through the client's own descriptor: a path might mean something else where the server lives.
    let flags = nix::fcntl::OFlag::O_NONBLOCK | nix::fcntl::OFlag::O_NOCTTY;
    let file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags.bits())
        .open(format!("/proc/{pid}/fd/0"))?;
    if !file.is_terminal() {
        return Err(io::Error::other("not a terminal"));
    }
    Ok(Arc::new(shellkeep_keeper::pty::Master::new(file.into())?))
}

/// Opens the terminal that is a client's standard input.
#[cfg(not(target_os = "linux"))]
pub(crate) fn open(_pid: Option<u32>) -> io::Result<Arc<dyn Pty>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads a terminal until it is dropped.
pub(crate) struct TerminalReader(AbortHandle);

impl TerminalReader {
    pub(crate) fn start(terminal: Arc<dyn Pty>, keyboard: Keyboard) -> Self {
        Self(tokio::spawn(read(terminal, keyboard)).abort_handle())
    }
}

impl Drop for TerminalReader {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn read(terminal: Arc<dyn Pty>, mut keyboard: Keyboard) {
    let mut bytes = vec![0; 4096];
    let mut size = size_of(&*terminal);
    loop {
        let result = tokio::select! {
            read = poll_fn(|cx| terminal.poll_read(cx, &mut bytes)) => match read {
                Ok(count) if count > 0 => {
                    // The client tells of a new size, too, but keys that were typed after the change
                    // must not overtake it: a program started by them would read the old one.
                    let now = size_of(&*terminal);
                    if now != size {
                        size = now;
                        keyboard.resized(size).await;
                    }
                    keyboard.typed(&bytes[..count]).await
                }
                // It is gone; its client hears of it by itself.
                _ => return,
            },
            () = keyboard.patience() => keyboard.flush().await,
        };
        if result.is_err() {
            return;
        }
    }
}

fn size_of(terminal: &dyn Pty) -> Option<Size> {
    terminal.fd().and_then(process::terminal_size)
}
