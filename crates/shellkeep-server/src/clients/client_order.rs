//! The order in which clients were last used. The size of the client used last decides the size of a window, and
//! clients return after the death of the server in any order, so the keeper has a note of it.
//!
//! Clients are recognised by their pids, which outlive the server. A client that returns keeps its former place.

use std::collections::BTreeMap;

use shellkeep_core::{ClientId, WindowId};
use shellkeep_store::schema::NotedClients;

use crate::model::Model;
use crate::model::client_order::is_alive;
use crate::persistence::notes;

/// A client was used: moves it to the end. More keys from the client that is there already change nothing.
pub(crate) fn goes_last(model: &mut Model, id: ClientId) {
    let client = model.clients.get(&id);
    let Some(pid) = client.and_then(|client| client.pid) else {
        return;
    };
    let order = &mut model.client_order;
    if order.used.last() != Some(&pid) {
        order.used.retain(|other| *other != pid);
        order.used.push(pid);
        order.is_due = true;
        // A key press alone does not cause a write of notes.
        model.changes.is_unsettled = true;
    }
    model.client_order.expected.remove(&pid);
}

pub(crate) fn leaves_order(model: &mut Model, pid: Option<u32>) {
    let order = &mut model.client_order;
    let count = order.used.len();
    order.used.retain(|other| Some(*other) != pid);
    order.is_due |= order.used.len() != count;
}

/// A client has attached. If it was attached to an earlier server, gives it its former place and returns true.
pub(crate) fn is_back(model: &mut Model, id: ClientId) -> bool {
    let Some(client) = model.clients.get_mut(&id) else {
        return false;
    };
    let Some(pid) = client.pid else {
        return false;
    };
    let Some(used) = model.client_order.expected.remove(&pid) else {
        return false;
    };
    client.used = used;
    let windows = &mut model.windows;
    model.client_order.expected_latest.retain(|window, latest| {
        if *latest != pid {
            return true;
        }
        if let Some(window) = windows.get_mut(window) {
            window.latest = Some(id);
        }
        false
    });
    model.sizes_due();
    true
}

/// The note for the next server, if the order has changed.
pub(crate) fn take_client_note(model: &mut Model) -> Option<Vec<u8>> {
    if !std::mem::take(&mut model.client_order.is_due) {
        return None;
    }
    let process = |id: ClientId| model.clients.get(&id)?.pid;
    let windows = model.windows.values();
    let latest = windows.filter_map(|window| Some((window.id.0, process(window.latest?)?)));
    let expected = model.client_order.expected_latest.iter();
    let latest = latest.chain(expected.map(|(window, pid)| (window.0, *pid)));
    let note = NotedClients {
        used: model.client_order.used.clone(),
        latest: latest.collect(),
    };
    Some(notes::encode(&note))
}

/// Reads the note of an earlier server, whose clients are expected back.
pub(crate) fn expect_clients(model: &mut Model, notes: &BTreeMap<String, Vec<u8>>) {
    let note: Option<NotedClients> = notes
        .get(notes::CLIENTS_KEY)
        .and_then(|note| notes::decode(note));
    let NotedClients { mut used, latest } = note.unwrap_or_default();
    used.retain(|pid| is_alive(*pid));
    let numbered = used.iter().map(|pid| (*pid, model.next_use()));
    model.client_order.expected = numbered.collect();
    let latest = latest.into_iter();
    model.client_order.expected_latest = latest
        .map(|(window, pid)| (WindowId(window), pid))
        .collect();
    model.client_order.used = used;
}
