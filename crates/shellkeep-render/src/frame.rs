//! What the terminal of one client should show: cells, cursor, title and modes.
//!
//! The server keeps a frame for each client and composes it up to 120 times a second, so all buffers are reused:
//! [`Frame::reset`] frees nothing.
//!
//! Invariant: a wide cell is always followed by its right half, and is never in the last column. Overwriting one half
//! of a wide character blanks the other.

use std::fmt;

use shellkeep_core::{CursorShape, Size, Style};
use unicode_width::UnicodeWidthChar;

use crate::cell::{Cell, Pen, TextStorage, is_risky};
use crate::scroll::Scroll;

/// The longest text of one cell; the rest is cut off.
const MAX_CLUSTER: usize = 256;
/// The most links of one frame; further text is shown without its link.
const MAX_LINKS: usize = u16::MAX as usize - 1;

/// The position and the look of the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCursor {
    pub row: u16,
    pub col: u16,
    pub visible: bool,
    pub shape: CursorShape,
}

/// Which mouse events the outer terminal reports, always in SGR encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum MouseReports {
    /// None: the terminal's own selection works.
    #[default]
    Off,
    /// Presses, releases and the wheel.
    Buttons,
    /// As `Buttons`, and motion while a button is held.
    Drag,
    Motion,
}

/// Modes of the outer terminal that depend on what is shown. The modes of cursor keys and keypad are not among them:
/// keys are decoded and encoded again, so the outer terminal stays in the normal modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OuterModes {
    pub mouse: MouseReports,
    pub bracketed_paste: bool,
    pub focus_events: bool,
    /// Distinguish keys that older terminals cannot express, such as C-Enter (modifyOtherKeys).
    pub extended_keys: bool,
}

/// The content of one client's terminal. See the module for its invariants.
#[derive(Clone)]
pub struct Frame {
    size: Size,
    cells: Vec<Cell>,
    /// The text of cells whose cluster does not fit inline.
    arena: String,
    links: Links,
    /// Whether comparing some cell needs the tables above.
    has_indirect: bool,
    cursor: FrameCursor,
    title: String,
    pub modes: OuterModes,
}

impl Frame {
    /// An empty frame: blank cells, cursor hidden in the top left corner, no title, all modes off.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            cells: vec![Cell::BLANK; usize::from(size.rows()) * usize::from(size.cols())],
            arena: String::new(),
            links: Links::default(),
            has_indirect: false,
            cursor: FrameCursor::default(),
            title: String::new(),
            modes: OuterModes::default(),
        }
    }

    /// Makes this an empty frame of the given size, keeping its buffers.
    pub fn reset(&mut self, size: Size) {
        self.size = size;
        self.cells.clear();
        self.cells.resize(
            usize::from(size.rows()) * usize::from(size.cols()),
            Cell::BLANK,
        );
        self.arena.clear();
        self.links.clear();
        self.has_indirect = false;
        self.cursor = FrameCursor::default();
        self.title.clear();
        self.modes = OuterModes::default();
    }

    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether drawing over it repeatedly does not make it grow. Texts and links outside the cells are only appended;
    /// composing again clears them.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.has_indirect
    }

    /// Makes this a copy of another frame, keeping its buffers.
    pub fn copy_from(&mut self, other: &Self) {
        self.size = other.size;
        self.cells.clone_from(&other.cells);
        self.arena.clone_from(&other.arena);
        self.links.clone_from(&other.links);
        self.has_indirect = other.has_indirect;
        self.cursor = other.cursor;
        self.title.clone_from(&other.title);
        self.modes = other.modes;
    }

    #[must_use]
    pub fn cursor(&self) -> FrameCursor {
        self.cursor
    }

    /// Sets the cursor; a position outside the frame is clamped.
    pub fn set_cursor(&mut self, cursor: FrameCursor) {
        self.cursor = FrameCursor {
            row: cursor.row.min(self.size.rows() - 1),
            col: cursor.col.min(self.size.cols() - 1),
            ..cursor
        };
    }

    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Sets the window title without control characters: a title comes from programs and files, and is sent inside an
    /// escape sequence.
    pub fn set_title(&mut self, title: &str) {
        self.title.clear();
        self.title.extend(title.chars().filter(|c| !c.is_control()));
    }

    /// Puts a grapheme cluster of 1 or 2 columns into a cell.
    ///
    /// Outside the frame this does nothing. A wide one in the last column becomes a blank, because no terminal can show
    /// half a character. Control characters are dropped. Text without a width (a lone combining mark) is shown as a
    /// blank and does not change the cell before it.
    pub fn put(
        &mut self,
        row: u16,
        col: u16,
        text: &str,
        width: u8,
        style: Style,
        link: Option<&str>,
    ) {
        if row >= self.size.rows() || col >= self.size.cols() {
            return;
        }
        self.split(row, col);
        let after = col + u16::from(width.clamp(1, 2));
        if after < self.size.cols() {
            self.split(row, after);
        }
        self.put_on_narrow(row, col, text, width, Pen::pack(&style), link);
    }

    /// The core of [`Frame::put`], for a position inside the frame that holds no half of a wide character.
    #[inline]
    pub(crate) fn put_on_narrow(
        &mut self,
        row: u16,
        col: u16,
        text: &str,
        width: u8,
        pen: Pen,
        link: Option<&str>,
    ) {
        // The most frequent case is short: the cell is stored directly, without a copy on the stack.
        if let ([byte @ 0x21..=0x7e], 0..=1, None) = (text.as_bytes(), width, link) {
            self.put_ascii_on_narrow(row, col, *byte, pen);
        } else {
            self.put_unusual(row, col, text, width, pen, link);
        }
    }

    /// As [`Frame::put_on_narrow`], for an ASCII character other than a space.
    #[inline]
    pub(crate) fn put_ascii_on_narrow(&mut self, row: u16, col: u16, byte: u8, pen: Pen) {
        let index = self.index(row, col);
        self.cells[index] = Cell::ascii(byte, pen, 0);
    }

    fn put_unusual(
        &mut self,
        row: u16,
        col: u16,
        text: &str,
        width: u8,
        pen: Pen,
        link: Option<&str>,
    ) {
        let link = link.map_or(0, |uri| self.links.intern(uri));
        let wide = width >= 2;
        let cell = match text.as_bytes() {
            _ if wide && col + 1 == self.size.cols() => Cell::blank(pen, link),
            [] | [b' '] => Cell::blank(pen, link),
            [byte @ 0x21..=0x7e] if !wide => Cell::ascii(*byte, pen, link),
            _ => self.cluster(text, if wide { 2 } else { 1 }, pen, link),
        };
        self.has_indirect |= cell.is_indirect();
        let index = self.index(row, col);
        self.cells[index] = cell;
        if cell.width() == 2 {
            self.cells[index + 1] = cell.continuation();
        }
    }

    /// Fills `cols` columns from `col` with blanks of one style.
    pub fn fill(&mut self, row: u16, col: u16, cols: u16, style: Style) {
        if row >= self.size.rows() || col >= self.size.cols() {
            return;
        }
        let end = col.saturating_add(cols).min(self.size.cols());
        if end == col {
            return;
        }
        self.split(row, col);
        if end < self.size.cols() {
            self.split(row, end);
        }
        let start = self.index(row, 0);
        self.cells[start + usize::from(col)..start + usize::from(end)]
            .fill(Cell::blank(Pen::pack(&style), 0));
    }

    /// The text of a cell: a space if it is blank, empty for the right half of a wide one or outside the frame.
    #[must_use]
    pub fn text(&self, row: u16, col: u16) -> &str {
        match self.cell(row, col) {
            Some(cell) if cell.is_blank() => " ",
            Some(cell) => self.text_of(cell),
            None => "",
        }
    }

    /// The columns of a cell: 1, 2, or 0 for the right half of a wide one or outside the frame.
    #[must_use]
    pub fn width(&self, row: u16, col: u16) -> u8 {
        self.cell(row, col).map_or(0, |cell| cell.width())
    }

    /// The style of a cell. A blank keeps only the visible part of its style.
    #[must_use]
    pub fn style(&self, row: u16, col: u16) -> Style {
        self.cell(row, col)
            .map_or_else(Style::default, |cell| cell.pen().unpack())
    }

    #[must_use]
    pub fn link(&self, row: u16, col: u16) -> Option<&str> {
        self.links.get(self.cell(row, col)?.link())
    }

    /// The text of a row without trailing blanks.
    #[must_use]
    pub fn row_text(&self, row: u16) -> String {
        let mut text: String = (0..self.size.cols())
            .map(|col| self.text(row, col))
            .collect();
        text.truncate(text.trim_end_matches(' ').len());
        text
    }

    pub(crate) fn row(&self, row: u16) -> &[Cell] {
        let start = self.index(row, 0);
        &self.cells[start..start + usize::from(self.size.cols())]
    }

    pub(crate) fn link_by_id(&self, link: u16) -> Option<&str> {
        self.links.get(link)
    }

    pub(crate) fn link_of(&self, cell: &Cell) -> Option<&str> {
        self.links.get(cell.link())
    }

    /// The text of a cell that is not blank.
    pub(crate) fn text_of<'a>(&'a self, cell: &'a Cell) -> &'a str {
        match cell.place() {
            TextStorage::Inline(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
            TextStorage::Arena { offset, len } => {
                self.arena.get(offset..offset + len).unwrap_or_default()
            }
        }
    }

    /// Whether cells of two frames look the same.
    pub(crate) fn same(&self, cell: &Cell, other: &Self, theirs: &Cell) -> bool {
        if !cell.is_indirect() && !theirs.is_indirect() {
            return cell == theirs;
        }
        cell.pen() == theirs.pen()
            && cell.width() == theirs.width()
            && self.text_of(cell) == other.text_of(theirs)
            && self.link_of(cell) == other.link_of(theirs)
    }

    /// The first and the last column in which rows of two frames of the same size differ, if they do.
    pub(crate) fn difference(&self, row: u16, other: &Self, theirs: u16) -> Option<(usize, usize)> {
        let (ours, theirs) = (self.row(row), other.row(theirs));
        let is_plain = self.is_plain() && other.is_plain();
        // Most frames are plain, and then cells are compared without looking up their text.
        let differs = |(a, b): (&Cell, &Cell)| match is_plain {
            true => a != b,
            false => !self.same(a, other, b),
        };
        let first = ours.iter().zip(theirs).position(differs)?;
        let last = ours.iter().zip(theirs).rposition(differs)?;
        Some((first, last))
    }

    /// Whether rows of two frames of the same size look the same.
    pub(crate) fn same_row(&self, row: u16, other: &Self, theirs: u16) -> bool {
        let pairs = self.row(row).iter().zip(other.row(theirs));
        if self.has_indirect || other.has_indirect {
            return pairs.fold(true, |same, (a, b)| same && self.same(a, other, b));
        }
        pairs.fold(0, |sum, (a, b)| sum | a.difference(b)) == 0
    }

    /// Moves cells as a terminal does when it scrolls these columns.
    pub(crate) fn scroll_columns(&mut self, scroll: Scroll, (left, right): (u16, u16)) {
        let before = self.cells.clone();
        for row in scroll.top..=scroll.bottom {
            let to = self.index(row, left)..self.index(row, right) + 1;
            match scroll.source(row) {
                Some(source) => {
                    let from = self.index(source, left)..self.index(source, right) + 1;
                    self.cells[to].copy_from_slice(&before[from]);
                }
                None => self.cells[to].fill(Cell::BLANK),
            }
        }
    }

    /// Whether nothing is visible in a row.
    pub(crate) fn is_blank_row(&self, row: u16) -> bool {
        let cells = self.row(row).iter();
        cells.fold(0, |sum, cell| sum | cell.difference(&Cell::BLANK)) == 0
    }

    fn index(&self, row: u16, col: u16) -> usize {
        usize::from(row) * usize::from(self.size.cols()) + usize::from(col)
    }

    fn cell(&self, row: u16, col: u16) -> Option<&Cell> {
        if col >= self.size.cols() {
            return None;
        }
        self.cells.get(self.index(row, col))
    }

    /// If `col` is the right half of a wide character, blanks both halves, so that one of them may be overwritten.
    fn split(&mut self, row: u16, col: u16) {
        let index = self.index(row, col);
        if self.cells[index].width() != 0 {
            return;
        }
        let half = self.cells[index];
        let blank = Cell::blank(half.pen(), half.link());
        self.cells[index] = blank;
        // A right half is never in the first column, so its left half is in the same row.
        if col > 0 {
            self.cells[index - 1] = blank;
        }
    }

    /// A cell for text other than one printable ASCII character.
    fn cluster(&mut self, text: &str, width: u8, pen: Pen, link: u16) -> Cell {
        let clean;
        let mut text = text;
        if text.chars().any(char::is_control) {
            clean = text.chars().filter(|c| !c.is_control()).collect::<String>();
            text = &clean;
        }
        if text.len() > MAX_CLUSTER {
            let fits = |&end: &usize| end <= MAX_CLUSTER;
            let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
            text = &text[..ends.take_while(fits).last().unwrap_or(0)];
        }
        let no_width = |first: char| first.width().unwrap_or(0) == 0;
        if text == " " || text.chars().next().is_none_or(no_width) {
            return self.blank_of(width, pen, link);
        }
        let risky = is_risky(text, width);
        if let Some(cell) = Cell::inline(text, width, risky, pen, link) {
            return cell;
        }
        if self.arena.len() > 16 * 1024 + 4 * self.cells.len() {
            self.compact();
        }
        let offset = self.arena.len();
        self.arena.push_str(text);
        Cell::in_arena(offset as u32, text.len() as u16, width, pen, link)
    }

    /// A blank of one column, or two joined blanks (a wide cell without text is drawn as two spaces).
    fn blank_of(&self, width: u8, pen: Pen, link: u16) -> Cell {
        match width {
            2 => Cell::inline("\u{3000}", 2, false, pen, link)
                .unwrap_or_else(|| Cell::blank(pen, link)),
            _ => Cell::blank(pen, link),
        }
    }

    /// Drops texts from the arena that no cell uses any more, so that a frame that is drawn repeatedly without a reset
    /// does not grow.
    fn compact(&mut self) {
        let old = std::mem::take(&mut self.arena);
        for cell in &mut self.cells {
            let TextStorage::Arena { offset, len } = cell.place() else {
                continue;
            };
            let moved = self.arena.len() as u32;
            self.arena
                .push_str(old.get(offset..offset + len).unwrap_or_default());
            *cell = cell.moved_to(moved);
        }
    }
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
            && self.cursor == other.cursor
            && self.modes == other.modes
            && self.title == other.title
            && (0..self.size.rows()).all(|row| self.same_row(row, other, row))
    }
}

impl Eq for Frame {}

impl fmt::Debug for Frame {
    /// The text of the rows, so that a failing test shows a screen.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = (0..self.size.rows())
            .map(|row| self.row_text(row))
            .collect();
        f.debug_struct("Frame")
            .field("size", &self.size)
            .field("rows", &rows)
            .field("cursor", &self.cursor)
            .field("title", &self.title)
            .field("modes", &self.modes)
            .finish()
    }
}

/// The links of a frame, each stored once in one buffer.
#[derive(Clone, Default)]
struct Links {
    text: String,
    /// The end of each link in `text`; it starts where the previous one ends.
    ends: Vec<u32>,
    /// The last link; adjacent cells mostly have the same one.
    last: u16,
}

impl Links {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.last = 0;
    }

    fn get(&self, id: u16) -> Option<&str> {
        let index = usize::from(id).checked_sub(1)?;
        let end = *self.ends.get(index)? as usize;
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }

    fn intern(&mut self, uri: &str) -> u16 {
        // Anything but printable ASCII does not belong in a URI, and could end the escape sequence.
        if uri.is_empty() || !uri.bytes().all(|b| (0x20..0x7f).contains(&b)) {
            return 0;
        }
        if self.get(self.last) != Some(uri) {
            let known = (1..=self.ends.len() as u16).find(|&id| self.get(id) == Some(uri));
            self.last = known.unwrap_or_else(|| self.push(uri));
        }
        self.last
    }

    fn push(&mut self, uri: &str) -> u16 {
        let end = self.text.len() + uri.len();
        let Ok(end) = u32::try_from(end) else {
            return 0;
        };
        if self.ends.len() >= MAX_LINKS {
            return 0;
        }
        self.text.push_str(uri);
        self.ends.push(end);
        self.ends.len() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shellkeep_core::{Attrs, Color};

    fn frame(rows: u16, cols: u16) -> Frame {
        Frame::new(Size::new(rows, cols))
    }

    fn put(frame: &mut Frame, row: u16, col: u16, text: &str, width: u8) {
        frame.put(row, col, text, width, Style::default(), None);
    }

    const RED: Style = Style {
        fg: Color::Default,
        bg: Color::Palette(1),
        underline_color: Color::Default,
        underline: shellkeep_core::Underline::None,
        attrs: Attrs::empty(),
    };

    #[test]
    fn wide_half_covered_is_blanked() {
        for (col, expected) in [(1, " x文"), (2, "文x"), (0, "x 文"), (3, "文 x")] {
            let mut frame = frame(1, 6);
            put(&mut frame, 0, 0, "文", 2);
            put(&mut frame, 0, 2, "文", 2);
            put(&mut frame, 0, col, "x", 1);
            assert_eq!(frame.row_text(0), expected, "at {col}");
        }
    }

    #[test]
    fn wide_over_two_wide_blanks_both_outer_halves() {
        let mut frame = frame(1, 6);
        put(&mut frame, 0, 0, "文", 2);
        put(&mut frame, 0, 2, "文", 2);
        put(&mut frame, 0, 1, "字", 2);
        assert_eq!(frame.row_text(0), " 字");
        assert_eq!(frame.width(0, 3), 1);
    }

    #[test]
    fn wide_in_last_column_is_a_blank_of_its_style() {
        let mut frame = frame(1, 3);
        frame.put(0, 2, "文", 2, RED, None);
        assert_eq!(frame.text(0, 2), " ");
        assert_eq!(frame.style(0, 2), RED);
    }

    #[test]
    fn fill_cuts_wide_characters_at_both_ends() {
        let mut frame = frame(1, 8);
        for col in [0, 2, 4, 6] {
            put(&mut frame, 0, col, "文", 2);
        }
        frame.fill(0, 1, 4, RED);
        assert_eq!(frame.row_text(0), "      文");
        assert_eq!(frame.style(0, 0), Style::default());
        assert_eq!(frame.style(0, 1), RED);
        assert_eq!(frame.style(0, 4), RED);
        assert_eq!(frame.style(0, 5), Style::default());
    }

    #[test]
    fn put_outside_is_ignored() {
        let mut frame = frame(2, 2);
        put(&mut frame, 2, 0, "x", 1);
        put(&mut frame, 0, 2, "x", 1);
        frame.fill(9, 9, 9, RED);
        frame.fill(0, 1, u16::MAX, RED);
        assert_eq!(frame.row_text(0), "");
        assert_eq!(frame.row_text(1), "");
    }

    #[test]
    fn control_and_zero_width_text_is_made_harmless() {
        let mut frame = frame(1, 4);
        put(&mut frame, 0, 0, "\x1b", 1);
        put(&mut frame, 0, 1, "\u{301}", 1);
        put(&mut frame, 0, 2, "a\u{9b}b", 1);
        assert_eq!(frame.text(0, 0), " ");
        assert_eq!(frame.text(0, 1), " ");
        assert_eq!(frame.text(0, 2), "ab");
        frame.set_title("a\x07b\u{9c}c\nd");
        assert_eq!(frame.title(), "abcd");
        frame.put(0, 3, "x", 1, Style::default(), Some("http://a/\x1b\\"));
        assert_eq!(frame.link(0, 3), None);
    }

    #[test]
    fn long_clusters_and_links_compare_by_content() {
        let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
        let mut a = frame(1, 8);
        let mut b = frame(1, 8);
        put(&mut a, 0, 0, "👩\u{200d}👩\u{200d}👦", 2);
        a.put(0, 4, "x", 1, RED, Some("http://one"));
        put(&mut a, 0, 0, family, 2);
        a.put(0, 4, "x", 1, RED, Some("http://two"));
        put(&mut b, 0, 0, family, 2);
        b.put(0, 4, "x", 1, RED, Some("http://two"));
        assert_eq!(a, b);
        b.put(0, 4, "x", 1, RED, Some("http://one"));
        assert_ne!(a, b);
    }

    #[test]
    fn frame_drawn_over_again_does_not_grow() {
        let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
        let mut frame = frame(1, 8);
        for _ in 0..10_000 {
            put(&mut frame, 0, 0, family, 2);
        }
        assert_eq!(frame.text(0, 0), family);
        assert!(frame.arena.len() < 32 * 1024, "{}", frame.arena.len());
    }

    #[test]
    fn blanks_that_look_the_same_are_the_same() {
        let mut a = frame(1, 2);
        a.put(
            0,
            0,
            " ",
            1,
            Style {
                fg: Color::Palette(2),
                attrs: Attrs::BOLD,
                ..Style::default()
            },
            None,
        );
        assert_eq!(a, frame(1, 2));
    }

    #[test]
    fn cursor_outside_is_held_inside() {
        let mut frame = frame(2, 3);
        frame.set_cursor(FrameCursor {
            row: 9,
            col: 9,
            ..FrameCursor::default()
        });
        assert_eq!((frame.cursor().row, frame.cursor().col), (1, 2));
    }
}
