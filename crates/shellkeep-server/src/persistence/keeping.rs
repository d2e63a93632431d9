//! The server's access to the store.

use shellkeep_core::PaneId;
use shellkeep_keeper::{Program, SpawnRequest};
use shellkeep_store::Store;
use shellkeep_store::schema::StoredStart;

use crate::persistence::recorder::Recorder;

/// The store, and the recorder that writes to it. A server without it works, but keeps nothing.
#[derive(Clone)]
pub(crate) struct Keeping {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
}

/// How a pane's program was started, to start it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) pane: PaneId,
    /// The words of the program; none for a login shell.
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

    /// The stored form of a start, for a pane.
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
