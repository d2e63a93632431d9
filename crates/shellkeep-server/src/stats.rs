//! What `stats` says, as plain figures: whoever gathers them knows nothing of how they are printed.

mod json;
mod text;
mod timing;
mod unit;

use std::time::Duration;

pub use crate::stats::timing::{Timing, Timings};
pub(crate) use crate::stats::unit::bytes;

/// Everything `stats` prints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The server.
    pub server: ProcessFigures,
    /// The keeper, if there is one.
    pub keeper: Option<ProcessFigures>,
    /// Sessions in the archive: they have no line of their own.
    pub archived: u64,
    /// Bytes the archive has on disk.
    pub archived_disk: u64,
    /// Every session that runs or sleeps.
    pub sessions: Vec<SessionFigures>,
    /// Checkpoints of panes.
    pub checkpoints: Timing,
    /// Sessions put to sleep.
    pub hibernations: Timing,
    /// Sessions woken.
    pub revivals: Timing,
    /// Why something cannot be written now, whosever it is: output, a session's description, a copied text.
    pub trouble: Option<String>,
}

/// A process of ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessFigures {
    /// Its id.
    pub pid: u32,
    /// Its memory in bytes, if the system tells.
    pub memory: Option<u64>,
}

/// What a session costs.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionFigures {
    /// Its name.
    pub name: String,
    /// Its id while it runs, e.g. `$3`.
    pub id: String,
    /// Whether it runs.
    pub state: Life,
    /// How many panes it has.
    pub panes: u64,
    /// Bytes in memory.
    pub memory: u64,
    /// Bytes on disk.
    pub disk: u64,
    /// How much of it is safe.
    pub saved: Saved,
}

/// Whether a session runs or sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Its programs run.
    Active,
    /// It has no process.
    Hibernated,
}

impl Life {
    /// As users read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Hibernated => "hibernated",
        }
    }
}

/// How much of a session would be there after a power cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// All of it.
    All,
    /// All but what came since so long ago.
    Ago(Duration),
    /// Nothing, and that is how it was wanted.
    Private,
    /// All but what came since so long ago, and nothing can be written now.
    Failing {
        /// When it worked last.
        ago: Duration,
        /// Why it does not.
        why: String,
    },
    /// Not even what was: it sleeps, and files of it are gone. Why that is known.
    Lost(String),
}

impl Saved {
    /// Since when output is not safe.
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
    /// As lines for a person.
    #[must_use]
    pub fn to_text(&self) -> String {
        text::print(self)
    }

    /// As JSON; the shape is promised in `docs/JSON.md`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        json::print(self)
    }

    fn count(&self, life: Life) -> u64 {
        let of_this = self.sessions.iter().filter(|session| session.state == life);
        of_this.count() as u64
    }

    /// Bytes on disk of all there is.
    fn disk(&self) -> u64 {
        let sessions = self.sessions.iter().map(|session| session.disk);
        sessions.fold(self.archived_disk, u64::saturating_add)
    }

    /// How many sessions are not whole any more.
    fn lost(&self) -> usize {
        let is_lost = |session: &&SessionFigures| matches!(session.saved, Saved::Lost(_));
        self.sessions.iter().filter(is_lost).count()
    }

    /// The longest time that anything waits to be safe.
    fn lag(&self) -> Duration {
        let lags = self
            .sessions
            .iter()
            .filter_map(|session| session.saved.lag());
        lags.max().unwrap_or_default()
    }
}

/// The memory a process takes, in bytes. Linux only; elsewhere nothing is known.
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
