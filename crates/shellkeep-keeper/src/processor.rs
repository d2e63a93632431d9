//! Which processor a process is on, for the few moments in which the kernel's choice is a bad one.
//!
//! A start forks a keeper and a server, and the keeper starts a shell. With two processors the kernel was seen to put all three on one of
//! them and to leave the other idle for three milliseconds, in every second start: half of what a prompt takes. So the server stays on the processor of
//! whoever starts it, who only waits; the keeper is sent elsewhere, and comes back when the shell runs, which stays there.

use nix::unistd::Pid;

/// The processor that a process was on, and the others that it may be on.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy)]
pub(crate) struct Processors {
    all: nix::sched::CpuSet,
    here: nix::sched::CpuSet,
    elsewhere: nix::sched::CpuSet,
}

/// One side of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// The processor that was looked at.
    Here,
    /// All others.
    Elsewhere,
}

#[cfg(target_os = "linux")]
impl Processors {
    const THIS: Pid = Pid::from_raw(0);

    /// As they are for this process. None if the system does not tell.
    pub(crate) fn now() -> Option<Self> {
        use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu};
        let all = sched_getaffinity(Self::THIS).ok()?;
        let processor = sched_getcpu().ok()?;
        let (mut here, mut elsewhere) = (CpuSet::new(), all);
        here.set(processor).ok()?;
        elsewhere.unset(processor).ok()?;
        Some(Self {
            all,
            here,
            elsewhere,
        })
    }

    /// Keeps a process, and what it starts, on one side. There may be no other processor: then nothing changes.
    pub(crate) fn send(&self, process: Pid, side: Side) {
        let set = match side {
            Side::Here => &self.here,
            Side::Elsewhere => &self.elsewhere,
        };
        let _ = nix::sched::sched_setaffinity(process, set);
    }

    /// Keeps this process on one side.
    pub(crate) fn keep(self, side: Side) -> Kept {
        self.send(Self::THIS, side);
        Kept(self)
    }

    /// This process has been sent to one side by another one.
    pub(crate) fn kept(self) -> Kept {
        Kept(self)
    }
}

/// A process that is kept where it is, until this is gone.
pub(crate) struct Kept(#[cfg(target_os = "linux")] Processors);

#[cfg(target_os = "linux")]
impl Kept {
    /// What was started may go where it likes, and this process goes to the other side.
    pub(crate) fn part_from(self, started: Pid, side: Side) -> Self {
        // At once: whatever it starts would be kept there for good.
        let _ = nix::sched::sched_setaffinity(started, &self.0.all);
        let kept = self.0.keep(side);
        // It is kept still.
        std::mem::forget(self);
        kept
    }
}

#[cfg(target_os = "linux")]
impl Drop for Kept {
    fn drop(&mut self) {
        let _ = nix::sched::sched_setaffinity(Processors::THIS, &self.0.all);
    }
}

/// Nothing: only Linux tells, and lets itself be told.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy)]
pub(crate) struct Processors;

#[cfg(not(target_os = "linux"))]
impl Processors {
    pub(crate) fn now() -> Option<Self> {
        None
    }

    pub(crate) fn send(&self, _process: Pid, _side: Side) {}

    pub(crate) fn keep(self, _side: Side) -> Kept {
        Kept()
    }

    pub(crate) fn kept(self) -> Kept {
        Kept()
    }
}

#[cfg(not(target_os = "linux"))]
impl Kept {
    pub(crate) fn part_from(self, _started: Pid, _side: Side) -> Self {
        self
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use nix::sched::sched_getaffinity;

    use super::*;

    /// In a thread of its own: that is what is kept, and the others run other tests.
    #[test]
    fn all_are_free_again_when_it_is_over() {
        let all = sched_getaffinity(Processors::THIS).unwrap();
        let test = std::thread::spawn(move || {
            let now = |pid| sched_getaffinity(pid).unwrap();
            let processors = Processors::now().unwrap();
            let kept = processors.keep(Side::Elsewhere);
            let there = now(Processors::THIS);
            let mut started = Command::new("sleep").arg("1000").spawn().unwrap();
            let pid = Pid::from_raw(started.id().cast_signed());
            assert_eq!(now(pid), there, "it begins there");
            let kept = kept.part_from(pid, Side::Here);
            let is_alone = processors.elsewhere == nix::sched::CpuSet::new();
            assert!(is_alone || now(Processors::THIS) != there);
            assert_eq!(now(pid), all);
            drop(kept);
            assert_eq!(now(Processors::THIS), all);
            started.kill().unwrap();
            started.wait().unwrap();
        });
        test.join().unwrap();
    }
}
