//! The interface of everything that the bench measures.

use anyhow::Result;

use super::figure::Sample;
use super::subject::Subject;

/// Something to measure. `prepare` is called once for each program, then `round` for both in turn, so that a measure
/// need not handle the order.
pub(super) trait Measure {
    /// Its name for `--only`.
    fn name(&self) -> &'static str;

    /// How often each program is measured.
    fn rounds(&self, effort: Effort) -> usize;

    /// Whether tmux is measured as well.
    fn is_for_tmux(&self) -> bool {
        true
    }

    /// Brings a program without a server to the state in which rounds start.
    fn prepare(&self, _subject: &Subject) -> Result<()> {
        Ok(())
    }

    /// Measures one program once.
    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>>;
}

/// How much time to spend on the figures.
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
