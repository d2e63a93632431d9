//! What the server remembers of its clients together between events: the order in which they were used, the timers of locks and clocks,
//! and how long a key may take and a flood may run.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::alarm::Timer;
use crate::display::flood_throttle::FloodThrottle;

pub(crate) struct ClientState {
    /// Runs while a client shows a clock.
    pub(crate) clock_timer: Option<Timer>,
    /// What the first key needs is got ready when this is over.
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
