//! Waiting for what a terminal echoes by itself, for the moment that it takes.
//!
//! The system takes a key to a terminal by a process of its own, which is woken for it, and so is whoever reads the terminal when it has echoed.
//! Being woken takes longer than all the rest. Who is awake all the same, and on another processor than that process, does better to stay so: the echo
//! comes within some ten microseconds, or it is for the program to print it, and nobody knows when it will.
//!
//! Nor can the terminal itself be asked again and again. To read it, or to ask whether there is something to read, first waits until that process
//! has done its work, asleep. An epoll only looks at what it has been told.

use std::cell::RefCell;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};

use crate::process;

/// Longer than an echo takes where the system's process has another processor to itself.
const PATIENCE: Duration = Duration::from_micros(80);

/// Which terminal it is; descriptors are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity(u64);

impl Identity {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

thread_local! {
    /// Over the terminal that was typed into last: one is enough, and it costs a descriptor.
    static EAR: RefCell<Option<(Identity, Epoll)>> = const { RefCell::new(None) };
}

/// Waits for the echo of what was just written to a terminal, if that echoes by itself.
pub(crate) fn wait(identity: Identity, terminal: impl AsFd) {
    EAR.with_borrow_mut(|ear| {
        if ear.as_ref().is_none_or(|(known, _)| *known != identity) {
            *ear = listen(&terminal).ok().map(|epoll| (identity, epoll));
        }
        let Some((_, epoll)) = ear else {
            return;
        };
        if !has_heard(epoll) && process::echoes(&terminal) {
            let end = Instant::now() + PATIENCE;
            while !has_heard(epoll) && Instant::now() < end {
                std::hint::spin_loop();
            }
        }
    });
}

fn listen(terminal: impl AsFd) -> nix::Result<Epoll> {
    let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
    // What was told once is forgotten: else it would look whether it still holds, which is what we must not do.
    let flags = EpollFlags::EPOLLIN | EpollFlags::EPOLLET;
    epoll.add(terminal, EpollEvent::new(flags, 0))?;
    Ok(epoll)
}

/// Whether the terminal has something to read; also if nobody can tell.
fn has_heard(epoll: &Epoll) -> bool {
    epoll.wait(&mut [EpollEvent::empty()], EpollTimeout::ZERO) != Ok(0)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use nix::pty::openpty;
    use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};

    use super::*;

    #[test]
    fn echo_is_there_after_the_wait() {
        let pty = openpty(None, None).unwrap();
        let identity = Identity::new();
        let mut master = std::fs::File::from(pty.master);
        for _ in 0..20 {
            master.write_all(b"k").unwrap();
            wait(identity, &master);
            // It may take longer, if all processors are busy.
            let mut echo = [0; 8];
            assert_eq!(master.read(&mut echo).unwrap(), 1);
            assert_eq!(echo[0], b'k');
        }
    }

    #[test]
    fn terminal_that_does_not_echo_is_not_waited_for() {
        let pty = openpty(None, None).unwrap();
        let mut settings = tcgetattr(&pty.slave).unwrap();
        settings.local_flags.remove(LocalFlags::ECHO);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &settings).unwrap();
        let mut master = std::fs::File::from(pty.master);
        assert!(!process::echoes(&master));
        let identity = Identity::new();
        master.write_all(b"k").unwrap();
        wait(identity, &master);
        let epoll = listen(&master).unwrap();
        assert!(!has_heard(&epoll));
        // Nor is another terminal heard in place of it.
        let other = openpty(None, None).unwrap();
        std::fs::File::from(other.slave).write_all(b"x").unwrap();
        wait(Identity::new(), &other.master);
        let heard = EAR.with_borrow(|ear| ear.as_ref().map(|(known, _)| *known));
        assert_ne!(heard, Some(identity));
    }
}
