//! What a client's terminal is to show: a picture of what stands still, and panes in their places upon it.
//!
//! The event loop makes a scene whenever something other than a pane's content changes; the client's painter composes frames
//! from it, as often as the panes change, without asking again.

use std::sync::Arc;

use shellkeep_core::{Size, Style};
use shellkeep_render::{Canvas, Caps, Frame, Rect, draw_pane_rows, draw_picture};

use crate::screen::{Damage, Screen, Watcher};

/// The whole of it.
#[derive(Clone)]
pub(crate) struct Scene {
    /// What the terminal can do.
    pub(crate) caps: Caps,
    /// As large as the terminal: borders, status line, and cursor and modes where no layer has the focus.
    pub(crate) base: Arc<Frame>,
    /// What is drawn over that, in this order.
    pub(crate) layers: Vec<Layer>,
    /// The layer whose cursor and modes are the terminal's.
    pub(crate) focus: Option<usize>,
}

/// Something in its place.
#[derive(Clone)]
pub(crate) struct Layer {
    /// The place. What does not fit the terminal is cut off.
    pub(crate) rect: Rect,
    pub(crate) content: Content,
}

/// What is drawn there.
#[derive(Clone)]
pub(crate) enum Content {
    /// A pane as it is at the moment.
    Live {
        screen: Arc<Screen>,
        /// What its cells look like where its program has asked for nothing.
        look: Style,
    },
    /// A picture.
    Still(Arc<Frame>),
}

impl Scene {
    pub(crate) fn size(&self) -> Size {
        self.base.size()
    }

    /// The panes in it.
    pub(crate) fn screens(&self) -> impl Iterator<Item = &Arc<Screen>> {
        self.layers.iter().filter_map(Layer::screen)
    }

    /// Whether the program in the focus holds painting back.
    pub(crate) fn is_held(&self) -> bool {
        let focused = self.focus.and_then(|at| self.layers.get(at));
        focused
            .and_then(Layer::screen)
            .is_some_and(|screen| screen.lock().modes().synchronized_output)
    }

    /// Whether some layer lies over another, so that no layer can be drawn without those above it.
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

    /// Composes the whole frame. Gives back what has changed in each layer since the last one.
    pub(crate) fn compose(&self, watcher: &Watcher, frame: &mut Frame) -> Vec<Damage> {
        frame.copy_from(&self.base);
        let layers = self.layers.iter().enumerate();
        let damage = layers.map(|(at, layer)| {
            let damage = layer.redraw(&Damage::All, watcher, frame);
            self.point(at, frame);
            damage
        });
        damage.collect()
    }

    /// Brings a frame that was composed of this scene up to date; `stale` is, for each layer, what had changed since that frame
    /// already. Gives back what has changed since the last frame of all, and for each layer; `None`, and the frame
    /// is of no use, where it has to be composed anew.
    pub(crate) fn update(
        &self,
        stale: &[Damage],
        watcher: &Watcher,
        frame: &mut Frame,
    ) -> Option<(Damage, Vec<Damage>)> {
        if !frame.is_plain() || frame.size() != self.size() || stale.len() != self.layers.len() {
            return None;
        }
        if self.has_overlap() {
            return None;
        }
        let mut rows = Damage::default();
        let mut each = Vec::with_capacity(self.layers.len());
        for (at, (layer, stale)) in self.layers.iter().zip(stale).enumerate() {
            let damage = layer.redraw(stale, watcher, frame);
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
        match &layer.content {
            Content::Live { screen, .. } => {
                let emulator = screen.lock();
                frame.set_cursor(shellkeep_render::pane_cursor(&emulator, layer.rect));
                let wanted = shellkeep_render::outer_modes(emulator.modes());
                frame.modes = wanted;
                frame.modes.mouse = wanted.mouse.max(self.base.modes.mouse);
            }
            Content::Still(picture) => {
                let mut cursor = picture.cursor();
                cursor.row = cursor.row.saturating_add(layer.rect.row);
                cursor.col = cursor.col.saturating_add(layer.rect.col);
                frame.set_cursor(cursor);
                frame.modes.mouse = frame.modes.mouse.max(picture.modes.mouse);
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

    /// Draws what has changed, or was stale; gives back what has changed.
    fn redraw(&self, stale: &Damage, watcher: &Watcher, frame: &mut Frame) -> Damage {
        let mut canvas = Canvas::new(frame, self.rect);
        let (screen, look) = match &self.content {
            Content::Live { screen, look } => (screen, look),
            Content::Still(picture) => {
                if *stale == Damage::All {
                    draw_picture(picture, &mut canvas);
                }
                return Damage::default();
            }
        };
        let emulator = screen.lock();
        let damage = watcher.take(screen.pane());
        match stale.clone().union(&damage) {
            Damage::Rows(rows) => {
                draw_pane_rows(&emulator, *look, rows.into_iter(), &mut canvas);
            }
            Damage::All => draw_pane_rows(&emulator, *look, 0..self.rect.rows, &mut canvas),
        }
        damage
    }
}
