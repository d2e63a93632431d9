//! The text that copy mode reads: rows counted from the top of the screen.

use std::ops::RangeInclusive;

use shellkeep_term::TextLines;
use shellkeep_term::view::RowView;

/// The text of a copy mode. It must not change between two commands.
///
/// Rows are counted from the top of the screen: 0 is its first row, -1 the newest row of history, and so on. So a row
/// keeps its number when old lines are dropped or counted exactly for the first time; only the top of the text moves.
pub trait Text {
    fn cols(&self) -> u16;

    fn screen_rows(&self) -> u16;

    /// The rows of history, without reading all of it: an estimate.
    fn history_rows(&self) -> usize;

    /// The exact number of rows of history, which may take a while.
    fn count_history(&self) -> usize {
        self.history_rows()
    }

    /// The text of the page of history that contains a row, and the rows of that page. `None` if it is not available at
    /// once, or the row is not in the history.
    fn page_text(&self, row: i64, out: &mut TextLines) -> Option<RangeInclusive<i64>> {
        let _ = (row, out);
        None
    }

    /// Calls `read` with a row, unless the row does not exist or is not available.
    fn with_row(&self, row: i64, read: &mut dyn FnMut(RowView<'_>));
}

/// A position in the text. The column may be one after the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pos {
    /// The row, counted as in [`Text`].
    pub row: i64,
    pub col: usize,
}

impl Pos {
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

/// Queries for single rows and cells. Rows and cells that do not exist are blank.
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

    /// The columns of a row without trailing blanks.
    pub(crate) fn length(&self, row: i64) -> usize {
        let mut length = 0;
        self.with_row(row, &mut |view| length = trimmed(&view));
        length
    }

    /// Whether the line continues in the next row.
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

    /// Whether a position is the right half of a wide character.
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

    /// The ASCII characters of a row in their columns, 0 for other characters.
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

/// Columns without trailing blanks, whether written or not.
pub(crate) fn trimmed(view: &RowView<'_>) -> usize {
    let mut length = view.used();
    while length > 0 && view.cell(length - 1).text() == " " {
        length -= 1;
    }
    usize::from(length)
}

/// Columns including blanks that the program wrote, but not those that it never wrote.
pub(crate) fn written(view: &RowView<'_>) -> usize {
    let mut length = view.used();
    while length > 0 && view.cell(length - 1).is_blank() {
        length -= 1;
    }
    usize::from(length)
}
