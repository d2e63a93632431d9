//! What running commands has to remember between events: the queues, what they wait for, key bindings, and what was said.

use std::collections::{BTreeMap, BTreeSet};

use shellkeep_command::bind::KeyTables;

use super::channels::Channels;
use super::jobs::{FormatJobs, Job};
use super::messages::Messages;
use super::settings::Setup;
use super::slices::Slices;
use crate::job::JobId;
use crate::prompt::Histories;
use crate::queue::{Queue, QueueId};

#[derive(Default)]
pub(crate) struct CommandState {
    pub(crate) key_tables: KeyTables,
    /// Commands that are run, or wait for something.
    pub(crate) queues: BTreeMap<QueueId, Queue>,
    pub(super) next_queue: u32,
    /// Queues that wait for their turn.
    pub(super) slices: Slices,
    /// How many commands have led to the one being run, each by naming more to be run.
    pub(crate) depth: usize,
    pub(crate) run_so_far: u64,
    /// The number of the next answer to a client in control mode.
    pub(super) next_answer: u64,
    /// Shell commands of ours that run.
    pub(super) jobs: BTreeMap<JobId, Job>,
    pub(super) next_job: u64,
    /// The channels of `wait-for`.
    pub(super) channels: Channels,
    /// Queues whose signal or lock has come.
    pub(super) woken: Vec<QueueId>,
    /// The configuration on its way in.
    pub(super) setup: Setup,
    /// The configurations that were read.
    pub(crate) config_files: Vec<String>,
    /// What was wrong with the configuration, for the first client that asks for something.
    pub(crate) complaints: Vec<String>,
    /// What was passed over in configurations, each told once.
    pub(crate) said_once: BTreeSet<String>,
    /// What was typed at prompts.
    pub(crate) prompt_histories: Histories,
    /// What `#(…)` printed last, and when.
    pub(crate) format_jobs: FormatJobs,
    /// What was said of late.
    pub(crate) messages: Messages,
}
