//! Read-only views of the screen and the history: borrowed rows and cells.

use std::fmt;

use shellkeep_core::{CursorShape, Style};

use crate::grid::cell::Cell;
use crate::grid::look::{Link, Tables};

/// The position and the look of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub row: u16,
    pub col: u16,
    /// Whether the cursor is shown (DECTCEM).
    pub visible: bool,
    /// Its shape (DECSCUSR).
    pub shape: CursorShape,
    /// Whether the cursor blinks (mode 12).
    pub blink: bool,
    /// The last column was just written; the next character goes to the next row.
    pub pending_wrap: bool,
}

/// Which rows changed since the last call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dirty {
    None,
    /// The row numbers, ascending.
    Rows(Vec<u16>),
    All,
}

/// A row, of the screen or of the history.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    cells: &'a [Cell],
    cols: u16,
    wrapped: bool,
    mark: u8,
    time: u32,
    tables: &'a Tables,
}

/// The shell marked the beginning of a prompt on this row (OSC 133 A).
pub const MARK_PROMPT: u8 = 1;
/// The shell marked the beginning of what is typed (OSC 133 B).
pub const MARK_INPUT: u8 = 2;
/// The shell marked the beginning of a command's output (OSC 133 C).
pub const MARK_OUTPUT: u8 = 4;
/// The shell marked the end of a command (OSC 133 D).
pub const MARK_END: u8 = 8;

impl<'a> RowView<'a> {
    pub(crate) fn new(row: &'a crate::grid::row::Row, cols: u16, tables: &'a Tables) -> Self {
        Self {
            cells: row.cells(),
            cols,
            wrapped: row.wrapped,
            mark: row.mark,
            time: row.time,
            tables,
        }
    }

    pub(crate) fn to_row(self) -> crate::grid::row::Row {
        crate::grid::row::Row::from_cells(self.cells.to_vec(), self.wrapped, self.mark, self.time)
    }

    /// Appends the row's text as part of a line: up to the margin if the line continues in the next row.
    pub(crate) fn push_line_text(&self, out: &mut Vec<u8>) {
        let mut text = String::new();
        self.push_text(self.cols, &mut text);
        out.extend_from_slice(text.as_bytes());
        let is_padded = self.cells.last().is_some_and(|cell| cell.is_pad());
        if self.wrapped && !is_padded {
            let blanks = usize::from(self.cols).saturating_sub(self.cells.len());
            out.resize(out.len() + blanks, b' ');
        }
    }

    #[must_use]
    pub fn cols(&self) -> u16 {
        self.cols
    }

    /// Its cells, left to right, one for each column.
    pub fn cells(&self) -> impl Iterator<Item = CellView<'a>> + use<'a> {
        let row = *self;
        (0..self.cols).map(move |col| row.cell(col))
    }

    /// The cell of a column. It is blank after the last column, and where a wide character has only one column, in
    /// which case only the text has the character.
    #[must_use]
    pub fn cell(&self, col: u16) -> CellView<'a> {
        let cell = self.cells.get(usize::from(col)).copied();
        let cell = cell.unwrap_or(Cell::BLANK);
        CellView {
            cell: match self.cols == 1 && cell.is_wide() {
                true => Cell::blank(cell.look),
                false => cell,
            },
            tables: self.tables,
        }
    }

    /// Whether the line continues in the next row because it reached the margin.
    #[must_use]
    pub fn is_wrapped(&self) -> bool {
        self.wrapped
    }

    /// The prompt marks of the row: [`MARK_PROMPT`] and the others.
    #[must_use]
    pub fn marks(&self) -> u8 {
        self.mark
    }

    /// When the row was last written to, in seconds since 1970, if that is known. The rows of a line of history have
    /// the time of the line's first row.
    #[must_use]
    pub fn time(&self) -> Option<u32> {
        (self.time != 0).then_some(self.time)
    }

    /// The number of columns, from the left, up to the last one with something visible.
    #[must_use]
    pub fn used(&self) -> u16 {
        let is_seen = |cell: &Cell| *cell != Cell::BLANK && !cell.is_pad();
        let used = self.cells.iter().rposition(is_seen);
        used.map_or(0, |at| at as u16 + 1).min(self.cols)
    }

    /// Appends the text of the first `cols` columns, up to the last one that was written. A cell that was left empty
    /// because a wide character did not fit adds nothing.
    pub fn push_text(&self, cols: u16, out: &mut String) {
        let cells = self.cells.iter().take(usize::from(cols.min(self.cols)));
        for cell in cells.filter(|cell| !cell.is_pad()) {
            let cell = CellView {
                cell: *cell,
                tables: self.tables,
            };
            cell.push_to(out);
        }
    }

    /// The text without trailing blanks.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for cell in self.cells.iter().take(usize::from(self.cols)) {
            let cell = CellView {
                cell: *cell,
                tables: self.tables,
            };
            if cell.width() > 0 {
                cell.push_to(&mut text);
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text
    }
}

#[derive(Clone, Copy, Debug)]
pub struct CellView<'a> {
    cell: Cell,
    tables: &'a Tables,
}

impl<'a> CellView<'a> {
    /// The text of the cell: a whole grapheme cluster, a space if it is blank, or nothing for the right half of a wide
    /// character.
    #[must_use]
    pub fn text(&self) -> CellText<'a> {
        if let Some(number) = self.cell.cluster() {
            return CellText(Inner::Cluster(self.tables.cluster(number)));
        }
        let mut bytes = [0; 4];
        let len = if self.cell.is_spacer() {
            0
        } else {
            let c = self.cell.char().unwrap_or(' ');
            c.encode_utf8(&mut bytes).len()
        };
        CellText(Inner::Char(bytes, len as u8))
    }

    #[inline]
    pub fn push_to(&self, out: &mut String) {
        if let Some(number) = self.cell.cluster() {
            out.push_str(self.tables.cluster(number));
        } else if !self.cell.is_spacer() {
            out.push(self.cell.char().unwrap_or(' '));
        }
    }

    /// The width in columns: 1, 2, or 0 for the right half of a wide character.
    #[must_use]
    pub fn width(&self) -> u8 {
        self.cell.width()
    }

    /// Whether the cell was never written, or was erased.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.cell.is_empty()
    }

    /// The character, if it is visible ASCII.
    #[must_use]
    pub fn ascii(&self) -> Option<u8> {
        let byte = u8::try_from(self.cell.code()).ok()?;
        byte.is_ascii_graphic().then_some(byte)
    }

    #[must_use]
    pub fn style(&self) -> Style {
        self.tables.look(self.cell.look).style()
    }

    /// Whether two cells of one screen have the same colours, attributes and link. Cheaper than a comparison of those;
    /// `false` may be wrong, `true` never is.
    #[must_use]
    pub fn looks_like(&self, other: &Self) -> bool {
        self.cell.look == other.cell.look
    }

    fn link_entry(&self) -> Option<&'a Link> {
        self.tables.link(self.tables.look(self.cell.look).link())
    }

    /// The URI of its hyperlink (OSC 8).
    #[must_use]
    pub fn link(&self) -> Option<&'a str> {
        self.link_entry().map(|link| &*link.uri)
    }

    /// The id of the hyperlink, which joins separate cells to one link; empty if the program gave none.
    #[must_use]
    pub fn link_id(&self) -> Option<&'a str> {
        self.link_entry().map(|link| &*link.id)
    }

    /// Whether selective erasing spares the cell (DECSCA).
    #[must_use]
    pub fn is_protected(&self) -> bool {
        self.tables.look(self.cell.look).is_protected()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct CellText<'a>(Inner<'a>);

#[derive(Clone, Copy, Debug)]
enum Inner<'a> {
    Char([u8; 4], u8),
    Cluster(&'a str),
}

impl CellText<'_> {
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Inner::Char(bytes, len) => {
                std::str::from_utf8(&bytes[..usize::from(*len)]).unwrap_or("")
            }
            Inner::Cluster(text) => text,
        }
    }
}

impl std::ops::Deref for CellText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for CellText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<str> for CellText<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for CellText<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
