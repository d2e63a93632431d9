//! The size of a terminal, rows first, as everywhere in this project.

use std::fmt;

use bincode::de::{BorrowDecoder, Decoder};
use bincode::error::DecodeError;
use bincode::{BorrowDecode, Decode, Encode};

/// Rows and columns of a screen, from 1x1 to [`Size::MAX`]. The constructor clamps, so other code need not handle an
/// empty or a huge screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode)]
pub struct Size {
    rows: u16,
    cols: u16,
}

impl Size {
    /// The largest number of rows or columns of a screen.
    ///
    /// No terminal has 10,000 columns, but a hostile or wrong `TIOCSWINSZ` of 65,535 squared would ask for four
    /// thousand million cells.
    pub const MAX: u16 = 10_000;

    /// A size, clamped to between 1 and [`Size::MAX`] in both directions.
    #[must_use]
    pub const fn new(rows: u16, cols: u16) -> Self {
        const fn hold(n: u16) -> u16 {
            if n < 1 {
                1
            } else if n > Size::MAX {
                Size::MAX
            } else {
                n
            }
        }
        Self {
            rows: hold(rows),
            cols: hold(cols),
        }
    }

    #[must_use]
    pub const fn rows(self) -> u16 {
        self.rows
    }

    #[must_use]
    pub const fn cols(self) -> u16 {
        self.cols
    }

    /// The largest size that fits inside both.
    #[must_use]
    pub fn smallest(self, other: Self) -> Self {
        Self {
            rows: self.rows.min(other.rows),
            cols: self.cols.min(other.cols),
        }
    }
}

impl Default for Size {
    /// The size of a terminal that reports none: 24 rows of 80 columns.
    fn default() -> Self {
        Self::new(24, 80)
    }
}

/// Decodes through the constructor, because a message could otherwise carry a size out of range.
impl<C> Decode<C> for Size {
    fn decode<D: Decoder<Context = C>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let (rows, cols) = Decode::decode(decoder)?;
        Ok(Self::new(rows, cols))
    }
}

impl<'de, C> BorrowDecode<'de, C> for Size {
    fn borrow_decode<D: BorrowDecoder<'de, Context = C>>(
        decoder: &mut D,
    ) -> Result<Self, DecodeError> {
        Self::decode(decoder)
    }
}

impl fmt::Display for Size {
    /// Columns first, as in tmux: `80x24`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_out_of_range_is_clamped() {
        assert_eq!(Size::new(0, 0), Size::new(1, 1));
        assert_eq!(Size::new(u16::MAX, 80).rows(), Size::MAX);
    }

    #[test]
    fn smallest_takes_each_side() {
        assert_eq!(
            Size::new(10, 90).smallest(Size::new(20, 80)),
            Size::new(10, 80)
        );
    }
}
