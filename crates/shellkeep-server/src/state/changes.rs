//! What the event at hand has changed. Whoever changes the model notes it here; the loop works out what follows when the event is
//! handled, once for all that it changed.

use std::collections::BTreeSet;

use shellkeep_command::options;
use shellkeep_core::{ClientId, SessionId, WindowId};

use super::Model;
use super::hook_subject::{about, is_hook_set, name_of};
use crate::notice::Notice;
use crate::queue::{Hook, QueueId};

/// What has changed and was not followed up yet.
#[derive(Default)]
pub(crate) struct Changes {
    /// Something that others follow from: sizes, notes, frames.
    pub(crate) is_unsettled: bool,
    /// What clients in control mode are told.
    pub(crate) notices: Vec<Notice>,
    pub(crate) hooks: Vec<HookDue>,
    pub(crate) notes: NotesDue,
    /// Window sizes have to be worked out again.
    pub(crate) are_sizes_due: bool,
    pub(crate) running: RunningCommand,
    /// A program is being started.
    pub(crate) is_starting: bool,
    /// A client has only just got its terminal: it is painted before anything wakes that it shows.
    pub(crate) is_painting: bool,
}

/// The command that is being run.
#[derive(Clone, Copy, Default)]
pub(crate) struct RunningCommand {
    pub(crate) queue: Option<QueueId>,
    /// A hook runs it. What a hook does runs no hooks, so that two of them cannot keep each other going.
    pub(crate) is_hook: bool,
}

/// A hook that is due, because something has happened.
pub(crate) struct HookDue {
    pub(crate) name: &'static str,
    pub(crate) hook: Hook,
    /// The commands that were a reason for it. What runs after one of them runs first.
    pub(crate) cause: Option<QueueId>,
}

/// What must be told to the keeper, for the next server.
#[derive(Default)]
pub(crate) struct NotesDue {
    pub(crate) sessions: BTreeSet<SessionId>,
    pub(crate) windows: BTreeSet<WindowId>,
    pub(crate) server: bool,
    pub(crate) keys: bool,
}

impl Model {
    /// The queue whose command is being run.
    pub(crate) fn running(&self) -> Option<QueueId> {
        self.changes.running.queue
    }

    /// Something happened that others may want to hear of. A hook for it is noted with what it is about now: that may be gone when the
    /// hook runs.
    pub(crate) fn tell(&mut self, notice: Notice) {
        self.changes.is_unsettled = true;
        let name = name_of(&notice);
        let is_set = || options::known(name).is_some_and(|spec| is_hook_set(self, spec));
        if !self.changes.running.is_hook && is_set() {
            let hook = about(self, &notice).hook(name);
            let cause = self.changes.running.queue;
            self.changes.hooks.push(HookDue { name, hook, cause });
        }
        self.changes.notices.push(notice);
    }

    pub(crate) fn session_note_due(&mut self, id: SessionId) {
        self.changes.is_unsettled = true;
        self.changes.notes.sessions.insert(id);
    }

    pub(crate) fn window_note_due(&mut self, id: WindowId) {
        self.changes.is_unsettled = true;
        self.changes.notes.windows.insert(id);
    }

    pub(crate) fn server_note_due(&mut self) {
        self.changes.is_unsettled = true;
        self.changes.notes.server = true;
    }

    pub(crate) fn keys_note_due(&mut self) {
        self.changes.is_unsettled = true;
        self.changes.notes.keys = true;
    }

    pub(crate) fn sizes_due(&mut self) {
        self.changes.is_unsettled = true;
        self.changes.are_sizes_due = true;
    }

    pub(crate) fn redraw_client(&mut self, id: ClientId) {
        self.changes.is_unsettled = true;
        if let Some(client) = self.clients.get_mut(&id) {
            client.is_stale = true;
        }
    }

    pub(crate) fn redraw_session(&mut self, id: SessionId) {
        self.changes.is_unsettled = true;
        for client in self.clients.values_mut() {
            client.is_stale |= client.session == Some(id);
        }
    }

    pub(crate) fn redraw_window(&mut self, id: WindowId) {
        let viewers: Vec<ClientId> = self.viewers_of(id).map(|client| client.id).collect();
        for client in viewers {
            self.redraw_client(client);
        }
    }

    pub(crate) fn redraw_all(&mut self) {
        self.changes.is_unsettled = true;
        for client in self.clients.values_mut() {
            client.is_stale = true;
        }
    }
}
