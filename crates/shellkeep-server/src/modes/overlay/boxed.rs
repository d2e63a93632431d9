//! The box around an overlay.

use ratatui::buffer::Buffer;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Borders, Widget as _};
use shellkeep_core::{Rect, Size, Style};
use shellkeep_render::{Canvas, Frame, draw_styled};

use crate::display::ratatui_frame::{buffer, frame_of, to_style};

/// The kind of lines of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BoxLines {
    #[default]
    Single,
    Rounded,
    Double,
    Heavy,
    Simple,
    Padded,
    None,
}

const SIMPLE: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

impl BoxLines {
    /// The kind by its name in the option.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "single" => Self::Single,
            "rounded" => Self::Rounded,
            "double" => Self::Double,
            "heavy" => Self::Heavy,
            "simple" => Self::Simple,
            "padded" => Self::Padded,
            "none" => Self::None,
            _ => return None,
        })
    }

    fn set(self) -> border::Set<'static> {
        match self {
            Self::Single | Self::None => border::PLAIN,
            Self::Rounded => border::ROUNDED,
            Self::Double => border::DOUBLE,
            Self::Heavy => border::THICK,
            Self::Simple => SIMPLE,
            Self::Padded => border::EMPTY,
        }
    }

    /// The area inside a box.
    pub(crate) fn inside(self, rect: Rect) -> Rect {
        if self == Self::None {
            return rect;
        }
        Rect {
            row: rect.row.saturating_add(1),
            col: rect.col.saturating_add(1),
            rows: rect.rows.saturating_sub(2),
            cols: rect.cols.saturating_sub(2),
        }
    }
}

/// A box, drawn by ratatui.
pub(crate) fn boxed(size: Size, lines: BoxLines, style: Style) -> Buffer {
    let mut drawn = buffer(size);
    let whole = drawn.area;
    if lines != BoxLines::None {
        let block = Block::new().borders(Borders::ALL);
        let block = block.border_set(lines.set()).border_style(to_style(style));
        block.render(whole, &mut drawn);
    }
    drawn
}

/// A box with its title, which begins two columns from the corner. The line is visible where the title has no text.
pub(crate) fn titled(drawn: &Buffer, title: &str, style: Style) -> Frame {
    let mut frame = frame_of(drawn);
    let room = Rect {
        row: 0,
        col: 2,
        rows: 1,
        cols: frame.size().cols().saturating_sub(4),
    };
    draw_styled(&mut Canvas::new(&mut frame, room), 0, title, style);
    frame
}
