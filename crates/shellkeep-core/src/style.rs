//! The look of a cell: colours, attributes, underline; and the shape of the cursor.

use bitflags::bitflags;

/// A colour as the program requested it. Palette colours are not converted before they are painted, so that the user's
/// theme applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Color {
    /// The terminal's own foreground or background.
    #[default]
    Default,
    /// One of the 256 palette colours; 0 to 15 are the themed ones.
    Palette(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

/// xterm's default colours 0 to 15. A user's theme may differ and is unknown; these are the colours that the authors of
/// programs saw.
const THEMED: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

/// The six steps of a channel in the colour cube.
pub const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Red, green and blue of a palette colour: the themed ones, the 6x6x6 cube, then the greys.
#[must_use]
pub fn palette_rgb(index: u8) -> (u8, u8, u8) {
    match index {
        0..=15 => THEMED[usize::from(index)],
        16..=231 => {
            let index = usize::from(index - 16);
            (CUBE[index / 36], CUBE[index / 6 % 6], CUBE[index % 6])
        }
        232..=255 => {
            let level = 8 + 10 * (index - 232);
            (level, level, level)
        }
    }
}

/// The kind of line under a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Underline {
    #[default]
    None = 0,
    /// One straight line.
    Single = 1,
    /// Two lines.
    Double = 2,
    Curly = 3,
    /// Dots.
    Dotted = 4,
    Dashed = 5,
}

bitflags! {
    /// The attributes that are on or off.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Attrs: u8 {
        /// Bold (SGR 1).
        const BOLD = 1 << 0;
        /// Faint (SGR 2).
        const DIM = 1 << 1;
        /// Italic (SGR 3).
        const ITALIC = 1 << 2;
        /// Blinking (SGR 5 and 6).
        const BLINK = 1 << 3;
        /// Foreground and background swapped (SGR 7).
        const REVERSE = 1 << 4;
        /// Concealed (SGR 8).
        const HIDDEN = 1 << 5;
        /// Struck through (SGR 9).
        const STRIKE = 1 << 6;
        /// A line above (SGR 53).
        const OVERLINE = 1 << 7;
    }
}

/// Everything about the look of a cell except its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    pub fg: Color,
    pub bg: Color,
    /// The colour of the underline; `Default` means the foreground.
    pub underline_color: Color,
    pub underline: Underline,
    /// Bold, italic and so on.
    pub attrs: Attrs,
}

/// The cursor's shape, with DECSCUSR's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CursorShape {
    /// The user's setting of the terminal.
    #[default]
    Default = 0,
    BlinkingBlock = 1,
    Block = 2,
    BlinkingUnderline = 3,
    UnderlineBar = 4,
    BlinkingBar = 5,
    /// Steady vertical bar.
    Bar = 6,
}

impl CursorShape {
    /// The shape with this DECSCUSR number, if there is one.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<Self> {
        Some(match number {
            0 => Self::Default,
            1 => Self::BlinkingBlock,
            2 => Self::Block,
            3 => Self::BlinkingUnderline,
            4 => Self::UnderlineBar,
            5 => Self::BlinkingBar,
            6 => Self::Bar,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_shape_number_round_trips() {
        for number in 0..=6 {
            assert_eq!(
                CursorShape::from_number(number).map(|s| s as u16),
                Some(number)
            );
        }
        assert_eq!(CursorShape::from_number(7), None);
    }
}
