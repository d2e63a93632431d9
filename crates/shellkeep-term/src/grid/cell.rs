//! One cell of the screen, packed into eight bytes.

/// A cell: its content, and the number of its look.
///
/// `content` holds a character, or the number of a cluster in the cluster table, or 0 for a cell that was never written
/// or was erased. The upper bits hold which of these it is, and which half of a wide character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Cell {
    pub(crate) content: u32,
    pub(crate) look: u32,
}

const VALUE: u32 = 0x00ff_ffff;
const CLUSTER: u32 = 1 << 24;
const WIDE: u32 = 1 << 25;
const SPACER: u32 = 1 << 26;
const PAD: u32 = 1 << 27;

impl Cell {
    /// A cell that was never written, in the default look.
    pub(crate) const BLANK: Self = Self {
        content: 0,
        look: 0,
    };

    /// An erased cell. Of its look only the background is visible.
    pub(crate) const fn blank(look: u32) -> Self {
        Self { content: 0, look }
    }

    pub(crate) const fn narrow(c: char, look: u32) -> Self {
        Self {
            content: c as u32,
            look,
        }
    }

    /// The left half of a wide character.
    pub(crate) const fn wide(c: char, look: u32) -> Self {
        Self {
            content: c as u32 | WIDE,
            look,
        }
    }

    /// The right half of a wide character.
    pub(crate) const fn spacer(look: u32) -> Self {
        Self {
            content: SPACER,
            look,
        }
    }

    /// The last column of a row, left empty because a wide character did not fit.
    pub(crate) const fn pad(look: u32) -> Self {
        Self { content: PAD, look }
    }

    /// The same cell showing a cluster instead of a single character.
    pub(crate) const fn with_cluster(self, index: u32) -> Self {
        Self {
            content: (self.content & (WIDE | SPACER)) | CLUSTER | (index & VALUE),
            look: self.look,
        }
    }

    pub(crate) const fn widened(self) -> Self {
        Self {
            content: self.content | WIDE,
            look: self.look,
        }
    }

    pub(crate) const fn is_wide(self) -> bool {
        self.content & WIDE != 0
    }

    pub(crate) const fn is_spacer(self) -> bool {
        self.content & SPACER != 0
    }

    pub(crate) const fn is_pad(self) -> bool {
        self.content & PAD != 0
    }

    pub(crate) const fn without_pad(self) -> Self {
        Self {
            content: self.content & !PAD,
            look: self.look,
        }
    }

    /// Whether the cell has no text. A pad has none.
    pub(crate) const fn is_empty(self) -> bool {
        self.content & !PAD == 0
    }

    /// The number of its cluster, if it has one.
    pub(crate) const fn cluster(self) -> Option<u32> {
        if self.content & CLUSTER != 0 {
            Some(self.content & VALUE)
        } else {
            None
        }
    }

    /// The character, if the content is a single one.
    pub(crate) fn char(self) -> Option<char> {
        if self.content & (CLUSTER | SPACER | PAD) != 0 || self.content == 0 {
            None
        } else {
            char::from_u32(self.content & VALUE)
        }
    }

    /// The code of its single character; 0 if it has none.
    pub(crate) const fn code(self) -> u32 {
        if self.content & (CLUSTER | SPACER | PAD) != 0 {
            0
        } else {
            self.content & VALUE
        }
    }

    /// Columns it takes: 1, 2, or 0 for a right half.
    pub(crate) const fn width(self) -> u8 {
        if self.is_spacer() {
            0
        } else if self.is_wide() {
            2
        } else {
            1
        }
    }
}
