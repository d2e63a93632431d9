//! Turns signals into something that poll can wait for.

use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SigSet, Signal};
use signal_hook::consts::{
    SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    Resized,
    /// SIGTSTP: stop until continued.
    Stop,
    Continued,
    /// SIGTERM or SIGINT.
    Terminated,
    HungUp,
    /// A signal that has no effect on a client, as in tmux.
    Nothing,
}

impl Notice {
    /// The line to print when this signal ends the client.
    pub(crate) const fn exit_line(self) -> Option<&'static str> {
        match self {
            Self::Terminated => Some("terminated"),
            Self::HungUp => Some(LOST_TERMINAL),
            Self::Resized | Self::Stop | Self::Continued | Self::Nothing => None,
        }
    }
}

/// The line to print when the terminal is gone.
pub(crate) const LOST_TERMINAL: &str = "lost tty";

const MEANINGS: [(i32, Notice); 9] = [
    (SIGWINCH, Notice::Resized),
    (SIGTSTP, Notice::Stop),
    (SIGCONT, Notice::Continued),
    (SIGTERM, Notice::Terminated),
    (SIGHUP, Notice::HungUp),
    (SIGINT, Notice::Nothing),
    (SIGQUIT, Notice::Nothing),
    (SIGUSR1, Notice::Nothing),
    (SIGUSR2, Notice::Nothing),
];

pub(crate) struct Signals {
    pipe: UnixStream,
    flags: Vec<(Arc<AtomicBool>, Notice)>,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        let (pipe, end) = UnixStream::pair()?;
        pipe.set_nonblocking(true)?;
        let mut flags = Vec::new();
        for (signal, notice) in MEANINGS {
            let flag = Arc::new(AtomicBool::new(false));
            // The flag is registered before the pipe, because the loop that the pipe wakes reads the flag.
            signal_hook::flag::register(signal, flag.clone())?;
            signal_hook::low_level::pipe::register(signal, end.try_clone()?)?;
            flags.push((flag, notice));
        }
        // Blocked instead of caught: after a handler, the read or write that raised the signal would be retried
        // forever. Started programs get the usual signal mask.
        let mut of_the_terminal = SigSet::empty();
        of_the_terminal.add(Signal::SIGTTIN);
        of_the_terminal.add(Signal::SIGTTOU);
        of_the_terminal.thread_block()?;
        Ok(Self { pipe, flags })
    }

    /// Whether a signal has arrived since the pipe was last read.
    pub(crate) fn is_raised(&self) -> bool {
        let mut flags = self.flags.iter();
        flags.any(|(flag, _)| flag.load(Ordering::SeqCst))
    }

    /// Signals since the last call.
    pub(crate) fn take(&mut self) -> Vec<Notice> {
        let mut unread = [0; 64];
        while matches!(self.pipe.read(&mut unread), Ok(count) if count > 0) {}
        let raised = self
            .flags
            .iter()
            .filter(|(flag, _)| flag.swap(false, Ordering::SeqCst));
        raised.map(|(_, notice)| *notice).collect()
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}

/// Stops this process as an uncaught SIGTSTP would.
pub(crate) fn stop() {
    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
}
