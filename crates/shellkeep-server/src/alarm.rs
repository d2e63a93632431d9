//! Alarms: what happens when a time is over.

use std::sync::{Arc, Weak};

use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};
use tokio::task::AbortHandle;

use crate::commands::ids::QueueId;

/// What is due when an alarm fires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alarm {
    /// A client's message has been shown long enough.
    Message(ClientId),
    /// A client's last key can no longer be repeated without the prefix.
    Repeat(ClientId),
    /// A client's status line has to be drawn again.
    Status(ClientId),
    /// The delay of a queue is over.
    Queue(QueueId),
    /// A client's pane numbers have been shown long enough.
    PaneNumbers(ClientId),
    /// There may have been no output in a window for the time set.
    Silence(WindowId),
    /// A window's automatic name has to be computed again.
    Rename(WindowId),
    /// Clocks have to be drawn again.
    Clock,
    /// A pane's tree has to be refreshed.
    Tree(PaneId),
    /// No third click has followed a double click of a client.
    Click(ClientId),
    /// A control client's subscriptions have to be evaluated.
    Subscriptions(ClientId),
    /// The time is over for the shell of a pane on its way to sleep.
    Asleep(PaneId),
    /// A pane may have been quiet long enough to be captured, or the time for its shell's answer is over.
    Capture(PaneId),
    /// The admission queue continues.
    Admission,
    /// Judging by a scan of all processes continues.
    Judging,
    /// Shells that were about to show a prompt are judged again.
    Settled,
    /// The time for a revived shell's prompt is over.
    Awake(PaneId),
    /// The server got no SIGTERM after a pane's program was ended by a signal.
    EndGrace(PaneId),
    /// The policy has to start a round.
    Policy,
    /// Sessions may have been in the archive for too long.
    Expiry,
    /// The end of the server is tried again.
    Leave,
    /// The time for captures before an end is over.
    LastCapture(u64),
    /// Shells that could not be asked before an end are checked again.
    RecheckLastCapture(u64),
    /// A session may have been idle for long enough to be locked.
    Lock(SessionId),
    /// A pane's program may be sent a new size.
    Size(PaneId),
    /// A client has attached for the first time, and may send keys soon.
    FirstKey,
    /// The pointer is held beyond an edge during a selection.
    Scroll(ClientId),
}

/// A running alarm. Dropping it cancels it, even if it has fired and the event loop has not handled it yet.
#[derive(Debug)]
pub(crate) struct Timer {
    task: AbortHandle,
    /// Never read: [`Ring::due`] checks that it exists.
    _is_set: Arc<()>,
}

impl Timer {
    /// Starts an alarm; `begin` starts the task that waits.
    pub(crate) fn start(alarm: Alarm, begin: impl FnOnce(Ring) -> AbortHandle) -> Self {
        let is_set = Arc::new(());
        let ring = Ring {
            alarm,
            is_set: Arc::downgrade(&is_set),
        };
        Self {
            task: begin(ring),
            _is_set: is_set,
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(crate) struct Ring {
    alarm: Alarm,
    is_set: Weak<()>,
}

impl Ring {
    /// What is due; None if the alarm was cancelled while this event was queued.
    pub(crate) fn due(&self) -> Option<&Alarm> {
        self.is_set.upgrade().map(|_| &self.alarm)
    }
}
