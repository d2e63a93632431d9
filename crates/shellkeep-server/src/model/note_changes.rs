//! Notes what the current event has changed.

use shellkeep_command::options;
use shellkeep_core::{ClientId, SessionId, WindowId};

use crate::action::Action;
use crate::commands::queue::QueueId;
use crate::model::Model;
use crate::model::changes::HookDue;
use crate::model::hook_subject::{about, is_hook_set, name_of};
use crate::model::notice::Notice;

impl Model {
    /// Requests an action, which is another component's work. The loop carries it out when the current function has
    /// returned.
    pub(crate) fn act(&mut self, action: Action) {
        self.changes.is_unsettled = true;
        self.changes.actions.ask(action);
    }

    /// The queue whose command runs now.
    pub(crate) fn running(&self) -> Option<QueueId> {
        self.changes.running.queue
    }

    /// Notes that something has happened, for control clients and hooks. The hook's subject is recorded now, since it
    /// may be gone when the hook runs.
    pub(crate) fn notify(&mut self, notice: Notice) {
        self.changes.is_unsettled = true;
        let name = name_of(&notice);
        let is_set = || options::known(name).is_some_and(|spec| is_hook_set(self, spec));
        if self.changes.running.hook.is_none() && is_set() {
            let hook = about(self, &notice).hook(name);
            let cause = self.changes.running.queue;
            self.changes.hooks.push(HookDue { name, hook, cause });
        }
        self.changes.notices.push(notice);
    }

    /// A session's windows or its current window have changed: sizes may change, and its clients are redrawn.
    pub(crate) fn session_changed(&mut self, id: SessionId) {
        self.session_note_due(id);
        self.sizes_due();
        self.redraw_session(id);
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
            client.view.is_stale = true;
        }
    }

    pub(crate) fn redraw_session(&mut self, id: SessionId) {
        self.changes.is_unsettled = true;
        for client in self.clients.values_mut() {
            client.view.is_stale |= client.session == Some(id);
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
            client.view.is_stale = true;
        }
    }
}
