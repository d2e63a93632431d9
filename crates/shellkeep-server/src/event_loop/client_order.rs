//! The order in which clients were used. The client used last decides how large a window is, and clients come back from the death of
//! the server in any order, so the order is left with the keeper.
//!
//! Clients are known by their processes, which outlive the server. One that comes back is used as it was before, not anew.

use std::collections::BTreeMap;

use nix::unistd::Pid;
use shellkeep_core::{ClientId, WindowId};
use shellkeep_store::schema::NotedClients;

use super::Server;
use crate::memory;
use crate::process_info;

/// Which clients are attached, in the order in which they were last used.
#[derive(Default)]
pub(super) struct ClientOrder {
    /// The processes of attached clients, and of those that are expected back. The one used last is at the end.
    used: Vec<u32>,
    /// Clients of an earlier server that are expected back, with the number of their use by this server's count.
    expected: BTreeMap<u32, u64>,
    /// The client used last in each window, where that one is expected back.
    expected_latest: BTreeMap<WindowId, u32>,
    /// The keeper knows another order.
    is_due: bool,
}

fn is_alive(pid: u32) -> bool {
    process_info::is_alive(Pid::from_raw(pid.cast_signed()))
}

impl ClientOrder {
    /// Whether the client that decides how large a window is lives and is expected back.
    pub(super) fn awaits_latest(&self, window: WindowId) -> bool {
        let latest = self.expected_latest.get(&window);
        latest.is_some_and(|pid| self.expected.contains_key(pid) && is_alive(*pid))
    }

    /// A client was used in a window, so its size no longer waits for the client that was expected back.
    pub(super) fn is_latest(&mut self, window: WindowId) {
        self.expected_latest.remove(&window);
        self.is_due = true;
    }
}

impl Server {
    /// A client is used: it goes to the end of the order. Keys of the client that is there already change nothing.
    pub(super) fn goes_last(&mut self, id: ClientId) {
        let client = self.state.clients.get(&id);
        let Some(pid) = client.and_then(|client| client.pid) else {
            return;
        };
        let order = &mut self.clients.order;
        if order.used.last() != Some(&pid) {
            order.used.retain(|other| *other != pid);
            order.used.push(pid);
            order.is_due = true;
            // Keys alone have no notes written.
            self.state.changes.is_unsettled = true;
        }
        self.clients.order.expected.remove(&pid);
    }

    /// A client is not attached any more.
    pub(super) fn leaves_order(&mut self, pid: Option<u32>) {
        let order = &mut self.clients.order;
        let count = order.used.len();
        order.used.retain(|other| Some(*other) != pid);
        order.is_due |= order.used.len() != count;
    }

    /// A client is attached. If an earlier server had it, it is used as it was there, and this says so.
    pub(super) fn is_back(&mut self, id: ClientId) -> bool {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return false;
        };
        let Some(pid) = client.pid else {
            return false;
        };
        let Some(used) = self.clients.order.expected.remove(&pid) else {
            return false;
        };
        client.used = used;
        let windows = &mut self.state.windows;
        self.clients.order.expected_latest.retain(|window, latest| {
            if *latest != pid {
                return true;
            }
            if let Some(window) = windows.get_mut(window) {
                window.latest = Some(id);
            }
            false
        });
        self.state.sizes_due();
        true
    }

    /// The note for the next server, if the order has changed.
    pub(super) fn take_client_note(&mut self) -> Option<Vec<u8>> {
        if !std::mem::take(&mut self.clients.order.is_due) {
            return None;
        }
        let process = |id: ClientId| self.state.clients.get(&id)?.pid;
        let windows = self.state.windows.values();
        let latest = windows.filter_map(|window| Some((window.id.0, process(window.latest?)?)));
        let expected = self.clients.order.expected_latest.iter();
        let latest = latest.chain(expected.map(|(window, pid)| (window.0, *pid)));
        let note = NotedClients {
            used: self.clients.order.used.clone(),
            latest: latest.collect(),
        };
        Some(memory::encode(&note))
    }

    /// Expects the clients of an earlier server.
    pub(super) fn expect_clients(&mut self, notes: &BTreeMap<String, Vec<u8>>) {
        let note: Option<NotedClients> = notes
            .get(memory::CLIENTS_KEY)
            .and_then(|note| memory::decode(note));
        let NotedClients { mut used, latest } = note.unwrap_or_default();
        used.retain(|pid| is_alive(*pid));
        let numbered = used.iter().map(|pid| (*pid, self.state.next_use()));
        self.clients.order.expected = numbered.collect();
        let latest = latest.into_iter();
        self.clients.order.expected_latest = latest
            .map(|(window, pid)| (WindowId(window), pid))
            .collect();
        self.clients.order.used = used;
    }
}
