//! Waiting for what a terminal echoes by itself, for the moment that it takes.
//!
//! The system takes a key to a terminal by a process of its own, which is woken for it, and so is whoever reads the terminal when it has echoed.
//! On a machine that is otherwise at rest, being woken takes longer than all the rest. So we stay awake: the echo comes within some
//! ten microseconds, or it is for the program to print it, and nobody knows when it will.
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
    // That process may wait for this very processor.
    std::thread::yield_now();
    if !process::echoes(&terminal) {
        return;
    }
    EAR.with_borrow_mut(|ear| {
        if ear.as_ref().is_none_or(|(known, _)| *known != identity) {
            *ear = listen(&terminal).ok().map(|epoll| (identity, epoll));
        }
        if let Some((_, epoll)) = ear {
            listen_until(epoll, Instant::now() + PATIENCE);
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

fn listen_until(epoll: &Epoll, end: Instant) {
    let mut heard = [EpollEvent::empty()];
    while epoll.wait(&mut heard, EpollTimeout::ZERO) == Ok(0) && Instant::now() < end {
        std::hint::spin_loop();
    }
}
