//! A cell of a frame in 24 bytes, so that building and comparing a whole screen takes microseconds. Text of up to seven
//! bytes is inline; longer clusters are in the frame's arena.

use shellkeep_core::{Attrs, Color, Style, Underline};
use unicode_width::UnicodeWidthChar;

/// Attributes that are visible on a cell without text. Without them, only the background of a blank is visible.
const SEEN_ON_BLANK: Attrs = Attrs::REVERSE.union(Attrs::STRIKE).union(Attrs::OVERLINE);

/// A colour in four bytes, with its kind in the top byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedColor(u32);

impl PackedColor {
    pub(crate) const DEFAULT: Self = Self(0);

    const fn pack(color: Color) -> Self {
        Self(match color {
            Color::Default => 0,
            Color::Palette(index) => u32::from_be_bytes([1, 0, 0, index]),
            Color::Rgb(r, g, b) => u32::from_be_bytes([2, r, g, b]),
        })
    }

    pub(crate) const fn unpack(self) -> Color {
        match self.0.to_be_bytes() {
            [0, ..] => Color::Default,
            [1, _, _, index] => Color::Palette(index),
            [_, r, g, b] => Color::Rgb(r, g, b),
        }
    }
}

/// A [`Style`] in two numbers, for fast copying and comparing: writing single bytes and reading them back at once as a
/// word stalls the CPU at every cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pen {
    /// The foreground in the low half, the background in the high half.
    colors: u64,
    /// The underline's colour and kind, and the attributes; the top 16 bits belong to [`Cell`].
    rest: u64,
}

const UNDERLINE_SHIFT: u32 = 32;
const ATTRS_SHIFT: u32 = 40;
const LINK_SHIFT: u32 = 48;
const REST_OF_PEN: u64 = (1 << LINK_SHIFT) - 1;

impl Pen {
    pub(crate) const PLAIN: Self = Self { colors: 0, rest: 0 };

    pub(crate) const fn pack(style: &Style) -> Self {
        let fg = PackedColor::pack(style.fg).0 as u64;
        let bg = PackedColor::pack(style.bg).0 as u64;
        let underline_color = PackedColor::pack(style.underline_color).0 as u64;
        Self {
            colors: fg | bg << 32,
            rest: underline_color
                | (style.underline as u64) << UNDERLINE_SHIFT
                | (style.attrs.bits() as u64) << ATTRS_SHIFT,
        }
    }

    pub(crate) const fn unpack(self) -> Style {
        Style {
            fg: self.fg().unpack(),
            bg: self.bg().unpack(),
            underline_color: self.underline_color().unpack(),
            underline: self.underline(),
            attrs: self.attrs(),
        }
    }

    pub(crate) const fn fg(self) -> PackedColor {
        PackedColor(self.colors as u32)
    }

    pub(crate) const fn bg(self) -> PackedColor {
        PackedColor((self.colors >> 32) as u32)
    }

    pub(crate) const fn underline_color(self) -> PackedColor {
        PackedColor(self.rest as u32)
    }

    pub(crate) const fn attrs(self) -> Attrs {
        Attrs::from_bits_retain((self.rest >> ATTRS_SHIFT) as u8)
    }

    pub(crate) const fn underline(self) -> Underline {
        match (self.rest >> UNDERLINE_SHIFT) as u8 {
            0 => Underline::None,
            1 => Underline::Single,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            _ => Underline::Dashed,
        }
    }

    /// Whether more than the background is visible on a blank with this pen.
    pub(crate) const fn marks_blanks(self) -> bool {
        const SEEN: u64 = 0xff << UNDERLINE_SHIFT | (SEEN_ON_BLANK.bits() as u64) << ATTRS_SHIFT;
        self.rest & SEEN != 0
    }

    /// The same background and nothing else.
    pub(crate) const fn background(self) -> Self {
        Self {
            colors: self.colors >> 32 << 32,
            rest: 0,
        }
    }
}

const INLINE: usize = 7;
const TAG_LEN: u8 = 0x0f;
const TAG_LONG: u8 = 0x0f;
const TAG_WIDTH_SHIFT: u8 = 4;
const TAG_RISKY: u8 = 0x40;

/// One cell. A blank is stored without text.
///
/// The last byte of the text is a tag: length (or "in the arena"), width, and whether other terminals may assume
/// another width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    text: [u8; INLINE + 1],
    /// As in [`Pen`].
    colors: u64,
    /// As in [`Pen`], with the link in the top bits: 0 for none, else its index in the frame plus one.
    rest: u64,
}

/// Where the text of a cell is stored.
pub(crate) enum TextStorage<'a> {
    Inline(&'a [u8]),
    Arena { offset: usize, len: usize },
}

/// Without branches, so that rows are compared with vector instructions.
impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.difference(other) == 0
    }
}

impl Eq for Cell {}

impl Cell {
    pub(crate) const BLANK: Self = Self::blank(Pen::PLAIN, 0);

    const fn new(text: [u8; INLINE + 1], pen: Pen, link: u16) -> Self {
        Self {
            text,
            colors: pen.colors,
            rest: pen.rest | (link as u64) << LINK_SHIFT,
        }
    }

    /// A blank in this style, reduced to what is visible on a blank, so that blanks that look the same are equal.
    pub(crate) const fn blank(pen: Pen, link: u16) -> Self {
        let pen = match pen.marks_blanks() {
            true => pen,
            false => pen.background(),
        };
        Self::new(short(0, 0), pen, link)
    }

    /// A cell of one printable ASCII character other than the space.
    pub(crate) const fn ascii(byte: u8, pen: Pen, link: u16) -> Self {
        Self::new(short(byte, 1), pen, link)
    }

    /// A cell whose text fits inline; `None` if it does not.
    pub(crate) fn inline(text: &str, width: u8, risky: bool, pen: Pen, link: u16) -> Option<Self> {
        let mut bytes = [0; INLINE + 1];
        bytes[..INLINE]
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        bytes[INLINE] = text.len() as u8 | tag(width, risky);
        Some(Self::new(bytes, pen, link))
    }

    /// A cell whose text is in the frame's arena.
    pub(crate) fn in_arena(offset: u32, len: u16, width: u8, pen: Pen, link: u16) -> Self {
        let mut bytes = [0; INLINE + 1];
        bytes[..4].copy_from_slice(&offset.to_le_bytes());
        bytes[4..6].copy_from_slice(&len.to_le_bytes());
        bytes[INLINE] = TAG_LONG | tag(width, true);
        Self::new(bytes, pen, link)
    }

    /// The right half of this wide cell.
    pub(crate) const fn continuation(self) -> Self {
        Self {
            text: [0; INLINE + 1],
            ..self
        }
    }

    pub(crate) const fn pen(&self) -> Pen {
        Pen {
            colors: self.colors,
            rest: self.rest & REST_OF_PEN,
        }
    }

    pub(crate) const fn link(&self) -> u16 {
        (self.rest >> LINK_SHIFT) as u16
    }

    const fn tag(&self) -> u8 {
        self.text[INLINE]
    }

    /// The width in columns: 1, 2, or 0 for the right half of a wide cell.
    pub(crate) const fn width(&self) -> u8 {
        self.tag() >> TAG_WIDTH_SHIFT & 3
    }

    /// Whether another terminal may assume another width for this text.
    pub(crate) const fn is_risky(&self) -> bool {
        self.tag() & TAG_RISKY != 0
    }

    pub(crate) const fn is_blank(&self) -> bool {
        self.tag() == 1 << TAG_WIDTH_SHIFT
    }

    /// The single byte that draws this cell, if one does.
    pub(crate) const fn single_byte(&self) -> Option<u8> {
        const ASCII: u8 = 1 | 1 << TAG_WIDTH_SHIFT;
        match self.tag() {
            ASCII => Some(self.text[0]),
            _ if self.is_blank() => Some(b' '),
            _ => None,
        }
    }

    /// Whether it is a blank of which only the background is visible, as erasing leaves it.
    pub(crate) const fn is_erased(&self) -> bool {
        self.is_blank() && !self.pen().marks_blanks() && self.link() == 0
    }

    /// Whether its text or link is in the frame's tables, so that cells of two frames cannot be compared by their bits.
    pub(crate) const fn is_indirect(&self) -> bool {
        self.link() != 0 || self.tag() & TAG_LEN == TAG_LONG
    }

    pub(crate) fn place(&self) -> TextStorage<'_> {
        match self.tag() & TAG_LEN {
            TAG_LONG => {
                let [a, b, c, d, e, f, ..] = self.text;
                TextStorage::Arena {
                    offset: u32::from_le_bytes([a, b, c, d]) as usize,
                    len: usize::from(u16::from_le_bytes([e, f])),
                }
            }
            len => TextStorage::Inline(&self.text[..usize::from(len).min(INLINE)]),
        }
    }

    /// This cell with its text moved to another place in the arena.
    pub(crate) fn moved_to(mut self, offset: u32) -> Self {
        self.text[..4].copy_from_slice(&offset.to_le_bytes());
        self
    }

    /// Numbers that identify this cell if it does not use tables.
    pub(crate) const fn bits(&self) -> [u64; 3] {
        [u64::from_le_bytes(self.text), self.colors, self.rest]
    }

    /// Zero for equal cells.
    pub(crate) fn difference(&self, other: &Self) -> u64 {
        let (a, b) = (self.bits(), other.bits());
        (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2])
    }
}

/// Text of at most one byte in one column, written in one go.
const fn short(byte: u8, len: u8) -> [u8; INLINE + 1] {
    (byte as u64 | (len as u64 | 1 << TAG_WIDTH_SHIFT) << (8 * INLINE)).to_le_bytes()
}

const fn tag(width: u8, risky: bool) -> u8 {
    width << TAG_WIDTH_SHIFT | if risky { TAG_RISKY } else { 0 }
}

/// Whether terminals are known to disagree about the width of this text: clusters of several characters (old terminals
/// add up the parts), emoji (the tables grew with every Unicode version), and text that does not have the given width
/// here.
pub(crate) fn is_risky(text: &str, width: u8) -> bool {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    if chars.next().is_some() || first.width() != Some(usize::from(width)) {
        return true;
    }
    match first {
        // Hangul Jamo up to Yi, Hangul syllables, compatibility and full-width forms, and the ideographic planes have
        // always been wide.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ffe6}'
        | '\u{20000}'..='\u{3fffd}' => false,
        // Symbols for legacy computing: line drawing, which is never wide.
        '\u{1fb00}'..='\u{1fbff}' => false,
        first => width == 2 || first >= '\u{1f000}',
    }
}

/// The most columns that any terminal might use for this text.
pub(crate) fn reach(text: &str) -> u16 {
    let columns = text.chars().fold(0usize, |sum, c| {
        sum + match c {
            '\u{fe0f}' => 1,
            c => c.width().unwrap_or(0),
        }
    });
    u16::try_from(columns.max(2)).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_stays_small() {
        assert_eq!(size_of::<Cell>(), 24);
    }

    #[test]
    fn style_packed_unpacks_to_itself() {
        let style = Style {
            fg: Color::Rgb(1, 2, 255),
            bg: Color::Palette(255),
            underline_color: Color::Palette(0),
            underline: Underline::Dashed,
            attrs: Attrs::all(),
        };
        assert_eq!(Pen::pack(&style).unpack(), style);
        assert_eq!(Pen::PLAIN.unpack(), Style::default());
    }

    #[test]
    fn risky_text_is_where_terminals_disagree() {
        for (text, width, risky) in [
            ("a", 1, false),
            ("│", 1, false),
            ("é", 1, false),
            ("e\u{301}", 1, true),
            ("漢", 2, false),
            ("한", 2, false),
            ("⌚", 2, true),
            ("😀", 2, true),
            ("❤\u{fe0f}", 2, true),
            ("👨\u{200d}👩\u{200d}👧", 2, true),
            ("漢", 1, true),
        ] {
            assert_eq!(is_risky(text, width), risky, "{text:?}");
        }
    }

    #[test]
    fn reach_adds_up_the_parts() {
        assert_eq!(reach("👨\u{200d}👩\u{200d}👧"), 6);
        assert_eq!(reach("❤\u{fe0f}"), 2);
        assert_eq!(reach("e\u{301}"), 2);
    }
}
