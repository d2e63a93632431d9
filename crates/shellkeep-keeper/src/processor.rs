//! Which processor a process is on, for the few moments in which the kernel's choice is a bad one.
//!
//! A start forks a server and a keeper, and the keeper starts a shell. With two processors the kernel was seen to put all three on one of
//! them and to leave the other idle for three milliseconds, in every second start: half of what a prompt takes. So the keeper has its processor to
//! itself until the shell runs, and the shell begins on it.

use nix::unistd::Pid;

/// A processor on which nobody else of ours is, as long as this lives.
#[cfg(target_os = "linux")]
pub(crate) struct Alone {
    /// Those that we may be on.
    all: nix::sched::CpuSet,
    other: Pid,
}

#[cfg(target_os = "linux")]
impl Alone {
    const THIS: Pid = Pid::from_raw(0);

    /// Keeps this process, and what it starts, on the processor that it is on, and the other one off it. None where there is no other
    /// processor, or the system knows no such thing.
    pub(crate) fn without(other: Pid) -> Option<Self> {
        use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
        let all = sched_getaffinity(Self::THIS).ok()?;
        let processor = sched_getcpu().ok()?;
        let (mut here, mut elsewhere) = (CpuSet::new(), all);
        here.set(processor).ok()?;
        elsewhere.unset(processor).ok()?;
        // There may be no other.
        sched_setaffinity(other, &elsewhere).ok()?;
        let alone = Self { all, other };
        sched_setaffinity(Self::THIS, &here).ok()?;
        Some(alone)
    }

    /// What was started may go where it likes.
    pub(crate) fn let_go(&self, started: Pid) {
        let _ = nix::sched::sched_setaffinity(started, &self.all);
    }
}

#[cfg(target_os = "linux")]
impl Drop for Alone {
    fn drop(&mut self) {
        let _ = nix::sched::sched_setaffinity(self.other, &self.all);
        let _ = nix::sched::sched_setaffinity(Self::THIS, &self.all);
    }
}

/// Nothing: only Linux tells, and lets itself be told.
#[cfg(not(target_os = "linux"))]
pub(crate) struct Alone;

#[cfg(not(target_os = "linux"))]
impl Alone {
    pub(crate) fn without(_other: Pid) -> Option<Self> {
        None
    }

    pub(crate) fn let_go(&self, _started: Pid) {}
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use nix::sched::sched_getaffinity;

    use super::*;

    fn pid(child: &std::process::Child) -> Pid {
        Pid::from_raw(child.id().cast_signed())
    }

    #[test]
    fn all_are_free_again_when_the_processor_is_shared() {
        let all = sched_getaffinity(Alone::THIS).unwrap();
        let mut other = Command::new("sleep").arg("1000").spawn().unwrap();
        if let Some(alone) = Alone::without(pid(&other)) {
            let here = sched_getaffinity(Alone::THIS).unwrap();
            let elsewhere = sched_getaffinity(pid(&other)).unwrap();
            assert_ne!(here, elsewhere);
            let mut started = Command::new("sleep").arg("1000").spawn().unwrap();
            assert_eq!(sched_getaffinity(pid(&started)), Ok(here), "it begins here");
            alone.let_go(pid(&started));
            assert_eq!(sched_getaffinity(pid(&started)), Ok(all));
            started.kill().unwrap();
            started.wait().unwrap();
        }
        assert_eq!(sched_getaffinity(pid(&other)), Ok(all));
        assert_eq!(sched_getaffinity(Alone::THIS), Ok(all));
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
