//! Memory that a burst of work has taken and freed again. The C library keeps it: thousands of windows that were opened and closed
//! would leave hundreds of megabytes. It is given back when there has been nothing to write for a while.

use std::time::{Duration, Instant};

/// Nothing was to be written for so long. The trim holds the allocator's lock: it must not fall between two commands of a burst.
const QUIET: Duration = Duration::from_secs(2);

/// While there is always something to write, memory is given back this often all the same: a thousand new shells tell their states one
/// after another, for a minute.
const AT_LATEST: Duration = Duration::from_secs(10);

/// Less than this is not worth it: the next burst would take it again.
const SLACK: u64 = 8 << 20;

/// When memory is to be given back, if at all.
#[derive(Debug, Default)]
pub(super) struct FreedMemory {
    quiet_due: Option<Instant>,
    latest_due: Option<Instant>,
    /// What this process had when all was written and memory was given back.
    kept: u64,
}

impl FreedMemory {
    /// Something was written, and more may follow. A process that has not grown needs no timer.
    pub(super) fn worked(&mut self) {
        self.worked_at(Instant::now(), own_memory());
    }

    fn worked_at(&mut self, now: Instant, memory: Option<u64>) {
        if memory.is_none_or(|memory| memory <= self.kept + SLACK) {
            (self.quiet_due, self.latest_due) = (None, None);
            return;
        }
        self.quiet_due = Some(now + QUIET);
        self.latest_due.get_or_insert(now + AT_LATEST);
    }

    pub(super) fn next_due(&self) -> Option<Instant> {
        self.quiet_due.into_iter().chain(self.latest_due).min()
    }

    /// Gives it back, if it is time.
    pub(super) fn give_back(&mut self) {
        let now = Instant::now();
        if self.next_due().is_none_or(|due| due > now) {
            return;
        }
        shellkeep_keeper::process::give_back_memory();
        let memory = own_memory().unwrap_or(0);
        self.gave_back(now, memory);
        tracing::debug!(memory, "freed memory was given back");
    }

    fn gave_back(&mut self, now: Instant, memory: u64) {
        if self.quiet_due.is_some_and(|due| due <= now) {
            (self.quiet_due, self.latest_due) = (None, None);
            self.kept = memory;
        } else {
            // What is still to be written is freed later.
            self.latest_due = Some(now + AT_LATEST);
        }
    }
}

/// Bytes that this process has to itself, where the system tells.
fn own_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = text
        .split_whitespace()
        .skip(1)
        .map_while(|it| it.parse::<u64>().ok());
    let (resident, shared) = (pages.next()?, pages.next()?);
    // The kernel counts in pages of this size on every system that we are built for but some arm64 ones, where the bar is higher.
    Some(resident.saturating_sub(shared) * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_due_only_after_growth() {
        let mut freed = FreedMemory::default();
        let now = Instant::now();
        freed.worked_at(now, Some(SLACK));
        assert_eq!(freed.next_due(), None);
        freed.worked_at(now, Some(SLACK + 1));
        assert_eq!(freed.next_due(), Some(now + QUIET));
        freed.worked_at(now, None);
        assert_eq!(freed.next_due(), None);
        assert!(own_memory().is_some());
    }

    #[test]
    fn memory_is_given_back_while_there_is_always_something_to_write() {
        let mut freed = FreedMemory::default();
        let began = Instant::now();
        let mut now = began;
        while now < began + AT_LATEST {
            freed.worked_at(now, Some(100 << 20));
            now += QUIET / 2;
        }
        assert_eq!(freed.next_due(), Some(began + AT_LATEST));
        freed.gave_back(now, 50 << 20);
        assert_eq!(freed.kept, 0, "more is freed when all is written");
        let last = now;
        freed.worked_at(last, Some(50 << 20));
        assert_eq!(freed.next_due(), Some(last + QUIET));
        freed.gave_back(last + QUIET, 20 << 20);
        assert_eq!((freed.next_due(), freed.kept), (None, 20 << 20));
    }
}
