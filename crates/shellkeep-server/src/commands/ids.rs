//! Ids of queues and of shell commands.

/// A queue of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueId(pub(crate) u32);

/// A shell command of the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JobId(pub(crate) u64);
