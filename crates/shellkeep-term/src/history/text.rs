//! Lines as plain text, for searches through everything that a pane has printed.
//!
//! A search reads millions of lines, so only their bytes are made, without cells or looks, and nothing is checked that
//! was checked when it was written. Cells are made for the few lines that match.

use std::sync::Arc;

use super::page::{ASCII, BLANKS, CLUSTER, FILL, MARK, PAD, Page, TEXT, WIDE_CLUSTER};
use super::read::HistoryRows;
use super::store::PageStore;
use super::times::LineTimes;
use super::{Body, History, MAX_LINE_CELLS, unpack};
use crate::emulator::Emulator;
use crate::grid::look::Tables;
use crate::grid::row::Row;
use crate::wire::{ByteReader, Malformed};

/// Lines of text in one buffer, oldest first.
#[derive(Clone, Debug, Default)]
pub struct TextLines {
    text: Vec<u8>,
    /// Where each line ends in `text`. A newline follows there.
    ends: Vec<usize>,
    times: LineTimes,
}

impl TextLines {
    /// Removes all lines, and keeps the capacity.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.times.clear();
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All lines, each followed by a newline.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The range of a line in the text, without its newline. Empty after the last line.
    #[must_use]
    pub fn range(&self, line: usize) -> std::ops::Range<usize> {
        let Some(&end) = self.ends.get(line) else {
            return self.text.len()..self.text.len();
        };
        let start = line
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] + 1);
        start..end
    }

    #[must_use]
    pub fn line(&self, line: usize) -> &[u8] {
        &self.text[self.range(line)]
    }

    /// When a line was printed, in seconds since 1970, if that is known.
    #[must_use]
    pub fn time(&self, line: usize) -> Option<u32> {
        let time = self.times.get(line);
        (line < self.len() && time != 0).then_some(time)
    }

    /// The line that contains a byte of the text.
    #[must_use]
    pub fn line_at(&self, byte: usize) -> usize {
        self.ends.partition_point(|&end| end < byte)
    }

    /// Ends the line that is being written, which was printed at this time. Trailing blanks are dropped.
    pub(crate) fn end_line(&mut self, time: u32) {
        self.times.set_newest(self.ends.len(), time);
        let start = self.ends.last().map_or(0, |&end| end + 1);
        while self.text.len() > start && self.text.last() == Some(&b' ') {
            self.text.pop();
        }
        self.ends.push(self.text.len());
        self.text.push(b'\n');
    }

    /// Adds the lines of a serialised page ([`crate::SealedPage::bytes`]). Returns how many, or `None` if it cannot be
    /// read. Checks only what reading needs, so a damaged page may read as other text.
    pub fn push_page(&mut self, bytes: &[u8]) -> Option<usize> {
        let before = self.ends.len();
        if Page::push_text(bytes, self).is_err() {
            self.truncate(before);
            return None;
        }
        Some(self.ends.len() - before)
    }

    /// Keeps only the first lines.
    fn truncate(&mut self, lines: usize) {
        self.ends.truncate(lines);
        self.times.truncate(lines);
        let end = self.ends.last().map_or(0, |last| last + 1);
        self.text.truncate(end);
    }

    /// Drops empty lines at the end: rows of a screen that were never written to.
    fn trim_end(&mut self) {
        while let Some(&end) = self.ends.last()
            && self.line(self.ends.len() - 1).is_empty()
        {
            self.ends.pop();
            self.text.truncate(end);
        }
        self.times.truncate(self.ends.len());
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }
}

/// The content of one part of a pane's text.
#[derive(Clone, Debug)]
enum Content {
    Page(Box<Page>),
    Packed(Vec<u8>),
    /// In the store: the page's number, and how many lines it has.
    Away(u64, u32),
    Lost,
    Screen(usize),
}

#[derive(Clone, Debug)]
struct Part {
    first_line: u64,
    content: Content,
}

/// Everything that a pane has printed and still has, as it was at one moment: what is in memory is copied, and what is
/// in the store is read when it is needed. It has parts: the pages of history, oldest first, then the screen, then the
/// alternate screen if that is shown.
#[derive(Clone, Debug)]
pub struct Printed {
    parts: Vec<Part>,
    screens: Vec<HistoryRows>,
    store: Option<Arc<dyn PageStore>>,
    /// The newest line of history continues at the top of the first screen.
    is_open: bool,
    cols: u16,
}

impl Emulator {
    /// A copy of everything that was printed and is still there.
    #[must_use]
    pub fn printed(&self) -> Printed {
        let (cols, canvas) = (self.size().cols(), &self.terminal.screen.canvas);
        let history = &canvas.history;
        let mut parts: Vec<Part> = history.sealed.iter().map(part_of).collect();
        let mut next = history.hot_first;
        for page in &history.hot {
            let content = Content::Page(Box::new(page.clone()));
            let first_line = next;
            next += page.lines() as u64;
            parts.push(Part {
                first_line,
                content,
            });
        }
        let mut screens = Vec::new();
        if let Some(rows) = self.rows_under_alternate() {
            let rows = rows.map(|row| row.to_row()).collect();
            screens.push(HistoryRows::of(rows, cols, &canvas.tables));
        }
        screens.push(self.screen_copy());
        let is_open = history.open && next > history.first_line();
        for (number, _) in screens.iter().enumerate() {
            parts.push(Part {
                first_line: next - u64::from(is_open && number == 0),
                content: Content::Screen(number),
            });
        }
        Printed {
            parts,
            screens,
            store: history.page_store(),
            is_open,
            cols,
        }
    }
}

impl Emulator {
    /// Adds the lines of the page of history that begins with this line. Returns whether there is such a complete page
    /// and it could be read. A page that may still change is left out.
    pub fn push_page_text(&self, first_line: u64, lines: u32, out: &mut TextLines) -> bool {
        let history = &self.terminal.screen.canvas.history;
        let at = history
            .sealed
            .binary_search_by_key(&first_line, |page| page.first_line);
        let Some(sealed) = at.ok().and_then(|at| history.sealed.get(at)) else {
            return false;
        };
        let before = out.len();
        let push = |page: &Page, out: &mut TextLines| {
            (0..page.lines()).for_each(|line| page.push_line(line, out));
        };
        match &sealed.body {
            Body::Open(page) => push(page, out),
            Body::Packed(data) => {
                if let Ok(page) = unpack(data) {
                    push(&page, out);
                }
            }
            Body::Away => {
                let store = history.page_store();
                if let Some(bytes) = store.and_then(|store| store.page(sealed.number)) {
                    out.push_page(&bytes);
                }
            }
            Body::Lost => {}
        }
        let is_whole = sealed.lines == lines && out.len() - before == lines as usize;
        if !is_whole {
            out.truncate(before);
        }
        is_whole
    }
}

fn part_of(sealed: &super::Sealed) -> Part {
    let content = match &sealed.body {
        Body::Open(page) => Content::Page(page.clone()),
        Body::Packed(data) => Content::Packed(data.clone()),
        Body::Away => Content::Away(sealed.number, sealed.lines),
        Body::Lost => Content::Lost,
    };
    Part {
        first_line: sealed.first_line,
        content,
    }
}

impl Printed {
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The number of a part's first line, counted through the life of the pane. The rows of a screen continue the
    /// numbers of the history.
    #[must_use]
    pub fn first_line(&self, part: usize) -> u64 {
        self.parts.get(part).map_or(0, |part| part.first_line)
    }

    /// The number of the page in the store that this part is, if it is one.
    #[must_use]
    pub fn page_away(&self, part: usize) -> Option<u64> {
        match self.parts.get(part)?.content {
            Content::Away(number, _) => Some(number),
            _ => None,
        }
    }

    /// Adds the lines of a part. Lines that cannot be read are left out.
    pub fn push_text(&self, part: usize, out: &mut TextLines) {
        let Some(content) = self.parts.get(part).map(|part| &part.content) else {
            return;
        };
        match content {
            Content::Page(page) => {
                let last = self.is_last_page(part);
                (0..page.lines() - usize::from(last && self.is_open))
                    .for_each(|line| page.push_line(line, out));
            }
            Content::Packed(data) => {
                if let Ok(page) = unpack(data) {
                    (0..page.lines()).for_each(|line| page.push_line(line, out));
                }
            }
            Content::Away(number, _) => {
                let bytes = self.store.as_ref().and_then(|store| store.page(*number));
                if let Some(bytes) = bytes {
                    self.push_page(part, &bytes, out);
                }
            }
            Content::Lost => {}
            Content::Screen(number) => self.push_screen(*number, out),
        }
    }

    /// Adds the lines of a part in the store from `bytes`, which were read from it. Returns whether these were its
    /// lines: a screen that grew may have taken lines back since, and then another page has this number.
    pub fn push_page(&self, part: usize, bytes: &[u8], out: &mut TextLines) -> bool {
        let Some(Content::Away(_, lines)) = self.parts.get(part).map(|part| &part.content) else {
            return false;
        };
        let before = out.len();
        let is_it = out.push_page(bytes) == Some(*lines as usize);
        if !is_it {
            out.truncate(before);
        }
        is_it
    }

    fn is_last_page(&self, part: usize) -> bool {
        part + self.screens.len() + 1 == self.parts.len()
    }

    fn push_screen(&self, number: usize, out: &mut TextLines) {
        let mut time = 0;
        if number == 0
            && let Some((page, last)) = self.open_line()
        {
            push_segments(page.line_bytes(last), out);
            time = page.time(last);
        }
        let Some(screen) = self.screens.get(number) else {
            return;
        };
        for row in screen.iter() {
            row.push_line_text(out.bytes_mut());
            if time == 0 {
                time = row.time().unwrap_or(0);
            }
            if !row.is_wrapped() {
                out.end_line(time);
                time = 0;
            }
        }
        if screen
            .iter()
            .next_back()
            .is_some_and(|row| row.is_wrapped())
        {
            out.end_line(time);
        }
        out.trim_end();
    }

    /// The line of history that continues on the screen.
    fn open_line(&self) -> Option<(&Page, usize)> {
        let last = self.parts.len().checked_sub(self.screens.len() + 1)?;
        match &self.parts.get(last)?.content {
            Content::Page(page) if self.is_open => Some((page, page.lines().checked_sub(1)?)),
            _ => None,
        }
    }

    /// The cells of a line, in rows of any width. Empty for a line that cannot be read.
    #[must_use]
    pub fn rows(&self, part: usize, line: usize) -> HistoryRows {
        match self.parts.get(part).map(|part| &part.content) {
            Some(Content::Page(page)) => rows_of(page, line),
            Some(Content::Packed(data)) => {
                unpack(data).map_or_else(|_| HistoryRows::default(), |page| rows_of(&page, line))
            }
            Some(Content::Away(number, _)) => {
                let bytes = self.store.as_ref().and_then(|store| store.page(*number));
                let page = bytes.and_then(|bytes| Page::from_bytes(&bytes).ok());
                page.map_or_else(HistoryRows::default, |page| rows_of(&page, line))
            }
            Some(Content::Screen(number)) => self.screen_rows(*number, line),
            Some(Content::Lost) | None => HistoryRows::default(),
        }
    }

    fn screen_rows(&self, number: usize, line: usize) -> HistoryRows {
        let Some(screen) = self.screens.get(number) else {
            return HistoryRows::default();
        };
        let ended = |rows: usize| {
            screen
                .iter()
                .take(rows)
                .filter(|row| !row.is_wrapped())
                .count()
        };
        let mut own = (0..screen.len()).filter(|&row| ended(row) == line);
        let first = own.next().unwrap_or(screen.len());
        let last = own.next_back().unwrap_or(first);
        let rows = screen.iter().skip(first).take(last + 1 - first);
        let rows: Vec<Row> = rows.map(|row| row.to_row()).collect();
        let mut out = HistoryRows::of(rows, self.cols, screen.tables());
        if line == 0
            && number == 0
            && let Some((page, last)) = self.open_line()
        {
            out.put_before(page, last);
        }
        out
    }
}

fn rows_of(page: &Page, line: usize) -> HistoryRows {
    let mut tables = Tables::default();
    let rows = page
        .line(line, &mut tables)
        .into_rows(usize::from(u16::MAX));
    HistoryRows::of(rows, u16::MAX, &tables)
}

impl Page {
    /// Adds the text of a line.
    fn push_line(&self, line: usize, out: &mut TextLines) {
        push_segments(self.line_bytes(line), out);
        out.end_line(self.time(line));
    }

    /// Adds the text of all lines of a page in its serialised form.
    fn push_text(bytes: &[u8], out: &mut TextLines) -> Result<(), Malformed> {
        let mut reader = ByteReader::new(bytes);
        let has_times = Self::read_version(&mut reader)?;
        // The number of cells, and the most and the last in a line.
        for _ in 0..3 {
            reader.number()?;
        }
        for _ in 0..reader.count()? {
            reader.wide()?;
        }
        for _ in 0..reader.count()? {
            reader.bytes()?;
            reader.bytes()?;
        }
        let before = out.len();
        let count = reader.count()?;
        let mut lengths = reader.clone();
        for _ in 0..count {
            reader.number()?;
        }
        let mut lines = reader.bytes()?;
        for _ in 0..count {
            let length: usize = lengths.small()?;
            let (line, rest) = lines.split_at_checked(length).ok_or(Malformed)?;
            push_segments(line, out);
            out.end_line(0);
            lines = rest;
        }
        if has_times {
            let times = LineTimes::read(&mut reader, count)?;
            out.times.append(before, &times);
        }
        Ok(())
    }
}

/// Adds the text of a line of a page, up to where it is malformed.
fn push_segments(line: &[u8], out: &mut TextLines) {
    let mut reader = ByteReader::new(line);
    while !reader.is_empty() {
        if push_segment(&mut reader, &mut out.text).is_err() {
            return;
        }
    }
}

fn push_segment(reader: &mut ByteReader<'_>, out: &mut Vec<u8>) -> Result<(), Malformed> {
    let head = reader.number()?;
    match head as u8 & 7 {
        ASCII | CLUSTER | WIDE_CLUSTER => out.extend_from_slice(reader.bytes()?),
        TEXT => {
            let length = usize::from(reader.byte()?) | usize::from(reader.byte()?) << 8;
            out.extend_from_slice(reader.take(length)?);
        }
        BLANKS => {
            let count: usize = reader.small()?;
            if count > MAX_LINE_CELLS * 2 {
                return Err(Malformed);
            }
            out.resize(out.len() + count, b' ');
        }
        PAD | FILL | MARK => {}
        _ => return Err(Malformed),
    }
    Ok(())
}

impl History {
    pub(super) fn page_store(&self) -> Option<Arc<dyn PageStore>> {
        self.store.clone()
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_core::Size;

    use super::*;
    use crate::config::{Config, Keep};
    use crate::effects::Effects;

    fn fed(size: (u16, u16), text: &str) -> Emulator {
        let config = Config {
            keep: Keep::Store,
            history_limit: usize::MAX,
            ..Config::default()
        };
        let mut emulator = Emulator::new(Size::new(size.0, size.1), config);
        emulator.feed(text.as_bytes(), &mut Effects::new());
        emulator
    }

    fn texts(printed: &Printed) -> Vec<(u64, String)> {
        let mut found = Vec::new();
        for part in 0..printed.parts() {
            let mut lines = TextLines::default();
            printed.push_text(part, &mut lines);
            for line in 0..lines.len() {
                let text = String::from_utf8(lines.line(line).to_vec()).unwrap();
                let rows = printed.rows(part, line);
                let cells: String = rows
                    .iter()
                    .map(|row| {
                        let mut text = String::new();
                        row.push_text(row.cols(), &mut text);
                        text
                    })
                    .collect();
                assert_eq!(cells.trim_end(), text, "cells of {part}:{line}");
                found.push((printed.first_line(part) + line as u64, text));
            }
        }
        found
    }

    fn numbered(lines: &[&str]) -> Vec<(u64, String)> {
        let lines = (0..).zip(lines);
        lines
            .map(|(number, line)| (number, (*line).to_owned()))
            .collect()
    }

    #[test]
    fn wrapped_lines_are_one_also_across_the_top_of_the_screen() {
        let emulator = fed((2, 4), "ab\r\nwrapped line here\r\nend");
        assert_eq!(
            texts(&emulator.printed()),
            numbered(&["ab", "wrapped line here", "end"])
        );
        let emulator = fed((2, 4), "ab\r\nwrapped line");
        assert_eq!(
            texts(&emulator.printed()),
            numbered(&["ab", "wrapped line"])
        );
    }

    #[test]
    fn wide_characters_and_clusters_are_whole() {
        let text = "日本語 e\u{301}x 👨\u{200d}👩 \x1b[31mred\x1b[m end";
        let plain = "日本語 e\u{301}x 👨\u{200d}👩 red end";
        for cols in [3, 5, 80] {
            let emulator = fed((2, cols), &format!("{text}\r\n\r\n\r\n{text}\r\n"));
            let found = texts(&emulator.printed());
            let found: Vec<&str> = found.iter().map(|(_, text)| &text[..]).collect();
            assert_eq!(found, [plain, "", "", plain], "{cols}");
        }
    }

    #[test]
    fn pages_read_alike_in_memory_packed_and_serialised() {
        let mut emulator = fed((3, 20), "");
        let mut expected = Vec::new();
        for line in 0..2000 {
            let text = format!("\x1b[{}mline\x1b[m {line}  \r\n", 31 + line % 7);
            emulator.feed(text.as_bytes(), &mut Effects::new());
            expected.push((line, format!("line {line}")));
        }
        assert_eq!(texts(&emulator.printed()), expected);
        let pages = emulator.take_sealed();
        assert!(pages.len() > 4);
        let mut lines = TextLines::default();
        for page in &pages {
            assert_eq!(lines.push_page(&page.bytes()), Some(page.lines as usize));
        }
        assert_eq!(lines.line(700), b"line 700");
        assert_eq!(lines.line_at(lines.range(700).start), 700);
        assert_eq!(lines.line_at(lines.range(700).end), 700);
        assert_eq!(lines.line(9_999_999), b"");
        let printed = emulator.printed();
        assert_eq!(printed.page_away(0), Some(0));
        // Neither the engine nor the store has these lines: they are left out, and the others keep their numbers.
        let rest = texts(&printed);
        assert_eq!(rest, expected[expected.len() - rest.len()..]);
    }

    #[test]
    fn alternate_screen_and_the_one_under_it_are_both_there() {
        let emulator = fed((3, 20), "one\r\ntwo\r\nthree\r\nfour\x1b[?1049h\x1b[Hother");
        let found = texts(&emulator.printed());
        let found: Vec<&str> = found.iter().map(|(_, text)| &text[..]).collect();
        assert_eq!(found, ["one", "two", "three", "four", "other"]);
    }

    #[test]
    fn broken_page_adds_nothing() {
        let mut lines = TextLines::default();
        assert_eq!(lines.push_page(b"\x01junk that is no page"), None);
        assert_eq!(lines.push_page(b""), None);
        assert!(lines.is_empty() && lines.text().is_empty());
    }
}
