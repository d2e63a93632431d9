//! A shell that marks its prompts draws the last one anew when the size has changed. It does so from where it believes that it
//! began, which is wrong if lines were broken otherwise, if the prompt reached above the screen, or if the size changed again
//! meanwhile (and readline takes a terminal of one column for one of eighty). Its marks say where that really was.

use shellkeep_core::Size;

use super::screen::{Place, Screen, ShellPhase};
use crate::grid::cell::Cell;
use crate::grid::reflow::Line;
use crate::grid::row::Row;
use crate::view::{MARK_END, MARK_OUTPUT, MARK_PROMPT};

/// Lines and rows of a prompt that are looked for in the history.
const MAX_LINES: usize = 16;
const MAX_ROWS: usize = 2000;

/// The rows of the main screen while it gets another size.
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// How many hold text, or the cursor.
    pub(super) used: usize,
    /// The cursor and the place that was saved.
    pub(super) places: [Place; 2],
}

impl Rows {
    /// Puts rows above the others. Says where they begin.
    fn put_above(&mut self, more: Vec<Row>) -> usize {
        let count = more.len();
        self.rows.splice(..0, more);
        self.used += count;
        for place in &mut self.places {
            place.row = place.row.saturating_add(count as u16);
        }
        0
    }
}

/// Where a prompt begins.
enum Start {
    /// So many rows above the cursor.
    At(usize),
    /// Above the screen.
    Above,
    /// Its mark is gone: what is above the cursor is not all of it.
    Unknown,
}

/// Looks for the prompt that the cursor is in, going up. Beyond a command's output it would be another one.
fn start_of_prompt(marks: impl Iterator<Item = u8>) -> Start {
    for (up, mark) in marks.enumerate() {
        if mark & MARK_PROMPT != 0 {
            return Start::At(up);
        }
        if mark & (MARK_OUTPUT | MARK_END) != 0 {
            return Start::Unknown;
        }
    }
    Start::Above
}

impl Screen {
    /// A prompt begins here. Only a shell that tells when commands run is taken at its word that all from
    /// here on is its own to draw: with one that marks nothing but prompts it could be a command's output.
    pub(super) fn prompt_begins(&mut self, redraw: Option<&str>) {
        self.prompt_is_drawn_anew();
        let row = self.place.row;
        let again = self.grid.row(row).mark & MARK_PROMPT != 0;
        // Then what is before it in this line would be taken for a part of it.
        let goes_on = match row.checked_sub(1) {
            Some(above) => self.grid.row(above).wrapped,
            None => self.history.open && !self.alternate,
        };
        self.shell = match self.shell {
            _ if redraw == Some("0") || goes_on => ShellPhase::Unknown,
            ShellPhase::Running => ShellPhase::Prompt,
            // The prompt was drawn anew where it was. After a resize that may happen once more, for an earlier size.
            ShellPhase::Prompt if again => ShellPhase::Prompt,
            ShellPhase::Redraw => ShellPhase::Redraw,
            _ => ShellPhase::Unknown,
        };
    }

    /// If this is the prompt that was there before the size changed: it takes that one's place, wherever the shell thinks that it was.
    pub(super) fn prompt_is_drawn_anew(&mut self) {
        let Some(row) = self.fence() else {
            return;
        };
        self.go(row, 0);
        self.dirty.rows(row, self.last_row());
        let mark = self.grid.row(row).mark;
        self.grid.clear_rows(row, self.last_row(), Cell::BLANK);
        // Where the output of the last command ended stands there as well.
        self.grid.row_mut(row).mark = mark | MARK_PROMPT;
        match row.checked_sub(1) {
            Some(above) => self.grid.row_mut(above).wrapped = false,
            None => self.history.close(),
        }
    }

    /// While a shell is expected to draw its prompt anew: the row in which it began, above which the shell has no business.
    pub(super) fn fence(&self) -> Option<u16> {
        if self.shell != ShellPhase::Redraw || self.alternate {
            return None;
        }
        let above = (0..=self.place.row).rev();
        match start_of_prompt(above.map(|row| self.grid.row(row).mark)) {
            Start::At(up) => Some(self.place.row - up as u16),
            Start::Above => Some(0),
            Start::Unknown => None,
        }
    }

    /// The shell does something else than to draw its prompt anew.
    #[inline]
    pub(super) fn expect_no_redraw(&mut self) {
        if self.shell == ShellPhase::Redraw {
            self.shell = ShellPhase::Prompt;
        }
    }

    /// Prepares the rows of a prompt, which the shell will draw anew, for another size. Says in which row it begins.
    ///
    /// They are kept from being broken or joined anew: the shell goes up as many rows as its prompt had and draws it again, and
    /// what re-wrapping had moved above that would stay for good.
    pub(super) fn prompt_to_resize(&mut self, text: &mut Rows, size: Size) -> Option<usize> {
        if !matches!(self.shell, ShellPhase::Prompt | ShellPhase::Redraw) {
            return None;
        }
        let cursor = usize::from(text.places[0].row).min(text.used - 1);
        let above = text.rows[..=cursor].iter().rev();
        let start = match start_of_prompt(above.map(|row| row.mark)) {
            Start::At(up) => Some(cursor - up),
            Start::Above => self.prompt_in_history().map(|more| text.put_above(more)),
            Start::Unknown => None,
        };
        let Some(start) = start else {
            // Where it began is not known any more, so what is drawn is believed.
            self.shell = ShellPhase::Unknown;
            return None;
        };
        let (old, cols) = (usize::from(self.size.cols()), usize::from(size.cols()));
        let prompt = &mut text.rows[start..text.used];
        let changes = |row: &Row| row.wrapped || row.trimmed().len() > cols;
        // Of one column readline thinks otherwise, and it may not draw again when there are more.
        if old > 1 && old != cols && prompt.iter().any(changes) {
            prompt.iter_mut().for_each(|row| row.refit(cols));
        }
        if !self.alternate {
            self.shell = ShellPhase::Redraw;
        }
        Some(start)
    }

    /// Takes the rows of a prompt that began above the screen back from the history.
    fn prompt_in_history(&mut self) -> Option<Vec<Row>> {
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
            is_found = mark & MARK_PROMPT != 0;
            rows += 1 + line.cells.len() / cols;
            lines.push(line);
            if mark & (MARK_OUTPUT | MARK_END) != 0 {
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
            self.history.push_row(row, cols, &self.tables);
        }
        None
    }
}
