//! The scripts that a thread has prepared for a pane that wakes.

use shellkeep_keeper::SpawnRequest;
use shellkeep_shell::Revival;

use crate::model::ticket::Ticket;

/// A shell's scripts, or why there are none.
pub(crate) struct Prepared {
    /// The attempt to wake the pane that the scripts belong to.
    pub(crate) attempt: Ticket,
    pub(crate) spawn: SpawnRequest,
    pub(crate) revival: Result<Revival, NoRevival>,
}

/// Why a shell cannot be started with its state, in a few words.
pub(crate) enum NoRevival {
    /// The state cannot be used: the pane gets a new shell.
    Useless(String),
    /// The system has refused something that it may allow later. The pane stays asleep, since a new shell would lose
    /// the state.
    NotNow(String),
}

#[cfg(test)]
impl Prepared {
    /// A failure for this attempt.
    pub(crate) fn failed(attempt: Ticket, pane: shellkeep_core::PaneId) -> Self {
        let spawn = SpawnRequest {
            pane,
            size: shellkeep_core::Size::default(),
            program: shellkeep_keeper::Program::Argv(Vec::new()),
            cwd: Vec::new(),
            environ: Vec::new(),
            umask: 0,
            terminal: Vec::new(),
        };
        Self {
            attempt,
            spawn,
            revival: Err(NoRevival::Useless("late".to_owned())),
        }
    }
}
