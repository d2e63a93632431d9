//! Keeps a shell's prompt in place when the size changes.
//!
//! A shell that marks its prompts (OSC 133) redraws the last one after a resize, and starts where it believes that the
//! prompt began. That is wrong if lines were wrapped in another way, if the prompt reached above the screen, or if the
//! size changed again meanwhile (and readline treats a terminal of one column as one of eighty). The marks record where
//! the prompt really began.
//!
//! The rows of a prompt are re-wrapped like other text, which is right if the shell redraws nothing. After that the
//! shell is confined to these rows: it cannot move above them, and when it starts to redraw, the old prompt is erased
//! and the new one begins in its first row.
//!
//! A shell without marks, such as one on another machine, is only kept from moving above the row in which it began to
//! read a line.

use super::cursor::CursorPosition;
use super::screen::Screen;
use crate::grid::cell::Cell;
use crate::grid::row::Row;
use crate::view::{MARK_END, MARK_INPUT, MARK_OUTPUT, MARK_PROMPT};

/// Set on the row in which a program without prompt marks began to read a line. `view` does not show it.
const MARK_LINE: u8 = 16;

/// The rows of the main screen during a resize.
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// The number of rows up to the last one with text or the cursor.
    pub(super) used: usize,
    /// The positions of the cursor and the saved cursor.
    pub(super) places: [CursorPosition; 2],
}

impl Rows {
    /// Inserts rows above the others.
    fn put_above(&mut self, more: Vec<Row>) {
        let count = more.len();
        self.rows.splice(..0, more);
        self.used += count;
        for place in &mut self.places {
            place.row = place.row.saturating_add(count as u16);
        }
    }
}

/// Where the shell's prompt is, for what its marks on the rows do not record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PromptPosition {
    /// The column in which the prompt began. Output of a command without a final newline is before it.
    pub(crate) col: u16,
    /// The row in which the prompt began when the size last changed.
    pub(crate) row: u16,
    /// The row in which the prompt's last line began when the size last changed.
    pub(crate) line: u16,
}

/// What the shell is doing, according to its marks (OSC 133) or, without marks, to bracketed paste.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ShellPhase {
    /// The shell sends no marks, or none at the end of a command, or a command is running.
    #[default]
    Unknown = 0,
    /// A command has ended: a prompt will follow.
    Ended = 1,
    /// The shell shows a prompt, which it will redraw when the size changes.
    Prompt = 2,
    /// The size has changed, and the shell has not redrawn the prompt yet.
    Redraw = 3,
    /// The shell sends no marks, but has switched bracketed paste on, so it is reading a line.
    Reading = 4,
    /// As `Reading`, and the size has changed since.
    Reread = 5,
}

/// The state of a shell's last prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellPrompt {
    pub(crate) phase: ShellPhase,
    pub(crate) position: PromptPosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PromptStart {
    /// The prompt begins this many rows above the cursor.
    At(usize),
    Above,
    /// The mark on the prompt's first row is gone.
    Unknown,
}

/// What the marks on the rows at and above the cursor record of the prompt.
struct PromptRows {
    start: PromptStart,
    /// How many rows above the cursor the prompt's last line begins, in which the user types. Readline redraws only
    /// that line.
    line: Option<usize>,
}

/// Searches upwards for the prompt that the cursor is in. Stops at the output of a command, because a prompt above that
/// is another one.
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
    /// A prompt begins here. It is redrawn after a resize only if the shell marks the ends of commands as well: with a
    /// shell that marks nothing but prompts, the rows below could be output of a command.
    pub(super) fn prompt_begins(&mut self, screen: &mut Screen, redraw: Option<&str>) {
        self.prompt_is_drawn_anew(screen);
        // In that case, text in front of the prompt would count as a part of it.
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
            // A wrap is pending, so the prompt begins in the next row, with its first character.
            true => screen.margins.size.cols(),
            false => screen.cursor.col,
        };
    }

    /// Moves a prompt that the shell redraws after a resize to where the old one began, wherever the shell has put the
    /// cursor.
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
        // The row also has the mark of the end of the last command.
        screen.canvas.grid.row_mut(row).mark = mark | MARK_PROMPT;
        screen.go(row, 0);
        take_back(screen, self.position.row.saturating_sub(row));
    }

    /// The user's input begins here. If only the last line of the prompt was redrawn, it replaces the old last line.
    pub(super) fn input_begins(&self, screen: &mut Screen) {
        if !self.is_redraw_due(screen) {
            return;
        }
        let PromptRows { start, line } = prompt_above(screen);
        let at = match (start, line) {
            (PromptStart::Unknown, _) => return,
            (PromptStart::Above, Some(up)) if up == usize::from(screen.cursor.row) => {
                // The prompt's last line may begin above the screen.
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
        // The first of the rows that were just drawn.
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

    /// Whether the shell is expected to redraw its prompt.
    fn is_redraw_due(&self, screen: &Screen) -> bool {
        self.phase == ShellPhase::Redraw && !screen.canvas.alternate
    }

    /// Whether the screen shows nothing but a prompt that is about to be redrawn.
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

    /// A program has switched bracketed paste on, so it begins to read a line. Most shells do, including those without
    /// marks.
    pub(super) fn line_begins(&mut self, screen: &mut Screen) {
        let is_known = !matches!(self.phase, ShellPhase::Unknown | ShellPhase::Reading);
        if is_known || screen.canvas.alternate {
            return;
        }
        self.phase = ShellPhase::Reading;
        let row = screen.cursor.row;
        screen.canvas.grid.row_mut(row).mark |= MARK_LINE;
    }

    pub(super) fn line_ends(&mut self) {
        self.expect_no_redraw();
        if self.phase == ShellPhase::Reading {
            self.phase = ShellPhase::Unknown;
        }
    }

    /// The first row that the shell may write to while it is expected to redraw its prompt.
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

    /// The program does something other than redraw its prompt, so no redraw is expected any more.
    #[inline]
    pub(super) fn expect_no_redraw(&mut self) {
        match self.phase {
            ShellPhase::Redraw => self.phase = ShellPhase::Prompt,
            ShellPhase::Reread => self.phase = ShellPhase::Reading,
            _ => {}
        }
    }

    /// Finds the prompt on a screen that is being resized, because the shell will redraw it. Rows of it that are in the
    /// history come back. Returns the rows in which the prompt and its last line begin.
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
            // The row with the mark is gone, because the history is off or was cleared.
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
            // It is no longer known where the prompt began, so the shell's own position has to do.
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

fn clear_prompt(screen: &mut Screen, row: u16) {
    screen.canvas.dirty.rows(row, screen.margins.last_row());
    screen
        .canvas
        .grid
        .clear_rows(row, screen.margins.last_row(), Cell::BLANK);
    screen.canvas.close_above(row);
}

/// Takes back rows that a prompt, redrawn for another size, has pushed into the history. The rows at the bottom are
/// erased.
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
