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

/// Items of a menu: names, and the keys they stand for.
type MenuLines = &'static [(&'static str, &'static str)];

/// The parts of a menu, with separators between them.
type MenuParts = &'static [MenuLines];

const TAGS: MenuLines = &[("Tag", "t"), ("Tag All", "C-t"), ("Tag None", "T")];

const CANCEL: MenuLines = &[("Cancel", "q")];

const SESSIONS: MenuParts = &[
    &[("Select", "Enter"), ("Expand", "Right"), ("Mark", "m")],
    &[("Sleep", "z"), ("Wake", "w")],
    TAGS,
    &[("Kill", "x"), ("Kill Tagged", "X")],
    CANCEL,
];

const BUFFERS: MenuParts = &[
    &[("Paste", "p"), ("Paste Tagged", "P")],
    TAGS,
    &[("Delete", "d"), ("Delete Tagged", "D")],
    CANCEL,
];

const CLIENTS: MenuParts = &[&[("Detach", "d"), ("Detach Tagged", "D")], TAGS, CANCEL];

const SETTINGS: MenuParts = &[&[("Select", "Enter"), ("Expand", "Right")], TAGS, CANCEL];

const BESIDE: MenuParts = &[&[("Scroll Left", "<"), ("Scroll Right", ">")], CANCEL];

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
    pub(crate) fn menu(&self, place: MenuPlace) -> MenuParts {
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
