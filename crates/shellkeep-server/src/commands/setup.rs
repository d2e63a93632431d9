//! The configuration on its way in.

use shellkeep_proto::RunRequest;

use crate::commands::queue::QueueId;

/// The configuration on its way in.
#[derive(Default)]
pub(crate) struct Setup {
    /// Its commands, while they run: they may wait for shell commands.
    pub(crate) queue: Option<QueueId>,
    /// What the client wants that waits for them.
    pub(crate) request: Option<Box<RunRequest>>,
}
