//! The way to the store: where sessions are kept, and the thread that keeps them.

use serde::{Deserialize, Serialize};
use shellkeep_core::PaneId;
use shellkeep_keeper::{Program, SpawnRequest};
use shellkeep_store::Store;

use crate::recorder::Recorder;
use crate::text_bytes;

/// The store and who writes into it. A server without can do everything but keep.
#[derive(Clone)]
pub(crate) struct Keeping {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
}

/// How a pane's program was started, for when it is to be done again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Start {
    #[serde(skip, default = "no_pane")]
    pub(crate) pane: PaneId,
    /// The words of a program; none for a login shell.
    #[serde(with = "text_bytes::list")]
    pub(crate) argv: Vec<Vec<u8>>,
    #[serde(with = "text_bytes::option")]
    pub(crate) shell: Option<Vec<u8>>,
    #[serde(with = "text_bytes::one")]
    pub(crate) directory: Vec<u8>,
    /// As `NAME=value`.
    #[serde(with = "text_bytes::list")]
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
}

/// Which pane it was is not part of how it was started.
fn no_pane() -> PaneId {
    PaneId(u32::MAX)
}
