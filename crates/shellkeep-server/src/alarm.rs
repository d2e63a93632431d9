//! Things to be done after a while.

use std::sync::{Arc, Weak};

use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};
use tokio::task::AbortHandle;

use crate::commands::ids::QueueId;

/// What is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alarm {
    /// A client's message has been shown long enough.
    Message(ClientId),
    /// A client's repeatable key can no longer be followed by another without the prefix.
    Repeat(ClientId),
    /// A client's status line is to be drawn again.
    Status(ClientId),
    /// A queue has waited long enough.
    Queue(QueueId),
    /// A client's pane numbers have been shown long enough.
    PaneNumbers(ClientId),
    /// Nothing was printed in a window for the time set.
    Silence(WindowId),
    /// A window's name is to be looked at again.
    Rename(WindowId),
    /// A clock shows another time.
    Clock,
    /// A tree to choose from is to be looked at again.
    Tree(PaneId),
    /// A client's mouse was clicked twice, and not again in time.
    Click(ClientId),
    /// A control client's subscriptions are to be looked at.
    Subscriptions(ClientId),
    /// A shell that is to sleep had time enough to answer.
    Asleep(PaneId),
    /// A pane may have been quiet long enough for its shell's state to be taken, or the shell had time enough to tell it.
    Capture(PaneId),
    /// More panes that are to sleep can be judged.
    Bedtime,
    /// More panes and sessions can be judged by a scan of all processes.
    Judging,
    /// A shell that was about to show its prompt may have done so, and can sleep.
    Settled,
    /// A shell that was revived had time enough to show its prompt.
    Awake(PaneId),
    /// A pane whose program was ended by a signal is closed, since the server was not.
    EndGrace(PaneId),
    /// It may be time for somebody to sleep.
    Sleepers,
    /// Something may have been archived for too long.
    Expiry,
    /// What could not be written, so that the server could not end, may be possible now.
    Leave,
    /// Shells that are about to be ended had time enough to tell their state.
    LastCapture(u64),
    /// Shells that could not be asked for their state before they are ended are looked at again.
    LookAtLastCapture(u64),
    /// Nothing was typed in a session for the time after which it is locked.
    Lock(SessionId),
    /// A pane's program had time to heed its size.
    Size(PaneId),
    /// Somebody has attached for the first time, and may type soon.
    FirstKey,
    /// The pointer is held beyond an edge while it selects.
    Scroll(ClientId),
}

/// An alarm that is set. Dropping it takes it back, even when it has rung and the event loop has not heard it yet.
#[derive(Debug)]
pub(crate) struct Timer {
    task: AbortHandle,
    /// Never read: that it is there is what the ring asks.
    _is_set: Arc<()>,
}

impl Timer {
    /// Starts what rings after a while, as a task that may be aborted.
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

/// An alarm that has rung.
pub(crate) struct Ring {
    alarm: Alarm,
    is_set: Weak<()>,
}

impl Ring {
    /// What is due; nothing if the alarm was taken back while this was on its way.
    pub(crate) fn due(&self) -> Option<&Alarm> {
        self.is_set.upgrade().map(|_| &self.alarm)
    }
}
