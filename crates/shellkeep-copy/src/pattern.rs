//! Finding a pattern in a row of text and the rows it wraps into.

use std::ops::RangeInclusive;

use regex::{Regex, RegexBuilder};
use shellkeep_term::TextLines;

use crate::command::Pattern;
use crate::text::{Text, trimmed};

/// Cells a match of a regular expression may reach over.
const MAX_MATCH_CELLS: usize = 2000;

/// The most memory a compiled pattern may take: a user can type anything.
const SIZE_LIMIT: usize = 1 << 20;

/// Characters without which a regular expression is a plain text.
const SPECIAL: &str = "^$*+()?[].\\";

/// How a text is searched for: a text without special characters is not compiled.
pub(crate) fn meaning(wanted: &str, pattern: Pattern) -> Pattern {
    if wanted.contains(|c| SPECIAL.contains(c)) {
        pattern
    } else {
        Pattern::Literal
    }
}

/// A match: the column it begins at, in the row asked for, and how many cells it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatchedCells {
    pub(crate) col: usize,
    pub(crate) cells: usize,
}

/// A compiled pattern with its working space.
pub(crate) struct Matcher {
    regex: Regex,
    pattern: Pattern,
    /// Cells to look at beyond the end of the row.
    beyond: usize,
    line: String,
    /// Where each cell begins in `line`, and its end at last.
    starts: Vec<usize>,
    /// The page of history that was looked at last: its rows, and whether there may be a match in them.
    page: Option<(RangeInclusive<i64>, Hope)>,
    page_text: TextLines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hope {
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
            // A character takes two cells at most.
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

    /// The rows around a row in which no match begins, as far as that can be seen without reading them one by one: a search that
    /// finds nothing would do so for all of history.
    pub(crate) fn barren(&mut self, text: &dyn Text, row: i64) -> Option<RangeInclusive<i64>> {
        if row >= 0 {
            return None;
        }
        let known = self.page.take().filter(|(rows, _)| rows.contains(&row));
        let (rows, hope) = match known {
            Some(known) => known,
            None => {
                let mut lines = std::mem::take(&mut self.page_text);
                let rows = text.page_text(row, &mut lines);
                let hope = rows.as_ref().map(|rows| self.hope_in(&lines, rows));
                self.page_text = lines;
                rows.zip(hope)?
            }
        };
        let barren = (hope == Hope::None).then(|| rows.clone());
        self.page = Some((rows, hope));
        barren
    }

    /// Whether a page may have a match that begins in one of its rows.
    fn hope_in(&self, lines: &TextLines, rows: &RangeInclusive<i64>) -> Hope {
        let fits = match self.pattern {
            // What is in a row is in its line.
            Pattern::Literal => {
                std::str::from_utf8(lines.text()).map_or(true, |text| self.regex.is_match(text))
            }
            // A row may fit where its line does not, by its beginning.
            Pattern::Regex if rows.end() - rows.start() + 1 != lines.len() as i64 => true,
            Pattern::Regex => (0..lines.len()).any(|line| {
                std::str::from_utf8(lines.line(line)).map_or(true, |line| self.regex.is_match(line))
            }),
        };
        if fits { Hope::Some } else { Hope::None }
    }

    /// Reads a row and what it wraps into. Blanks behind the text are not part of it.
    pub(crate) fn load(&mut self, text: &dyn Text, row: i64) {
        if self.is_hopeless(text, row) {
            self.line.clear();
            self.starts.clear();
            self.starts.push(0);
            return;
        }
        self.read(text, row);
    }

    /// Whether there is no match, by the text alone: few rows have one, and keeping account of cells takes
    /// most of the time.
    fn is_hopeless(&mut self, text: &dyn Text, row: i64) -> bool {
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

    /// The next match from byte `from` on, as bytes.
    fn next(&self, mut from: usize) -> Option<(usize, usize)> {
        loop {
            let found = self.regex.find_at(&self.line, from)?;
            if found.is_empty() {
                return None;
            }
            // Half of a character with its accent is not that character.
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

    /// The first cell behind what ends at a byte, right halves belonging to their left ones.
    fn cell_after(&self, byte: usize) -> usize {
        let mut cell = self.starts.partition_point(|start| *start < byte);
        while cell + 1 < self.starts.len() && self.starts[cell] == self.starts[cell + 1] {
            cell += 1;
        }
        cell
    }

    /// The first match that begins in the loaded row, at `from` or behind it.
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
                // Plain texts may overlap, going back.
                Pattern::Literal => {
                    start + self.line[start..].chars().next().map_or(1, char::len_utf8)
                }
            };
        }
        last
    }
}
