//! What is drawn, and values for formats.

use crate::command::Direction;
use crate::finder::Count;
use crate::mode::CopyMode;
use crate::options::{CopyOptions, ModeKeys};
use crate::text::{Pos, Text};

/// Why cells are drawn in another style than the program's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// The row of the mark (`copy-mode-mark-style`).
    MarkRow,
    /// The mark itself: the same style with foreground and background swapped.
    Mark,
    /// A match of the search (`copy-mode-match-style`).
    Match,
    /// The match the cursor is on (`copy-mode-current-match-style`).
    CurrentMatch,
    /// The selection (`mode-style`).
    Selection,
}

/// Adjacent columns of a row with the same highlight, without the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: u16,
    /// The column after the last.
    pub end: u16,
    pub highlight: Highlight,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewRow {
    /// The row of the text.
    pub row: i64,
    /// The highlights; later ones cover earlier ones.
    pub spans: Vec<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Its rows, top first.
    pub rows: Vec<ViewRow>,
    /// The cursor's row and column; the column is at most the last.
    pub cursor: (u16, u16),
    /// The text at the right end of the first row (`mode-style`), if it is shown.
    pub position: Option<String>,
}

impl CopyMode {
    #[must_use]
    pub fn view(&self, text: &dyn Text, options: &CopyOptions) -> View {
        let top = self.scroll.clamp(0, -text.top());
        let rows = (0..i64::from(text.screen_rows()))
            .map(|at| ViewRow {
                row: at - top,
                spans: self.spans(at - top, text, options),
            })
            .collect();
        let last_col = text.width().saturating_sub(1);
        let row = self.row.clamp(0, text.bottom().max(0)) as u16;
        View {
            rows,
            cursor: (row, self.col.min(last_col) as u16),
            position: (!self.hide_position).then(|| self.position(text)),
        }
    }

    /// The text at the top right: the position, and the result of the search.
    fn position(&self, text: &dyn Text) -> String {
        let place = format!("[{}/{}]", self.scroll_position(), text.history_rows());
        let count = match self.search.count {
            _ if self.search.marks.is_none() => return place,
            Count::Unknown => return place,
            Count::Exactly(count) => format!("{count}"),
            Count::MoreThan(count) => format!("{count}+"),
        };
        format!("({count} results) {place}")
    }

    fn spans(&self, row: i64, text: &dyn Text, options: &CopyOptions) -> Vec<Span> {
        let mut spans = Vec::new();
        let width = text.width();
        if self.show_mark && row == self.mark.row {
            push(&mut spans, 0, width, Highlight::MarkRow);
            if self.mark.col < width {
                push(
                    &mut spans,
                    self.mark.col,
                    self.mark.col + 1,
                    Highlight::Mark,
                );
            }
        }
        self.match_spans(row, options, &mut spans);
        if let Some((start, end)) = self.selected_columns(row, width, options) {
            push(&mut spans, start, end, Highlight::Selection);
        }
        spans
    }

    fn match_spans(&self, row: i64, options: &CopyOptions, spans: &mut Vec<Span>) {
        let Some(marks) = &self.search.marks else {
            return;
        };
        let Some(first) = marks.cell(Pos::new(row, 0)) else {
            return;
        };
        let current = marks.cell(self.cursor()).and_then(|cell| {
            let behind =
                options.mode_keys == ModeKeys::Emacs && self.search.direction == Direction::Forward;
            let cell = if behind && cell > 0 { cell - 1 } else { cell };
            (marks.id(cell) != 0).then(|| marks.extent(cell))
        });
        let mut col = 0;
        while col < marks.cols {
            let id = marks.id(first + col);
            let start = col;
            while col < marks.cols && marks.id(first + col) == id {
                col += 1;
            }
            if id == 0 {
                continue;
            }
            let is_current =
                current.is_some_and(|(from, to)| (from..=to).contains(&(first + start)));
            let highlight = if is_current {
                Highlight::CurrentMatch
            } else {
                Highlight::Match
            };
            push(spans, start, col, highlight);
        }
    }

    /// The columns of a row that are drawn as selected.
    fn selected_columns(
        &self,
        row: i64,
        width: usize,
        options: &CopyOptions,
    ) -> Option<(usize, usize)> {
        let selection = &self.selection;
        if !selection.exists {
            return None;
        }
        let (start, end) = (selection.start, selection.end);
        let (first, last) = if end.is_before(start) {
            (end, start)
        } else {
            (start, end)
        };
        if row < first.row || row > last.row {
            return None;
        }
        if selection.rectangle {
            let (a, b) = (start.col, end.col);
            return clip(a.min(b), a.max(b) + 1, width);
        }
        // With emacs keys the last character does not belong to the selection.
        let behind = match options.mode_keys {
            ModeKeys::Vi => last.col + 1,
            ModeKeys::Emacs => last.col,
        };
        let from = if row == first.row { first.col } else { 0 };
        let to = if row == last.row { behind } else { width };
        clip(from, to, width)
    }

    /// The word at a position, or the one after it (`copy_cursor_word`).
    #[must_use]
    pub fn word_at(&self, at: Pos, text: &dyn Text, options: &CopyOptions) -> String {
        let ends = |at: Pos| text.is_in(at, &options.word_separators) || text.is_in(at, " ");
        let mut at = at;
        // Goes back to before the word, or to the beginning of the text.
        let mut before = false;
        loop {
            if text.is_half(at) {
                break;
            }
            if ends(at) {
                before = true;
                break;
            }
            if at.col > 0 {
                at.col -= 1;
                continue;
            }
            if at.row <= text.top() || !text.is_wrapped(at.row - 1) {
                break;
            }
            let length = text.length(at.row - 1);
            if length == 0 {
                at.row -= 1;
                break;
            }
            at = Pos::new(at.row - 1, length - 1);
        }
        let mut word = String::new();
        loop {
            if before {
                let length = text.length(at.row);
                if length == 0 || at.col == length - 1 {
                    if at.row >= text.bottom() || !text.is_wrapped(at.row) {
                        break;
                    }
                    at = Pos::new(at.row + 1, 0);
                } else {
                    at.col += 1;
                }
            }
            before = true;
            if at.col > text.width() || text.is_half(at) || ends(at) {
                break;
            }
            text.with_row(at.row, &mut |view| {
                view.cell(at.col as u16).push_to(&mut word);
            });
        }
        word
    }

    /// The text of the cursor's row (`copy_cursor_line`).
    #[must_use]
    pub fn cursor_line(&self, text: &dyn Text) -> String {
        let mut line = String::new();
        text.with_row(self.cursor().row, &mut |view| line = view.text());
        line
    }
}

fn clip(from: usize, to: usize, width: usize) -> Option<(usize, usize)> {
    let to = to.min(width);
    (from < to).then_some((from, to))
}

fn push(spans: &mut Vec<Span>, start: usize, end: usize, highlight: Highlight) {
    spans.push(Span {
        start: start as u16,
        end: end as u16,
        highlight,
    });
}
