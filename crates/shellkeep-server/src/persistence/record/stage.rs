//! Where the record of a pane is in its life. Each type here is one question with one answer, so that no two answers can disagree.

use shellkeep_store::Journal;

/// The stage of a record: whether its screen can be written down, and where to.
pub(super) enum Stage {
    /// No journal is open; the next entry opens one.
    Idle,
    /// Entries go into this journal.
    Writing(Journal),
    /// An entry could not be written, so entries are of no use before the next checkpoint.
    Broken,
    /// Its directory was removed and could not be made anew yet. Entries are of no use either.
    Astray,
    /// What is on disk cannot be read, so nothing may be put in its place.
    Refused(Refusal),
}

/// Why what is on disk cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A later version wrote it.
    Newer,
    /// The system does not let us, or the content is of no use.
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

/// How far checkpoint and journal on disk lead up to the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    /// All that happened is in the last checkpoint that was taken.
    Checkpointed,
    /// The journal leads from the checkpoint up to the screen.
    Journaled,
    /// Output is missing between the last checkpoint and the journal.
    Gap,
    /// As `Gap`, but a checkpoint of all that happened was taken, and closes the gap when it is written.
    GapClosing,
}

impl Coverage {
    /// Whether output is missing on disk.
    pub(super) fn has_gap(self) -> bool {
        matches!(self, Self::Gap | Self::GapClosing)
    }

    /// Whether something happened since the last checkpoint was taken.
    pub(super) fn is_changed(self) -> bool {
        matches!(self, Self::Journaled | Self::Gap)
    }

    /// Something happened to the screen.
    pub(super) fn change(&mut self) {
        *self = match self.has_gap() {
            true => Self::Gap,
            false => Self::Journaled,
        };
    }

    /// Something that happened could not be written.
    pub(super) fn lose(&mut self) {
        *self = Self::Gap;
    }

    /// A checkpoint of the screen was taken.
    pub(super) fn take(&mut self) {
        *self = match self.has_gap() {
            true => Self::GapClosing,
            false => Self::Checkpointed,
        };
    }

    /// The checkpoint that was taken is on disk.
    pub(super) fn close_gap(&mut self) {
        *self = match self.is_changed() {
            true => Self::Journaled,
            false => Self::Checkpointed,
        };
    }
}

/// Whether the recorder looks after the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Attention {
    /// It is not on the recorder's list.
    None,
    /// It is on the list.
    Watched,
    /// It is on the list, and the recorder was told that a checkpoint is urgent.
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
