//! What running commands has to remember between events: the queues, what they wait for, key bindings, and what was said.

use std::collections::BTreeMap;

use crate::commands::channels::Channels;
use crate::commands::jobs::Jobs;
use crate::commands::queue::{Queue, QueueId};
use crate::commands::setup::Setup;
use crate::commands::slices::Slices;

#[derive(Default)]
pub(crate) struct CommandState {
    /// Commands that are run, or wait for something.
    pub(crate) queues: BTreeMap<QueueId, Queue>,
    pub(crate) next_queue: u32,
    /// Queues that wait for their turn.
    pub(crate) slices: Slices,
    /// How many commands have led to the one being run, each by naming more to be run.
    pub(crate) depth: usize,
    /// The number of the next answer to a client in control mode.
    pub(crate) next_answer: u64,
    /// Shell commands of ours that run.
    pub(crate) jobs: Jobs,
    /// The channels of `wait-for`.
    pub(crate) channels: Channels,
    /// The configuration on its way in.
    pub(crate) setup: Setup,
}
