//! A shell that marks its prompts draws the last one anew when the size has changed. It does so from where it believes that it
//! began, which is wrong if lines were broken otherwise, if the prompt reached above the screen, or if the size changed again
//! meanwhile (and readline takes a terminal of one column for one of eighty). Its marks say where that really was.
//!
//! So the rows of a prompt are broken anew like any text, which is right if the shell draws nothing, and from then on it is held
//! to them: it cannot get above them, and when it begins to draw, it begins where the prompt began, with nothing left of it.
//!
//! One that marks nothing, such as on another machine, is at least kept from what is above the row in which it began to read a line.

use super::screen::{Place, Screen, ShellPhase};
use crate::grid::cell::Cell;
use crate::grid::reflow::Line;
use crate::grid::row::Row;
use crate::view::{MARK_END, MARK_INPUT, MARK_OUTPUT, MARK_PROMPT};

/// On the row in which a program began to read a line without marking a prompt. Nobody else needs it.
const MARK_LINE: u8 = 16;

/// Lines and rows of a prompt that are looked for in the history: readline breaks lines of its own at times, so there can be as
/// many of these as of those.
const MAX_LINES: usize = 2000;
const MAX_ROWS: usize = 4000;

/// The rows of the main screen while it gets another size.
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// How many hold text, or the cursor.
    pub(super) used: usize,
    /// The cursor and the place that was saved.
    pub(super) places: [Place; 2],
}

impl Rows {
    /// Puts rows above the others.
    fn put_above(&mut self, more: Vec<Row>) {
        let count = more.len();
        self.rows.splice(..0, more);
        self.used += count;
        for place in &mut self.places {
            place.row = place.row.saturating_add(count as u16);
        }
    }
}

/// Where the shell's prompt is, as far as that has to be remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PromptPlace {
    /// The column in which it began: before it is what a command left there without ending the line.
    pub(crate) col: u16,
    /// The row in which it began when the size last changed.
    pub(crate) row: u16,
    /// The row in which its last line began then.
    pub(crate) line: u16,
}

/// Where a prompt begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// So many rows above the cursor.
    At(usize),
    /// Above the screen.
    Above,
    /// Its mark is gone: what is above the cursor is not all of it.
    Unknown,
}

/// What the rows at and above the cursor tell of the prompt that it is in.
struct Found {
    start: Start,
    /// How many rows above the cursor its last line begins, the one at whose end one types. Readline draws no other anew.
    line: Option<usize>,
}

/// Looks for the prompt that the cursor is in, going up. Beyond a command's output it would be another one.
fn look_up<'a>(rows: impl Iterator<Item = &'a Row>) -> Found {
    let mut line = None;
    let mut goes_on = false;
    for (up, row) in rows.enumerate() {
        goes_on &= row.wrapped;
        if goes_on {
            line = Some(up);
        }
        if row.mark & MARK_INPUT != 0 && line.is_none() {
            (line, goes_on) = (Some(up), true);
        }
        if row.mark & MARK_PROMPT != 0 {
            let start = Start::At(up);
            return Found { start, line };
        }
        if row.mark & (MARK_OUTPUT | MARK_END) != 0 {
            let start = Start::Unknown;
            return Found { start, line };
        }
    }
    let start = Start::Above;
    Found { start, line }
}

impl Screen {
    /// A prompt begins here. Only a shell that tells when commands have ended is taken at its word that all from
    /// here on is its own to draw: with one that marks nothing but prompts it could be a command's output.
    pub(super) fn prompt_begins(&mut self, redraw: Option<&str>) {
        self.prompt_is_drawn_anew();
        // Then what is before it in this line would be taken for a part of it.
        let goes_on = match self.place.row.checked_sub(1) {
            Some(above) => self.grid.row(above).wrapped,
            None => self.history.open && !self.alternate,
        };
        self.shell = match self.shell {
            _ if redraw == Some("0") || goes_on => ShellPhase::Unknown,
            ShellPhase::Ended => ShellPhase::Prompt,
            same => same,
        };
        self.prompt.col = match self.place.pending {
            // It begins in the next row, as soon as something of it is printed.
            true => self.size.cols(),
            false => self.place.col,
        };
    }

    /// If this is the prompt that was there before the size changed: it takes that one's place, wherever the shell thinks that it was.
    pub(super) fn prompt_is_drawn_anew(&mut self) {
        if !self.is_redraw_due() {
            return;
        }
        let row = match self.prompt_above().start {
            Start::At(up) => self.place.row - up as u16,
            Start::Above if self.forget_prompt_in_history(MARK_PROMPT) => 0,
            Start::Above | Start::Unknown => return,
        };
        let mark = self.grid.row(row).mark & !MARK_INPUT;
        self.clear_prompt(row);
        // Where the output of the last command ended stands there as well.
        self.grid.row_mut(row).mark = mark | MARK_PROMPT;
        self.go(row, 0);
        self.take_back(self.prompt.row.saturating_sub(row));
    }

    /// One types from here on. If only the last line of a prompt was drawn anew, it takes the place of that one.
    pub(super) fn input_begins(&mut self) {
        if !self.is_redraw_due() {
            return;
        }
        let Found { start, line } = self.prompt_above();
        let at = match (start, line) {
            (Start::Unknown, _) => return,
            (Start::Above, Some(up)) if up == usize::from(self.place.row) => {
                // The line may begin above the screen.
                if self.history.open {
                    self.history.pop_line(&mut self.tables);
                }
                0
            }
            (_, Some(up)) => self.place.row - up as u16,
            (Start::At(_), None) => return,
            (Start::Above, None) if self.forget_prompt_in_history(MARK_INPUT) => 0,
            (Start::Above, None) => return,
        };
        // The rows that were just drawn.
        let mut first = self.place.row;
        while first > at && self.grid.row(first - 1).wrapped {
            first -= 1;
        }
        let mark = self.grid.row(at).mark;
        self.dirty.rows(at, self.last_row());
        if first > at {
            let last = self.last_row();
            self.grid.scroll_up(at, last, first - at, Cell::BLANK);
            self.place.row -= first - at;
        }
        self.grid.row_mut(at).mark = mark;
        self.close_above(at);
        let (row, col) = (self.place.row, usize::from(self.place.col));
        if !self.place.pending {
            let cols = self.cols();
            self.grid.row_mut(row).erase(col, cols, Cell::BLANK, cols);
        }
        if row < self.last_row() {
            self.grid.clear_rows(row + 1, self.last_row(), Cell::BLANK);
        }
        self.take_back(self.prompt.line.saturating_sub(at));
    }

    /// Whether the shell is expected to draw its prompt anew.
    fn is_redraw_due(&self) -> bool {
        self.shell == ShellPhase::Redraw && !self.alternate
    }

    /// Whether the screen shows nothing but a prompt that is about to be drawn anew.
    pub(super) fn is_all_prompt(&mut self) -> bool {
        if !self.is_redraw_due() {
            return false;
        }
        match self.prompt_above().start {
            Start::At(up) => up == usize::from(self.place.row),
            Start::Above => {
                let rows = self.take_prompt_from_history(MARK_PROMPT);
                let cols = self.cols();
                for row in rows.iter().flatten() {
                    self.history.put_row(row, cols, &self.tables);
                }
                rows.is_some()
            }
            Start::Unknown => false,
        }
    }

    fn prompt_above(&self) -> Found {
        look_up((0..=self.place.row).rev().map(|row| self.grid.row(row)))
    }

    /// Erases a prompt from its first row on.
    fn clear_prompt(&mut self, row: u16) {
        self.dirty.rows(row, self.last_row());
        self.grid.clear_rows(row, self.last_row(), Cell::BLANK);
        self.close_above(row);
    }

    /// What is in a row does not go on what is above it.
    pub(super) fn close_above(&mut self, row: u16) {
        match row.checked_sub(1) {
            Some(above) => self.grid.row_mut(above).wrapped = false,
            None if !self.alternate => self.history.close(),
            None => {}
        }
    }

    /// Takes rows back from the history that a prompt drawn for another size has pushed there. What is at the bottom is erased.
    fn take_back(&mut self, count: u16) {
        let room = self.last_row() - self.place.row;
        let wanted = usize::from(count.min(room));
        let cols = self.cols();
        let mut rows: Vec<Row> = Vec::new();
        while rows.len() < wanted {
            let is_open = self.history.open;
            let Some(line) = self.history.pop_line(&mut self.tables) else {
                break;
            };
            let mut more = line.into_rows(cols);
            if let Some(last) = more.last_mut() {
                last.wrapped = is_open;
            }
            let extra = (rows.len() + more.len()).saturating_sub(wanted);
            for row in more.drain(..extra) {
                self.history.put_row(&row, cols, &self.tables);
            }
            more.append(&mut rows);
            rows = more;
        }
        let count = rows.len() as u16;
        if count == 0 {
            return;
        }
        self.grid
            .scroll_down(0, self.last_row(), count, Cell::BLANK);
        for (at, row) in rows.into_iter().enumerate() {
            *self.grid.row_mut(at as u16) = row;
        }
        self.place.row += count;
        self.dirty.rows(0, self.last_row());
    }

    /// A program begins to read a line. Most shells tell so, also those that mark nothing.
    pub(super) fn line_begins(&mut self) {
        let is_known = !matches!(self.shell, ShellPhase::Unknown | ShellPhase::Reading);
        if is_known || self.alternate {
            return;
        }
        self.shell = ShellPhase::Reading;
        let row = self.place.row;
        self.grid.row_mut(row).mark |= MARK_LINE;
    }

    /// It has one, and does something with it.
    pub(super) fn line_ends(&mut self) {
        self.expect_no_redraw();
        if self.shell == ShellPhase::Reading {
            self.shell = ShellPhase::Unknown;
        }
    }

    /// While a shell is expected to draw its prompt anew: the row in which what it may draw begins, above which it has no business.
    pub(super) fn fence(&self) -> Option<u16> {
        if self.shell == ShellPhase::Reread && !self.alternate {
            let mut above = (0..=self.place.row).rev();
            return above.find(|row| self.grid.row(*row).mark & MARK_LINE != 0);
        }
        if !self.is_redraw_due() {
            return None;
        }
        let Found { start, line } = self.prompt_above();
        match (start, line) {
            (Start::Unknown, _) => None,
            (_, Some(up)) | (Start::At(up), None) => Some(self.place.row - up as u16),
            (Start::Above, None) => Some(0),
        }
    }

    /// The shell does something else than to draw its prompt anew.
    #[inline]
    pub(super) fn expect_no_redraw(&mut self) {
        match self.shell {
            ShellPhase::Redraw => self.shell = ShellPhase::Prompt,
            ShellPhase::Reread => self.shell = ShellPhase::Reading,
            _ => {}
        }
    }

    /// Looks for the prompt on a screen that gets another size, because the shell will draw it anew then. What of it is in the
    /// history comes back. Says in which row it begins, and in which its last line does.
    pub(super) fn prompt_to_resize(&mut self, text: &mut Rows) -> Option<[usize; 2]> {
        if self.shell == ShellPhase::Reading && !self.alternate {
            self.shell = ShellPhase::Reread;
        }
        if !matches!(self.shell, ShellPhase::Prompt | ShellPhase::Redraw) {
            return None;
        }
        let at_cursor = |text: &Rows| usize::from(text.places[0].row).min(text.used - 1);
        let mut cursor = at_cursor(text);
        let mut found = look_up(text.rows[..=cursor].iter().rev());
        if found.start == Start::Above && self.history.lines() == 0 {
            // Nothing is kept there, or somebody has cleared it.
            text.rows[0].mark |= MARK_PROMPT;
            found.start = Start::At(cursor);
        } else if found.start == Start::Above
            && let Some(more) = self.take_prompt_from_history(MARK_PROMPT)
        {
            text.put_above(more);
            cursor = at_cursor(text);
            found = look_up(text.rows[..=cursor].iter().rev());
        }
        let Start::At(up) = found.start else {
            // Where it began is not known any more, so what is drawn is believed.
            self.shell = ShellPhase::Unknown;
            return None;
        };
        if !self.alternate {
            self.shell = ShellPhase::Redraw;
        }
        Some([cursor - up, cursor - found.line.unwrap_or(up)])
    }

    /// Drops the rows of a prompt that are in the history, from the line with a mark on. False if there is none.
    fn forget_prompt_in_history(&mut self, wanted: u8) -> bool {
        self.take_prompt_from_history(wanted).is_some()
    }

    /// Takes the rows of a prompt that are above the screen back from the history, from the line with a mark on.
    fn take_prompt_from_history(&mut self, wanted: u8) -> Option<Vec<Row>> {
        let cols = usize::from(self.size.cols());
        let is_open = self.history.open;
        let mut lines: Vec<Line> = Vec::new();
        let mut rows = 0;
        let mut is_found = false;
        while !is_found && lines.len() < MAX_LINES && rows < MAX_ROWS {
            let Some(line) = self.history.pop_line(&mut self.tables) else {
                break;
            };
            let mark = line.mark;
            is_found = mark & wanted != 0;
            rows += 1 + line.cells.len() / cols;
            lines.push(line);
            if mark & (MARK_PROMPT | MARK_OUTPUT | MARK_END) != 0 {
                break;
            }
        }
        let lines = lines.into_iter().rev();
        let mut rows: Vec<Row> = lines.flat_map(|line| line.into_rows(cols)).collect();
        if let Some(last) = rows.last_mut() {
            last.wrapped = is_open;
        }
        if is_found {
            return Some(rows);
        }
        for row in &rows {
            self.history.put_row(row, cols, &self.tables);
        }
        None
    }
}
