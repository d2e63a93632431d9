//! What the model uses of the outside: the clock, alarms, the connection to the keeper, and the tmux shim.

use shellkeep_keeper::HostHandle;

use crate::alarms::Alarms;
use crate::panes::shim::Shim;
use crate::process::wall::Clock;

pub(crate) struct Outside {
    pub(crate) clock: Clock,
    pub(crate) alarms: Alarms,
    /// The keeper, where programs are started. It handles requests in the order in which they are made.
    pub(crate) keeper: HostHandle,
    /// The directory that makes this server available to programs as `tmux`.
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
