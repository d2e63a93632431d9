//! The character sets G0 to G3: ASCII, line drawing, the British set and two of western Europe. Only maps bytes to
//! characters.

/// A set of 94 or 96 characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Charset {
    #[default]
    Ascii = 0,
    /// DEC special graphics: lines and corners.
    Drawing = 1,
    /// ASCII with a pound sign for `#`.
    British = 2,
    /// The upper half of ISO Latin 1.
    Latin1 = 3,
    /// DEC's set before Latin 1; five letters differ.
    Supplemental = 4,
}

impl Charset {
    /// The set of 94 characters that the final byte of a designation names. National sets other than the British one
    /// are read as ASCII, as users of a UTF-8 terminal expect.
    pub(crate) fn from_designator(byte: u8) -> Self {
        match byte {
            b'0' => Self::Drawing,
            b'A' => Self::British,
            b'<' => Self::Supplemental,
            _ => Self::Ascii,
        }
    }

    /// The set of 96 characters that the final byte of a designation names.
    pub(crate) fn from_long_designator(byte: u8) -> Self {
        match byte {
            b'A' => Self::Latin1,
            _ => Self::Ascii,
        }
    }

    /// The final byte that names this set.
    pub(crate) fn designator(self) -> u8 {
        match self {
            Self::Ascii => b'B',
            Self::Drawing => b'0',
            Self::British | Self::Latin1 => b'A',
            Self::Supplemental => b'<',
        }
    }

    /// Whether it has 96 characters.
    pub(crate) fn is_long(self) -> bool {
        self == Self::Latin1
    }

    pub(crate) fn from_number(number: u8) -> Option<Self> {
        use Charset::{Ascii, British, Drawing, Latin1, Supplemental};
        let all = [Ascii, Drawing, British, Latin1, Supplemental];
        all.get(usize::from(number)).copied()
    }

    /// The character of an ASCII byte in this set.
    pub(crate) fn map(self, byte: u8) -> char {
        const LINES: [char; 31] = [
            '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺', '⎻',
            '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
        ];
        match (self, byte) {
            (Self::Drawing, 0x60..=0x7e) => LINES[usize::from(byte - 0x60)],
            (Self::Drawing, 0x5f) => ' ',
            (Self::British, b'#') => '£',
            (Self::Supplemental, b'(') => '¤',
            (Self::Supplemental, b'W') => 'Œ',
            (Self::Supplemental, b']') => 'Ÿ',
            (Self::Supplemental, b'w') => 'œ',
            (Self::Supplemental, b'}') => 'ÿ',
            (Self::Latin1 | Self::Supplemental, _) => char::from(byte | 0x80),
            _ => char::from(byte),
        }
    }
}

/// The four sets and which of them is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Charsets {
    pub(crate) sets: [Charset; 4],
    pub(crate) left: u8,
    /// The set that SS2 or SS3 has chosen for the next character only.
    pub(crate) single: Option<u8>,
}

impl Charsets {
    /// Whether ASCII bytes mean themselves.
    #[inline]
    pub(crate) fn is_ascii(&self) -> bool {
        self.single.is_none() && self.sets[usize::from(self.left & 3)] == Charset::Ascii
    }

    /// The set of the next character. A single shift is consumed.
    pub(crate) fn next(&mut self) -> Charset {
        let number = self.single.take().unwrap_or(self.left);
        self.sets[usize::from(number & 3)]
    }
}
