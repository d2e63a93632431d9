//! The state of the commands component: queues and what they wait for, jobs, channels and the configuration.

use std::collections::BTreeMap;

use crate::commands::channels::Channels;
use crate::commands::jobs::Jobs;
use crate::commands::queue::{Queue, QueueId};
use crate::commands::setup::Setup;
use crate::commands::slices::Slices;

#[derive(Default)]
pub(crate) struct CommandState {
    /// Queues that run or wait.
    pub(crate) queues: BTreeMap<QueueId, Queue>,
    pub(crate) next_queue: u32,
    /// Queues that wait for their turn.
    pub(crate) slices: Slices,
    /// How many commands have led to the running one.
    pub(crate) depth: usize,
    /// The number of the next answer to a control client.
    pub(crate) next_answer: u64,
    pub(crate) jobs: Jobs,
    pub(crate) channels: Channels,
    /// The configuration that is being read.
    pub(crate) setup: Setup,
}
