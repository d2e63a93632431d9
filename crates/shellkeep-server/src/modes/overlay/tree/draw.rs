//! Drawing a tree: its lines, and below them a box with a preview.

use ratatui::style::Style as RatStyle;
use ratatui::widgets::{List, ListState, StatefulWidget, Widget as _};
use shellkeep_core::{Attrs, Color, Rect, Size, Style};
use shellkeep_render::{Canvas, Frame, draw_picture, draw_styled, styled_width};

use crate::display::ratatui_frame::{area, buffer, frame_of, styled_line};
use crate::modes::overlay::tree::{Direction, Item, Kind, Preview, Setting, Tree};
use crate::modes::overlay::{BoxLines, boxed, titled};

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    pub(crate) current: Style,
}

/// The area where a preview is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PreviewArea(pub(crate) Rect);

const DESCRIPTION_ROWS: u16 = 12;

/// How many rows the list gets. A preview needs some of them.
pub(crate) fn list_rows(rows: u16, lines: usize, kind: Kind, preview: Preview) -> u16 {
    if preview == Preview::Hidden {
        return rows;
    }
    let list = match kind {
        Kind::Settings => rows.saturating_sub(DESCRIPTION_ROWS),
        _ if usize::from(rows / 3 * 2) > lines => rows / 2,
        _ => rows / 3 * 2,
    };
    if list < 10 || rows - list < 2 {
        return rows;
    }
    list
}

impl Tree {
    /// The rows of its list in a pane of this size.
    pub(crate) fn list_rows(&self, size: Size) -> u16 {
        let setup = &self.setup;
        list_rows(size.rows(), self.lines.len(), setup.kind, setup.preview)
    }

    /// Draws the tree; `preview` draws the preview of the current line.
    pub(crate) fn draw(
        &self,
        size: Size,
        look: Look,
        preview: &dyn Fn(&mut Frame, PreviewArea),
    ) -> Frame {
        let mut buffer = buffer(size);
        let rows = self.list_rows(size);
        let list = Rect {
            rows,
            ..Rect::whole(size)
        };
        let key_width = self.key_width();
        let visible = self.lines.iter().enumerate().skip(self.offset);
        let visible = visible.take(usize::from(rows)).map(|(at, line)| {
            let mut base = Style::default();
            if at == self.current {
                base = look.current;
            }
            if self.tagged.contains(&line.item) {
                base.attrs |= Attrs::BOLD;
            }
            styled_line(&self.line_text(at, key_width), size.cols(), base)
        });
        let mut state = ListState::default();
        state.select(self.current.checked_sub(self.offset));
        let lines = List::new(visible).highlight_style(RatStyle::new());
        StatefulWidget::render(lines, area(list), &mut buffer, &mut state);
        let mut frame = frame_of(&buffer);
        if rows < size.rows() {
            let below = Rect {
                row: rows,
                rows: size.rows() - rows,
                ..list
            };
            self.draw_preview(&mut frame, below, look, preview);
        }
        frame
    }

    /// The width of the keys, including brackets and a blank.
    fn key_width(&self) -> usize {
        let keys = self.lines.iter().filter_map(|line| line.key);
        let widest = keys.map(|key| key.to_string().chars().count()).max();
        widest.map_or(0, |widest| widest + 3)
    }

    fn line_text(&self, at: usize, key_width: usize) -> String {
        let line = &self.lines[at];
        let key = line.key.map(|key| format!("({key})")).unwrap_or_default();
        let key = escaped(&format!("{key:<key_width$}"));
        let name = escaped(&line.name);
        let tag = match self.tagged.contains(&line.item) {
            true => "*",
            false => "",
        };
        let text = match &line.text {
            None => String::new(),
            Some(text) => format!(": {text}"),
        };
        format!("{key}{}{name}{tag}{text}", line.lead)
    }

    fn draw_preview(
        &self,
        frame: &mut Frame,
        rect: Rect,
        look: Look,
        preview: &dyn Fn(&mut Frame, PreviewArea),
    ) {
        let Some(line) = self.lines.get(self.current) else {
            return;
        };
        let reversed = match self.setup.direction {
            Direction::Forward => "",
            Direction::Reversed => ", reversed",
        };
        let (filter, lit) = match (&self.setup.filter, self.has_no_match) {
            (None, _) => ("", ""),
            (Some(_), true) => (" (filter: no matches)", "no matches"),
            (Some(_), false) => (" (filter: active)", ""),
        };
        let name = match &line.item {
            // The description is that of the key.
            Item::Setting(Setting::KeyPart(_, key, _)) => escaped(&key.to_string()),
            _ => escaped(&line.name),
        };
        let order = self.order();
        let sorted = match order {
            "" => String::new(),
            order => format!(" (sort: {order}{reversed})"),
        };
        let title = format!(" {name}{sorted}{filter} ");
        let plain = Style::default();
        let size = Size::new(rect.rows, rect.cols);
        // The title begins at the corner, not two columns from it.
        let mut drawn = titled(&boxed(size, BoxLines::Single, plain), "", plain);
        let room = Rect {
            row: 0,
            col: 1,
            rows: 1,
            cols: rect.cols.saturating_sub(2),
        };
        if styled_width(&title) <= usize::from(room.cols) {
            let mut canvas = Canvas::new(&mut drawn, room);
            draw_styled(&mut canvas, 0, &title, plain);
            let end = u16::try_from(styled_width(&title)).unwrap_or(room.cols);
            let width = lit.len() as u16;
            let lit_room = Rect {
                // A bracket and a blank follow.
                col: room.col + end.saturating_sub(width + 2),
                cols: width,
                ..room
            };
            draw_styled(&mut Canvas::new(&mut drawn, lit_room), 0, lit, look.current);
        }
        draw_picture(&drawn, &mut Canvas::new(frame, rect));
        let inside = Rect {
            row: rect.row + 1,
            col: rect.col + 2,
            rows: rect.rows.saturating_sub(2),
            cols: rect.cols.saturating_sub(4),
        };
        if inside.rows > 0 && inside.cols > 0 {
            preview(frame, PreviewArea(inside));
        }
    }
}

/// Text in which `#` is not interpreted.
fn escaped(text: &str) -> String {
    text.replace('#', "##")
}

/// Draws a label in the middle of a preview, in a box if there is room.
pub(crate) fn draw_box_label(frame: &mut Frame, rect: Rect, label: &str, color: Color) {
    let width = u16::try_from(styled_width(&escaped(label))).unwrap_or(u16::MAX);
    if width == 0 || width > rect.cols {
        return;
    }
    let col = (rect.cols - width).div_ceil(2);
    let row = rect.rows.div_ceil(2);
    if row >= rect.rows {
        return;
    }
    if col > 1 && col + width < rect.cols - 1 && rect.rows >= 3 {
        let place = Rect {
            row: rect.row + row - 1,
            col: rect.col + col - 1,
            rows: 3,
            cols: width + 2,
        };
        let mut drawn = buffer(Size::new(place.rows, place.cols));
        let whole = drawn.area;
        ratatui::widgets::Block::bordered().render(whole, &mut drawn);
        draw_picture(&frame_of(&drawn), &mut Canvas::new(frame, place));
    }
    let place = Rect {
        row: rect.row + row,
        col: rect.col + col,
        rows: 1,
        cols: width,
    };
    let style = Style {
        fg: color,
        ..Style::default()
    };
    draw_styled(&mut Canvas::new(frame, place), 0, &escaped(label), style);
}
