//! Returns freed memory to the system. The C library keeps what a burst of work has freed: thousands of windows that
//! were opened and closed would leave hundreds of megabytes. Memory is returned when there has been nothing to write
//! for a while.

use std::time::{Duration, Instant};

/// For how long nothing must have been written. The trim holds the allocator's lock, so it must not fall between two
/// commands of a burst.
const QUIET_TIME: Duration = Duration::from_secs(2);

/// While there is always something to write, memory is returned this often anyway: a thousand new shells report their
/// states one after another, for a minute.
const MAX_INTERVAL: Duration = Duration::from_secs(10);

/// Less than this is not worth returning: the next burst would allocate it again.
const MIN_FREED_BYTES: u64 = 8 << 20;

/// After this many tasks, events and commands much may have been freed, even if the process has not grown: panes of
/// closed windows, commands of a long configuration.
pub(crate) const MUCH_WORK: u64 = 1000;

/// Where a trim frees nothing, the next one comes after twice the work, up to this much.
const MAX_WORK: u64 = MUCH_WORK << 10;

#[derive(Debug)]
pub(crate) struct FreedMemory {
    quiet_due: Option<Instant>,
    latest_due: Option<Instant>,
    /// The process's memory after the last trim.
    kept: u64,
    /// The lowest such value.
    least: u64,
    /// How much work was done since then.
    work: u64,
    /// How much work has to be done before a process that has not grown is trimmed.
    enough: u64,
}

impl Default for FreedMemory {
    fn default() -> Self {
        Self {
            quiet_due: None,
            latest_due: None,
            kept: 0,
            least: 0,
            work: 0,
            enough: MUCH_WORK,
        }
    }
}

impl FreedMemory {
    /// Counts work. A process that can have freed little needs no timer.
    pub(crate) fn worked(&mut self, amount: u64) {
        self.worked_at(Instant::now(), amount, own_memory());
    }

    fn worked_at(&mut self, now: Instant, amount: u64, memory: Option<u64>) {
        self.work += amount;
        let may_have_freed = |memory: u64| {
            let has_grown = memory > self.kept + MIN_FREED_BYTES;
            has_grown || (self.work >= self.enough && memory > self.least + MIN_FREED_BYTES)
        };
        if !memory.is_some_and(may_have_freed) {
            (self.quiet_due, self.latest_due) = (None, None);
            return;
        }
        self.quiet_due = Some(now + QUIET_TIME);
        self.latest_due.get_or_insert(now + MAX_INTERVAL);
    }

    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.quiet_due.into_iter().chain(self.latest_due).min()
    }

    /// Trims, if it is due.
    pub(crate) fn give_back(&mut self) {
        let Some(due) = self.next_due() else {
            return;
        };
        let now = Instant::now();
        if due > now {
            return;
        }
        let before = own_memory().unwrap_or(0);
        shellkeep_keeper::process::give_back_memory();
        let memory = own_memory().unwrap_or(0);
        self.gave_back(now, before, memory);
        tracing::debug!(before, memory, "returned freed memory to the system");
    }

    fn gave_back(&mut self, now: Instant, before: u64, memory: u64) {
        if self.quiet_due.is_none_or(|due| due > now) {
            // What is still to be written is freed later.
            self.latest_due = Some(now + MAX_INTERVAL);
            return;
        }
        (self.quiet_due, self.latest_due) = (None, None);
        self.kept = memory;
        self.least = match self.least {
            0 => memory,
            least => least.min(memory),
        };
        self.work = 0;
        self.enough = match before.saturating_sub(memory) >= MIN_FREED_BYTES {
            true => MUCH_WORK,
            false => (self.enough * 2).min(MAX_WORK),
        };
    }
}

/// The private memory of this process in bytes, where the system reports it.
fn own_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = text
        .split_whitespace()
        .skip(1)
        .map_while(|it| it.parse::<u64>().ok());
    let (resident, shared) = (pages.next()?, pages.next()?);
    // Assumes pages of 4 KiB, as on all supported systems but some arm64 kernels, where the threshold is then higher.
    Some(resident.saturating_sub(shared) * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    #[test]
    fn memory_is_due_only_after_growth_or_much_work() {
        let mut freed = FreedMemory::default();
        let now = Instant::now();
        freed.worked_at(now, 1, Some(MIN_FREED_BYTES));
        assert_eq!(freed.next_due(), None);
        freed.worked_at(now, 1, Some(MIN_FREED_BYTES + 1));
        assert_eq!(freed.next_due(), Some(now + QUIET_TIME));
        freed.worked_at(now, 1, None);
        assert_eq!(freed.next_due(), None);
        assert!(own_memory().is_some());
    }

    #[test]
    fn memory_that_is_freed_without_growth_is_given_back() {
        let mut freed = FreedMemory::default();
        let began = Instant::now();
        // All of it was in use when it was trimmed.
        freed.worked_at(began, 1, Some(10 * MB));
        freed.gave_back(began + QUIET_TIME, 10 * MB, 10 * MB);
        freed.worked_at(began + QUIET_TIME, 1, Some(300 * MB));
        let now = began + QUIET_TIME * 2;
        freed.gave_back(now, 300 * MB, 300 * MB);
        freed.worked_at(now, MUCH_WORK / 2, Some(300 * MB));
        assert_eq!(freed.next_due(), None, "too little to have freed much");
        while freed.next_due().is_none() {
            freed.worked_at(now, MUCH_WORK / 2, Some(300 * MB));
        }
        freed.gave_back(now + QUIET_TIME, 300 * MB, 12 * MB);
        assert_eq!((freed.next_due(), freed.kept), (None, 12 * MB));
        freed.worked_at(now + QUIET_TIME, 10 * MUCH_WORK, Some(12 * MB));
        assert_eq!(freed.next_due(), None, "it never had less");
    }

    #[test]
    fn memory_that_is_in_use_is_looked_at_ever_more_rarely() {
        let mut freed = FreedMemory::default();
        let mut now = Instant::now();
        freed.worked_at(now, 1, Some(10 * MB));
        freed.gave_back(now + QUIET_TIME, 10 * MB, 10 * MB);
        let mut tries = 0;
        for _ in 0..1000 {
            freed.worked_at(now, MUCH_WORK, Some(300 * MB));
            if freed.next_due().is_some() {
                tries += 1;
                now += QUIET_TIME;
                freed.gave_back(now, 300 * MB, 300 * MB);
            }
        }
        assert!(tries <= 10, "{tries} times");
    }

    #[test]
    fn memory_is_given_back_while_there_is_always_something_to_write() {
        let mut freed = FreedMemory::default();
        let began = Instant::now();
        let mut now = began;
        while now < began + MAX_INTERVAL {
            freed.worked_at(now, 1, Some(100 * MB));
            now += QUIET_TIME / 2;
        }
        assert_eq!(freed.next_due(), Some(began + MAX_INTERVAL));
        freed.gave_back(now, 100 * MB, 50 * MB);
        assert_eq!(freed.kept, 0, "more is freed when all is written");
        let last = now;
        freed.worked_at(last, 1, Some(50 * MB));
        assert_eq!(freed.next_due(), Some(last + QUIET_TIME));
        freed.gave_back(last + QUIET_TIME, 50 * MB, 20 * MB);
        assert_eq!((freed.next_due(), freed.kept), (None, 20 * MB));
    }
}
