//! The mouse in a tree, and the menus it opens.

use shellkeep_core::key::MouseAction;

use crate::modes::overlay::tree::{Act, Kind, Tree};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clicked {
    Act(Act),
    Preview,
    Menu(MenuPlace),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuPlace {
    Line,
    /// The empty area beside the lines.
    Beside,
}

/// The items of a menu: names, and the keys they stand for; a separator has none.
type MenuLines = &'static [(&'static str, Option<&'static str>)];

const RULE: (&str, Option<&str>) = ("", None);

const SESSIONS: MenuLines = &[
    ("Select", Some("Enter")),
    ("Expand", Some("Right")),
    ("Mark", Some("m")),
    RULE,
    ("Sleep", Some("z")),
    ("Wake", Some("w")),
    RULE,
    ("Tag", Some("t")),
    ("Tag All", Some("C-t")),
    ("Tag None", Some("T")),
    RULE,
    ("Kill", Some("x")),
    ("Kill Tagged", Some("X")),
    RULE,
    ("Cancel", Some("q")),
];

const BUFFERS: MenuLines = &[
    ("Paste", Some("p")),
    ("Paste Tagged", Some("P")),
    RULE,
    ("Tag", Some("t")),
    ("Tag All", Some("C-t")),
    ("Tag None", Some("T")),
    RULE,
    ("Delete", Some("d")),
    ("Delete Tagged", Some("D")),
    RULE,
    ("Cancel", Some("q")),
];

const CLIENTS: MenuLines = &[
    ("Detach", Some("d")),
    ("Detach Tagged", Some("D")),
    RULE,
    ("Tag", Some("t")),
    ("Tag All", Some("C-t")),
    ("Tag None", Some("T")),
    RULE,
    ("Cancel", Some("q")),
];

const SETTINGS: MenuLines = &[
    ("Select", Some("Enter")),
    ("Expand", Some("Right")),
    RULE,
    ("Tag", Some("t")),
    ("Tag All", Some("C-t")),
    ("Tag None", Some("T")),
    RULE,
    ("Cancel", Some("q")),
];

const BESIDE: MenuLines = &[
    ("Scroll Left", Some("<")),
    ("Scroll Right", Some(">")),
    RULE,
    ("Cancel", Some("q")),
];

impl Tree {
    /// Handles a mouse event at a row; `rows` are the rows of the list.
    pub(crate) fn mouse(&mut self, action: MouseAction, row: u16, rows: u16) -> Clicked {
        let last = self.lines.len().saturating_sub(1);
        let at = self.offset + usize::from(row);
        let is_line = row < rows && at <= last;
        match action {
            MouseAction::WheelUp => self.current = self.current.saturating_sub(1),
            MouseAction::WheelDown => self.current = (self.current + 1).min(last),
            MouseAction::Down(1) if row >= rows => return Clicked::Preview,
            MouseAction::Down(3) if row >= rows => return Clicked::Menu(MenuPlace::Beside),
            MouseAction::Down(1) if is_line => self.current = at,
            MouseAction::Down(3) => {
                if is_line {
                    self.current = at;
                }
                return Clicked::Menu(MenuPlace::Line);
            }
            MouseAction::DoubleClick(1) if is_line => {
                self.current = at;
                return Clicked::Act(self.choose());
            }
            _ => {}
        }
        Clicked::Act(Act::Draw)
    }

    /// The items of a menu.
    pub(crate) fn menu(&self, place: MenuPlace) -> MenuLines {
        match (place, self.setup.kind) {
            (MenuPlace::Beside, _) => BESIDE,
            (MenuPlace::Line, Kind::Sessions) => SESSIONS,
            (MenuPlace::Line, Kind::Buffers) => BUFFERS,
            (MenuPlace::Line, Kind::Clients) => CLIENTS,
            (MenuPlace::Line, Kind::Settings) => SETTINGS,
        }
    }

    pub(crate) fn current_name(&self) -> &str {
        self.lines.get(self.current).map_or("", |line| &line.name)
    }

    pub(crate) fn scroll_preview(&mut self, by: i32) -> Act {
        self.scroll = self.scroll.saturating_add(by);
        Act::Draw
    }
}
