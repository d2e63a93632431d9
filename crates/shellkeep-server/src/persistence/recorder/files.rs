//! Files that belong to no session: paste buffers, and the history of prompts.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use shellkeep_shell::user_file::{self, WriteMode};
use shellkeep_store::{KeptBuffer, Store, StoreError, StoreId};

use crate::persistence::recorder::pace::{RETRY_INTERVAL, SYNC_INTERVAL};

/// A change of a paste buffer's file.
#[derive(Clone, Debug)]
pub(crate) enum BufferChange {
    /// It is written with this buffer.
    Write(KeptBuffer),
    Remove,
}

/// What is still to be done with a buffer's file.
enum Todo {
    Change(BufferChange),
    /// It is written and has to be synced.
    Sync,
}

struct Pending {
    todo: Todo,
    due: Instant,
    trouble: Option<String>,
}

/// The files that are still to be written or synced.
#[derive(Default)]
pub(crate) struct Files {
    buffers: BTreeMap<StoreId, Pending>,
}

impl Files {
    /// Carries out a change of a buffer's file, at once if possible.
    pub(crate) fn take(&mut self, store: &Store, id: StoreId, change: BufferChange) {
        let now = Instant::now();
        let pending = Pending {
            todo: Todo::Change(change),
            due: now,
            trouble: None,
        };
        self.buffers.insert(id, pending);
        self.work(store, now);
    }

    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.buffers.values().map(|pending| pending.due).min()
    }

    /// Why files cannot be written at the moment.
    pub(crate) fn trouble(&self) -> impl Iterator<Item = &String> {
        let all = self.buffers.values();
        all.filter_map(|pending| pending.trouble.as_ref())
    }

    pub(crate) fn work(&mut self, store: &Store, until: Instant) {
        self.buffers.retain(|id, pending| {
            if pending.due > until {
                return true;
            }
            let done = match &pending.todo {
                Todo::Change(BufferChange::Write(buffer)) => store.put_buffer(*id, buffer),
                Todo::Change(BufferChange::Remove) => store.remove_buffer(*id),
                Todo::Sync => store.sync_buffer(*id),
            };
            match done {
                Ok(()) => pending.succeeded(),
                Err(error) => pending.failed(*id, &error),
            }
        });
    }
}

impl Pending {
    /// Work on the file succeeded. Returns whether more remains to be done.
    fn succeeded(&mut self) -> bool {
        self.trouble = None;
        let is_written = matches!(self.todo, Todo::Change(BufferChange::Write(_)));
        self.todo = Todo::Sync;
        self.due = Instant::now() + SYNC_INTERVAL;
        is_written
    }

    /// Work on the file has failed. Returns whether it is worth another try.
    fn failed(&mut self, id: StoreId, error: &StoreError) -> bool {
        if self.trouble.is_none() {
            tracing::warn!(buffer = %id, %error, "cannot write a paste buffer");
        }
        self.trouble = Some(error.to_string());
        self.due = Instant::now() + RETRY_INTERVAL;
        error.may_pass()
    }
}

/// Writes a user's file in place, since it may be a link.
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    if let Err(error) = user_file::write(path, bytes, WriteMode::Replace, 0o077) {
        tracing::warn!(?path, %error, "the history of prompts cannot be written");
    }
}
