//! The terminal: raw while a session is shown, and given back whatever happens. It is standard input's, which is made raw
//! and which the server paints on; standard output may be a pipe or a file, and gets text alone.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use shellkeep_core::Size;

/// Bytes that restore the terminal, while it is ours. Global, since a panic hook has no access to the terminal's value.
static LEAVE: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// The device, if standard input is a terminal.
pub(crate) fn device() -> Option<PathBuf> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return None;
    }
    nix::unistd::ttyname(stdin).ok()
}

/// The terminal's size, if it knows.
pub(crate) fn size() -> Option<Size> {
    let (cols, rows) = crossterm::terminal::size().ok()?;
    (rows > 0 && cols > 0).then(|| Size::new(rows, cols))
}

/// The terminal in raw mode. Dropping this restores it.
pub(crate) struct RawTerminal {
    enter: Vec<u8>,
    leave: Vec<u8>,
}

impl RawTerminal {
    /// Takes the terminal over.
    pub(crate) fn take(enter: Vec<u8>, leave: Vec<u8>) -> io::Result<Self> {
        let terminal = Self { enter, leave };
        give_back_on_panic();
        terminal.enter()?;
        Ok(terminal)
    }

    /// Takes over the bytes that another server has prepared the terminal with.
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

    /// Gives the terminal back for a while.
    pub(crate) fn pause(&self) {
        give_back();
    }

    /// Puts the terminal into raw mode again.
    pub(crate) fn resume(&self) -> io::Result<()> {
        // The program that had the terminal meanwhile may have set it otherwise; what is believed to be raw is not made raw.
        disable_raw_mode()?;
        self.enter()
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Writes to the terminal, to the last byte.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    /// Opened once: what gives the terminal back must not need a descriptor then.
    static PAPER: Mutex<Option<File>> = Mutex::new(None);
    let mut paper = PAPER.lock().unwrap_or_else(PoisonError::into_inner);
    let paper = match &mut *paper {
        Some(paper) => paper,
        unopened => unopened.insert(open_to_write()?),
    };
    paper.write_all(bytes)
}

/// Standard input, where it can be written to, as a login's can; else its device, opened anew.
fn open_to_write() -> io::Result<File> {
    let stdin = io::stdin();
    let flags = OFlag::from_bits_truncate(fcntl(&stdin, FcntlArg::F_GETFL)?);
    if flags & OFlag::O_ACCMODE == OFlag::O_RDONLY {
        let device = device().ok_or(io::ErrorKind::NotConnected)?;
        // Not ours: the user's terminal.
        return OpenOptions::new().write(true).open(device);
    }
    Ok(File::from(stdin.as_fd().try_clone_to_owned()?))
}

fn give_back() {
    let leave = LEAVE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(leave) = leave {
        // An error means that the terminal is gone: there is nothing to restore.
        let _ = write(&leave);
        let _ = disable_raw_mode();
    }
}

/// The message of a panic belongs on the user's own screen.
fn give_back_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            give_back();
            report(info);
        }));
    });
}
