//! A batch of checkpoints, sessions and starts that go to the disk together.

use std::collections::BTreeMap;
use std::sync::Arc;

use shellkeep_store::StoreId;

use crate::persistence::recorder::page_cache::Version;
use crate::persistence::recorder::starts::Start;
use crate::persistence::recorder::task::{Asked, Done, Task};

/// How many checkpoints a batch may have: their bytes are in memory until they are read back.
const MAX_BATCH: usize = 64;

/// A batch of work that goes to the disk together.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) checkpoints: Vec<Asked>,
    /// The newest version of each session.
    pub(crate) sessions: BTreeMap<StoreId, Version>,
    /// The callbacks, and the sessions that each waits for.
    pub(crate) waiting: Vec<(Vec<StoreId>, Done)>,
    pub(crate) starts: Vec<Start>,
}

impl Batch {
    /// A batch of starts alone.
    pub(crate) fn of_starts(starts: Vec<Start>) -> Self {
        Self {
            starts,
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, asked: Asked) {
        self.checkpoints.push(asked);
    }

    pub(crate) fn is_enough(&self) -> bool {
        self.checkpoints.len() >= MAX_BATCH || self.waiting.len() >= MAX_BATCH
    }

    /// Whether this batch has to be written before the task, because the task may be about the same files.
    pub(crate) fn must_go_before(&self, task: &Task) -> bool {
        match task {
            Task::Checkpoint(asked) => {
                let mut others = self.checkpoints.iter();
                others.any(|other| Arc::ptr_eq(&other.screen, &asked.screen)) || self.is_enough()
            }
            Task::Sessions(..) => self.is_enough(),
            Task::Session { id, .. } => self.sessions.contains_key(id),
            Task::Watch(_) | Task::Hurry(_) | Task::Packed(_) | Task::Loaded(_) => false,
            Task::Changed(_) | Task::Start(..) | Task::Worked(_) => false,
            Task::Command(..) | Task::CommandsWritten(_) => false,
            Task::Do(_) | Task::Forget(..) | Task::Buffers(..) => true,
            Task::File(..) | Task::Flush(_) | Task::Settle(_) => true,
        }
    }

    /// Adds versions of sessions. `done` is called with whether all of `ids` are synced. A session without a version
    /// here is on disk in its newest version, or was added before.
    pub(crate) fn add_sessions(
        &mut self,
        ids: Vec<StoreId>,
        versions: BTreeMap<StoreId, Version>,
        done: Done,
    ) {
        self.sessions.extend(versions);
        self.waiting.push((ids, done));
    }
}
