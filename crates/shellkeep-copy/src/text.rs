//! What copy mode reads: rows of text, counted from the top of the screen.

use std::ops::RangeInclusive;

use shellkeep_term::TextLines;
use shellkeep_term::view::RowView;

/// The text a copy mode works on. It must not change between two commands.
///
/// Rows are counted from the top of the screen: 0 is its first row, -1 the newest row of history, and so
/// on up. So a position keeps its number while old lines are dropped or counted exactly for the first
/// time: only the top end moves.
pub trait Text {
    fn cols(&self) -> u16;

    fn screen_rows(&self) -> u16;

    /// Rows of history, as far as is known without reading all of it.
    fn history_rows(&self) -> usize;

    /// Rows of history, counted exactly even if that takes a while.
    fn count_history(&self) -> usize {
        self.history_rows()
    }

    /// The text of the page of history that a row belongs to, and which rows that page has. `None` if it cannot be had at once,
    /// or the row is none of history's.
    fn page_text(&self, row: i64, out: &mut TextLines) -> Option<RangeInclusive<i64>> {
        let _ = (row, out);
        None
    }

    /// Lends a row. `read` is not called for a row that does not exist or cannot be had now.
    fn with_row(&self, row: i64, read: &mut dyn FnMut(RowView<'_>));
}

/// A place in the text: the column may be one past the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pos {
    /// The row, counted as [`Text`] does.
    pub row: i64,
    pub col: usize,
}

impl Pos {
    /// Row and column of a cell.
    #[must_use]
    pub const fn new(row: i64, col: usize) -> Self {
        Self { row, col }
    }

    /// Whether it comes before another in reading order.
    pub(crate) fn is_before(self, other: Self) -> bool {
        (self.row, self.col) < (other.row, other.col)
    }
}

/// Blanks between words.
pub(crate) const WHITESPACE: &str = " ";

/// Questions about single rows and cells; what does not exist is blank.
impl dyn Text + '_ {
    /// The topmost row.
    pub(crate) fn top(&self) -> i64 {
        -(self.history_rows() as i64)
    }

    /// The lowest row.
    pub(crate) fn bottom(&self) -> i64 {
        i64::from(self.screen_rows()) - 1
    }

    pub(crate) fn width(&self) -> usize {
        usize::from(self.cols())
    }

    /// Columns of a row without the blanks at its end.
    pub(crate) fn length(&self, row: i64) -> usize {
        let mut length = 0;
        self.with_row(row, &mut |view| length = trimmed(&view));
        length
    }

    /// Whether the text goes on in the next row.
    pub(crate) fn is_wrapped(&self, row: i64) -> bool {
        let mut wrapped = false;
        self.with_row(row, &mut |view| wrapped = view.is_wrapped());
        wrapped
    }

    /// The shell's marks on a row.
    pub(crate) fn marks(&self, row: i64) -> u8 {
        let mut marks = 0;
        self.with_row(row, &mut |view| marks = view.marks());
        marks
    }

    /// Whether a place is the right half of a wide character.
    pub(crate) fn is_half(&self, at: Pos) -> bool {
        let mut half = false;
        self.with_row(at.row, &mut |view| {
            half = view.cell(clamped(at.col)).width() == 0;
        });
        half
    }

    /// Whether a cell shows one of the characters of `set`. The right half of a character shows none.
    pub(crate) fn is_in(&self, at: Pos, set: &str) -> bool {
        if at.col >= self.width() {
            return set.contains(' ');
        }
        let mut found = set.contains(' ');
        self.with_row(at.row, &mut |view| {
            let text = view.cell(clamped(at.col)).text();
            let mut chars = text.chars();
            found = match (chars.next(), chars.next()) {
                (Some(c), None) => set.contains(c),
                _ => false,
            };
        });
        found
    }

    pub(crate) fn shows(&self, at: Pos, wanted: &str) -> bool {
        let mut same = false;
        self.with_row(at.row, &mut |view| {
            same = view.cell(clamped(at.col)).text() == *wanted;
        });
        same
    }

    /// The ASCII characters of a row in their columns, 0 where there is something else.
    pub(crate) fn ascii(&self, row: i64, out: &mut Vec<u8>) {
        out.clear();
        self.with_row(row, &mut |view| {
            out.extend(view.cells().map(|cell| match cell.text().as_bytes() {
                [byte] => *byte,
                _ => 0,
            }));
        });
        out.resize(self.width() + 2, b' ');
    }
}

fn clamped(col: usize) -> u16 {
    u16::try_from(col).unwrap_or(u16::MAX)
}

/// Columns without the blanks at the end, written or not.
pub(crate) fn trimmed(view: &RowView<'_>) -> usize {
    let mut length = view.used();
    while length > 0 && view.cell(length - 1).text() == " " {
        length -= 1;
    }
    usize::from(length)
}

/// Columns with the blanks the program wrote, without those it never did.
pub(crate) fn written(view: &RowView<'_>) -> usize {
    let mut length = view.used();
    while length > 0 && view.cell(length - 1).is_blank() {
        length -= 1;
    }
    usize::from(length)
}
