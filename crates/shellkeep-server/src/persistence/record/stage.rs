//! The stages of a pane's record. Each type answers one question, so that no two answers can contradict each other.

use shellkeep_store::Journal;

/// Whether entries can be written, and where to.
pub(super) enum Stage {
    /// No journal is open; the next entry opens one.
    Idle,
    /// Entries go into this journal.
    Writing(Journal),
    /// An entry could not be written. Further ones are dropped until a checkpoint is written.
    Broken,
    /// The directory was removed and could not be made anew yet. Entries are dropped.
    Astray,
    /// The files cannot be read, so they must not be replaced.
    Refused(Refusal),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A later version wrote them.
    Newer,
    /// The system refuses access, or the contents are invalid.
    Unreadable,
}

impl Stage {
    /// Whether entries are dropped until a checkpoint is written.
    pub(super) fn needs_checkpoint(&self) -> bool {
        matches!(self, Self::Broken | Self::Astray)
    }

    pub(super) fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }

    pub(super) fn journal(&self) -> Option<&Journal> {
        match self {
            Self::Writing(journal) => Some(journal),
            Self::Idle | Self::Broken | Self::Astray | Self::Refused(_) => None,
        }
    }

    pub(super) fn journal_mut(&mut self) -> Option<&mut Journal> {
        match self {
            Self::Writing(journal) => Some(journal),
            Self::Idle | Self::Broken | Self::Astray | Self::Refused(_) => None,
        }
    }
}

/// How far the files lead up to the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    /// The last checkpoint that was taken has everything.
    Checkpointed,
    /// Checkpoint and journal have everything.
    Journaled,
    /// Output between the last checkpoint and the journal is missing on disk.
    Gap,
    /// As `Gap`, but a checkpoint with everything was taken. The gap is closed when that is written.
    GapClosing,
}

impl Coverage {
    /// Whether output is missing on disk.
    pub(super) fn has_gap(self) -> bool {
        matches!(self, Self::Gap | Self::GapClosing)
    }

    /// Whether the screen has changed since the last checkpoint was taken.
    pub(super) fn is_changed(self) -> bool {
        matches!(self, Self::Journaled | Self::Gap)
    }

    pub(super) fn change(&mut self) {
        *self = match self.has_gap() {
            true => Self::Gap,
            false => Self::Journaled,
        };
    }

    /// A change could not be written.
    pub(super) fn lose(&mut self) {
        *self = Self::Gap;
    }

    /// A checkpoint was taken.
    pub(super) fn take(&mut self) {
        *self = match self.has_gap() {
            true => Self::GapClosing,
            false => Self::Checkpointed,
        };
    }

    /// The checkpoint that was taken is written.
    pub(super) fn close_gap(&mut self) {
        *self = match self.is_changed() {
            true => Self::Journaled,
            false => Self::Checkpointed,
        };
    }
}

/// Whether the record is on the recorder's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Attention {
    None,
    Watched,
    /// It is on the list, and a checkpoint was requested.
    Hurried,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gap_is_closed_by_a_checkpoint_that_was_written() {
        let mut coverage = Coverage::Journaled;
        coverage.lose();
        coverage.take();
        assert_eq!(coverage, Coverage::GapClosing);
        coverage.close_gap();
        assert_eq!(coverage, Coverage::Checkpointed);
    }

    #[test]
    fn change_after_a_checkpoint_was_taken_is_not_in_it() {
        for (before, closed) in [
            (Coverage::Journaled, Coverage::Journaled),
            (Coverage::Gap, Coverage::Journaled),
        ] {
            let mut coverage = before;
            coverage.take();
            coverage.change();
            assert_eq!(coverage, before);
            coverage.close_gap();
            assert_eq!(coverage, closed);
        }
    }
}
