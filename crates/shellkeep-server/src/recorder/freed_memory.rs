//! Memory that a burst of work has taken and freed again. The C library keeps it: thousands of windows that were opened and closed
//! would leave hundreds of megabytes. It is given back when there has been nothing to write for a while.

use std::time::{Duration, Instant};

/// Nothing was to be written for so long. The trim holds the allocator's lock: it must not fall between two commands of a burst.
const QUIET: Duration = Duration::from_secs(2);

/// Less than this is not worth it: the next burst would take it again.
const SLACK: u64 = 8 << 20;

/// When memory is to be given back, if at all.
#[derive(Debug, Default)]
pub(super) struct FreedMemory {
    due: Option<Instant>,
    /// What this process had when it was last given back.
    kept: u64,
}

impl FreedMemory {
    /// Something was written, and more may follow. A process that has not grown needs no timer.
    pub(super) fn worked(&mut self) {
        let has_grown = own_memory().is_some_and(|now| now > self.kept + SLACK);
        self.due = has_grown.then(|| Instant::now() + QUIET);
    }

    pub(super) fn next_due(&self) -> Option<Instant> {
        self.due
    }

    /// Gives it back, if it is time.
    pub(super) fn give_back(&mut self) {
        if self.due.take_if(|due| *due <= Instant::now()).is_some() {
            shellkeep_keeper::process::give_back_memory();
            self.kept = own_memory().unwrap_or(0);
            tracing::debug!(kept = self.kept, "freed memory was given back");
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
        let mut freed = FreedMemory {
            due: None,
            kept: u64::MAX / 2,
        };
        freed.worked();
        assert_eq!(freed.next_due(), None);
        let block = vec![1_u8; 4 << 20];
        freed.kept = own_memory().unwrap().saturating_sub(2 * SLACK);
        // A test's process may be small.
        if freed.kept > 0 {
            freed.worked();
            assert!(freed.next_due().is_some());
        }
        drop(block);
    }
}
