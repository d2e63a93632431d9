//! A client's terminal, opened by the server itself.
//!
//! The server opens the terminal anew, so that O_NONBLOCK does not affect the user's shell, and reads the keys; the
//! client writer paints. A key and its echo then wake only this process, twice. Where the terminal cannot be opened
//! (another user's after `su`, no `/proc`), the client passes the bytes instead.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::{
    io::ErrorKind,
    os::fd::{AsFd, BorrowedFd},
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use shellkeep_core::Size;
use shellkeep_keeper::{Pty, process};
use tokio::task::AbortHandle;

use crate::clients::intake::ReadGuard;
use crate::clients::keyboard::Keyboard;

/// A terminal that a client has prepared for the server, and restores when it detaches.
pub(crate) trait BorrowedTerminal: Pty {
    /// Restores the terminal for a client that has died without doing so, by SIGKILL. `leave` undoes the preparation.
    fn give_back(&self, leave: &[u8]);
}

/// Opens the terminal on a client's standard input.
#[cfg(target_os = "linux")]
pub(crate) fn open(pid: Option<u32>) -> io::Result<Arc<dyn BorrowedTerminal>> {
    use std::io::IsTerminal as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let pid = pid.ok_or_else(|| io::Error::other("its pid is not known"))?;
    // Through the client's own descriptor: its path may name another device in the server's mount namespace.
    let flags = nix::fcntl::OFlag::O_NONBLOCK | nix::fcntl::OFlag::O_NOCTTY;
    let file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags.bits())
        .open(format!("/proc/{pid}/fd/0"))?;
    if !file.is_terminal() {
        return Err(io::Error::other("not a terminal"));
    }
    let settings = Settings::of(&file)?;
    let terminal = shellkeep_keeper::pty::Master::new(file.into(), None)?;
    Ok(Arc::new(ClientTerminal {
        terminal,
        settings,
        ownership: Mutex::new(Ownership::default()),
    }))
}

/// A terminal as its client has prepared it. A client that is stopped by SIGSTOP cannot report it, but the shell that
/// gets the terminal then changes its settings. Until the client is back, keys and screen belong to the shell.
#[cfg(target_os = "linux")]
struct ClientTerminal {
    terminal: shellkeep_keeper::pty::Master,
    settings: Settings,
    ownership: Mutex<Ownership>,
}

/// Whether the terminal still has the client's settings.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Default)]
struct Ownership {
    /// When it was last found to have them.
    at: Option<Instant>,
    /// Since when it is known to have others.
    lost_at: Option<Instant>,
}

/// For how long the answer is reused: a key, a look for more keys, and its echo come within that time.
#[cfg(target_os = "linux")]
const OWNERSHIP_LIFETIME: Duration = Duration::from_millis(1);
/// If the settings were changed no longer ago than this when a client is found to be dead, the shell has changed them
/// because of its death. If longer, the client was stopped before, and the shell has used the screen since.
#[cfg(target_os = "linux")]
const SHELL_GRACE: Duration = Duration::from_secs(1);

#[cfg(target_os = "linux")]
impl ClientTerminal {
    fn is_ours(&self) -> bool {
        let mut ownership = self
            .ownership
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if ownership
            .at
            .is_some_and(|at| at.elapsed() < OWNERSHIP_LIFETIME)
        {
            return true;
        }
        let fd = self.terminal.fd();
        let is_ours = fd.is_some_and(|fd| Settings::of(fd).is_ok_and(|now| now == self.settings));
        let now = Instant::now();
        *ownership = match is_ours {
            true => Ownership {
                at: Some(now),
                lost_at: None,
            },
            false => Ownership {
                at: None,
                lost_at: ownership.lost_at.or(Some(now)),
            },
        };
        is_ours
    }
}

#[cfg(target_os = "linux")]
impl Pty for ClientTerminal {
    // While the terminal has other settings, no waker is registered: the returning client makes the server open it
    // anew.
    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        if self.is_ours() {
            self.terminal.poll_read(cx, buf)
        } else {
            Poll::Pending
        }
    }

    fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        if self.is_ours() {
            self.terminal.try_read(buf)
        } else {
            Err(ErrorKind::WouldBlock.into())
        }
    }

    fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_ours() {
            self.terminal.poll_write(cx, buf)
        } else {
            Poll::Pending
        }
    }

    fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        if self.is_ours() {
            self.terminal.try_write(buf)
        } else {
            Err(ErrorKind::WouldBlock.into())
        }
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.terminal.resize(size)
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.terminal.fd()
    }
}

#[cfg(target_os = "linux")]
impl BorrowedTerminal for ClientTerminal {
    fn give_back(&self, leave: &[u8]) {
        let Some(fd) = self.terminal.fd() else {
            return;
        };
        // The shell learns of the client's death as soon as the server does, and may have changed the settings already.
        // The server must restore the screen nevertheless.
        let ownership = *self
            .ownership
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if ownership
            .lost_at
            .is_some_and(|lost| lost.elapsed() >= SHELL_GRACE)
            && !self.is_ours()
        {
            return;
        }
        write_soon(fd, leave);
        if Settings::of(fd).is_ok_and(|now| now == self.settings) {
            let _ = make_cooked(fd);
        }
    }
}

/// Writes to a terminal that another process may be writing to, in which case a non-blocking write fails: the shell may
/// be reporting the end of the client at this very moment. The event loop waits for this, so it is given up after a
/// short time.
#[cfg(target_os = "linux")]
fn write_soon(terminal: BorrowedFd<'_>, mut bytes: &[u8]) {
    const WRITE_TIMEOUT: Duration = Duration::from_millis(20);
    const RETRY_MS: u8 = 1;
    let since = Instant::now();
    while !bytes.is_empty() {
        match nix::unistd::write(terminal, bytes) {
            Ok(count) => bytes = &bytes[count..],
            // The terminal counts as writable while another process writes to it, so poll would not wait.
            Err(nix::errno::Errno::EAGAIN | nix::errno::Errno::EINTR) => {
                let _ = nix::poll::poll(&mut [], RETRY_MS);
            }
            Err(_) => return,
        }
        if since.elapsed() >= WRITE_TIMEOUT {
            return;
        }
    }
}

/// Puts a raw terminal back into canonical mode. Only its client knew the other settings that it had.
#[cfg(target_os = "linux")]
fn make_cooked(terminal: impl AsFd) -> nix::Result<()> {
    use nix::sys::termios::{InputFlags, LocalFlags, OutputFlags, SetArg, tcgetattr, tcsetattr};
    let mut settings = tcgetattr(&terminal)?;
    settings.input_flags |= InputFlags::BRKINT | InputFlags::ICRNL | InputFlags::IXON;
    settings.output_flags |= OutputFlags::OPOST;
    settings.local_flags |=
        LocalFlags::ECHO | LocalFlags::ICANON | LocalFlags::IEXTEN | LocalFlags::ISIG;
    tcsetattr(&terminal, SetArg::TCSANOW, &settings)
}

/// The four words of flags of a terminal's settings.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Settings([u32; 4]);

#[cfg(target_os = "linux")]
impl Settings {
    fn of(terminal: impl AsFd) -> io::Result<Self> {
        let found = nix::sys::termios::tcgetattr(terminal)?;
        let (input, output) = (found.input_flags.bits(), found.output_flags.bits());
        let (control, local) = (found.control_flags.bits(), found.local_flags.bits());
        Ok(Self([input, output, control, local]))
    }
}

/// Opens the terminal on a client's standard input: not supported on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn open(_pid: Option<u32>) -> io::Result<Arc<dyn BorrowedTerminal>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads a terminal until it is dropped.
pub(crate) struct TerminalReader {
    terminal: Arc<dyn BorrowedTerminal>,
    task: AbortHandle,
}

impl TerminalReader {
    pub(crate) fn start(
        terminal: Arc<dyn BorrowedTerminal>,
        keyboard: Keyboard,
        reading: ReadGuard,
    ) -> Self {
        let task = tokio::spawn(read(terminal.clone(), keyboard, reading));
        Self {
            terminal,
            task: task.abort_handle(),
        }
    }

    /// Restores the terminal of a client that is gone without having done so.
    pub(crate) fn give_back(self, leave: &[u8]) {
        self.task.abort();
        self.terminal.give_back(leave);
    }
}

impl Drop for TerminalReader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read(terminal: Arc<dyn Pty>, mut keyboard: Keyboard, mut reading: ReadGuard) {
    let mut bytes = vec![0; 4096];
    let mut size = size_of(&*terminal);
    loop {
        let result = tokio::select! {
            () = reading.is_over(), if !keyboard.is_within() => return,
            read = poll_fn(|cx| terminal.poll_read(cx, &mut bytes)) => match read {
                Ok(count) if count > 0 => {
                    // The client reports a new size, too. But keys that were typed after the change must not overtake
                    // it, or a program that they start would read the old size.
                    let now = size_of(&*terminal);
                    if now != size {
                        size = now;
                        keyboard.resized(size).await;
                    }
                    keyboard.typed(&bytes[..count]).await
                }
                // The terminal is closed; the client notices that by itself.
                _ => return,
            },
            () = keyboard.flush_due() => keyboard.flush().await,
        };
        if result.is_err() {
            return;
        }
    }
}

fn size_of(terminal: &dyn Pty) -> Option<Size> {
    terminal.fd().and_then(process::terminal_size)
}
