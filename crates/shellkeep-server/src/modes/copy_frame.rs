//! Drawing copy mode.

use std::sync::Arc;

use shellkeep_copy::{CopyMode, CopyOptions, FrozenText, Highlight, Text, View};
use shellkeep_core::{Attrs, PaneId, Style, StyleText};
use shellkeep_render::{Canvas, Frame, FrameCursor, Rect, RowPainter};
use shellkeep_term::Emulator;

use crate::display::scene::Content;
use crate::formats;
use crate::model::{Mode, Model, Pane};
use crate::modes::copy_options::copy_options;
use crate::modes::{clock, tree_preview};

/// The styles of copy mode.
struct Looks {
    mode: StyleText,
    matched: StyleText,
    current: StyleText,
    mark: StyleText,
}

impl Looks {
    fn paint(&self, highlight: Highlight, style: Style) -> Style {
        let look = match highlight {
            Highlight::MarkRow | Highlight::Mark => &self.mark,
            Highlight::Match => &self.matched,
            Highlight::CurrentMatch => &self.current,
            Highlight::Selection => &self.mode,
        };
        let mut style = look.change.apply(style, style);
        if highlight == Highlight::Mark {
            style.attrs.toggle(Attrs::REVERSE);
        }
        style
    }
}

/// What is shown in a pane's place: its screen, or the frame of its mode. `look` is the style of cells without one.
pub(crate) fn pane_content(model: &Model, pane: &Pane, look: Style) -> Content {
    match frame_of_mode(model, pane, look) {
        Some(frame) => Content::Still(frame),
        None => Content::Live {
            screen: pane.screen.clone(),
            look,
        },
    }
}

pub(crate) fn mode_frame(model: &Model, id: PaneId) -> Option<Arc<Frame>> {
    frame_of_mode(model, model.panes.get(&id)?, Style::default())
}

fn frame_of_mode(model: &Model, pane: &Pane, look: Style) -> Option<Arc<Frame>> {
    match pane.mode.as_ref()? {
        Mode::Clock => Some(clock::clock_frame(model, pane)),
        Mode::Tree(tree) => Some(tree_preview::tree_frame(model, tree, pane)),
        Mode::Copy(copy) | Mode::View(copy) => {
            let options = copy_options(model, pane.id);
            let looks = copy_looks(model, pane);
            let reading = copy.reading.as_ref();
            let Some(reading) = reading else {
                return copy.search_frame.clone();
            };
            let emulator = copy.screen.lock();
            let text = reading.frozen.text(&emulator);
            let mut frame = Frame::new(pane.size);
            draw(
                &mut frame,
                &emulator,
                look,
                &reading.place,
                &text,
                &options,
                &looks,
            );
            Some(Arc::new(frame))
        }
    }
}

fn copy_looks(model: &Model, pane: &Pane) -> Looks {
    let options = model.pane_options(pane.id);
    let look = |name: &str| {
        let Some(value) = options.style(name) else {
            return StyleText::default();
        };
        value.style.unwrap_or_else(|| {
            let mut scope = formats::scope(model);
            if let Some(place) = model.place_of(pane.id) {
                scope = scope.found(place);
            }
            scope.expand(&value.text).parse().unwrap_or_default()
        })
    };
    Looks {
        mode: look("mode-style"),
        matched: look("copy-mode-match-style"),
        current: look("copy-mode-current-match-style"),
        mark: look("copy-mode-mark-style"),
    }
}

fn draw(
    frame: &mut Frame,
    emulator: &Emulator,
    look: Style,
    place: &CopyMode,
    text: &FrozenText<'_>,
    options: &CopyOptions,
    looks: &Looks,
) {
    let view = place.view(text, options);
    let size = frame.size();
    let mut canvas = Canvas::new(frame, Rect::whole(size));
    let painter = RowPainter::new(emulator, look);
    for (row, shown) in (0..size.rows()).zip(&view.rows) {
        painter.blank(row, &mut canvas);
        text.with_row(shown.row, &mut |view| painter.draw(row, &view, &mut canvas));
    }
    light(frame, &view, looks);
    let right = view.position.as_deref().unwrap_or_default();
    draw_position(frame, right, looks);
    frame.set_cursor(FrameCursor {
        row: view.cursor.0,
        col: view.cursor.1,
        visible: true,
        ..FrameCursor::default()
    });
}

/// Styles what is selected, found or marked.
fn light(frame: &mut Frame, view: &View, looks: &Looks) {
    for (row, shown) in (0..frame.size().rows()).zip(&view.rows) {
        for span in &shown.spans {
            for col in span.start..span.end.min(frame.size().cols()) {
                let width = frame.width(row, col);
                if width == 0 {
                    continue;
                }
                let style = looks.paint(span.highlight, frame.style(row, col));
                let text = frame.text(row, col).to_owned();
                let link = frame.link(row, col).map(str::to_owned);
                frame.put(row, col, &text, width, style, link.as_deref());
            }
        }
    }
}

/// Draws the scroll position at the right of the first row.
fn draw_position(frame: &mut Frame, position: &str, looks: &Looks) {
    let cols = frame.size().cols();
    let style = looks.mode.change.apply(Style::default(), Style::default());
    let length = u16::try_from(position.len()).unwrap_or(u16::MAX);
    let position = position.get(usize::from(length.saturating_sub(cols))..);
    let start = cols.saturating_sub(length);
    for (col, c) in (start..cols).zip(position.unwrap_or_default().chars()) {
        frame.put(0, col, c.encode_utf8(&mut [0; 4]), 1, style, None);
    }
}
