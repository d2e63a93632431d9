//! The line of a message or a prompt, which replaces a status line for some time.

use shellkeep_core::{Attrs, Style};
use unicode_width::UnicodeWidthChar;

use crate::canvas::{Canvas, Rect};
use crate::frame::Frame;
use crate::styled::{draw_styled, styled_width};

/// Draws a message across a row.
pub fn draw_message(canvas: &mut Canvas<'_>, row: u16, text: &str, style: Style) {
    canvas.fill(row, 0, canvas.rect().cols, style);
    draw_styled(canvas, row, text, style);
}

/// A prompt and the text that was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptLine<'t> {
    /// The label, expanded; may contain `#[…]`.
    pub label: &'t str,
    /// The typed text, shown literally.
    pub input: &'t str,
    /// How many characters of the input are before the cursor.
    pub cursor: usize,
}

/// Draws a prompt into the first row of `area`, and returns the column of the cursor in the area. As in tmux, the
/// cursor is a reversed cell, and always visible. Hide the terminal's own.
pub fn draw_prompt(frame: &mut Frame, area: Rect, prompt: PromptLine<'_>, style: Style) -> u16 {
    let mut canvas = Canvas::new(frame, area);
    let cols = canvas.rect().cols;
    canvas.fill(0, 0, cols, style);
    let start = u16::try_from(styled_width(prompt.label)).map_or(cols, |width| width.min(cols));
    let label = Rect {
        rows: 1,
        cols: start,
        ..area
    };
    draw_styled(&mut Canvas::new(frame, label), 0, prompt.label, style);
    let mut canvas = Canvas::new(frame, area);
    let room = usize::from(cols - start);
    if room == 0 {
        return start;
    }
    let before: usize = prompt.input.chars().take(prompt.cursor).map(width).sum();
    // Text that does not fit is scrolled out on the left, as far as the cursor needs it.
    let hidden = before.saturating_sub(room - 1);
    let under_cursor = Style {
        attrs: style.attrs ^ Attrs::REVERSE,
        ..style
    };
    let mut at = 0;
    for (index, c) in prompt.input.chars().chain([' ']).enumerate() {
        let width = width(c);
        let style = match index == prompt.cursor {
            true => under_cursor,
            false => style,
        };
        if at >= hidden && at + width <= hidden + room {
            let col = start + u16::try_from(at - hidden).unwrap_or(u16::MAX);
            draw_character(&mut canvas, col, c, style);
        }
        at += width;
    }
    start + u16::try_from(before - hidden).unwrap_or(u16::MAX)
}

/// The columns of a character of the input; a control character is shown as `^X`.
fn width(c: char) -> usize {
    match c.is_ascii_control() {
        true => 2,
        false => c.width().unwrap_or(0).min(2),
    }
}

fn draw_character(canvas: &mut Canvas<'_>, col: u16, c: char, style: Style) {
    let mut buffer = [0; 4];
    match width(c) {
        0 => {}
        2 if c.is_ascii_control() => {
            let shown = char::from(c as u8 ^ 0x40);
            canvas.put(0, col, "^", 1, style, None);
            canvas.put(0, col + 1, shown.encode_utf8(&mut buffer), 1, style, None);
        }
        width => canvas.put(0, col, c.encode_utf8(&mut buffer), width as u8, style, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shellkeep_core::{Color, Size};

    fn drawn(cols: u16, label: &str, input: &str, cursor: usize) -> (String, u16) {
        let size = Size::new(1, cols);
        let mut frame = Frame::new(size);
        let style = Style {
            bg: Color::Palette(3),
            ..Style::default()
        };
        let prompt = PromptLine {
            label,
            input,
            cursor,
        };
        let col = draw_prompt(&mut frame, Rect::whole(size), prompt, style);
        let reversed: Vec<u16> = (0..cols)
            .filter(|col| frame.style(0, *col).attrs == Attrs::REVERSE)
            .collect();
        assert_eq!(reversed.first().copied().unwrap_or(col), col);
        (frame.row_text(0), col)
    }

    #[test]
    fn prompt_shows_label_input_and_cursor() {
        assert_eq!(drawn(20, ":", "split", 5), (":split".into(), 6));
        assert_eq!(
            drawn(20, "#[bold](name) ", "ab", 0),
            ("(name) ab".into(), 7)
        );
        assert_eq!(drawn(20, ":", "a\u{1b}漢b", 2), (":a^[漢b".into(), 4));
    }

    #[test]
    fn prompt_longer_than_the_row_keeps_the_cursor_in_sight() {
        assert_eq!(drawn(6, ":", "abcdefgh", 8), (":efgh".into(), 5));
        assert_eq!(drawn(6, ":", "abcdefgh", 2), (":abcde".into(), 3));
        assert_eq!(drawn(3, "(name) ", "ab", 2), ("(na".into(), 3));
    }

    #[test]
    fn message_fills_its_row() {
        let size = Size::new(1, 8);
        let mut frame = Frame::new(size);
        let style = Style {
            bg: Color::Palette(3),
            ..Style::default()
        };
        let mut canvas = Canvas::new(&mut frame, Rect::whole(size));
        draw_message(&mut canvas, 0, "a#[fg=red]b", style);
        assert_eq!(frame.row_text(0).trim_end(), "ab");
        assert_eq!(frame.style(0, 7).bg, Color::Palette(3));
        assert_eq!(frame.style(0, 1).fg, Color::Palette(1));
    }
}
