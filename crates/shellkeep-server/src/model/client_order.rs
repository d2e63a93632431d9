//! Which clients are attached, in the order in which they were used.

use std::collections::BTreeMap;

use nix::unistd::Pid;
use shellkeep_core::WindowId;

use crate::process::process_info;

/// Which clients are attached, in the order in which they were last used.
#[derive(Default)]
pub(crate) struct ClientOrder {
    /// The processes of attached clients, and of those that are expected back. The one used last is at the end.
    pub(crate) used: Vec<u32>,
    /// Clients of an earlier server that are expected back, with the number of their use by this server's count.
    pub(crate) expected: BTreeMap<u32, u64>,
    /// The client used last in each window, where that one is expected back.
    pub(crate) expected_latest: BTreeMap<WindowId, u32>,
    /// The keeper knows another order.
    pub(crate) is_due: bool,
}

pub(crate) fn is_alive(pid: u32) -> bool {
    process_info::is_alive(Pid::from_raw(pid.cast_signed()))
}

impl ClientOrder {
    /// Whether the client that decides how large a window is lives and is expected back.
    pub(crate) fn awaits_latest(&self, window: WindowId) -> bool {
        let latest = self.expected_latest.get(&window);
        latest.is_some_and(|pid| self.expected.contains_key(pid) && is_alive(*pid))
    }

    /// A client was used in a window, so its size no longer waits for the client that was expected back.
    pub(crate) fn is_latest(&mut self, window: WindowId) {
        self.expected_latest.remove(&window);
        self.is_due = true;
    }
}
