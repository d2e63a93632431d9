//! A popup: its place, its box and its menu around a program.

use std::sync::Arc;

use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{Rect, Size, Style};
use shellkeep_term::key::{MouseButton, MouseEvent, MouseKind};

use crate::commands::queue::QueueId;
use crate::display::scene::{Content, Layer};
use crate::model::Pane;
use crate::modes::overlay::{BoxLines, Menu, boxed, titled};
use crate::persistence::keeping::Start;

/// What closes a popup, apart from a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseWhen {
    /// Escape, at any time.
    Key,
    /// The end of its program.
    Exit,
    /// The successful end of its program; otherwise Escape after the end.
    Success,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    /// Moves it; the pointer is this many rows and columns from its corner.
    Move {
        rows: u16,
        cols: u16,
    },
    Resize,
}

pub(crate) struct Popup {
    /// Its program. The pane is in no window, so that no command can name it.
    pub(crate) pane: Pane,
    pub(crate) place: Rect,
    /// The place it would have if there were room.
    pub(crate) wanted: Rect,
    pub(crate) lines: BoxLines,
    pub(crate) style: Style,
    pub(crate) border_style: Style,
    pub(crate) title: String,
    pub(crate) close: CloseWhen,
    /// Its program has ended and all output was read.
    pub(crate) has_ended: bool,
    pub(crate) drag: Option<Drag>,
    /// The last mouse event, with the button that was held.
    pub(crate) last_mouse: Option<MouseEvent>,
    pub(crate) menu: Option<Menu>,
    /// The target that its commands are about.
    pub(crate) target: ResolvedTarget,
    /// The command it was opened with; empty for a shell.
    pub(crate) command: Vec<String>,
    /// How its program was started, for when it becomes a pane of a session.
    pub(crate) start: Start,
    pub(crate) queue: Option<QueueId>,
}

impl Popup {
    /// The area of the program.
    pub(crate) fn inside(&self) -> Rect {
        self.lines.inside(self.place)
    }

    /// Moves it, as far as it fits. Returns whether it does.
    pub(crate) fn put(&mut self, wanted: Rect, room: Size) -> bool {
        self.wanted = wanted;
        self.fit(room)
    }

    /// Adapts it to a terminal of another size, making it smaller if needed.
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
            self.pane.send_size();
        }
        self.menu = self
            .menu
            .take()
            .and_then(|mut menu| menu.fit(room).then_some(menu));
        true
    }

    /// The place it is dragged to by a mouse event.
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

    /// The drag that a movement begins, from where the button was pressed.
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

    /// Whether an event is on the box itself, not on the program.
    pub(crate) fn is_border(&self, event: &MouseEvent) -> bool {
        !self.inside().contains(event.row, event.col)
    }

    /// Whether an event opens its menu: the right button on its left or upper side, or outside.
    pub(crate) fn wants_menu(&self, event: &MouseEvent) -> bool {
        let is_click = event.kind == MouseKind::Press && event.button == MouseButton::Right;
        let is_outside = !self.place.contains(event.row, event.col);
        let is_corner = self.lines != BoxLines::None
            && (event.row == self.place.row || event.col == self.place.col);
        is_click && (is_outside || event.mods.is_empty() && is_corner)
    }

    /// Its layers: the box, the program, and a menu over both. The program's is the last one except for the menu.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        let size = Size::new(self.place.rows, self.place.cols);
        let drawn = boxed(size, self.lines, self.border_style);
        let frame = if self.lines == BoxLines::None {
            crate::display::ratatui_frame::frame_of(&drawn)
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
                content: Content::Still(Arc::new(menu.frame())),
            });
        }
        layers
    }
}
