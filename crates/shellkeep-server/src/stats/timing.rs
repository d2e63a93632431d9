//! Durations of the last runs of an operation.

use std::time::Duration;

/// How many durations are remembered.
const SAMPLES: usize = 1024;

/// The last durations of an operation. Its size is limited: 4 KB.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    /// Microseconds; a ring once it is full.
    samples: Vec<u32>,
    next: usize,
    count: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// How many runs there were, including those no longer remembered.
    pub count: u64,
    /// The median of the remembered durations.
    pub median: Option<Duration>,
    /// The 99th percentile of the remembered durations.
    pub p99: Option<Duration>,
}

impl Timings {
    pub fn record(&mut self, took: Duration) {
        let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        if self.samples.len() < SAMPLES {
            self.samples.push(micros);
        } else {
            self.samples[self.next] = micros;
        }
        self.next = (self.next + 1) % SAMPLES;
        self.count += 1;
    }

    #[must_use]
    pub fn summary(&self) -> Timing {
        let mut sorted = self.samples.clone();
        sorted.sort_unstable();
        Timing {
            count: self.count,
            median: rank(&sorted, 50),
            p99: rank(&sorted, 99),
        }
    }
}

/// The given percentile.
fn rank(sorted: &[u32], percent: usize) -> Option<Duration> {
    let rank = (sorted.len() * percent).div_ceil(100);
    let micros = sorted.get(rank.checked_sub(1)?)?;
    Some(Duration::from_micros(u64::from(*micros)))
}
