//! Keeps a shell's prompt in place when the size changes.
//!
//! A shell that marks its prompts (OSC 133) draws the last one anew after a resize. It begins where it believes that the prompt began.
//! That is wrong if lines were wrapped otherwise, if the prompt reached above the screen, or if the size changed again meanwhile
//! (and readline takes a terminal of one column for one of eighty). The marks say where the prompt really began.
//!
//! So the rows of a prompt are re-wrapped like any text, which is right if the shell draws nothing. From then on the shell is
//! confined to them: it cannot move above them, and when it begins to draw, the old prompt is erased and the new one begins in its
//! first row.
//!
//! A shell that sends no marks, such as one on another machine, is at least kept from moving above the row in which it began to
//! read a line.

use super::cursor::CursorPosition;
use super::screen::Screen;
use crate::grid::cell::Cell;
use crate::grid::row::Row;
use crate::view::{MARK_END, MARK_INPUT, MARK_OUTPUT, MARK_PROMPT};

/// On the row in which a program began to read a line without marking a prompt. It is not among the marks that `view` shows.
const MARK_LINE: u8 = 16;

/// The rows of the main screen while it gets another size.
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// How many hold text, or the cursor.
    pub(super) used: usize,
    /// The cursor and the place that was saved.
    pub(super) places: [CursorPosition; 2],
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
pub(crate) struct PromptPosition {
    /// The column in which it began: before it is what a command left there without ending the line.
    pub(crate) col: u16,
    /// The row in which it began when the size last changed.
    pub(crate) row: u16,
    /// The row in which its last line began then.
    pub(crate) line: u16,
}

/// What the shell is doing, by its marks (OSC 133) or, without marks, by bracketed paste.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ShellPhase {
    /// The shell sends no marks, or none when commands end, or a command runs.
    #[default]
    Unknown = 0,
    /// A command has ended: a prompt will follow.
    Ended = 1,
    /// The shell shows a prompt, which it will draw anew when the size changes.
    Prompt = 2,
    /// The size has changed, and the prompt was not drawn anew yet.
    Redraw = 3,
    /// The shell sends no marks, but reads a line: it has switched bracketed paste on.
    Reading = 4,
    /// As `Reading`, and the size has changed since.
    Reread = 5,
}

/// A shell's last prompt: whether it is shown, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellPrompt {
    pub(crate) phase: ShellPhase,
    pub(crate) position: PromptPosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PromptStart {
    /// The prompt begins so many rows above the cursor.
    At(usize),
    Above,
    /// The prompt's first row is unknown: its mark is gone.
    Unknown,
}

/// What the rows at and above the cursor tell of the prompt that it is in.
struct PromptRows {
    start: PromptStart,
    /// How many rows above the cursor the prompt's last line begins, at whose end the user types. Readline redraws only that line.
    line: Option<usize>,
}

/// Looks for the prompt that the cursor is in, going up. A prompt above a command's output is another one.
fn look_up<'a>(rows: impl Iterator<Item = &'a Row>) -> PromptRows {
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
            let start = PromptStart::At(up);
            return PromptRows { start, line };
        }
        if row.mark & (MARK_OUTPUT | MARK_END) != 0 {
            let start = PromptStart::Unknown;
            return PromptRows { start, line };
        }
    }
    let start = PromptStart::Above;
    PromptRows { start, line }
}

impl ShellPrompt {
    /// A prompt begins here. Only a shell that tells when commands have ended is taken at its word that all from
    /// here on is its own to draw: with one that marks nothing but prompts it could be a command's output.
    pub(super) fn prompt_begins(&mut self, screen: &mut Screen, redraw: Option<&str>) {
        self.prompt_is_drawn_anew(screen);
        // Then what is before it in this line would be taken for a part of it.
        let goes_on = match screen.cursor.row.checked_sub(1) {
            Some(above) => screen.canvas.grid.row(above).wrapped,
            None => screen.canvas.history.open && !screen.canvas.alternate,
        };
        self.phase = match self.phase {
            _ if redraw == Some("0") || goes_on => ShellPhase::Unknown,
            ShellPhase::Ended => ShellPhase::Prompt,
            same => same,
        };
        self.position.col = match screen.cursor.pending {
            // The wrap is pending: the prompt begins in the next row, with its first character.
            true => screen.margins.size.cols(),
            false => screen.cursor.col,
        };
    }

    /// Moves a prompt that is drawn anew after a resize to where the old one began, wherever the shell believes that to be.
    pub(super) fn prompt_is_drawn_anew(&self, screen: &mut Screen) {
        if !self.is_redraw_due(screen) {
            return;
        }
        let row = match prompt_above(screen).start {
            PromptStart::At(up) => screen.cursor.row - up as u16,
            PromptStart::Above
                if screen
                    .canvas
                    .forget_prompt(MARK_PROMPT, screen.margins.cols()) =>
            {
                0
            }
            PromptStart::Above | PromptStart::Unknown => return,
        };
        let mark = screen.canvas.grid.row(row).mark & !MARK_INPUT;
        clear_prompt(screen, row);
        // The row also has the mark at which the output of the last command ended.
        screen.canvas.grid.row_mut(row).mark = mark | MARK_PROMPT;
        screen.go(row, 0);
        take_back(screen, self.position.row.saturating_sub(row));
    }

    /// The user types from here on. If only the last line of a prompt was drawn anew, it replaces the old one.
    pub(super) fn input_begins(&self, screen: &mut Screen) {
        if !self.is_redraw_due(screen) {
            return;
        }
        let PromptRows { start, line } = prompt_above(screen);
        let at = match (start, line) {
            (PromptStart::Unknown, _) => return,
            (PromptStart::Above, Some(up)) if up == usize::from(screen.cursor.row) => {
                // The line may begin above the screen.
                if screen.canvas.history.open {
                    screen.canvas.history.pop_line(&mut screen.canvas.tables);
                }
                0
            }
            (_, Some(up)) => screen.cursor.row - up as u16,
            (PromptStart::At(_), None) => return,
            (PromptStart::Above, None)
                if screen
                    .canvas
                    .forget_prompt(MARK_INPUT, screen.margins.cols()) =>
            {
                0
            }
            (PromptStart::Above, None) => return,
        };
        // The rows that were just drawn.
        let mut first = screen.cursor.row;
        while first > at && screen.canvas.grid.row(first - 1).wrapped {
            first -= 1;
        }
        let mark = screen.canvas.grid.row(at).mark;
        screen.canvas.dirty.rows(at, screen.margins.last_row());
        if first > at {
            let last = screen.margins.last_row();
            screen
                .canvas
                .grid
                .scroll_up(at, last, first - at, Cell::BLANK);
            screen.cursor.row -= first - at;
        }
        screen.canvas.grid.row_mut(at).mark = mark;
        screen.canvas.close_above(at);
        let (row, col) = (screen.cursor.row, usize::from(screen.cursor.col));
        if !screen.cursor.pending {
            let cols = screen.margins.cols();
            screen
                .canvas
                .grid
                .row_mut(row)
                .erase(col, cols, Cell::BLANK, cols);
        }
        if row < screen.margins.last_row() {
            screen
                .canvas
                .grid
                .clear_rows(row + 1, screen.margins.last_row(), Cell::BLANK);
        }
        take_back(screen, self.position.line.saturating_sub(at));
    }

    /// Whether the shell is expected to draw its prompt anew.
    fn is_redraw_due(&self, screen: &Screen) -> bool {
        self.phase == ShellPhase::Redraw && !screen.canvas.alternate
    }

    /// Whether the screen shows nothing but a prompt that is about to be drawn anew.
    pub(super) fn is_all_prompt(&self, screen: &mut Screen) -> bool {
        if !self.is_redraw_due(screen) {
            return false;
        }
        match prompt_above(screen).start {
            PromptStart::At(up) => up == usize::from(screen.cursor.row),
            PromptStart::Above => {
                let rows = screen
                    .canvas
                    .take_prompt(MARK_PROMPT, screen.margins.cols());
                let cols = screen.margins.cols();
                for row in rows.iter().flatten() {
                    screen
                        .canvas
                        .history
                        .put_row(row, cols, &screen.canvas.tables);
                }
                rows.is_some()
            }
            PromptStart::Unknown => false,
        }
    }

    /// A program has switched bracketed paste on, so it begins to read a line. Most shells do, also those that send no marks.
    pub(super) fn line_begins(&mut self, screen: &mut Screen) {
        let is_known = !matches!(self.phase, ShellPhase::Unknown | ShellPhase::Reading);
        if is_known || screen.canvas.alternate {
            return;
        }
        self.phase = ShellPhase::Reading;
        let row = screen.cursor.row;
        screen.canvas.grid.row_mut(row).mark |= MARK_LINE;
    }

    /// The program has read its line, and goes on.
    pub(super) fn line_ends(&mut self) {
        self.expect_no_redraw();
        if self.phase == ShellPhase::Reading {
            self.phase = ShellPhase::Unknown;
        }
    }

    /// While a shell is expected to draw its prompt anew: the row in which what it may draw begins, above which it must not write.
    pub(super) fn fence(&self, screen: &Screen) -> Option<u16> {
        if self.phase == ShellPhase::Reread && !screen.canvas.alternate {
            let mut above = (0..=screen.cursor.row).rev();
            return above.find(|row| screen.canvas.grid.row(*row).mark & MARK_LINE != 0);
        }
        if !self.is_redraw_due(screen) {
            return None;
        }
        let PromptRows { start, line } = prompt_above(screen);
        match (start, line) {
            (PromptStart::Unknown, _) => None,
            (_, Some(up)) | (PromptStart::At(up), None) => Some(screen.cursor.row - up as u16),
            (PromptStart::Above, None) => Some(0),
        }
    }

    /// The program does something else than to draw a prompt anew, so no redraw is expected any more.
    #[inline]
    pub(super) fn expect_no_redraw(&mut self) {
        match self.phase {
            ShellPhase::Redraw => self.phase = ShellPhase::Prompt,
            ShellPhase::Reread => self.phase = ShellPhase::Reading,
            _ => {}
        }
    }

    /// Looks for the prompt on a screen that gets another size, because the shell will draw it anew then. What of it is in the
    /// history comes back. Says in which row it begins, and in which its last line does.
    pub(super) fn prompt_to_resize(
        &mut self,
        screen: &mut Screen,
        text: &mut Rows,
    ) -> Option<[usize; 2]> {
        if self.phase == ShellPhase::Reading && !screen.canvas.alternate {
            self.phase = ShellPhase::Reread;
        }
        if !matches!(self.phase, ShellPhase::Prompt | ShellPhase::Redraw) {
            return None;
        }
        let at_cursor = |text: &Rows| usize::from(text.places[0].row).min(text.used - 1);
        let mut cursor = at_cursor(text);
        let mut found = look_up(text.rows[..=cursor].iter().rev());
        if found.start == PromptStart::Above && screen.canvas.history.lines() == 0 {
            // The history is off, or was cleared.
            text.rows[0].mark |= MARK_PROMPT;
            found.start = PromptStart::At(cursor);
        } else if found.start == PromptStart::Above
            && let Some(more) = screen
                .canvas
                .take_prompt(MARK_PROMPT, screen.margins.cols())
        {
            text.put_above(more);
            cursor = at_cursor(text);
            found = look_up(text.rows[..=cursor].iter().rev());
        }
        let PromptStart::At(up) = found.start else {
            // Where the prompt began is not known any more, so the shell's own position is taken.
            self.phase = ShellPhase::Unknown;
            return None;
        };
        if !screen.canvas.alternate {
            self.phase = ShellPhase::Redraw;
        }
        Some([cursor - up, cursor - found.line.unwrap_or(up)])
    }
}

fn prompt_above(screen: &Screen) -> PromptRows {
    look_up(
        (0..=screen.cursor.row)
            .rev()
            .map(|row| screen.canvas.grid.row(row)),
    )
}

/// Erases a prompt from its first row on.
fn clear_prompt(screen: &mut Screen, row: u16) {
    screen.canvas.dirty.rows(row, screen.margins.last_row());
    screen
        .canvas
        .grid
        .clear_rows(row, screen.margins.last_row(), Cell::BLANK);
    screen.canvas.close_above(row);
}

/// Takes rows back from the history that a prompt drawn for another size has pushed there. What is at the bottom is erased.
fn take_back(screen: &mut Screen, count: u16) {
    let room = screen.margins.last_row() - screen.cursor.row;
    let wanted = usize::from(count.min(room));
    let cols = screen.margins.cols();
    let mut rows: Vec<Row> = Vec::new();
    while rows.len() < wanted {
        let is_open = screen.canvas.history.open;
        let Some(line) = screen.canvas.history.pop_line(&mut screen.canvas.tables) else {
            break;
        };
        let mut more = line.into_rows(cols);
        if let Some(last) = more.last_mut() {
            last.wrapped = is_open;
        }
        let extra = (rows.len() + more.len()).saturating_sub(wanted);
        for row in more.drain(..extra) {
            screen
                .canvas
                .history
                .put_row(&row, cols, &screen.canvas.tables);
        }
        more.append(&mut rows);
        rows = more;
    }
    let count = rows.len() as u16;
    if count == 0 {
        return;
    }
    screen
        .canvas
        .grid
        .scroll_down(0, screen.margins.last_row(), count, Cell::BLANK);
    for (at, row) in rows.into_iter().enumerate() {
        *screen.canvas.grid.row_mut(at as u16) = row;
    }
    screen.cursor.row += count;
    screen.canvas.dirty.rows(0, screen.margins.last_row());
}
