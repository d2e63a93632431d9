//! A scene: what a client's terminal is to show. It has a base frame, and layers with panes in their places.
//!
//! The event loop makes a scene whenever something other than a pane's content changes. The client's painter composes
//! frames from it as often as panes change, without asking the loop.

use std::sync::Arc;

use shellkeep_core::{Size, Style};
use shellkeep_render::{Canvas, Caps, Frame, FrameCursor, Rect, draw_pane_rows, draw_picture};

use crate::display::damage_tracker::{Damage, DamageTracker};
use crate::panes::screen::Screen;

#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) caps: Caps,
    /// A frame of the terminal's size: borders, status line, and the cursor and modes for when no layer has the focus.
    pub(crate) base: Arc<Frame>,
    /// Set for a window that is larger than its part of the terminal.
    pub(crate) pan: Option<Pan>,
    /// What is drawn over the base frame, in this order.
    pub(crate) layers: Vec<Layer>,
    /// The layer whose cursor and modes the terminal gets.
    pub(crate) focus: Option<usize>,
    pub(crate) cursor: CursorOf,
}

/// Which cursor is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CursorOf {
    /// That of the layer in focus.
    Focus,
    /// That of the base frame, hidden or not: for example because a prompt takes the keys.
    Base,
}

/// A window of which a part is shown.
#[derive(Clone)]
pub(crate) struct Pan {
    /// The area of the terminal where the part is shown.
    pub(crate) area: Rect,
    /// Where the part begins.
    pub(crate) at: PartShown,
    /// A frame of the window's size with its borders.
    pub(crate) base: Arc<Frame>,
    /// How many layers belong to the window. Their places are relative to it, not to the terminal.
    pub(crate) layers: usize,
    /// The layer of the active pane, whether or not it has the terminal's cursor.
    pub(crate) active: Option<usize>,
}

/// Where the visible part of a window begins.
#[derive(Clone)]
pub(crate) enum PartShown {
    /// At a fixed position, set by `refresh-client`.
    At((u16, u16)),
    AroundCursor {
        /// The position when the scene was made, which the status line may show.
        last: (u16, u16),
        moved: PartMoved,
    },
}

/// Reports to the event loop that the visible part of a window has moved with the cursor.
#[derive(Clone)]
pub(crate) struct PartMoved {
    tell: Arc<dyn Fn((u16, u16)) + Send + Sync>,
}

impl PartMoved {
    /// `tell` must not block.
    pub(crate) fn new(tell: impl Fn((u16, u16)) + Send + Sync + 'static) -> Self {
        Self {
            tell: Arc::new(tell),
        }
    }
}

/// A part of the scene with a place of its own.
#[derive(Clone)]
pub(crate) struct Layer {
    /// The place. Anything outside of the terminal is cut off.
    pub(crate) rect: Rect,
    pub(crate) content: Content,
}

#[derive(Clone)]
pub(crate) enum Content {
    /// A pane, as it is when the frame is composed.
    Live {
        screen: Arc<Screen>,
        /// The style of cells for which the program has set none.
        look: Style,
    },
    /// A fixed frame.
    Still(Arc<Frame>),
}

impl Scene {
    pub(crate) fn size(&self) -> Size {
        self.base.size()
    }

    /// Hides the cursor, but puts it at a position: some input methods open their windows there.
    pub(crate) fn hide_cursor(&mut self, row: u16, col: u16) {
        self.cursor = CursorOf::Base;
        Arc::make_mut(&mut self.base).set_cursor(FrameCursor {
            row,
            col,
            ..FrameCursor::default()
        });
    }

    /// Draws over everything in an area of the terminal.
    pub(crate) fn cover(&mut self, area: Rect, draw: impl FnOnce(&mut Frame)) {
        let mut whole = Frame::new(self.size());
        draw(&mut whole);
        let mut part = Frame::new(Size::new(area.rows, area.cols));
        let canvas = &mut Canvas::new(&mut part, Rect::whole(Size::new(area.rows, area.cols)));
        draw_part(&whole, (area.row, area.col), canvas);
        self.layers.push(Layer {
            rect: area,
            content: Content::Still(Arc::new(part)),
        });
    }

    /// Whether the program in the focus has begun a synchronized update.
    pub(crate) fn is_held(&self) -> bool {
        let focused = self.focus.and_then(|at| self.layers.get(at));
        focused
            .and_then(Layer::screen)
            .is_some_and(|screen| screen.lock().modes().synchronized_output)
    }

    /// Whether any layers overlap. Then no layer can be drawn without those above it.
    fn has_overlap(&self) -> bool {
        let meet = |a: Rect, b: Rect| {
            let common = a.intersection(b);
            common.rows > 0 && common.cols > 0
        };
        let layers = self.layers.iter().enumerate();
        layers
            .flat_map(|(at, layer)| self.layers[..at].iter().map(move |below| (layer, below)))
            .any(|(layer, below)| meet(layer.rect, below.rect))
    }

    /// Composes the whole frame. Returns what has changed in each layer since the last one.
    pub(crate) fn compose(&self, tracker: &DamageTracker, frame: &mut Frame) -> Vec<Damage> {
        frame.copy_from(&self.base);
        let mut damage = Vec::with_capacity(self.layers.len());
        if let Some(pan) = &self.pan {
            self.compose_pan(pan, tracker, frame, &mut damage);
        }
        for (at, layer) in self.layers.iter().enumerate().skip(damage.len()) {
            damage.push(layer.redraw(&Damage::All, tracker, frame));
            self.point(at, frame);
        }
        damage
    }

    /// Composes the visible part of a window that is too large.
    fn compose_pan(
        &self,
        pan: &Pan,
        tracker: &DamageTracker,
        frame: &mut Frame,
        damage: &mut Vec<Damage>,
    ) {
        let mut whole = Frame::new(pan.base.size());
        whole.copy_from(&pan.base);
        for (at, layer) in self.layers.iter().enumerate().take(pan.layers) {
            damage.push(layer.redraw(&Damage::All, tracker, &mut whole));
            self.point(at, &mut whole);
        }
        let active = pan.active.and_then(|at| self.layers.get(at));
        let cursor = active.map_or_else(FrameCursor::default, Layer::cursor);
        let (size, area) = (whole.size(), pan.area);
        let (row, col) = match &pan.at {
            PartShown::At(at) => *at,
            PartShown::AroundCursor { last, moved } => {
                let at = (
                    part_start(cursor.row, area.rows, size.rows()),
                    part_start(cursor.col, area.cols, size.cols()),
                );
                if at != *last {
                    (moved.tell)(*last);
                }
                at
            }
        };
        draw_part(&whole, (row, col), &mut Canvas::new(frame, area));
        let is_ours = self.focus.is_some_and(|at| at < pan.layers);
        if is_ours && self.cursor == CursorOf::Focus {
            frame.modes = whole.modes;
            frame.modes.extended_keys = self.base.modes.extended_keys;
            let (at_row, at_col) = (cursor.row.wrapping_sub(row), cursor.col.wrapping_sub(col));
            let is_inside = at_row < area.rows && at_col < area.cols;
            frame.set_cursor(FrameCursor {
                row: area.row.saturating_add(at_row),
                col: area.col.saturating_add(at_col),
                visible: cursor.visible && is_inside,
                ..cursor
            });
        }
    }

    /// Updates a frame that was composed from this scene. `stale` is, for each layer, what had changed between that
    /// frame and the last one. Returns what has changed since the last frame, in total and for each layer. `None` if
    /// the frame has to be composed anew.
    pub(crate) fn update(
        &self,
        stale: &[Damage],
        tracker: &DamageTracker,
        frame: &mut Frame,
    ) -> Option<(Damage, Vec<Damage>)> {
        if !frame.is_plain() || frame.size() != self.size() || stale.len() != self.layers.len() {
            return None;
        }
        if self.pan.is_some() || self.has_overlap() {
            return None;
        }
        let mut rows = Damage::default();
        let mut each = Vec::with_capacity(self.layers.len());
        for (at, (layer, stale)) in self.layers.iter().zip(stale).enumerate() {
            let damage = layer.redraw(stale, tracker, frame);
            rows.add_below(layer.rect.row, &damage);
            each.push(damage);
            self.point(at, frame);
        }
        frame.is_plain().then_some((rows, each))
    }

    /// Takes cursor and modes from the layer in focus.
    fn point(&self, at: usize, frame: &mut Frame) {
        if self.focus != Some(at) {
            return;
        }
        let layer = &self.layers[at];
        let is_shown = self.cursor == CursorOf::Focus;
        match &layer.content {
            Content::Live { screen, .. } => {
                if is_shown {
                    frame.set_cursor(layer.cursor());
                }
                let emulator = screen.lock();
                let wanted = shellkeep_render::outer_modes(emulator.modes());
                frame.modes = wanted;
                frame.modes.mouse = wanted.mouse.max(self.base.modes.mouse);
                frame.modes.extended_keys = self.base.modes.extended_keys;
            }
            Content::Still(still) if is_shown => {
                frame.set_cursor(layer.cursor());
                frame.modes.mouse = frame.modes.mouse.max(still.modes.mouse);
            }
            Content::Still(_) => {}
        }
    }
}

/// Where the visible part begins in one dimension: at the start while the cursor is in it, otherwise around the cursor,
/// but never beyond the end.
pub(crate) fn part_start(cursor: u16, room: u16, size: u16) -> u16 {
    if size <= room || cursor < room {
        0
    } else if cursor > size - room {
        size - room
    } else {
        cursor - room / 2
    }
}

/// Draws the part of a frame that is right of and below a position.
fn draw_part(still: &Frame, (top, left): (u16, u16), canvas: &mut Canvas<'_>) {
    let rect = canvas.rect();
    for row in 0..rect.rows {
        for col in 0..rect.cols {
            let (from_row, from_col) = (row.saturating_add(top), col.saturating_add(left));
            let style = still.style(from_row, from_col);
            match still.width(from_row, from_col) {
                // The right half of a wide character whose left half is cut off.
                0 if col == 0 => canvas.put(row, col, " ", 1, style, None),
                0 => {}
                width => {
                    let link = still.link(from_row, from_col);
                    let text = still.text(from_row, from_col);
                    canvas.put(row, col, text, width, style, link);
                }
            }
        }
    }
}

impl Layer {
    fn screen(&self) -> Option<&Arc<Screen>> {
        match &self.content {
            Content::Live { screen, .. } => Some(screen),
            Content::Still(_) => None,
        }
    }

    /// Its cursor, relative to what its place is relative to.
    fn cursor(&self) -> FrameCursor {
        match &self.content {
            Content::Live { screen, .. } => {
                shellkeep_render::pane_cursor(&screen.lock(), self.rect)
            }
            Content::Still(still) => {
                let cursor = still.cursor();
                FrameCursor {
                    row: cursor.row.saturating_add(self.rect.row),
                    col: cursor.col.saturating_add(self.rect.col),
                    ..cursor
                }
            }
        }
    }

    /// Draws the rows that have changed or were stale. Returns those that have changed.
    fn redraw(&self, stale: &Damage, tracker: &DamageTracker, frame: &mut Frame) -> Damage {
        let mut canvas = Canvas::new(frame, self.rect);
        let (screen, look) = match &self.content {
            Content::Live { screen, look } => (screen, look),
            Content::Still(still) => {
                if *stale == Damage::All {
                    draw_picture(still, &mut canvas);
                }
                return Damage::default();
            }
        };
        let emulator = screen.lock();
        let damage = tracker.take(screen.pane());
        match stale.clone().union(&damage) {
            Damage::Rows(rows) => {
                draw_pane_rows(&emulator, *look, rows.into_iter(), &mut canvas);
            }
            Damage::All => draw_pane_rows(&emulator, *look, 0..self.rect.rows, &mut canvas),
        }
        damage
    }
}

/// An ASCII word as a layer.
pub(crate) fn word((row, col): (u16, u16), text: &str, style: Style) -> Layer {
    let cols = text.len() as u16;
    let mut still = Frame::new(Size::new(1, cols));
    for (at, c) in (0..).zip(text.chars()) {
        let mut buffer = [0; 4];
        still.put(0, at, c.encode_utf8(&mut buffer), 1, style, None);
    }
    Layer {
        rect: Rect {
            row,
            col,
            rows: 1,
            cols,
        },
        content: Content::Still(Arc::new(still)),
    }
}
