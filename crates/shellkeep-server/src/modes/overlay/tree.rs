//! A tree to choose from, in place of a pane's screen: sessions, windows and panes; paste buffers; clients; options and keys.
//!
//! The tree knows its lines, what is tagged and chosen, and what keys do to that. What stands in the lines comes from the
//! event loop, which also does what keys ask for beyond the tree itself.

mod customize;
mod draw;
mod keys;
mod mouse;
mod node;

use std::collections::{BTreeMap, BTreeSet};

use shellkeep_command::Script;
use shellkeep_core::{ClientId, PaneId};

use crate::alarm::Timer;

pub(crate) use crate::modes::overlay::tree::customize::{
    Chosen, KeyPart, Reach, Section, Setting, Wish,
};
pub(crate) use crate::modes::overlay::tree::draw::{Look, PreviewArea, draw_box_label};
pub(crate) use crate::modes::overlay::tree::keys::{Act, Resting};
pub(crate) use crate::modes::overlay::tree::mouse::{Clicked, MenuPlace};
pub(crate) use crate::modes::overlay::tree::node::{Item, Line, Node};

/// What is chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sessions,
    Buffers,
    Clients,
    /// Options and key bindings.
    Settings,
}

impl Kind {
    /// What formats call the mode.
    pub(crate) fn mode_name(self) -> &'static str {
        match self {
            Self::Sessions => "tree-mode",
            Self::Buffers => "buffer-mode",
            Self::Clients => "client-mode",
            Self::Settings => "options-mode",
        }
    }

    /// What it can be sorted by.
    pub(crate) fn orders(self) -> &'static [&'static str] {
        match self {
            Self::Sessions => &["index", "name", "time"],
            Self::Buffers => &["time", "name", "size"],
            Self::Clients => &["name", "size", "creation", "activity"],
            // They have one order, which is not told.
            Self::Settings => &[""],
        }
    }
}

/// How far the tree is open at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    Sessions,
    Windows,
    Panes,
}

/// Which way things are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Reversed,
}

/// Whether the preview is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preview {
    Shown,
    Hidden,
}

/// Which sessions of a group are in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    /// One of each.
    First,
    All,
}

/// A question, which is asked in the status line of whoever pressed the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Filter,
    Search,
    /// Commands for what is tagged, or for the current line.
    Command,
    /// Whether to run these; the text says what they would do.
    Confirm {
        text: String,
        commands: Vec<String>,
    },
    /// A value for something.
    Value {
        text: String,
        setting: Setting,
        reach: Reach,
    },
}

/// A question, and what stands there at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) answer: String,
}

/// What a tree is made with.
pub(crate) struct Setup {
    pub(crate) kind: Kind,
    pub(crate) opened: Opened,
    pub(crate) order: usize,
    pub(crate) direction: Direction,
    pub(crate) preview: Preview,
    pub(crate) groups: Groups,
    pub(crate) filter: Option<String>,
    pub(crate) format: String,
    pub(crate) key_format: Option<String>,
    pub(crate) template: Script,
    /// What it stands on at first.
    pub(crate) home: Option<Item>,
    /// Who opened it.
    pub(crate) client: Option<ClientId>,
    /// Whose options are shown.
    pub(crate) pane: Option<PaneId>,
}

/// A tree that is shown.
pub(crate) struct Tree {
    pub(crate) setup: Setup,
    /// What is in it, by the event loop's last look.
    nodes: Vec<Node>,
    /// The filter by which that look was taken, and after how many commands.
    looked: (Option<String>, u64),
    /// The lines that are not folded away.
    pub(crate) lines: Vec<Line>,
    /// Whether something was opened or folded by hand.
    open: BTreeMap<Item, bool>,
    pub(crate) tagged: BTreeSet<Item>,
    pub(crate) current: usize,
    /// The first line that is seen.
    pub(crate) offset: usize,
    /// How many previews are scrolled by.
    pub(crate) scroll: i32,
    /// What was looked for last.
    search: Option<String>,
    pub(crate) asked: Option<Asked>,
    /// Whether the filter lets nothing through.
    pub(crate) has_no_match: bool,
    /// Whether the window was zoomed for it.
    pub(crate) has_zoomed: bool,
    /// It is drawn again sooner than it would be otherwise.
    pub(crate) is_hurried: bool,
    /// Runs until it is drawn again.
    pub(crate) timer: Option<Timer>,
}

impl Tree {
    pub(crate) fn new(setup: Setup) -> Self {
        Self {
            setup,
            nodes: Vec::new(),
            looked: (None, 0),
            lines: Vec::new(),
            open: BTreeMap::new(),
            tagged: BTreeSet::new(),
            current: 0,
            offset: 0,
            scroll: 0,
            search: None,
            asked: None,
            has_no_match: false,
            has_zoomed: false,
            is_hurried: false,
            timer: None,
        }
    }

    /// What it is sorted by.
    pub(crate) fn order(&self) -> &'static str {
        let orders = self.setup.kind.orders();
        orders[self.setup.order % orders.len()]
    }

    /// Takes up what there is now. What was current stays so, if it is still there.
    pub(crate) fn fill(&mut self, nodes: Vec<Node>, commands_run: u64) {
        let is_new = self.lines.is_empty();
        let current = match is_new {
            true => self.setup.home.clone(),
            false => self.current_item().cloned(),
        };
        self.nodes = nodes;
        self.looked = (self.setup.filter.clone(), commands_run);
        self.refold(current.as_ref());
        let known: BTreeSet<&Item> = self.lines.iter().map(|line| &line.item).collect();
        let gone = self.tagged.iter().filter(|item| !known.contains(item));
        for item in gone.cloned().collect::<Vec<_>>() {
            // What is folded away stays tagged; what is gone does not.
            if !self.nodes.iter().any(|node| node.holds(&item)) {
                self.tagged.remove(&item);
            }
        }
    }

    /// Whether what was last looked at is still what is to be seen: options change by commands, not by themselves.
    pub(crate) fn is_up_to_date(&self, commands_run: u64) -> bool {
        let (filter, at) = &self.looked;
        self.setup.kind == Kind::Settings && *filter == self.setup.filter && *at == commands_run
    }

    /// Works the lines out again, of what was last looked at.
    pub(crate) fn fold(&mut self) {
        let current = self.current_item().cloned();
        self.refold(current.as_ref());
    }

    /// Works the lines out again.
    fn refold(&mut self, current: Option<&Item>) {
        let (open, opened) = (&self.open, self.setup.opened);
        let is_open = |item: &Item| {
            let usual = match item {
                Item::Session(_) => opened != Opened::Sessions,
                Item::Window(..) => opened == Opened::Panes,
                _ => false,
            };
            open.get(item).copied().unwrap_or(usual)
        };
        self.lines = node::lines(&self.nodes, &is_open);
        let at = current.and_then(|item| self.position(item));
        // What is folded away is stood for by what it is in.
        let parent = || {
            let parent = current.and_then(Item::parent)?;
            let over = parent.parent();
            self.position(&parent)
                .or_else(|| over.and_then(|over| self.position(&over)))
        };
        let last = self.lines.len().saturating_sub(1);
        self.current = at.or_else(parent).unwrap_or(self.current.min(last));
    }

    fn position(&self, item: &Item) -> Option<usize> {
        self.lines.iter().position(|line| line.item == *item)
    }

    /// What the current line is about.
    pub(crate) fn current_item(&self) -> Option<&Item> {
        self.lines.get(self.current).map(|line| &line.item)
    }

    /// What a command is for: all that is tagged, or the current line.
    pub(crate) fn chosen(&self) -> Vec<Item> {
        if self.tagged.is_empty() {
            return self.current_item().cloned().into_iter().collect();
        }
        let mut all = Vec::new();
        for node in &self.nodes {
            node.collect(&self.tagged, &mut all);
        }
        all
    }

    /// Brings the current line into view.
    pub(crate) fn follow(&mut self, rows: u16) {
        let rows = usize::from(rows.max(1));
        if self.current < self.offset {
            self.offset = self.current;
        }
        if self.current >= self.offset + rows {
            self.offset = self.current + 1 - rows;
        }
        self.offset = self.offset.min(self.lines.len().saturating_sub(rows));
    }
}
