//! What the model reaches outside of itself: the clock, alarms, the keeper, and the program by which others find this server as `tmux`.

use shellkeep_keeper::HostHandle;

use crate::alarms::Alarms;
use crate::panes::shim::Shim;
use crate::process::wall::Clock;

pub(crate) struct Outside {
    pub(crate) clock: Clock,
    pub(crate) alarms: Alarms,
    /// Where programs are started. Requests are heard in the order in which they are made.
    pub(crate) keeper: HostHandle,
    /// How programs find this server as `tmux`.
    pub(crate) shim: Option<Shim>,
}

impl Outside {
    pub(crate) fn new(clock: Clock, alarms: Alarms, keeper: HostHandle) -> Self {
        Self {
            clock,
            alarms,
            keeper,
            shim: None,
        }
    }
}
