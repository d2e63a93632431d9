//! What the next server must know is left with the keeper; what an earlier one left is taken up.

use std::collections::BTreeMap;
use std::sync::Arc;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{Held, HostRequest, InputFile};
use shellkeep_term::{Effects, Emulator};

use super::{Server, Waker, beside, idle_capture, panes, resume, sizes, stored};
use crate::exec;
use crate::memory::{self, Memory, Place, Unheld};
use crate::process_info;
use crate::record::{Record, dim_line};
use crate::screen::Screen;
use crate::state::{Backlog, Pane};

/// The number under which keepers hold a shell that a server of an earlier version had started ahead of need. No pane ever has it.
const SPARE_OF_EARLIER_VERSION: PaneId = PaneId(u32::MAX);

/// Whether a shell whose pane is noted down as asleep is still there as it was: then it goes on, as if nobody had asked it.
fn is_spared(place: &Place, held: &Held) -> bool {
    let pid = Pid::from_raw(held.process.pid.cast_signed());
    place.ending == Some(held.process.pid) && held.exit.is_none() && process_info::is_alive(pid)
}

impl Server {
    pub(crate) fn forget_note(&self, key: String) {
        let value = Vec::new();
        self.host.request(HostRequest::Remember { key, value });
    }

    /// Writes the notes that are due: with the keeper, and in the store.
    pub(super) fn write_notes(&mut self) {
        self.keep_panes();
        self.tell_of_untold();
        let due = std::mem::take(&mut self.state.changes.notes);
        let clients = self.take_client_note();
        let remember = |key: String, value: Vec<u8>| {
            self.host.request(HostRequest::Remember { key, value });
        };
        let mut stored = due.sessions.clone();
        // A session is named after its windows are: whoever takes over between the two finds what it names.
        for id in due.windows {
            if let Some(window) = self.state.windows.get(&id) {
                remember(
                    memory::window_key(id),
                    memory::window_note(window, &self.state),
                );
                stored.extend(self.state.links_of(id).map(|(session, _)| session));
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
                memory::keys_note(&self.commands.key_tables),
            );
        }
        if due.server {
            remember(
                memory::SERVER_KEY.to_owned(),
                memory::server_note(&self.state),
            );
        }
        if let Some(clients) = clients {
            remember(memory::CLIENTS_KEY.to_owned(), clients);
        }
        self.store_sessions(&stored);
    }

    /// A session out of the store changes for the first time: from here on the keeper has to know of all of it.
    fn tell_of_untold(&mut self) {
        if self.persistence.untold.is_empty() {
            return;
        }
        let mut changed = self.state.changes.notes.sessions.clone();
        for window in &self.state.changes.notes.windows {
            changed.extend(self.state.links_of(*window).map(|(session, _)| session));
        }
        for id in changed {
            if self.persistence.untold.remove(&id) {
                self.state.changes.notes.sessions.insert(id);
                let session = self.state.sessions.get(&id);
                let links = session
                    .into_iter()
                    .flat_map(|session| session.links.values());
                self.state
                    .changes
                    .notes
                    .windows
                    .extend(links.map(|link| link.window));
            }
        }
    }

    /// Ends the shell that a server of an earlier version has had started ahead of need and not given to a pane. It waits for words
    /// that only that server could say. A server that died while it gave the shell to a pane has left it under both numbers.
    fn end_spare_of_earlier_version(&self, recovered: &mut Recovered) {
        let is_spare = |held: &mut Held| held.pane == SPARE_OF_EARLIER_VERSION;
        let spares: Vec<Held> = recovered.panes.extract_if(.., is_spare).collect();
        for spare in spares {
            let (pane, pid) = (spare.pane, spare.process.pid);
            let mut panes = recovered.panes.iter();
            let is_a_panes = panes.any(|held| held.process.pid == pid);
            let request = match spare.exit {
                None if !is_a_panes => HostRequest::End {
                    pane,
                    pid: pid.cast_signed(),
                },
                _ => HostRequest::Close(pane),
            };
            self.host.request(request);
        }
    }

    /// Takes over what an earlier server left: with the keeper, and in the store.
    pub(crate) fn recover(&mut self, mut recovered: Recovered) {
        self.end_orphaned_popups(&mut recovered);
        self.end_spare_of_earlier_version(&mut recovered);
        let screens: BTreeMap<PaneId, Vec<u8>> = memory::screens(&recovered.notes);
        memory::restore_server(&recovered.notes, &mut self.state);
        self.expect_clients(&recovered.notes);
        if let Some(tables) = memory::restore_keys(&recovered.notes) {
            self.commands.key_tables = tables;
            self.state.keys_note_due();
        }
        let held: Vec<PaneId> = recovered.panes.iter().map(|held| held.pane).collect();
        let unheld = match self.persistence.keeping {
            Some(_) => Unheld::Sleeps,
            None => Unheld::Gone,
        };
        let Memory {
            sessions,
            windows,
            mut panes,
            displaced,
        } = memory::model(&recovered.notes, &held, unheld, self.state.now());
        self.complain_of_displaced(&displaced);
        if let Some(keeping) = &self.persistence.keeping {
            // The server may have died between moving a pane and noting that.
            for home in panes.values_mut().filter_map(|place| place.home.as_mut()) {
                home.session = keeping.store.home_of(home.session, home.pane);
            }
        }
        for window in windows {
            self.state.next_window = self.state.next_window.max(window.id.0 + 1);
            self.state.window_note_due(window.id);
            self.state.windows.insert(window.id, window);
        }
        // First, since how a pane is set up depends on its session.
        for session in sessions {
            self.state.next_session = self.state.next_session.max(session.id.0 + 1);
            self.add_session(session);
        }
        for held in recovered.panes {
            let place = panes.get(&held.pane);
            if place.is_some_and(|place| place.sleep.is_some() && !is_spared(place, &held)) {
                // What is left of it has nothing that is not on disk: its end was on its way, or it was about to come back.
                let _ = kill(
                    Pid::from_raw(held.process.pid.cast_signed()),
                    Signal::SIGKILL,
                );
                self.host.request(HostRequest::Close(held.pane));
                continue;
            }
            if let Some(place) = panes.remove(&held.pane) {
                let screen = screens.get(&held.pane).map(Vec::as_slice);
                let input = recovered.inputs.get(&held.pane).cloned();
                self.take_over(held, place, screen, input);
            }
        }
        if let Some(keeping) = self.persistence.keeping.clone() {
            for (id, place) in panes {
                if let Some(home) = place.home {
                    let config = stored::kept_config(&self.state, place.window);
                    let mut pane = self.sleeping_pane(id, place, home, &keeping, config);
                    let input = recovered.inputs.get(&id).cloned();
                    pane.keeps_input(Backlog::new(id, self.host.clone(), input));
                    self.state.panes.insert(id, pane);
                    self.state.next_pane = self.state.next_pane.max(id.0 + 1);
                }
            }
        }
        let closed = recovered.notes.keys();
        let closed = closed.filter_map(|key| key.strip_prefix(memory::CLOSED)?.parse().ok());
        self.take_up_stored(&closed.collect());
        resume::note_rivals(&mut self.state);
        self.take_up_buffers();
        let count = self.state.sessions.len();
        if count > 0 {
            tracing::info!(count, "sessions taken over from an earlier server");
        }
        beside::tidy_beside(&self.state);
        if count > 0 {
            // Some may have been due while nobody was there to see it.
            self.sleepers_due();
        }
        self.apply_options();
        self.give_input(recovered.inputs.keys().copied().collect());
        // An earlier server may have been told how long to keep what is archived.
        self.expiry_due();
        self.write_notes();
    }

    /// Wakes what was typed into before an earlier server died.
    fn give_input(&mut self, typed: Vec<PaneId>) {
        for id in typed {
            match self.state.panes.get(&id) {
                // Whose keys they are is not known: nothing is to stand in front of them.
                Some(pane) if pane.has_early_input() => self.wake(id, Waker::Command),
                Some(_) => {}
                None => self.host.request(HostRequest::ForgetInput(id)),
            }
        }
    }

    /// Takes over a pane whose program goes on. Its screen comes out of the store, or from the keeper; where neither has it,
    /// the program is asked to paint it again.
    fn take_over(
        &mut self,
        held: Held,
        mut place: Place,
        screen: Option<&[u8]>,
        input: Option<Arc<InputFile>>,
    ) {
        let id = held.pane;
        self.state.next_pane = self.state.next_pane.max(id.0 + 1);
        let kept = place
            .home
            .zip(self.persistence.keeping.clone())
            .map(|(home, keeping)| {
                let config = stored::kept_config(&self.state, place.window);
                Record::found(&keeping.store, &keeping.recorder, home, place.size, config)
            });
        let mut has_screen = true;
        let screen = if let Some(record) = kept {
            Screen::found(id, record)
        } else {
            let remembered = screen.and_then(exec::restore_screen);
            has_screen = remembered.is_some();
            let fresh = || {
                Emulator::new(
                    place.size,
                    panes::emulator_config(&self.state, place.window),
                )
            };
            Screen::new(id, remembered.unwrap_or_else(fresh))
        };
        let mut pane = Pane::new(id, place.window, place.size, screen);
        pane.screen.lock().resize(place.size);
        if has_screen {
            // Its end is written on the screen already.
            if let Some(died) = place.died {
                pane.life.dies(died);
            }
        }
        pane.has_title = place.title.is_some();
        if let Some(title) = place.title.take() {
            pane.screen.lock().set_title(&title);
        }
        stored::furnish(&mut self.state, &mut pane, place);
        pane.keeps_input(Backlog::new(id, self.host.clone(), input));
        pane.start(
            held,
            self.events.clone(),
            self.clients.flood_throttle.clone(),
        );
        if !has_screen {
            if self.persistence.keeping.is_some() {
                let text = "what was shown here is gone: a private session is kept nowhere";
                let line = dim_line(text);
                pane.screen
                    .lock()
                    .feed(line.as_bytes(), &mut Effects::new());
            }
            pane.ask_to_repaint();
        }
        self.forget_note(memory::screen_key(id));
        self.state.panes.insert(id, pane);
        sizes::tell_size(&mut self.state, id);
        idle_capture::capture_taken_over(&mut self.state, id);
    }

    /// An orderly end leaves the screens behind, too: those that are not kept, with the keeper.
    pub(super) fn remember_screens(&self) {
        for pane in self.state.panes.values() {
            pane.stop_reading();
            if pane.screen.is_kept() {
                continue;
            }
            let value = exec::dump_screen(&pane.screen.lock());
            self.host.request(HostRequest::Remember {
                key: memory::screen_key(pane.id),
                value,
            });
        }
    }
}
