//! Keys: looked up in tables, or typed into the pane.

use std::time::Duration;

use shellkeep_command::bind::{Binding, Repeat};
use shellkeep_core::ClientId;
use shellkeep_core::key::Key;
use shellkeep_term::key::{KeyEvent, KeyKind, encode_key_event};

use super::Server;
use super::front::Pressed;
use crate::alarm::Alarm;
use crate::queue::Caller;

/// Where keys are looked up that follow no other key.
pub(crate) const ROOT: &str = "root";

/// Where keys are looked up that follow the prefix.
pub(crate) const PREFIX: &str = "prefix";

impl Server {
    pub(super) fn key(&mut self, id: ClientId, event: KeyEvent) {
        if self.overlay_key(id, &event) {
            return;
        }
        let now = self.now();
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(session_id) = client.session else {
            return;
        };
        if event.kind == KeyKind::Release {
            return self.type_key(id, &event);
        }
        client.activity = now;
        if let Some(session) = self.state.sessions.get_mut(&session_id) {
            session.activity = now;
        }
        if self.press_front(id, event.key) == Pressed::Taken {
            return;
        }
        self.press(id, &event);
    }

    /// Looks a key up, and types it into the pane if it is bound to nothing.
    fn press(&mut self, id: ClientId, event: &KeyEvent) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let is_repeating = client.repeat.take().is_some();
        let table = std::mem::take(&mut client.key_table);
        let session = client.session;
        let options = self.state.session_options(session);
        let first = options.text("key-table").to_owned();
        let is_prefix =
            |key: Option<&Key>| key.is_some_and(|key| *key == event.key && *key != Key::NONE);
        let starts = is_prefix(options.key("prefix")) || is_prefix(options.key("prefix2"));
        let table = if table.is_empty() {
            first.clone()
        } else {
            table
        };
        let found = self.key_tables.lookup(&table, event.key).cloned();
        if let Some(binding) =
            found.filter(|binding| !is_repeating || binding.repeat == Repeat::Repeats)
        {
            return self.run_binding(id, &table, &binding);
        }
        // A key that does not repeat ends the repetition, and is a key like any other.
        if is_repeating && table != first {
            return self.press(id, event);
        }
        if table != first {
            self.redraw_client(id);
            return;
        }
        if starts {
            self.set_key_table(id, PREFIX);
            return;
        }
        self.type_key(id, event);
    }

    /// The next key is looked up elsewhere.
    pub(crate) fn set_key_table(&mut self, id: ClientId, table: &str) {
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.key_table = table.to_owned();
        }
        // The status line may show it.
        self.redraw_client(id);
    }

    fn run_binding(&mut self, id: ClientId, table: &str, binding: &Binding) {
        let session = self
            .state
            .clients
            .get(&id)
            .and_then(|client| client.session);
        let time = self.state.session_options(session).number("repeat-time");
        if binding.repeat == Repeat::Repeats && time > 0 {
            let after = Duration::from_millis(time.unsigned_abs());
            let timer = self.set_alarm(Alarm::Repeat(id), after);
            if let Some(client) = self.state.clients.get_mut(&id) {
                client.key_table = table.to_owned();
                client.repeat = Some(timer);
            }
        }
        self.redraw_client(id);
        self.run_list(Caller::key(id), &binding.commands.clone());
    }

    /// No key came in time to repeat the last one.
    pub(super) fn repeat_over(&mut self, id: ClientId) {
        if let Some(client) = self.state.clients.get_mut(&id)
            && client.repeat.take().is_some()
        {
            client.key_table.clear();
            self.redraw_client(id);
        }
    }

    /// Types a key into the pane a client looks at.
    pub(super) fn type_key(&mut self, id: ClientId, event: &KeyEvent) {
        if self.tree_key(id, event) {
            return;
        }
        self.write_to_program(id, |modes, out| encode_key_event(event, modes, out));
    }
}
