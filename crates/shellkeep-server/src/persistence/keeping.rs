//! The way to the store: where sessions are kept, and the thread that keeps them.

use shellkeep_core::PaneId;
use shellkeep_keeper::{Program, SpawnRequest};
use shellkeep_store::Store;
use shellkeep_store::schema::StoredStart;

use crate::persistence::recorder::Recorder;

/// The store and who writes into it. A server without can do everything but keep.
#[derive(Clone)]
pub(crate) struct Keeping {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
}

/// How a pane's program was started, for when it is to be done again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) pane: PaneId,
    /// The words of a program; none for a login shell.
    pub(crate) argv: Vec<Vec<u8>>,
    pub(crate) shell: Option<Vec<u8>>,
    pub(crate) directory: Vec<u8>,
    /// As `NAME=value`.
    pub(crate) environ: Vec<Vec<u8>>,
    pub(crate) umask: u32,
}

impl Start {
    pub(crate) fn of(spawn: &SpawnRequest) -> Self {
        let (argv, shell) = match &spawn.program {
            Program::LoginShell(shell) => (Vec::new(), Some(shell.clone())),
            Program::Argv(argv) => (argv.clone(), None),
        };
        Self {
            pane: spawn.pane,
            argv,
            shell,
            directory: spawn.cwd.clone(),
            environ: spawn.environ.clone(),
            umask: spawn.umask,
        }
    }

    /// What is kept of it for a pane.
    pub(crate) fn stored(pane: PaneId, stored: StoredStart) -> Self {
        let StoredStart {
            argv,
            shell,
            directory,
            environ,
            umask,
        } = stored;
        Self {
            pane,
            argv,
            shell,
            directory,
            environ,
            umask,
        }
    }
}
