//! A tree to choose from: sessions, windows and panes; paste buffers; clients; options and keys.
//!
//! The tree knows its lines, which are tagged and selected, and what keys do to that. The event loop provides the
//! contents of the lines, and carries out what keys request beyond the tree itself.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sessions,
    Buffers,
    Clients,
    /// Options and key bindings.
    Settings,
}

impl Kind {
    /// The name of the mode in formats.
    pub(crate) fn mode_name(self) -> &'static str {
        match self {
            Self::Sessions => "tree-mode",
            Self::Buffers => "buffer-mode",
            Self::Clients => "client-mode",
            Self::Settings => "options-mode",
        }
    }

    /// The orders in which it can be sorted.
    pub(crate) fn orders(self) -> &'static [&'static str] {
        match self {
            Self::Sessions => &["index", "name", "time"],
            Self::Buffers => &["time", "name", "size"],
            Self::Clients => &["name", "size", "creation", "activity"],
            // The settings have a single order, which is not shown.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Reversed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preview {
    Shown,
    Hidden,
}

/// Which sessions of a group are in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    First,
    All,
}

/// A question, which is asked in the status line of the client whose key it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Filter,
    Search,
    /// Commands for the tagged items, or for the current line.
    Command,
    /// Whether to run these commands; the text says what they would do.
    Confirm {
        text: String,
        commands: Vec<String>,
    },
    Value {
        text: String,
        setting: Setting,
        reach: Reach,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) answer: String,
}

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
    /// The item selected at first.
    pub(crate) home: Option<Item>,
    /// The client that has opened it.
    pub(crate) client: Option<ClientId>,
    pub(crate) pane: Option<PaneId>,
}

pub(crate) struct Tree {
    pub(crate) setup: Setup,
    /// Its nodes, as the event loop has last provided them.
    nodes: Vec<Node>,
    /// The filter of the nodes, and how many commands had been run when they were provided.
    looked: (Option<String>, u64),
    /// The lines that are not folded.
    pub(crate) lines: Vec<Line>,
    /// Which items were unfolded or folded by the user.
    open: BTreeMap<Item, bool>,
    pub(crate) tagged: BTreeSet<Item>,
    pub(crate) current: usize,
    /// The first visible line.
    pub(crate) offset: usize,
    /// How many previews are scrolled by.
    pub(crate) scroll: i32,
    search: Option<String>,
    pub(crate) asked: Option<Asked>,
    /// The filter excludes all items.
    pub(crate) has_no_match: bool,
    /// The window was zoomed for it.
    pub(crate) has_zoomed: bool,
    /// It is refreshed sooner than by its timer.
    pub(crate) is_hurried: bool,
    /// Runs until it is refreshed.
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

    /// The order it is sorted by.
    pub(crate) fn order(&self) -> &'static str {
        let orders = self.setup.kind.orders();
        orders[self.setup.order % orders.len()]
    }

    /// Sets the nodes. The current line stays the same, if it still exists.
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
            // Folded items stay tagged; those that are gone do not.
            if !self.nodes.iter().any(|node| node.holds(&item)) {
                self.tagged.remove(&item);
            }
        }
    }

    /// Whether its nodes are up to date: options change by commands, not by themselves.
    pub(crate) fn is_up_to_date(&self, commands_run: u64) -> bool {
        let (filter, at) = &self.looked;
        self.setup.kind == Kind::Settings && *filter == self.setup.filter && *at == commands_run
    }

    /// Computes the lines again from the same nodes.
    pub(crate) fn fold(&mut self) {
        let current = self.current_item().cloned();
        self.refold(current.as_ref());
    }

    /// Computes the lines, keeping this item selected.
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
        // A folded item is represented by its parent.
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

    pub(crate) fn current_item(&self) -> Option<&Item> {
        self.lines.get(self.current).map(|line| &line.item)
    }

    /// The items a command is about: all tagged ones, or that of the current line.
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

    /// Scrolls to the current line.
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
