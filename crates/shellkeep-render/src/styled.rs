//! A row of text with `#[…]` in it: status lines, titles of panes, messages.
//!
//! The text is parsed into strips (left, centre, right, the window list and so on), each as long as its text. `arrange`
//! then decides which part of each strip is shown where.

mod arrange;

use std::ops::Range as Span;

use shellkeep_core::style_text::{Align, DefaultChange, List, Range};
use shellkeep_core::width::{self, Tones};
use shellkeep_core::{Style, StyleText};

use crate::canvas::Canvas;
use arrange::{Focus, Piece, Widths};

/// Columns of the row in which a click has a meaning. If two overlap, the first one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClickRange {
    /// The first column, counted from the canvas.
    pub start: u16,
    /// The column after the last.
    pub end: u16,
    pub range: Range,
}

/// The strips into which a text is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Left,
    Centre,
    Right,
    AbsoluteCentre,
    List,
    LeftMarker,
    RightMarker,
    After,
}

const PARTS: usize = 8;

/// A character with the marks that combine with it.
struct Glyph {
    col: u32,
    width: u8,
    text: Span<usize>,
    style: Style,
}

#[derive(Default)]
struct Strip {
    glyphs: Vec<Glyph>,
    width: u32,
}

/// The meaning of a click in columns of a strip.
#[derive(Clone, Copy)]
struct RangeMark {
    part: Part,
    start: u32,
    end: u32,
    range: Range,
}

/// Draws text into a row of the canvas. Columns without text keep their content, so fill the row first. `base` is the
/// style with which the text starts.
pub fn draw_styled(canvas: &mut Canvas<'_>, row: u16, text: &str, base: Style) -> Vec<ClickRange> {
    let Some(read) = StyledReader::new(text, base).read() else {
        return Vec::new();
    };
    let available = u32::from(canvas.rect().cols);
    if let Some(bg) = read.fill {
        let style = Style {
            bg,
            ..Style::default()
        };
        canvas.fill(row, 0, canvas.rect().cols, style);
    }
    let widths = Widths(read.strips.each_ref().map(|strip| strip.width));
    let pieces = arrange::arrange(read.list_align, widths, read.focus, available);
    let mut marks: Vec<_> = read.marks.into_iter().map(|mark| (mark, false)).collect();
    for piece in &pieces {
        draw_piece(canvas, row, text, &read.strips[piece.part as usize], *piece);
        for (mark, placed) in &mut marks {
            if mark.part == piece.part && !*placed {
                *placed = true;
                let end = piece.start + piece.width;
                // A piece may extend beyond the row, where it is not drawn.
                let place = |col: u32| col.clamp(piece.start, end) - piece.start + piece.offset;
                mark.start = place(mark.start).min(available);
                mark.end = place(mark.end).min(available);
            }
        }
    }
    let narrow = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    marks
        .into_iter()
        .filter(|(mark, placed)| *placed && mark.start < mark.end)
        .map(|(mark, _)| ClickRange {
            start: narrow(mark.start),
            end: narrow(mark.end),
            range: mark.range,
        })
        .collect()
}

/// The columns of a text without its instructions.
#[must_use]
pub fn styled_width(text: &str) -> usize {
    let read = StyledReader::new(text, Style::default()).read();
    read.map_or(0, |read| {
        read.strips.iter().map(|strip| strip.width as usize).sum()
    })
}

fn draw_piece(canvas: &mut Canvas<'_>, row: u16, text: &str, strip: &Strip, piece: Piece) {
    let end = piece.start + piece.width;
    for glyph in &strip.glyphs {
        // A wide character that the edge would cut is not drawn.
        if glyph.col < piece.start || glyph.col + u32::from(glyph.width) > end {
            continue;
        }
        let Ok(col) = u16::try_from(piece.offset + glyph.col - piece.start) else {
            return;
        };
        let text = text.get(glyph.text.clone()).unwrap_or(" ");
        canvas.put(row, col, text, glyph.width, glyph.style, None);
    }
}

struct StyledParts {
    strips: [Strip; PARTS],
    list_align: Align,
    focus: Option<Focus>,
    fill: Option<shellkeep_core::Color>,
    marks: Vec<RangeMark>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ListState {
    Before,
    Inside,
    Over,
}

struct StyledReader<'t> {
    text: &'t str,
    at: usize,
    base: Style,
    /// The present meaning of `default`.
    default: Style,
    style: Style,
    align: Align,
    list: List,
    range: Range,
    ignore: bool,
    current: Part,
    list_state: ListState,
    focus_start: Option<u32>,
    focus_end: Option<u32>,
    /// The range that has begun and not ended.
    open: Option<RangeMark>,
    /// The alignment of the text after the window list.
    after: Option<Align>,
    read: StyledParts,
}

impl<'t> StyledReader<'t> {
    fn new(text: &'t str, base: Style) -> Self {
        Self {
            text,
            at: 0,
            base,
            default: base,
            style: base,
            align: Align::None,
            list: List::Off,
            range: Range::None,
            ignore: false,
            current: Part::Left,
            list_state: ListState::Before,
            focus_start: None,
            focus_end: None,
            open: None,
            after: None,
            read: StyledParts {
                strips: Default::default(),
                list_align: Align::None,
                focus: None,
                fill: None,
                marks: Vec::new(),
            },
        }
    }

    /// `None` if an instruction has no end: tmux shows nothing at all then.
    fn read(mut self) -> Option<StyledParts> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let hashes = rest.bytes().take_while(|b| *b == b'#').count();
            let bracket = rest[hashes..].starts_with('[');
            match (hashes, bracket) {
                (0, _) => self.character(),
                (1, true) if self.ignore => self.character(),
                (1, true) => self.instruction()?,
                // A single # at the end is literal.
                (1, false) => self.hashes(1, 1),
                (_, false) => self.hashes(hashes, hashes.div_ceil(2)),
                // Escaped signs, followed by a bracket or an instruction.
                (_, true) if hashes % 2 == 0 => {
                    self.unless_ignored(hashes, hashes / 2);
                    self.unless_ignored(1, 1);
                }
                (_, true) => self.unless_ignored(hashes - 1, hashes / 2),
            }
        }
        self.read.focus = match (self.focus_start, self.focus_end) {
            (Some(start), Some(end)) => Some(Focus { start, end }),
            _ => None,
        };
        Some(self.read)
    }

    /// Takes `skip` bytes and draws the first `count` of them.
    fn hashes(&mut self, skip: usize, count: usize) {
        for at in self.at..self.at + count {
            self.put(at..at + 1, 1);
        }
        self.at += skip;
    }

    fn unless_ignored(&mut self, skip: usize, count: usize) {
        self.hashes(skip, if self.ignore { 0 } else { count });
    }

    fn character(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else {
            return;
        };
        let span = self.at..self.at + c.len_utf8();
        self.at = span.end;
        if c.is_control() {
            return;
        }
        if !self.join(c, &span) {
            self.put(span, width::width(c));
        }
    }

    /// Adds a character to the glyph before it if it joins that, as in a pane.
    fn join(&mut self, c: char, span: &Span<usize>) -> bool {
        let strip = &mut self.read.strips[self.current as usize];
        let last = strip.glyphs.last_mut();
        let Some(last) = last.filter(|last| last.text.end == span.start) else {
            return false;
        };
        let before = &self.text[last.text.clone()];
        if !width::joins_text(before, c, Tones::Apart) {
            return false;
        }
        if last.width == 1 && width::widens(before, c) {
            last.width = 2;
            strip.width += 1;
        }
        last.text.end = span.end;
        true
    }

    fn put(&mut self, text: Span<usize>, width: u8) {
        // A character without columns that joins nothing cannot be shown.
        if width == 0 {
            return;
        }
        let strip = &mut self.read.strips[self.current as usize];
        strip.glyphs.push(Glyph {
            col: strip.width,
            width,
            text,
            style: self.style,
        });
        strip.width += u32::from(width);
    }

    fn instruction(&mut self) -> Option<()> {
        let start = self.at + 2;
        let end = start + end_of_instruction(&self.text[start..])?;
        self.at = end + 1;
        // An invalid style is ignored.
        if let Ok(text) = self.text[start..end].parse::<StyleText>() {
            self.apply(&text);
        }
        Some(())
    }

    fn apply(&mut self, text: &StyleText) {
        let before = self.style;
        self.style = text.change.apply(before, self.default);
        self.align = text.align.unwrap_or(self.align);
        self.list = text.list.unwrap_or(self.list);
        self.range = text.range.unwrap_or(self.range);
        self.ignore = text.ignore.unwrap_or(self.ignore);
        if let Some(fill) = text.fill {
            self.read.fill = Some(fill.color());
        }
        match text.default {
            Some(DefaultChange::Push) => self.default = before,
            Some(DefaultChange::Pop) => self.default = self.base,
            None => {}
        }
        self.follow_list();
        self.follow_range();
    }

    fn width(&self, part: Part) -> u32 {
        self.read.strips[part as usize].width
    }

    fn follow_list(&mut self) {
        match self.list {
            List::On => {
                if self.list_state != ListState::Inside {
                    self.open = None;
                    self.list_state = ListState::Inside;
                    self.read.list_align = self.align;
                }
                self.end_focus();
                self.current = Part::List;
            }
            List::Focus => {
                if self.list_state == ListState::Inside && self.focus_start.is_none() {
                    self.focus_start = Some(self.width(Part::List));
                }
            }
            List::Off => {
                if self.list_state == ListState::Inside {
                    self.open = None;
                    self.end_focus();
                    self.after = Some(self.read.list_align);
                    self.list_state = ListState::Over;
                }
                self.current = self.aligned();
            }
            List::LeftMarker => self.enter_marker(Part::LeftMarker),
            List::RightMarker => self.enter_marker(Part::RightMarker),
        }
    }

    fn end_focus(&mut self) {
        if self.focus_start.is_some() && self.focus_end.is_none() {
            self.focus_end = Some(self.width(Part::List));
        }
    }

    fn enter_marker(&mut self, marker: Part) {
        if self.list_state != ListState::Inside || self.width(marker) != 0 {
            return;
        }
        self.open = None;
        if self.focus_end.is_none() {
            self.focus_start = None;
        }
        self.current = marker;
    }

    /// The strip of text outside the list.
    fn aligned(&self) -> Part {
        let align = match self.align {
            Align::None if self.after == Some(Align::Left) => Align::Left,
            align => align,
        };
        if self.after == Some(align) {
            return Part::After;
        }
        match align {
            Align::None | Align::Left => Part::Left,
            Align::Centre => Part::Centre,
            Align::Right => Part::Right,
            Align::AbsoluteCentre => Part::AbsoluteCentre,
        }
    }

    fn follow_range(&mut self) {
        let here = self.width(self.current);
        if let Some(open) = self.open.filter(|open| open.range != self.range) {
            if here != open.start {
                // One column more than the text has: as in tmux, the gap after a window belongs to it.
                let end = here + 1;
                self.read.marks.push(RangeMark { end, ..open });
            }
            self.open = None;
        }
        if self.open.is_none() && self.range != Range::None {
            self.open = Some(RangeMark {
                part: self.current,
                start: here,
                end: here,
                range: self.range,
            });
        }
    }
}

/// The position of the closing bracket, after any `#{…}` inside.
fn end_of_instruction(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0u32;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'#', Some(b'{')) => {
                depth += 1;
                at += 1;
            }
            (b'#', Some(b',' | b'#' | b'}' | b':')) => at += 1,
            (b'}', _) => depth = depth.saturating_sub(1),
            (b']', _) if depth == 0 => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests;
