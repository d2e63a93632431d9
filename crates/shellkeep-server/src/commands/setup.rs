//! The configuration that is being read.

use shellkeep_proto::RunRequest;

use crate::commands::queue::QueueId;

#[derive(Default)]
pub(crate) struct Setup {
    /// The queue of its commands, while it runs: it may wait for shell commands.
    pub(crate) queue: Option<QueueId>,
    /// The first client's request, held until then.
    pub(crate) request: Option<Box<RunRequest>>,
}
