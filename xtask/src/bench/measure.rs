//! What the runner asks of everything that it measures.

use anyhow::Result;

use super::figure::Sample;
use super::subject::Subject;

/// One thing to measure. The runner calls `prepare` once for each program and then `round` for both in
/// turn, so a measure needs no thought about the order.
pub(super) trait Measure {
    /// What `--only` calls it.
    fn name(&self) -> &'static str;

    /// How often each program is measured.
    fn rounds(&self, effort: Effort) -> usize;

    /// Whether there is anything to measure of tmux.
    fn is_for_tmux(&self) -> bool {
        true
    }

    /// Brings a program without a server to where the rounds start from.
    fn prepare(&self, _subject: &Subject) -> Result<()> {
        Ok(())
    }

    /// Measures one program once.
    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>>;
}

/// How much work to put into the figures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    Quick,
    Full,
}

impl Effort {
    /// Picks the value that fits the effort, such as a number of rounds.
    pub(super) fn choose<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}
