//! The tree of options and key bindings: its items, and what keys request.

use shellkeep_core::key::Key;

use crate::modes::overlay::tree::{Act, Item, Kind, Tree};

/// A heading above options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Server,
    Session,
    WindowAndPane,
}

impl Section {
    pub(crate) const ALL: [Self; 3] = [Self::Server, Self::Session, Self::WindowAndPane];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Server => "Server Options",
            Self::Session => "Session Options",
            Self::WindowAndPane => "Window & Pane Options",
        }
    }
}

/// The part of a binding that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KeyPart {
    Command,
    Note,
    Repeat,
}

/// An item in the tree of settings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Setting {
    Section(Section),
    Option(Section, String),
    /// An item of an array.
    Element(Section, String, u32),
    Table(String),
    Key(String, Key),
    KeyPart(String, Key, KeyPart),
}

impl Setting {
    pub(crate) fn parent(&self) -> Option<Self> {
        match self {
            Self::Option(section, _) => Some(Self::Section(*section)),
            Self::Element(section, name, _) => Some(Self::Option(*section, name.clone())),
            Self::Key(table, _) => Some(Self::Table(table.clone())),
            Self::KeyPart(table, key, _) => Some(Self::Key(table.clone(), *key)),
            Self::Section(_) | Self::Table(_) => None,
        }
    }

    /// Whether it can be tagged: headings and the parts of a binding cannot.
    pub(crate) fn can_be_tagged(&self) -> bool {
        matches!(self, Self::Option(..) | Self::Element(..) | Self::Key(..))
    }
}

/// The scope an option is set in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The pane if possible, otherwise the window or session.
    Nearest,
    Window,
    Global,
}

/// What a key requests in the tree of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Another value: the next one, or one to be asked for.
    Change(Setting, Reach),
    Value(Setting, Reach, String),
    /// The defaults of all these.
    Reset(Vec<Setting>, Chosen),
    Unset(Vec<Setting>, Chosen),
}

/// How the items were chosen, which decides the wording of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Current,
    Tagged,
}

impl Tree {
    fn current_setting(&self) -> Option<Setting> {
        match self.current_item() {
            Some(Item::Setting(setting)) => Some(setting.clone()),
            _ => None,
        }
    }

    pub(crate) fn change_current(&self, reach: Reach) -> Act {
        match self.current_setting() {
            Some(setting) => Act::Customize(Wish::Change(setting, reach)),
            None => Act::Draw,
        }
    }

    /// Handles a letter in the tree of settings.
    pub(crate) fn letter_for_setting(&self, letter: char) -> Act {
        let current = || self.current_setting().into_iter().collect();
        let tagged = || -> Vec<Setting> {
            let tagged = self.tagged.iter().filter_map(|item| match item {
                Item::Setting(setting) => Some(setting.clone()),
                _ => None,
            });
            tagged.collect()
        };
        match letter {
            's' => self.change_current(Reach::Nearest),
            'w' => self.change_current(Reach::Window),
            'S' => self.change_current(Reach::Global),
            'd' => Act::Customize(Wish::Reset(current(), Chosen::Current)),
            'u' => Act::Customize(Wish::Unset(current(), Chosen::Current)),
            'D' => Act::Customize(Wish::Reset(tagged(), Chosen::Tagged)),
            'U' => Act::Customize(Wish::Unset(tagged(), Chosen::Tagged)),
            _ => Act::Draw,
        }
    }

    /// Tags everything that can be tagged at once: top-level items, or those below an open heading.
    pub(crate) fn tag_all(&mut self) {
        self.tagged = match self.setup.kind {
            Kind::Settings => {
                let items = self.lines.iter().map(|line| &line.item);
                let below_headings = items.filter(|item| {
                    matches!(item, Item::Setting(Setting::Option(..) | Setting::Key(..)))
                });
                below_headings.cloned().collect()
            }
            _ => self.nodes.iter().map(|node| node.item.clone()).collect(),
        };
    }
}
