//! What clients have in common between events: who was used last, when sessions are locked, how keys and floods are timed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::SessionId;
use tokio::sync::watch;

use super::client_order::ClientOrder;
use super::lock;
use crate::alarm::Timer;
use crate::flood_throttle::FloodThrottle;

pub(crate) struct ClientState {
    pub(super) order: ClientOrder,
    /// Since when nothing was typed in sessions that are to be locked then.
    pub(super) lock_timers: BTreeMap<SessionId, lock::Idle>,
    /// Runs while a client shows a clock.
    pub(super) clock_timer: Option<Timer>,
    /// What the first key needs is got ready when this is over.
    pub(super) first_key: Option<Timer>,
    /// Some panes are heard by clients in control mode.
    pub(super) are_taps_placed: bool,
    pub(super) escape_time: watch::Sender<Duration>,
    pub(super) flood_throttle: Arc<FloodThrottle>,
}

impl ClientState {
    pub(super) fn new(escape_time: watch::Sender<Duration>) -> Self {
        Self {
            order: ClientOrder::default(),
            lock_timers: BTreeMap::new(),
            clock_timer: None,
            first_key: None,
            are_taps_placed: false,
            escape_time,
            flood_throttle: Arc::new(FloodThrottle::new()),
        }
    }
}
