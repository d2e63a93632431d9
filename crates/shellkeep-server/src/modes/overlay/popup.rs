//! A program in a box: where it is, and what it looks like around the program.

use std::sync::Arc;

use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{Rect, Size, Style};
use shellkeep_term::key::{MouseButton, MouseEvent, MouseKind};

use crate::commands::queue::QueueId;
use crate::display::scene::{Content, Layer};
use crate::model::Pane;
use crate::modes::overlay::{BoxLines, Menu, boxed, titled};
use crate::persistence::keeping::Start;

/// What closes a popup, besides the command that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseWhen {
    /// Escape, at any time.
    Key,
    /// The program's end.
    Exit,
    /// The program's end if it says it was successful; else Escape after that.
    Success,
}

/// What the mouse does with the box while a button is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    /// Moves it; the pointer is so many rows and columns from its corner.
    Move {
        rows: u16,
        cols: u16,
    },
    Resize,
}

/// A popup that is shown.
pub(crate) struct Popup {
    /// The program. It is in no window, so that no command can name it.
    pub(crate) pane: Pane,
    pub(crate) place: Rect,
    /// Where it would be if there were room.
    pub(crate) wanted: Rect,
    pub(crate) lines: BoxLines,
    pub(crate) style: Style,
    pub(crate) border_style: Style,
    pub(crate) title: String,
    pub(crate) close: CloseWhen,
    /// Whether its program has ended and all its output was read.
    pub(crate) has_ended: bool,
    pub(crate) drag: Option<Drag>,
    /// Where the mouse was last, and which button was held there.
    pub(crate) last_mouse: Option<MouseEvent>,
    /// Its own menu.
    pub(crate) menu: Option<Menu>,
    /// What it is about.
    pub(crate) target: ResolvedTarget,
    /// How its program was started, for when it becomes a session's.
    pub(crate) start: Start,
    pub(crate) queue: Option<QueueId>,
}

impl Popup {
    /// Where the program is.
    pub(crate) fn inside(&self) -> Rect {
        self.lines.inside(self.place)
    }

    /// Puts it elsewhere, as far as it fits.
    pub(crate) fn put(&mut self, wanted: Rect, room: Size) -> bool {
        self.wanted = wanted;
        self.fit(room)
    }

    /// The terminal has another size: it is moved, and made smaller if need be.
    pub(crate) fn fit(&mut self, room: Size) -> bool {
        let rows = self.wanted.rows.min(room.rows());
        let cols = self.wanted.cols.min(room.cols());
        self.place = Rect {
            row: self.wanted.row.min(room.rows() - rows),
            col: self.wanted.col.min(room.cols() - cols),
            rows,
            cols,
        };
        let inside = self.inside();
        if inside.rows == 0 || inside.cols == 0 {
            return false;
        }
        self.pane.resize(Size::new(inside.rows, inside.cols));
        if self.pane.is_size_due() {
            self.pane.tell_size();
        }
        self.menu = self
            .menu
            .take()
            .and_then(|mut menu| menu.fit(room).then_some(menu));
        true
    }

    /// The mouse holds the box: gives back where it is wanted.
    pub(crate) fn dragged(&self, event: &MouseEvent) -> Option<Rect> {
        let mut wanted = self.place;
        match self.drag? {
            Drag::Move { rows, cols } => {
                wanted.row = event.row.saturating_sub(rows);
                wanted.col = event.col.saturating_sub(cols);
            }
            Drag::Resize => {
                let least = if self.lines == BoxLines::None { 1 } else { 3 };
                if event.row < wanted.row + least || event.col < wanted.col + least {
                    return None;
                }
                wanted.rows = event.row - wanted.row;
                wanted.cols = event.col - wanted.col;
            }
        }
        Some(wanted)
    }

    /// What a movement with a button held begins, seen from where the button went down.
    pub(crate) fn drag_begun(&self, from: &MouseEvent) -> Option<Drag> {
        match from.button {
            MouseButton::Left => Some(Drag::Move {
                rows: from.row.saturating_sub(self.place.row),
                cols: from.col.saturating_sub(self.place.col),
            }),
            MouseButton::Right => Some(Drag::Resize),
            _ => None,
        }
    }

    /// Whether the box itself is meant, not the program in it.
    pub(crate) fn is_border(&self, event: &MouseEvent) -> bool {
        !self.inside().contains(event.row, event.col)
    }

    /// The right button at its left or upper side, or anywhere outside, asks for its menu.
    pub(crate) fn wants_menu(&self, event: &MouseEvent) -> bool {
        let is_click = event.kind == MouseKind::Press && event.button == MouseButton::Right;
        let is_outside = !self.place.contains(event.row, event.col);
        let is_corner = self.lines != BoxLines::None
            && (event.row == self.place.row || event.col == self.place.col);
        is_click && (is_outside || event.mods.is_empty() && is_corner)
    }

    /// Its layers: the box, the program, a menu over both. The last but the menu is the program's.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        let size = Size::new(self.place.rows, self.place.cols);
        let drawn = boxed(size, self.lines, self.border_style);
        let frame = if self.lines == BoxLines::None {
            crate::display::ratatui_frame::picture(&drawn)
        } else {
            titled(&drawn, &self.title, self.border_style)
        };
        let mut layers = vec![
            Layer {
                rect: self.place,
                content: Content::Still(Arc::new(frame)),
            },
            Layer {
                rect: self.inside(),
                content: Content::Live {
                    screen: self.pane.screen.clone(),
                    look: self.style,
                },
            },
        ];
        if let Some(menu) = &self.menu {
            layers.push(Layer {
                rect: menu.place,
                content: Content::Still(Arc::new(menu.picture())),
            });
        }
        layers
    }
}
