//! A client.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};
use shellkeep_proto::Context;
use shellkeep_render::{Caps, Environment};
use shellkeep_term::key::PasteEncoder;

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

/// What is to become of the answer when a client's terminal is asked for its clipboard.
#[derive(Default)]
pub(crate) struct ClipboardQuestion {
    /// It becomes a paste buffer.
    pub(crate) is_for_buffer: bool,
    /// The panes whose programs have asked.
    pub(crate) panes: BTreeSet<PaneId>,
}

/// A client's terminal.
pub(crate) struct Terminal {
    /// Its terminal's size.
    pub(crate) size: Size,
    /// What its terminal can do.
    pub(crate) caps: Caps,
    /// What terminfo says of its terminal is part of that, if there was an entry to be had.
    pub(crate) is_described: bool,
    /// Reads its terminal, if that is in our hands.
    pub(crate) reader: Option<TerminalReader>,
    /// Its terminal is not prepared for painting: it has just been attached, or is stopped.
    pub(crate) awaits_ready: bool,
    /// What its terminal calls itself, if it has said so.
    pub(crate) term_type: String,
    /// What is to prepare its terminal before the next picture.
    pub(crate) enter: Vec<u8>,
    /// Whether its terminal has the focus; one that does not say is taken to have it.
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

/// What has come from a client's keyboard and mouse and goes on.
#[derive(Default)]
pub(crate) struct Input {
    /// A paste that has begun and not ended.
    pub(crate) paste: Option<PasteEncoder>,
    /// Where the next key is looked up; empty for where its session's keys begin.
    pub(crate) key_table: String,
    /// Runs while the last key can be repeated without the prefix.
    pub(crate) repeat: Option<Timer>,
    /// What its mouse does.
    pub(crate) mouse: Mouse,
}

/// What a client's command line is answered.
#[derive(Default)]
pub(crate) struct Answer {
    /// Whether an answer is owed when its commands are done.
    pub(crate) is_owed: bool,
    /// The exit status so far.
    pub(crate) status: u8,
    /// Its standard input, while a command reads it.
    pub(crate) stdin: Option<Stdin>,
}

/// A connection, with or without a terminal that shows a session.
pub(crate) struct Client {
    pub(crate) id: ClientId,
    /// Its process, by the kernel's word.
    pub(crate) pid: Option<u32>,
    pub(crate) writer: ClientWriter,
    /// Where its commands come from.
    pub(crate) context: Context,
    pub(crate) terminal: Terminal,
    pub(crate) input: Input,
    pub(crate) view: ClientView,
    pub(crate) answer: Answer,
    /// What it shows.
    pub(crate) session: Option<SessionId>,
    /// It may look, not touch.
    pub(crate) is_read_only: bool,
    /// The panes that are active for it alone, by window, if it is to have such.
    pub(crate) own_panes: Option<BTreeMap<WindowId, PaneId>>,
    /// Its size does not count, unless there is no other.
    pub(crate) ignores_size: bool,
    /// When it connected.
    pub(crate) created: Seconds,
    /// When it was last used.
    pub(crate) activity: Seconds,
    /// The session it showed before.
    pub(crate) last_session: Option<SessionId>,
    /// It speaks in control mode instead of showing anything.
    pub(crate) is_control: bool,
    /// How it does that.
    pub(crate) control: Option<Box<Control>>,
    /// What it gets if it scrolls natively.
    pub(crate) native: Option<Arc<NativeFeed>>,
    /// It was called as `tmux`.
    pub(crate) is_tmux: bool,
    /// When it was last used, counted in uses: of several terminals, the size of the one used last counts.
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

    /// Whether it would leave its terminal to us.
    pub(crate) fn shares_terminal(&self) -> bool {
        self.context
            .terminal
            .as_ref()
            .is_some_and(|terminal| terminal.is_shared)
    }

    /// Whether its terminal gets what a program prints as it is, at the moment.
    pub(crate) fn scrolls_natively(&self) -> bool {
        self.native.as_ref().is_some_and(|feed| !feed.is_covered())
    }

    /// What it is called: its terminal, or its process where it has none.
    pub(crate) fn name(&self) -> String {
        match self.tty() {
            Some(tty) if !self.is_control => tty.to_owned(),
            _ => format!("client-{}", self.context.pid),
        }
    }

    /// What is special about it, as `list-clients` has it.
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

    /// Whether its terminal shows more than ASCII.
    pub(crate) fn is_utf8(&self) -> bool {
        self.terminal.caps.has(shellkeep_render::Features::UTF8)
    }

    /// The pane of a window that is active for it.
    pub(crate) fn active_in(&self, window: &Window) -> PaneId {
        let own = self.own_panes.as_ref();
        let own = own.and_then(|own| own.get(&window.id).copied());
        own.filter(|pane| window.shown().contains(*pane))
            .unwrap_or(window.active)
    }

    /// Its terminal's device.
    pub(crate) fn tty(&self) -> Option<&str> {
        std::str::from_utf8(&self.context.terminal.as_ref()?.tty).ok()
    }
}

impl Client {
    /// Leaves its terminal alone from now on.
    pub(crate) fn let_go(&mut self) {
        self.terminal.reader = None;
        self.view.status_timer = None;
        self.writer.pass_on(None);
        self.writer.show(None);
        self.writer.paint_on(None);
    }
}
