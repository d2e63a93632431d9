//! A client: a connection to the server, its terminal if it has one, and what it shows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};
use shellkeep_proto::Context;
use shellkeep_render::{Caps, Environment};

use crate::alarm::Timer;
use crate::clients::native_feed::NativeFeed;
use crate::clients::terminal::TerminalReader;
use crate::display::client_writer::ClientWriter;
use crate::model::control::Control;
use crate::model::mouse::Mouse;
use crate::model::stdin::Stdin;
use crate::model::view::ClientView;
use crate::model::window::Window;
use crate::process::wall::Seconds;

/// A question to a client's terminal for its clipboard, and where the answer goes.
#[derive(Default)]
pub(crate) struct ClipboardQuestion {
    /// The answer becomes a paste buffer.
    pub(crate) is_for_buffer: bool,
    /// The panes whose programs have asked.
    pub(crate) panes: BTreeSet<PaneId>,
}

pub(crate) struct Terminal {
    pub(crate) size: Size,
    pub(crate) caps: Caps,
    /// `caps` includes what terminfo has on the terminal, if there is an entry.
    pub(crate) is_described: bool,
    /// Reads the terminal, if the server could open it. Without it the client passes the bytes.
    pub(crate) reader: Option<TerminalReader>,
    /// The terminal is not prepared for painting: the client has just attached, or is stopped.
    pub(crate) awaits_ready: bool,
    /// The name that the terminal has reported (XTVERSION).
    pub(crate) term_type: String,
    /// The bytes that prepare the terminal, to be sent before the next frame.
    pub(crate) enter: Vec<u8>,
    /// Whether the terminal has the focus. A terminal that does not report focus counts as focused.
    pub(crate) has_focus: bool,
}

impl Default for Terminal {
    fn default() -> Self {
        Self {
            size: Size::default(),
            caps: Caps::detect(&Environment::default()),
            is_described: false,
            reader: None,
            awaits_ready: false,
            term_type: String::new(),
            enter: Vec::new(),
            has_focus: true,
        }
    }
}

/// The state of a client's keyboard and mouse between two events.
#[derive(Default)]
pub(crate) struct Input {
    /// A paste has begun and not ended.
    pub(crate) is_pasting: bool,
    /// The table in which the next key is looked up; empty for the session's default table.
    pub(crate) key_table: String,
    /// Runs while the last key can be repeated without the prefix.
    pub(crate) repeat: Option<Timer>,
    pub(crate) mouse: Mouse,
}

/// The answer to a client's command line.
#[derive(Default)]
pub(crate) struct Answer {
    /// The client waits for an answer when its commands are done.
    pub(crate) is_owed: bool,
    /// The exit status so far.
    pub(crate) status: u8,
    /// The client's standard input, while a command reads it.
    pub(crate) stdin: Option<Stdin>,
}

/// A connection, with or without a terminal that shows a session.
pub(crate) struct Client {
    pub(crate) id: ClientId,
    /// The client's process, as reported by the kernel (`SO_PEERCRED`).
    pub(crate) pid: Option<u32>,
    pub(crate) writer: ClientWriter,
    /// The client's directory, environment and terminal, for its commands.
    pub(crate) context: Context,
    pub(crate) terminal: Terminal,
    pub(crate) input: Input,
    pub(crate) view: ClientView,
    pub(crate) answer: Answer,
    pub(crate) session: Option<SessionId>,
    /// It may not change anything (`attach -r`).
    pub(crate) is_read_only: bool,
    /// The panes that are active for this client alone, by window. None without the flag `active-pane`.
    pub(crate) own_panes: Option<BTreeMap<WindowId, PaneId>>,
    /// Its size is ignored, unless all clients ignore theirs.
    pub(crate) ignores_size: bool,
    pub(crate) created: Seconds,
    /// When it was last used.
    pub(crate) activity: Seconds,
    /// The session it was attached to before.
    pub(crate) last_session: Option<SessionId>,
    /// It is in control mode and is sent lines instead of frames.
    pub(crate) is_control: bool,
    /// Its state in control mode.
    pub(crate) control: Option<Box<Control>>,
    /// Its output in native scrolling mode.
    pub(crate) native: Option<Arc<NativeFeed>>,
    /// It was called as `tmux`.
    pub(crate) is_tmux: bool,
    /// The number of its last use. With several clients, the size of the one used last counts.
    pub(crate) used: u64,
    pub(crate) clipboard: ClipboardQuestion,
}

impl Client {
    pub(crate) fn new(id: ClientId, pid: Option<u32>, writer: ClientWriter) -> Self {
        Self {
            id,
            pid,
            writer,
            context: Context::default(),
            terminal: Terminal::default(),
            input: Input::default(),
            view: ClientView::default(),
            answer: Answer::default(),
            session: None,
            is_read_only: false,
            own_panes: None,
            ignores_size: false,
            created: 0,
            activity: 0,
            last_session: None,
            is_control: false,
            control: None,
            native: None,
            is_tmux: false,
            used: 0,
            clipboard: ClipboardQuestion::default(),
        }
    }

    /// Whether the server may open its terminal.
    pub(crate) fn shares_terminal(&self) -> bool {
        self.context
            .terminal
            .as_ref()
            .is_some_and(|terminal| terminal.is_shared)
    }

    /// Whether its terminal is sent a pane's output unchanged, because it scrolls natively.
    pub(crate) fn scrolls_natively(&self) -> bool {
        self.native.as_ref().is_some_and(|feed| !feed.is_covered())
    }

    /// Its name: the terminal's device, or `client-PID` without a terminal.
    pub(crate) fn name(&self) -> String {
        match self.tty() {
            Some(tty) if !self.is_control => tty.to_owned(),
            _ => format!("client-{}", self.context.pid),
        }
    }

    /// Its flags, as `list-clients` shows them.
    pub(crate) fn flags(&self) -> String {
        let first = [
            (self.session.is_some(), "attached"),
            (self.terminal.has_focus, "focused"),
            (self.control.is_some(), "control-mode"),
            (self.ignores_size, "ignore-size"),
        ];
        let last = [
            (self.is_read_only, "read-only"),
            (self.own_panes.is_some(), "active-pane"),
            (self.is_utf8(), "UTF-8"),
        ];
        let own = |flag: (bool, &str)| flag.0.then(|| flag.1.to_owned());
        let control = self.control.as_ref().map(|control| control.flags());
        let flags = first.into_iter().filter_map(own);
        let flags = flags.chain(control.into_iter().flatten());
        let flags: Vec<String> = flags.chain(last.into_iter().filter_map(own)).collect();
        flags.join(",")
    }

    /// Whether its terminal shows UTF-8.
    pub(crate) fn is_utf8(&self) -> bool {
        self.terminal.caps.has(shellkeep_render::Features::UTF8)
    }

    /// The active pane of a window for this client.
    pub(crate) fn active_in(&self, window: &Window) -> PaneId {
        let own = self.own_panes.as_ref();
        let own = own.and_then(|own| own.get(&window.id).copied());
        own.filter(|pane| window.shown().contains(*pane))
            .unwrap_or(window.active)
    }

    /// The device of its terminal.
    pub(crate) fn tty(&self) -> Option<&str> {
        std::str::from_utf8(&self.context.terminal.as_ref()?.tty).ok()
    }
}

impl Client {
    /// Stops reading and painting its terminal.
    pub(crate) fn let_go(&mut self) {
        self.terminal.reader = None;
        self.view.status_timer = None;
        self.writer.pass_on(None);
        self.writer.show(None);
        self.writer.paint_on(None);
    }
}
