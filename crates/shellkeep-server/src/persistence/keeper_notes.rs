//! The notes that this server leaves with the keeper for the next one.

use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{Held, HostRequest};

use crate::clients::client_order;
use crate::model::Model;
use crate::panes::emulator;
use crate::persistence::notes::NotedPane;
use crate::persistence::state::Persistence;
use crate::persistence::{keep_changes, notes};
use crate::process::process_info;

/// The id under which keepers hold a shell that a server of an earlier version had started ahead of need. No pane has
/// it.
const SPARE_OF_EARLIER_VERSION: PaneId = PaneId(u32::MAX);

/// Whether the shell of a pane that is noted as asleep still runs. The pane then stays awake, as if its shell had never
/// been asked.
pub(crate) fn is_spared(place: &NotedPane, held: &Held) -> bool {
    let pid = Pid::from_raw(held.process.pid.cast_signed());
    place.ending == Some(held.process.pid) && held.exit.is_none() && process_info::is_alive(pid)
}

/// Writes the notes that are due, to the keeper and to the store.
pub(crate) fn write_notes(model: &mut Model, persistence: &mut Persistence) {
    keep_changes::keep_panes(model, persistence);
    note_first_changes(model, persistence);
    let due = std::mem::take(&mut model.changes.notes);
    let clients = client_order::take_client_note(model);
    let remember = |key: String, value: Vec<u8>| {
        model
            .outside
            .keeper
            .request(HostRequest::Remember { key, value });
    };
    let mut stored = due.sessions.clone();
    // Windows first: a server that takes over in between must find the windows that a session names.
    for id in due.windows {
        if let Some(window) = model.windows.get(&id) {
            remember(notes::window_key(id), notes::window_note(window, model));
            stored.extend(model.links_of(id).map(|(session, _)| session));
        }
    }
    for id in due.sessions {
        if let Some(session) = model.sessions.get(&id) {
            remember(notes::session_key(id), notes::session_note(session));
        }
    }
    if due.keys {
        remember(
            notes::KEYS_KEY.to_owned(),
            notes::keys_note(&model.key_tables),
        );
    }
    if due.server {
        remember(notes::SERVER_KEY.to_owned(), notes::server_note(model));
    }
    if let Some(clients) = clients {
        remember(notes::CLIENTS_KEY.to_owned(), clients);
    }
    keep_changes::store_sessions(model, persistence, &stored);
}

/// A session that is only in the store changes for the first time: from now on the keeper has to have all its notes.
fn note_first_changes(model: &mut Model, persistence: &mut Persistence) {
    if persistence.unnoted.is_empty() {
        return;
    }
    let mut changed = model.changes.notes.sessions.clone();
    for window in &model.changes.notes.windows {
        changed.extend(model.links_of(*window).map(|(session, _)| session));
    }
    for id in changed {
        if persistence.unnoted.remove(&id) {
            model.changes.notes.sessions.insert(id);
            let session = model.sessions.get(&id);
            let links = session
                .into_iter()
                .flat_map(|session| session.links.values());
            model
                .changes
                .notes
                .windows
                .extend(links.map(|link| link.window));
        }
    }
}

/// Ends a shell that a server of an earlier version had started ahead of need and given to no pane. It waits for a
/// message that only that server could send. A server that died while it gave the shell to a pane has left it under
/// both ids.
pub(crate) fn end_spare_of_earlier_version(model: &Model, recovered: &mut Recovered) {
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
        model.outside.keeper.request(request);
    }
}

/// Leaves the dumps of screens that are not on disk with the keeper, before an orderly end.
pub(crate) fn remember_screens(model: &Model) {
    for pane in model.panes.values() {
        pane.stop_reading();
        if pane.screen.is_kept() {
            continue;
        }
        let value = emulator::dump_screen(&pane.screen.lock());
        model.outside.keeper.request(HostRequest::Remember {
            key: notes::screen_key(pane.id),
            value,
        });
    }
}

pub(crate) fn forget_note(model: &Model, key: String) {
    let value = Vec::new();
    model
        .outside
        .keeper
        .request(HostRequest::Remember { key, value });
}
