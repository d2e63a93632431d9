//! Shared by the tests: a terminal to feed, and ways to inspect it.

use shellkeep_core::Size;
use shellkeep_term::{Config, Effect, Emulator};

/// A terminal and its effects so far.
pub(crate) struct Term {
    pub(crate) emulator: Emulator,
    pub(crate) effects: Vec<Effect>,
}

impl Term {
    pub(crate) fn new(rows: u16, cols: u16) -> Self {
        Self::with(rows, cols, Config::default())
    }

    pub(crate) fn with(rows: u16, cols: u16, config: Config) -> Self {
        Self {
            emulator: Emulator::new(Size::new(rows, cols), config),
            effects: Vec::new(),
        }
    }

    pub(crate) fn feed(&mut self, text: &str) -> &mut Self {
        self.emulator.feed(text.as_bytes(), &mut self.effects);
        self
    }

    pub(crate) fn resize(&mut self, rows: u16, cols: u16) -> &mut Self {
        self.emulator.resize(Size::new(rows, cols));
        self
    }

    /// The text of the rows without trailing blanks.
    pub(crate) fn rows(&self) -> Vec<String> {
        self.emulator.rows().map(|row| row.text()).collect()
    }

    /// Rows up to the last that is not empty, joined by `/`.
    pub(crate) fn text(&self) -> String {
        let rows = self.rows();
        let used = rows.iter().rposition(|row| !row.is_empty());
        rows[..used.map_or(0, |at| at + 1)].join("/")
    }

    /// The cursor as programs number it: row and column from 1.
    pub(crate) fn at(&self) -> (u16, u16) {
        let cursor = self.emulator.cursor();
        (cursor.row + 1, cursor.col + 1)
    }

    /// Takes all replies so far, joined.
    pub(crate) fn replies(&mut self) -> String {
        let mut text = Vec::new();
        for effect in self.effects.drain(..) {
            if let Effect::Reply(bytes) = effect {
                text.extend(bytes);
            }
        }
        String::from_utf8(text).expect("replies are text")
    }

    pub(crate) fn history(&self) -> Vec<String> {
        let rows = self.emulator.history_rows(0, usize::MAX);
        rows.iter().map(|row| row.text()).collect()
    }
}

/// A terminal of this size after this input.
pub(crate) fn term(rows: u16, cols: u16, input: &str) -> Term {
    let mut term = Term::new(rows, cols);
    term.feed(input);
    term
}

/// Feeds a new terminal of 6 rows and 20 columns, and compares its text.
#[track_caller]
pub(crate) fn check(input: &str, expected: &str) {
    assert_eq!(term(6, 20, input).text(), expected, "{input:?}");
}

/// As [`check`], for the cursor's position from 1.
#[track_caller]
pub(crate) fn check_at(input: &str, row: u16, col: u16) {
    assert_eq!(term(6, 20, input).at(), (row, col), "{input:?}");
}

/// As [`check`], for the replies.
#[track_caller]
pub(crate) fn check_reply(input: &str, expected: &str) {
    assert_eq!(term(6, 20, input).replies(), expected, "{input:?}");
}

/// Panics unless wide characters are complete and the cursor is on the screen.
#[track_caller]
pub(crate) fn check_sound(emulator: &Emulator) {
    let size = emulator.size();
    let cursor = emulator.cursor();
    assert!(cursor.row < size.rows() && cursor.col < size.cols());
    for row in emulator.rows() {
        let mut wide = false;
        for cell in row.cells() {
            assert_eq!(
                cell.width() == 0,
                wide,
                "halves go together: {:?}",
                row.text()
            );
            wide = cell.width() == 2;
        }
        assert!(!wide, "a wide character is whole: {:?}", row.text());
    }
}
