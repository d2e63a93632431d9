//! Owns the terminal: raw while a session is shown, restored on every way out, a panic included. It is the terminal of
//! standard input, where the server paints too. Standard output may be a pipe or a file, and only gets text.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use shellkeep_core::Size;

/// Bytes that restore the terminal while it is raw. Global, because a panic hook cannot reach the [`RawTerminal`].
static LEAVE: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// The device of standard input, if it is a terminal.
pub(crate) fn device() -> Option<PathBuf> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return None;
    }
    nix::unistd::ttyname(stdin).ok()
}

pub(crate) fn size() -> Option<Size> {
    let (cols, rows) = crossterm::terminal::size().ok()?;
    (rows > 0 && cols > 0).then(|| Size::new(rows, cols))
}

/// The terminal in raw mode. Dropping it restores the terminal.
pub(crate) struct RawTerminal {
    enter: Vec<u8>,
    leave: Vec<u8>,
}

impl RawTerminal {
    pub(crate) fn take(enter: Vec<u8>, leave: Vec<u8>) -> io::Result<Self> {
        let terminal = Self { enter, leave };
        restore_on_panic();
        terminal.enter()?;
        Ok(terminal)
    }

    /// Records the bytes of a new server, which may prepare the terminal in another way.
    pub(crate) fn prepare_anew(&mut self, enter: Vec<u8>, leave: Vec<u8>) -> io::Result<()> {
        self.enter = enter;
        self.leave = leave;
        self.enter()
    }

    fn enter(&self) -> io::Result<()> {
        enable_raw_mode()?;
        *LEAVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.leave.clone());
        write(&self.enter)
    }

    /// Restores the terminal until [`Self::resume`].
    pub(crate) fn pause(&self) {
        restore();
    }

    pub(crate) fn resume(&self) -> io::Result<()> {
        // crossterm does nothing if it believes the terminal is raw. Another program may have changed that since, so
        // make it cooked first.
        disable_raw_mode()?;
        self.enter()
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Writes all bytes to the terminal.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    /// Opened once, because restoring the terminal must work even when no descriptor is left.
    static TERMINAL: Mutex<Option<File>> = Mutex::new(None);
    let mut terminal = TERMINAL.lock().unwrap_or_else(PoisonError::into_inner);
    let terminal = match &mut *terminal {
        Some(terminal) => terminal,
        unopened => unopened.insert(open_to_write()?),
    };
    terminal.write_all(bytes)
}

/// Standard input if it can be written to, as after a login; otherwise its device, opened again.
fn open_to_write() -> io::Result<File> {
    let stdin = io::stdin();
    let flags = OFlag::from_bits_truncate(fcntl(&stdin, FcntlArg::F_GETFL)?);
    if flags & OFlag::O_ACCMODE == OFlag::O_RDONLY {
        let device = device().ok_or(io::ErrorKind::NotConnected)?;
        // Opened without `shellkeep-files`: it is the user's terminal.
        return OpenOptions::new().write(true).open(device);
    }
    Ok(File::from(stdin.as_fd().try_clone_to_owned()?))
}

fn restore() {
    let leave = LEAVE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(leave) = leave {
        // No error: without a terminal there is nothing to restore.
        let _ = write(&leave);
        let _ = disable_raw_mode();
    }
}

/// Restores the terminal before a panic prints its message, so that the message is on the user's own screen.
fn restore_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            restore();
            report(info);
        }));
    });
}
