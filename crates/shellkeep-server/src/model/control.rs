//! What is special about a client in control mode.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::{PaneId, Size, WindowId};

use crate::alarm::Timer;
use crate::clients::control_feed::ControlFeed;
use crate::clients::control_line::ControlLine;
use crate::process::wall::Seconds;

/// A client's control mode.
pub(crate) struct Control {
    /// What it is told.
    pub(crate) feed: Arc<ControlFeed>,
    /// Lines that were read and not run yet.
    pub(crate) lines: VecDeque<ControlLine>,
    /// Its input has ended: it will say nothing more.
    pub(crate) is_spent: bool,
    /// Commands of its run, or wait.
    pub(crate) is_busy: bool,
    /// The command it was started with is done: what comes now was typed.
    pub(crate) is_started: bool,
    /// The answer that is being given.
    pub(crate) block: Option<Block>,
    /// Notices that must not stand within the answer.
    pub(crate) held: Vec<String>,
    /// It is to end, with this status, when all is said.
    pub(crate) exit: Option<u8>,
    /// A command of its has failed.
    pub(crate) has_failed: bool,
    /// It was told of its end.
    pub(crate) has_exited: bool,
    /// It ends only when it says so.
    pub(crate) waits_to_exit: bool,
    /// It wants to hear who falls asleep and wakes: no client of tmux's knows these lines.
    pub(crate) hears_sleep: bool,
    /// It wants no output.
    pub(crate) is_silent: bool,
    /// How old output may become.
    pub(crate) pause_after: Option<Duration>,
    /// Its size, if it has said one: only then does it count.
    pub(crate) size: Option<Size>,
    /// Sizes it wants for single windows.
    pub(crate) window_sizes: BTreeMap<WindowId, Size>,
    pub(crate) subscriptions: BTreeMap<String, Subscription>,
    /// Runs while there are subscriptions.
    pub(crate) timer: Option<Timer>,
}

/// The answer to one command.
pub(crate) struct Block {
    pub(crate) time: Seconds,
    pub(crate) number: u64,
    pub(crate) flags: u8,
    pub(crate) text: Vec<u8>,
    /// Notices wait until it is given.
    pub(crate) holds_notices: bool,
}

/// A format whose changes a client wants to hear of.
pub(crate) struct Subscription {
    pub(crate) what: Subject,
    pub(crate) format: String,
    /// What it was worth when it was last looked at.
    pub(crate) values: BTreeMap<(u32, Option<PaneId>), String>,
}

/// What a subscription is about.
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

    /// Tells the client of something; an answer that is being given comes first.
    pub(crate) fn notify(&mut self, line: String) {
        match &self.block {
            Some(block) if block.holds_notices => self.held.push(line),
            _ => self.feed.line(line.as_bytes()),
        }
    }

    /// Its flags as `list-clients` has them, those that only control mode knows.
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
