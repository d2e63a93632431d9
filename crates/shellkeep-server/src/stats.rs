//! The figures of `stats` as plain values, independent of how they are printed.

mod json;
mod text;
mod timing;
mod unit;

use std::time::Duration;

pub use crate::stats::timing::{Timing, Timings};
pub(crate) use crate::stats::unit::bytes;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    pub server: ProcessFigures,
    /// The keeper, if there is one.
    pub keeper: Option<ProcessFigures>,
    /// The number of archived sessions, which are not listed one by one.
    pub archived: u64,
    /// The size of the archive on disk, in bytes.
    pub archived_disk: u64,
    /// Every session that is active or hibernated.
    pub sessions: Vec<SessionFigures>,
    /// How long checkpoints of panes took.
    pub checkpoints: Timing,
    /// How long it took to put panes to sleep.
    pub hibernations: Timing,
    /// How long it took to wake panes.
    pub revivals: Timing,
    /// Why something cannot be written now: output, a session's description, or a buffer.
    pub trouble: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessFigures {
    pub pid: u32,
    /// Its memory in bytes, if the system reports it.
    pub memory: Option<u64>,
}

/// What a session costs.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionFigures {
    pub name: String,
    /// Its id while it is open, e.g. `$3`.
    pub id: String,
    pub state: Life,
    pub panes: u64,
    /// Bytes in memory.
    pub memory: u64,
    /// Bytes on disk.
    pub disk: u64,
    /// How much of it is on disk.
    pub saved: Saved,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Its programs run.
    Active,
    /// It has no process.
    Hibernated,
}

impl Life {
    /// The name shown to users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Hibernated => "hibernated",
        }
    }
}

/// How much of a session would be left after a power cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    All,
    /// Everything up to this long ago.
    Ago(Duration),
    /// Nothing, because the session is private.
    Private,
    /// Everything up to this long ago, and nothing can be written now.
    Failing {
        /// How long ago a write succeeded.
        ago: Duration,
        /// Why writes fail.
        why: String,
    },
    /// Not even what was written: the session is asleep and files of it are gone. How that is known.
    Lost(String),
}

impl Saved {
    /// For how long output has not been on disk.
    #[must_use]
    pub fn lag(&self) -> Option<Duration> {
        match self {
            Self::All => Some(Duration::ZERO),
            Self::Ago(ago) | Self::Failing { ago, .. } => Some(*ago),
            Self::Private | Self::Lost(_) => None,
        }
    }
}

impl Figures {
    /// Lines for people.
    #[must_use]
    pub fn to_text(&self) -> String {
        text::print(self)
    }

    /// JSON; `docs/JSON.md` promises its structure.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        json::print(self)
    }

    fn count(&self, life: Life) -> u64 {
        let of_this = self.sessions.iter().filter(|session| session.state == life);
        of_this.count() as u64
    }

    /// The bytes on disk of all sessions.
    fn disk(&self) -> u64 {
        let sessions = self.sessions.iter().map(|session| session.disk);
        sessions.fold(self.archived_disk, u64::saturating_add)
    }

    /// How many sessions have lost files.
    fn lost(&self) -> usize {
        let is_lost = |session: &&SessionFigures| matches!(session.saved, Saved::Lost(_));
        self.sessions.iter().filter(is_lost).count()
    }

    /// The longest time that output has not been on disk.
    fn lag(&self) -> Duration {
        let lags = self
            .sessions
            .iter()
            .filter_map(|session| session.saved.lag());
        lags.max().unwrap_or_default()
    }
}

/// The memory of a process in bytes. Linux only; elsewhere nothing is known.
#[must_use]
pub fn memory_of(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests;
