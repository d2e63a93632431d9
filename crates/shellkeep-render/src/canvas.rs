//! Draws into a part of a frame, and never outside it.

pub use shellkeep_core::Rect;
use shellkeep_core::Style;

use crate::cell::Pen;
use crate::frame::Frame;

/// A part of a frame. Positions count from its top left corner. What lies outside is cut off, and a wide character of
/// which only half fits becomes a blank.
pub struct Canvas<'f> {
    frame: &'f mut Frame,
    rect: Rect,
}

impl<'f> Canvas<'f> {
    /// A canvas on the part of `rect` that is inside the frame.
    pub fn new(frame: &'f mut Frame, rect: Rect) -> Self {
        let rect = rect.intersection(Rect::whole(frame.size()));
        Self { frame, rect }
    }

    #[must_use]
    pub fn rect(&self) -> Rect {
        self.rect
    }

    /// As [`Frame::put`].
    pub fn put(
        &mut self,
        row: u16,
        col: u16,
        text: &str,
        width: u8,
        style: Style,
        link: Option<&str>,
    ) {
        if let Some((row, col, text, width)) = self.place(row, col, text, width) {
            self.frame.put(row, col, text, width, style, link);
        }
    }

    /// As [`Canvas::put`], but faster: for rows that were filled before, and are drawn from left to right.
    pub(crate) fn put_on_filled(
        &mut self,
        row: u16,
        col: u16,
        text: &str,
        width: u8,
        pen: Pen,
        link: Option<&str>,
    ) {
        if let Some((row, col, text, width)) = self.place(row, col, text, width) {
            self.frame.put_on_narrow(row, col, text, width, pen, link);
        }
    }

    /// As [`Canvas::put_on_filled`], for a visible ASCII character without a link.
    pub(crate) fn put_ascii_on_filled(&mut self, row: u16, col: u16, byte: u8, pen: Pen) {
        if row < self.rect.rows && col < self.rect.cols {
            let (row, col) = (self.rect.row + row, self.rect.col + col);
            self.frame.put_ascii_on_narrow(row, col, byte, pen);
        }
    }

    /// The position of a cell in the frame, and the part of it that can be shown there.
    fn place<'t>(
        &self,
        row: u16,
        col: u16,
        text: &'t str,
        width: u8,
    ) -> Option<(u16, u16, &'t str, u8)> {
        let Rect { rows, cols, .. } = self.rect;
        if row >= rows || col >= cols {
            return None;
        }
        let (text, width) = match width {
            2 if col + 1 == cols => (" ", 1),
            _ => (text, width),
        };
        Some((self.rect.row + row, self.rect.col + col, text, width))
    }

    /// As [`Frame::fill`].
    pub fn fill(&mut self, row: u16, col: u16, cols: u16, style: Style) {
        if row >= self.rect.rows || col >= self.rect.cols {
            return;
        }
        let cols = cols.min(self.rect.cols - col);
        self.frame
            .fill(self.rect.row + row, self.rect.col + col, cols, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shellkeep_core::Size;

    #[test]
    fn drawing_stays_inside() {
        let mut frame = Frame::new(Size::new(3, 6));
        let rect = Rect {
            row: 1,
            col: 1,
            rows: 1,
            cols: 3,
        };
        let mut canvas = Canvas::new(&mut frame, rect);
        let style = Style::default();
        for (row, col, text, width) in [
            (0, 0, "a", 1),
            (0, 2, "漢", 2),
            (0, 3, "x", 1),
            (1, 0, "x", 1),
        ] {
            canvas.put(row, col, text, width, style, None);
        }
        assert_eq!(frame.row_text(1), " a");
        assert_eq!(frame.row_text(2), "");
    }

    #[test]
    fn wide_under_the_edge_loses_both_halves() {
        let mut frame = Frame::new(Size::new(1, 6));
        frame.put(0, 1, "漢", 2, Style::default(), None);
        frame.put(0, 4, "字", 2, Style::default(), None);
        let rect = Rect {
            row: 0,
            col: 2,
            rows: 1,
            cols: 3,
        };
        Canvas::new(&mut frame, rect).fill(0, 0, 9, Style::default());
        assert_eq!(frame.row_text(0), "");
    }
}
