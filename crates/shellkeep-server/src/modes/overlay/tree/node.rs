//! The nodes of a tree, and the lines made from them.

use std::collections::BTreeSet;

use shellkeep_core::key::{Key, Modifiers};
use shellkeep_core::{ClientId, PaneId, SessionId};

use crate::modes::overlay::tree::Setting;

/// An item that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    Session(SessionId),
    /// A window by its index in a session.
    Window(SessionId, u32),
    Pane(SessionId, u32, PaneId),
    Buffer(String),
    Client(ClientId),
    /// An option or key binding, or a part of one.
    Setting(Setting),
}

impl Item {
    /// The item it is below.
    pub(crate) fn parent(&self) -> Option<Self> {
        match self {
            Self::Window(session, _) => Some(Self::Session(*session)),
            Self::Pane(session, index, _) => Some(Self::Window(*session, *index)),
            Self::Setting(setting) => setting.parent().map(Self::Setting),
            _ => None,
        }
    }

    pub(crate) fn can_be_tagged(&self) -> bool {
        match self {
            Self::Setting(setting) => setting.can_be_tagged(),
            _ => true,
        }
    }

    fn is_in(&self, other: &Self) -> bool {
        let parent = self.parent();
        parent.is_some_and(|parent| parent == *other || parent.is_in(other))
    }
}

/// An item with the nodes below it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) item: Item,
    pub(crate) name: String,
    /// Its expanded format; none without one.
    pub(crate) text: Option<String>,
    pub(crate) children: Vec<Node>,
}

impl Node {
    /// Whether the item is this node or below it.
    pub(crate) fn holds(&self, item: &Item) -> bool {
        self.item == *item || self.children.iter().any(|child| child.holds(item))
    }

    /// Appends those of `wanted` that are in this node, in order.
    pub(crate) fn collect(&self, wanted: &BTreeSet<Item>, all: &mut Vec<Item>) {
        if wanted.contains(&self.item) {
            all.push(self.item.clone());
        }
        for child in &self.children {
            child.collect(wanted, all);
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) item: Item,
    pub(crate) name: String,
    pub(crate) text: Option<String>,
    pub(crate) key: Option<Key>,
    /// The text before the name: branches, and a sign for folded items.
    pub(crate) lead: String,
}

/// Whether a line has others below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    None,
    Open,
    Closed,
}

/// The lines of all nodes that are not folded.
pub(crate) fn lines(nodes: &[Node], is_open: &dyn Fn(&Item) -> bool) -> Vec<Line> {
    let mut lines = Vec::new();
    add_lines(nodes, is_open, "", Level::Root, &mut lines);
    for (at, line) in lines.iter_mut().enumerate() {
        line.key = usual_key(at);
    }
    lines
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Below,
}

fn add_lines(
    nodes: &[Node],
    is_open: &dyn Fn(&Item) -> bool,
    before: &str,
    level: Level,
    lines: &mut Vec<Line>,
) {
    let is_flat = nodes.iter().all(|node| node.children.is_empty());
    for (at, node) in nodes.iter().enumerate() {
        let is_last = at + 1 == nodes.len();
        let (branch, below) = match (level, is_last) {
            (Level::Root, _) => ("", ""),
            (Level::Below, true) => ("└─> ", "    "),
            (Level::Below, false) => ("├─> ", "│   "),
        };
        let fold = match (node.children.is_empty(), is_open(&node.item)) {
            (true, _) => Fold::None,
            (false, true) => Fold::Open,
            (false, false) => Fold::Closed,
        };
        let sign = match fold {
            _ if is_flat => "",
            Fold::None => "  ",
            Fold::Open => "- ",
            Fold::Closed => "+ ",
        };
        lines.push(Line {
            item: node.item.clone(),
            name: node.name.clone(),
            text: node.text.clone(),
            key: None,
            lead: format!("{before}{branch}{sign}"),
        });
        if fold == Fold::Open {
            let before = format!("{before}{below}");
            add_lines(&node.children, is_open, &before, Level::Below, lines);
        }
    }
}

/// The default key of a line: a digit for the first ten, a letter with Meta for further ones.
fn usual_key(at: usize) -> Option<Key> {
    let at = u8::try_from(at).ok()?;
    match at {
        0..=9 => Some(Key::from_char(char::from(b'0' + at), Modifiers::empty())),
        10..=35 => Some(Key::from_char(char::from(b'a' + at - 10), Modifiers::META)),
        _ => None,
    }
}

/// Tags an item, and untags those above and below it.
pub(crate) fn tag(item: &Item, tagged: &mut BTreeSet<Item>) {
    if !tagged.remove(item) {
        tagged.retain(|other| !other.is_in(item) && !item.is_in(other));
        tagged.insert(item.clone());
    }
}
