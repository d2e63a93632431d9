//! What is in a tree, and the lines that make of it.

use std::collections::BTreeSet;

use shellkeep_core::key::{Key, Modifiers};
use shellkeep_core::{ClientId, PaneId, SessionId};

use crate::modes::overlay::tree::Setting;

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    Session(SessionId),
    /// A window by its number in a session.
    Window(SessionId, u32),
    Pane(SessionId, u32, PaneId),
    Buffer(String),
    Client(ClientId),
    /// An option or a key binding, or something of one.
    Setting(Setting),
}

impl Item {
    /// What it is in.
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

/// Something with what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) item: Item,
    pub(crate) name: String,
    /// What its format came to; nothing for what has none.
    pub(crate) text: Option<String>,
    pub(crate) children: Vec<Node>,
}

impl Node {
    /// Whether it is this, or has it in it.
    pub(crate) fn holds(&self, item: &Item) -> bool {
        self.item == *item || self.children.iter().any(|child| child.holds(item))
    }

    /// Adds those of `wanted` that are here, in their order.
    pub(crate) fn collect(&self, wanted: &BTreeSet<Item>, all: &mut Vec<Item>) {
        if wanted.contains(&self.item) {
            all.push(self.item.clone());
        }
        for child in &self.children {
            child.collect(wanted, all);
        }
    }
}

/// A line of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) item: Item,
    pub(crate) name: String,
    pub(crate) text: Option<String>,
    pub(crate) key: Option<Key>,
    /// What is before the name: branches, and a sign for what is folded.
    pub(crate) lead: String,
}

/// Whether a line has others below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    None,
    Open,
    Closed,
}

/// The lines of those nodes that are not folded away.
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

/// The key of a line: a digit for the first ten, a letter with Meta for those after.
fn usual_key(at: usize) -> Option<Key> {
    let at = u8::try_from(at).ok()?;
    match at {
        0..=9 => Some(Key::from_char(char::from(b'0' + at), Modifiers::empty())),
        10..=35 => Some(Key::from_char(char::from(b'a' + at - 10), Modifiers::META)),
        _ => None,
    }
}

/// What is tagged must not be in something else that is tagged.
pub(crate) fn tag(item: &Item, tagged: &mut BTreeSet<Item>) {
    if !tagged.remove(item) {
        tagged.retain(|other| !other.is_in(item) && !item.is_in(other));
        tagged.insert(item.clone());
    }
}
