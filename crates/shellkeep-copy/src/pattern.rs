//! Matches a pattern in a row of text and the rows into which it wraps.

use std::ops::RangeInclusive;

use regex::{Regex, RegexBuilder};
use shellkeep_term::TextLines;

use crate::command::Pattern;
use crate::text::{Text, trimmed};

/// The most cells of a match of a regular expression.
const MAX_MATCH_CELLS: usize = 2000;

/// The most memory of a compiled pattern. Users type patterns, so they can be of any size.
const SIZE_LIMIT: usize = 1 << 20;

/// The special characters of regular expressions. A text without any is searched literally.
const SPECIAL: &str = "^$*+()?[].\\";

/// How a text is searched. One without special characters is not compiled.
pub(crate) fn meaning(wanted: &str, pattern: Pattern) -> Pattern {
    if wanted.contains(|c| SPECIAL.contains(c)) {
        pattern
    } else {
        Pattern::Literal
    }
}

/// A match: the column of its first cell in the loaded row, and the number of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatchedCells {
    pub(crate) col: usize,
    pub(crate) cells: usize,
}

/// A compiled pattern and its buffers.
pub(crate) struct Matcher {
    regex: Regex,
    pattern: Pattern,
    /// How many cells after the end of the row have to be searched.
    beyond: usize,
    line: String,
    /// The byte offset of each cell in `line`, and the end of the last.
    starts: Vec<usize>,
    /// The last page of history that was searched: its rows, and whether they may have a match.
    page: Option<(RangeInclusive<i64>, PageMatches)>,
    page_text: TextLines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageMatches {
    None,
    Some,
}

impl Matcher {
    /// `None` if it is not a regular expression.
    pub(crate) fn new(wanted: &str, pattern: Pattern) -> Option<Self> {
        let source = match pattern {
            Pattern::Literal => regex::escape(wanted),
            Pattern::Regex => wanted
                .replace("\\<", "\\b{start}")
                .replace("\\>", "\\b{end}"),
        };
        let small = !wanted.chars().any(char::is_uppercase);
        let regex = RegexBuilder::new(&source)
            .case_insensitive(small)
            .size_limit(SIZE_LIMIT)
            .dfa_size_limit(SIZE_LIMIT)
            .build()
            .ok()?;
        let beyond = match pattern {
            // A character has at most two cells.
            Pattern::Literal => wanted.chars().count().saturating_mul(2),
            Pattern::Regex => MAX_MATCH_CELLS,
        };
        Some(Self {
            regex,
            pattern,
            beyond: beyond.min(MAX_MATCH_CELLS),
            line: String::new(),
            starts: Vec::new(),
            page: None,
            page_text: TextLines::default(),
        })
    }

    /// The rows around a row in which no match begins, if this is known without reading each of them. Otherwise a
    /// search without a match would read each row of the history.
    pub(crate) fn rows_without_match(
        &mut self,
        text: &dyn Text,
        row: i64,
    ) -> Option<RangeInclusive<i64>> {
        if row >= 0 {
            return None;
        }
        let known = self.page.take().filter(|(rows, _)| rows.contains(&row));
        let (rows, matches) = match known {
            Some(known) => known,
            None => {
                let mut lines = std::mem::take(&mut self.page_text);
                let rows = text.page_text(row, &mut lines);
                let matches = rows.as_ref().map(|rows| self.matches_in_page(&lines, rows));
                self.page_text = lines;
                rows.zip(matches)?
            }
        };
        let rows_without_match = (matches == PageMatches::None).then(|| rows.clone());
        self.page = Some((rows, matches));
        rows_without_match
    }

    /// Whether a match may begin in one of the rows of a page.
    fn matches_in_page(&self, lines: &TextLines, rows: &RangeInclusive<i64>) -> PageMatches {
        let fits = match self.pattern {
            // The text of a row is part of its line.
            Pattern::Literal => {
                std::str::from_utf8(lines.text()).map_or(true, |text| self.regex.is_match(text))
            }
            // A row may match where its line does not, because it begins elsewhere.
            Pattern::Regex if rows.end() - rows.start() + 1 != lines.len() as i64 => true,
            Pattern::Regex => (0..lines.len()).any(|line| {
                std::str::from_utf8(lines.line(line)).map_or(true, |line| self.regex.is_match(line))
            }),
        };
        if fits {
            PageMatches::Some
        } else {
            PageMatches::None
        }
    }

    /// Loads a row and the rows into which it wraps, without trailing blanks.
    pub(crate) fn load(&mut self, text: &dyn Text, row: i64) {
        if self.cannot_match(text, row) {
            self.line.clear();
            self.starts.clear();
            self.starts.push(0);
            return;
        }
        self.read(text, row);
    }

    /// Whether the text of a row has no match. Few rows have one, and mapping bytes to cells takes most of the time.
    fn cannot_match(&mut self, text: &dyn Text, row: i64) -> bool {
        let line = &mut self.line;
        line.clear();
        let mut cells = 0;
        let mut next = row;
        loop {
            let mut wrapped = false;
            text.with_row(next, &mut |view| {
                wrapped = view.is_wrapped();
                let length = if wrapped {
                    view.cols()
                } else {
                    trimmed(&view) as u16
                };
                view.push_text(length, line);
            });
            next += 1;
            cells += text.width();
            let enough = cells >= text.width().saturating_add(self.beyond);
            if !wrapped || enough || next > text.bottom() {
                return !self.regex.is_match(&self.line);
            }
        }
    }

    fn read(&mut self, text: &dyn Text, row: i64) {
        self.line.clear();
        self.starts.clear();
        let width = text.width();
        let mut next = row;
        loop {
            let mut wrapped = false;
            let line = &mut self.line;
            let starts = &mut self.starts;
            text.with_row(next, &mut |view| {
                wrapped = view.is_wrapped();
                let length = if wrapped { width } else { trimmed(&view) };
                for col in 0..length {
                    starts.push(line.len());
                    let cell = view.cell(col as u16);
                    // The last cell may be empty because a wide character did not fit.
                    let pad = wrapped && col + 1 == width && cell.is_blank();
                    if !pad {
                        cell.push_to(line);
                    }
                }
            });
            next += 1;
            let enough = self.starts.len() >= width.saturating_add(self.beyond);
            if !wrapped || enough || next > text.bottom() {
                break;
            }
        }
        self.starts.push(self.line.len());
    }

    /// The next match from byte `from` on, in bytes.
    fn next(&self, mut from: usize) -> Option<(usize, usize)> {
        loop {
            let found = self.regex.find_at(&self.line, from)?;
            if found.is_empty() {
                return None;
            }
            // A character without its accent is another character.
            let whole = self.pattern == Pattern::Regex
                || (self.is_edge(found.start()) && self.is_edge(found.end()));
            if whole {
                return Some((found.start(), found.end()));
            }
            let step = self.line[found.start()..].chars().next()?.len_utf8();
            from = found.start() + step;
        }
    }

    fn is_edge(&self, byte: usize) -> bool {
        self.starts.binary_search(&byte).is_ok()
    }

    /// The cell that shows a byte.
    fn cell_at(&self, byte: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= byte)
            .saturating_sub(1)
    }

    /// The first cell after a byte. The right half of a character belongs to its left half.
    fn cell_after(&self, byte: usize) -> usize {
        let mut cell = self.starts.partition_point(|start| *start < byte);
        while cell + 1 < self.starts.len() && self.starts[cell] == self.starts[cell + 1] {
            cell += 1;
        }
        cell
    }

    /// The first match that begins in the loaded row at or after `from`.
    pub(crate) fn forward(&self, from: usize, width: usize) -> Option<MatchedCells> {
        if from >= width || from + 1 >= self.starts.len() {
            return None;
        }
        let (start, end) = self.next(self.starts[from])?;
        let col = self.cell_at(start);
        (col < width).then(|| MatchedCells {
            col,
            cells: self.cell_after(end) - col,
        })
    }

    /// The last match that begins in the loaded row before `end`.
    pub(crate) fn backward(&self, end: usize, width: usize) -> Option<MatchedCells> {
        let end = end.min(width);
        let mut last = None;
        let mut from = 0;
        while let Some((start, stop)) = self.next(from) {
            let col = self.cell_at(start);
            if col >= end {
                break;
            }
            last = Some(MatchedCells {
                col,
                cells: self.cell_after(stop) - col,
            });
            from = match self.pattern {
                Pattern::Regex => stop,
                // Backwards, matches of a literal text may overlap.
                Pattern::Literal => {
                    start + self.line[start..].chars().next().map_or(1, char::len_utf8)
                }
            };
        }
        last
    }
}
