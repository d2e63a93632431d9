//! A shell that a thread has put together for a pane that wakes.

use shellkeep_keeper::SpawnRequest;
use shellkeep_shell::Revival;

use crate::model::ticket::Ticket;

/// A shell that was put together, or could not be.
pub(crate) struct Prepared {
    /// Which attempt to wake its pane it belongs to.
    pub(crate) attempt: Ticket,
    pub(crate) spawn: SpawnRequest,
    pub(crate) revival: Result<Revival, NoRevival>,
}

/// Why a shell cannot be started with the state it had, in a few words.
pub(crate) enum NoRevival {
    /// The state is of no use: the pane gets a new shell.
    Useless(String),
    /// The system refused something that it may allow later: the pane sleeps on, since a new shell in its place would lose the state.
    NotNow(String),
}

#[cfg(test)]
impl Prepared {
    /// A shell could not be put together for this attempt.
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
