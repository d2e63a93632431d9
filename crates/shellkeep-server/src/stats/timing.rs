//! How long something took, the last times it was done.

use std::time::Duration;

/// So many of the last times are remembered.
const SAMPLES: usize = 1024;

/// Remembers how long something took. Its size is fixed: 4 KB once it is used.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    /// Microseconds; a ring once it is full.
    samples: Vec<u32>,
    next: usize,
    count: u64,
}

/// What the remembered times come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// How often it was done, also those times that are no longer remembered.
    pub count: u64,
    /// Half of the remembered times were no longer than this.
    pub median: Option<Duration>,
    /// Of a hundred remembered times one was longer than this.
    pub p99: Option<Duration>,
}

impl Timings {
    /// Notes that it took so long.
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

    /// What they come to.
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

/// The smallest of the times that so many per cent of them do not exceed.
fn rank(sorted: &[u32], percent: usize) -> Option<Duration> {
    let rank = (sorted.len() * percent).div_ceil(100);
    let micros = sorted.get(rank.checked_sub(1)?)?;
    Some(Duration::from_micros(u64::from(*micros)))
}
