//! The state of a client in control mode.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::{PaneId, Size, WindowId};

use crate::alarm::Timer;
use crate::clients::control_feed::ControlFeed;
use crate::clients::control_line::ControlLine;
use crate::process::wall::Seconds;

pub(crate) struct Control {
    /// The lines that the client is sent.
    pub(crate) feed: Arc<ControlFeed>,
    /// Command lines that were read and not run yet.
    pub(crate) lines: VecDeque<ControlLine>,
    /// Its input has ended: no more commands come.
    pub(crate) is_spent: bool,
    /// One of its commands runs or waits.
    pub(crate) is_busy: bool,
    /// The command it was started with is done: later commands were typed.
    pub(crate) is_started: bool,
    /// The answer that is being written.
    pub(crate) block: Option<Block>,
    /// Notices that must not appear inside the answer.
    pub(crate) held: Vec<String>,
    /// The exit status with which it is to end, once everything is sent.
    pub(crate) exit: Option<u8>,
    pub(crate) has_failed: bool,
    /// `%exit` was sent.
    pub(crate) has_exited: bool,
    /// It ends only after an empty line (`wait-exit`).
    pub(crate) waits_to_exit: bool,
    /// It asked for notices of hibernation, which tmux's own clients do not know.
    pub(crate) hears_sleep: bool,
    /// It asked for no output (`no-output`).
    pub(crate) is_silent: bool,
    /// Output older than this pauses the pane (`pause-after`).
    pub(crate) pause_after: Option<Duration>,
    /// The size it asked for. Without one its size does not count.
    pub(crate) size: Option<Size>,
    /// Sizes it asked for, by window.
    pub(crate) window_sizes: BTreeMap<WindowId, Size>,
    pub(crate) subscriptions: BTreeMap<String, Subscription>,
    /// Runs while there are subscriptions.
    pub(crate) timer: Option<Timer>,
}

pub(crate) struct Block {
    pub(crate) time: Seconds,
    pub(crate) number: u64,
    pub(crate) flags: u8,
    pub(crate) text: Vec<u8>,
    /// Notices wait until the answer is written.
    pub(crate) holds_notices: bool,
}

/// A format whose changes a client is sent.
pub(crate) struct Subscription {
    pub(crate) what: Subject,
    pub(crate) format: String,
    /// The values it had when it was last evaluated.
    pub(crate) values: BTreeMap<(u32, Option<PaneId>), String>,
}

/// The target that a subscription is evaluated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Session,
    Window(WindowId),
    AllWindows,
    Pane(PaneId),
    AllPanes,
}

impl Control {
    pub(crate) fn new(feed: Arc<ControlFeed>) -> Self {
        Self {
            feed,
            lines: VecDeque::new(),
            is_spent: false,
            is_busy: false,
            is_started: false,
            block: None,
            held: Vec::new(),
            exit: None,
            has_failed: false,
            has_exited: false,
            waits_to_exit: false,
            hears_sleep: false,
            is_silent: false,
            pause_after: None,
            size: None,
            window_sizes: BTreeMap::new(),
            subscriptions: BTreeMap::new(),
            timer: None,
        }
    }

    /// Sends the client a notice; if an answer is being written, after the answer.
    pub(crate) fn notify(&mut self, line: String) {
        match &self.block {
            Some(block) if block.holds_notices => self.held.push(line),
            _ => self.feed.line(line.as_bytes()),
        }
    }

    /// The flags for `list-clients` that only control mode has.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        if self.is_silent {
            flags.push("no-output".to_owned());
        }
        if self.hears_sleep {
            flags.push("sleep-notices".to_owned());
        }
        if self.waits_to_exit {
            flags.push("wait-exit".to_owned());
        }
        if let Some(age) = self.pause_after {
            flags.push(format!("pause-after={}", age.as_secs()));
        }
        flags
    }
}
