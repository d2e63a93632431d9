//! The state of the clients component that belongs to no single client: the order of use, timers of locks and clocks,
//! escape time and flood throttle.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::alarm::Timer;
use crate::display::flood_throttle::FloodThrottle;

pub(crate) struct ClientState {
    /// Runs while a client shows a clock.
    pub(crate) clock_timer: Option<Timer>,
    /// Runs until what the first key needs is loaded.
    pub(crate) first_key: Option<Timer>,
    pub(crate) escape_time: watch::Sender<Duration>,
    pub(crate) flood_throttle: Arc<FloodThrottle>,
}

impl ClientState {
    pub(crate) fn new(escape_time: watch::Sender<Duration>) -> Self {
        Self {
            clock_timer: None,
            first_key: None,
            escape_time,
            flood_throttle: Arc::new(FloodThrottle::new()),
        }
    }
}
