//! Which process a pane has, so that a late notice about an earlier one is known for what it is.

use shellkeep_keeper::{Generation, ProcessId};

/// The process of a pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PaneProcess {
    /// The pane sleeps, or its program was let go.
    #[default]
    None,
    /// The keeper was asked for it, and has not answered.
    Starting(Generation),
    /// It runs, or has ended and the pane stays.
    Running(ProcessId),
}

impl PaneProcess {
    pub(crate) fn id(self) -> Option<ProcessId> {
        match self {
            Self::Running(process) => Some(process),
            Self::None | Self::Starting(_) => None,
        }
    }

    /// Whether a notice about this process is about the pane's present one.
    pub(crate) fn is(self, process: ProcessId) -> bool {
        self == Self::Running(process)
    }

    /// Whether the keeper's answer to this start is the one that the pane waits for.
    pub(crate) fn awaits(self, generation: Generation) -> bool {
        self == Self::Starting(generation)
    }
}
