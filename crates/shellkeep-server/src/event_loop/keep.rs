//! What the next server must know is left with the keeper; what an earlier one left is taken up.

use std::collections::BTreeMap;

use shellkeep_core::{PaneId, SessionId, WindowId};
use shellkeep_keeper::HostRequest;
use shellkeep_keeper::host::Recovered;
use shellkeep_term::Emulator;

use super::Server;
use crate::exec;
use crate::memory::{self, Memory};
use crate::screen::Screen;
use crate::state::Pane;

impl Server {
    pub(crate) fn session_note_due(&mut self, id: SessionId) {
        self.is_unsettled = true;
        self.due.sessions.insert(id);
    }

    pub(crate) fn window_note_due(&mut self, id: WindowId) {
        self.is_unsettled = true;
        self.due.windows.insert(id);
    }

    pub(crate) fn server_note_due(&mut self) {
        self.is_unsettled = true;
        self.due.server = true;
    }

    pub(crate) fn keys_note_due(&mut self) {
        self.is_unsettled = true;
        self.due.keys = true;
    }

    pub(crate) fn forget_note(&self, key: String) {
        let value = Vec::new();
        self.host.request(HostRequest::Remember { key, value });
    }

    /// Writes the notes that are due.
    pub(super) fn write_notes(&mut self) {
        let due = std::mem::take(&mut self.due);
        let remember = |key: String, value: Vec<u8>| {
            self.host.request(HostRequest::Remember { key, value });
        };
        // A session is named after its windows are: whoever takes over between the two finds what it names.
        for id in due.windows {
            if let Some(window) = self.state.windows.get(&id) {
                remember(
                    memory::window_key(id),
                    memory::window_note(window, &self.state),
                );
            }
        }
        for id in due.sessions {
            if let Some(session) = self.state.sessions.get(&id) {
                remember(memory::session_key(id), memory::session_note(session));
            }
        }
        if due.keys {
            remember(
                memory::KEYS_KEY.to_owned(),
                memory::keys_note(&self.key_tables),
            );
        }
        if due.server {
            remember(
                memory::SERVER_KEY.to_owned(),
                memory::server_note(&self.state),
            );
        }
    }

    /// Takes over what an earlier server left with the keeper.
    pub(crate) fn recover(&mut self, mut recovered: Recovered) {
        self.end_orphaned_popups(&mut recovered);
        let screens: BTreeMap<PaneId, Vec<u8>> = memory::screens(&recovered.notes);
        memory::restore_server(&recovered.notes, &mut self.state);
        if let Some(tables) = memory::restore_keys(&recovered.notes) {
            self.key_tables = tables;
            self.keys_note_due();
        }
        let held: Vec<PaneId> = recovered.panes.iter().map(|held| held.pane).collect();
        let Memory {
            sessions,
            windows,
            panes,
        } = memory::model(&recovered.notes, &held, self.now());
        for window in windows {
            self.state.next_window = self.state.next_window.max(window.id.0 + 1);
            self.window_note_due(window.id);
            self.state.windows.insert(window.id, window);
        }
        for held in recovered.panes {
            let id = held.pane;
            self.state.next_pane = self.state.next_pane.max(id.0 + 1);
            let Some(place) = panes.get(&id) else {
                continue;
            };
            let remembered = screens
                .get(&id)
                .and_then(|bytes| exec::restore_screen(bytes));
            let has_screen = remembered.is_some();
            let mut emulator = remembered
                .unwrap_or_else(|| Emulator::new(place.size, self.emulator_config(place.window)));
            emulator.resize(place.size);
            let mut pane = Pane::new(id, place.window, place.size, Screen::new(id, emulator));
            pane.start_command.clone_from(&place.start_command);
            pane.start_path.clone_from(&place.start_path);
            pane.options = place.options.clone();
            pane.argv.clone_from(&place.argv);
            pane.input_off = place.input_off;
            if has_screen {
                // Its end is written on the screen already.
                pane.died = place.died;
            }
            if let Some(title) = &place.title {
                pane.screen.lock().set_title(title);
                pane.has_title = true;
            }
            pane.used = self.state.next_use();
            pane.start(held, self.events.clone(), self.courtesy.clone());
            if !has_screen {
                pane.ask_to_repaint();
            }
            self.forget_note(memory::screen_key(id));
            self.state.panes.insert(id, pane);
        }
        for session in sessions {
            self.state.next_session = self.state.next_session.max(session.id.0 + 1);
            self.add_session(session);
        }
        let count = self.state.sessions.len();
        if count > 0 {
            tracing::info!(count, "sessions taken over from an earlier server");
        }
        self.apply_options();
        self.write_notes();
    }

    /// An orderly end leaves the screens behind, too.
    pub(super) fn remember_screens(&self) {
        for pane in self.state.panes.values() {
            pane.stop_reading();
            let value = exec::dump_screen(&pane.screen.lock());
            self.host.request(HostRequest::Remember {
                key: memory::screen_key(pane.id),
                value,
            });
        }
    }
}
