//! Conversions between ratatui, whose widgets draw trees, and frames.

use ratatui::buffer::Buffer;
use ratatui::layout;
use ratatui::style::{Color as RatColor, Modifier, Style as RatStyle};
use ratatui::text::{Line, Span};
use shellkeep_core::{Attrs, Color, Size, Style, Underline};
use shellkeep_render::{Canvas, Frame, Rect, draw_styled};
use unicode_width::UnicodeWidthStr;

/// The attributes and ratatui's modifiers for them.
const MODIFIERS: [(Attrs, Modifier); 7] = [
    (Attrs::BOLD, Modifier::BOLD),
    (Attrs::DIM, Modifier::DIM),
    (Attrs::ITALIC, Modifier::ITALIC),
    (Attrs::BLINK, Modifier::SLOW_BLINK),
    (Attrs::REVERSE, Modifier::REVERSED),
    (Attrs::HIDDEN, Modifier::HIDDEN),
    (Attrs::STRIKE, Modifier::CROSSED_OUT),
];

/// An empty buffer.
pub(crate) fn buffer(size: Size) -> Buffer {
    Buffer::empty(layout::Rect::new(0, 0, size.cols(), size.rows()))
}

/// A rectangle, as ratatui has it.
pub(crate) fn area(rect: Rect) -> layout::Rect {
    layout::Rect::new(rect.col, rect.row, rect.cols, rect.rows)
}

/// The frame of what widgets have drawn. Its cursor is hidden.
pub(crate) fn frame_of(buffer: &Buffer) -> Frame {
    let size = Size::new(buffer.area.height.max(1), buffer.area.width.max(1));
    let mut frame = Frame::new(size);
    for row in 0..buffer.area.height {
        let mut col = 0;
        while col < buffer.area.width {
            let Some(cell) = buffer.cell((buffer.area.x + col, buffer.area.y + row)) else {
                break;
            };
            let width = cell.symbol().width().clamp(1, 2) as u8;
            frame.put(
                row,
                col,
                cell.symbol(),
                width,
                from_style(cell.style()),
                None,
            );
            col += u16::from(width);
        }
    }
    frame
}

/// Text with `#[…]` as a line of exactly this many columns.
pub(crate) fn styled_line(text: &str, cols: u16, base: Style) -> Line<'static> {
    let mut frame = Frame::new(Size::new(1, cols.max(1)));
    let mut canvas = Canvas::new(&mut frame, Rect::whole(Size::new(1, cols.max(1))));
    canvas.fill(0, 0, cols, base);
    draw_styled(&mut canvas, 0, text, base);
    let mut spans: Vec<Span<'static>> = Vec::new();
    for col in (0..cols).filter(|col| frame.width(0, *col) > 0) {
        let (text, style) = (frame.text(0, col), to_style(frame.style(0, col)));
        match spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(text),
            _ => spans.push(Span::styled(text.to_owned(), style)),
        }
    }
    Line::from(spans)
}

pub(crate) fn to_style(style: Style) -> RatStyle {
    let mut modifier = Modifier::empty();
    for (ours, theirs) in MODIFIERS {
        modifier.set(theirs, style.attrs.contains(ours));
    }
    modifier.set(Modifier::UNDERLINED, style.underline != Underline::None);
    RatStyle::reset()
        .fg(to_color(style.fg))
        .bg(to_color(style.bg))
        .remove_modifier(Modifier::all())
        .add_modifier(modifier)
}

fn from_style(style: RatStyle) -> Style {
    let modifier = style.add_modifier;
    let mut attrs = Attrs::empty();
    for (ours, theirs) in MODIFIERS {
        attrs.set(ours, modifier.contains(theirs));
    }
    Style {
        fg: from_color(style.fg),
        bg: from_color(style.bg),
        underline: if modifier.contains(Modifier::UNDERLINED) {
            Underline::Single
        } else {
            Underline::None
        },
        attrs,
        ..Style::default()
    }
}

fn to_color(color: Color) -> RatColor {
    match color {
        Color::Default => RatColor::Reset,
        Color::Palette(index) => RatColor::Indexed(index),
        Color::Rgb(r, g, b) => RatColor::Rgb(r, g, b),
    }
}

/// Colours come back in the three kinds that `to_color` makes; ratatui's named colours are the others.
fn from_color(color: Option<RatColor>) -> Color {
    match color {
        Some(RatColor::Indexed(index)) => Color::Palette(index),
        Some(RatColor::Rgb(r, g, b)) => Color::Rgb(r, g, b),
        _ => Color::Default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::widgets::{Block, Widget as _};

    #[test]
    fn widgets_drawn_with_our_styles_come_back_as_they_were() {
        let style = Style {
            fg: Color::Palette(3),
            bg: Color::Rgb(1, 2, 3),
            underline: Underline::Single,
            attrs: Attrs::BOLD | Attrs::REVERSE,
            ..Style::default()
        };
        let mut buffer = buffer(Size::new(3, 8));
        let block = Block::bordered().border_style(to_style(style)).title("漢");
        let whole = buffer.area;
        block.render(whole, &mut buffer);
        let frame = frame_of(&buffer);
        assert_eq!(frame.row_text(0), "┌漢────┐");
        assert_eq!(frame.style(0, 7), style);
        assert_eq!(frame.style(1, 1), Style::default());
        assert!(!frame.cursor().visible);
    }

    #[test]
    fn styled_text_fills_its_line() {
        let line = styled_line("a#[align=right]b", 5, Style::default());
        assert_eq!(line.to_string(), "a   b");
    }
}
