//! The attached clients in order of their last use. It outlives the server in a note, so that window sizes stay the
//! same until clients are back.

use std::collections::BTreeMap;

use nix::unistd::Pid;
use shellkeep_core::WindowId;

use crate::process::process_info;

/// The attached clients in order of their last use.
#[derive(Default)]
pub(crate) struct ClientOrder {
    /// The pids of attached clients and of expected ones; the one used last is at the end.
    pub(crate) used: Vec<u32>,
    /// Clients of an earlier server that are expected back, with the number of their use in this server's count.
    pub(crate) expected: BTreeMap<u32, u64>,
    /// The client used last in each window, if it is expected back.
    pub(crate) expected_latest: BTreeMap<WindowId, u32>,
    /// The keeper holds another order.
    pub(crate) is_due: bool,
}

pub(crate) fn is_alive(pid: u32) -> bool {
    process_info::is_alive(Pid::from_raw(pid.cast_signed()))
}

impl ClientOrder {
    /// Whether the client whose size a window has is alive and expected back.
    pub(crate) fn awaits_latest(&self, window: WindowId) -> bool {
        let latest = self.expected_latest.get(&window);
        latest.is_some_and(|pid| self.expected.contains_key(pid) && is_alive(*pid))
    }

    /// Notes that a client was used in a window: its size no longer waits for the client that was expected back.
    pub(crate) fn is_latest(&mut self, window: WindowId) {
        self.expected_latest.remove(&window);
        self.is_due = true;
    }
}
