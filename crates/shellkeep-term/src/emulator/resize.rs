//! Resizing: the main screen is re-wrapped, the alternate screen is cut or filled.

use shellkeep_core::Size;

use super::cursor::CursorPosition;
use super::prompt::{PromptPosition, Rows, ShellPrompt};
use super::screen::Screen;
use crate::grid::Grid;
use crate::grid::reflow::{Line, row_end};
use crate::grid::row::Row;

/// A position in logical lines: which line, and how many cells into it.
#[derive(Clone, Copy, Debug)]
struct TextPosition {
    line: usize,
    offset: usize,
    /// A wrap is pending: the position is behind the cell.
    pending: bool,
}

/// The screen's text as logical lines, and positions in it to follow.
struct LogicalText {
    lines: Vec<Line>,
    /// The cursor, the saved cursor, where a prompt begins, and where its last line begins.
    spots: [TextPosition; 4],
}

impl Screen {
    pub(crate) fn resize(&mut self, size: Size, shell: &mut ShellPrompt) {
        if size == self.margins.size {
            return;
        }
        if self.canvas.alternate {
            let saved = self.saved[0].position;
            let main = self
                .canvas
                .other
                .take()
                .unwrap_or_else(|| Grid::new(self.margins.size));
            let (main, [place, _]) = self.reflow(main, size, [saved, saved], shell);
            self.canvas.other = Some(main);
            self.saved[0].position = place;
            let above = self.canvas.grid.resize_plain(size, self.cursor.row);
            self.cursor = moved(self.cursor, above, size);
            self.saved[1].position = moved(self.saved[1].position, above, size);
        } else {
            let grid = std::mem::replace(&mut self.canvas.grid, Grid::new(Size::new(1, 1)));
            let (grid, [place, saved]) =
                self.reflow(grid, size, [self.cursor, self.saved[0].position], shell);
            self.canvas.grid = grid;
            self.cursor = place;
            self.saved[0].position = saved;
            // The saved cursor of the alternate screen survives when that screen does not.
            let saved = self.saved[1].position;
            let other = self.canvas.other.as_mut();
            let above = other.map_or(0, |other| other.resize_plain(size, saved.row));
            self.saved[1].position = moved(saved, above, size);
        }
        self.margins.size = size;
        self.margins.reset();
        self.canvas.dirty.resize(size.rows());
    }

    /// Re-wraps the main grid, and moves rows into the history or lines out of it. `places[0]` is the cursor, which has
    /// to stay visible.
    fn reflow(
        &mut self,
        grid: Grid,
        size: Size,
        places: [CursorPosition; 2],
        shell: &mut ShellPrompt,
    ) -> (Grid, [CursorPosition; 2]) {
        let old = self.margins.size;
        let rows = grid.into_rows();
        let used = used_rows(&rows, places[0].row);
        let blank = self.blank_rows_below(used, size);
        let mut text = Rows { rows, used, places };
        let prompt = shell.prompt_to_resize(self, &mut text);
        let text = self.text(text, prompt, shell.position.col, usize::from(old.cols()));
        let cols = usize::from(size.cols());
        let (mut out, mut spots) = wrap_text(text, cols);
        let height = usize::from(size.rows());
        // The text keeps its distance from the bottom, and lines of the history fill the top.
        while out.len() + blank < height {
            let missing = height - blank - out.len();
            let Some(line) = self.canvas.history.pop_line(&mut self.canvas.tables) else {
                break;
            };
            let mut more = line.into_rows(cols);
            // If not all rows of a line fit, its first rows stay in the history.
            let extra = more.len().saturating_sub(missing);
            for row in more.drain(..extra) {
                self.canvas.history.put_row(&row, cols, &self.canvas.tables);
            }
            for spot in &mut spots {
                spot.0 += more.len();
            }
            more.append(&mut out);
            out = more;
            if extra > 0 {
                break;
            }
        }
        // The cursor's row stays visible as long as no text has to go for that.
        let above = (out.len() + blank).saturating_sub(height).min(spots[0].0);
        let above = above.max(out.len().saturating_sub(height));
        for row in out.drain(..above) {
            self.canvas.history.put_row(&row, cols, &self.canvas.tables);
        }
        let [cursor, saved, start, line] = spots;
        if prompt.is_some() {
            shell.position = PromptPosition {
                col: 0,
                row: start.0.saturating_sub(above) as u16,
                line: line.0.saturating_sub(above) as u16,
            };
        }
        let places = [cursor, saved].map(|(row, col, pending)| CursorPosition {
            row: row.saturating_sub(above).min(height - 1) as u16,
            col: col.min(cols - 1) as u16,
            pending: pending && row >= above,
        });
        (Grid::from_rows(out, size), places)
    }

    /// How many rows without text to keep below the text of a main screen that is resized, as tmux does: rows to remove
    /// are taken from them first, and rows to add go to the history if the text reached the bottom, else to them.
    /// Re-wrapping does not change their number.
    fn blank_rows_below(&self, used: usize, size: Size) -> usize {
        let (old, new) = (
            usize::from(self.margins.size.rows()),
            usize::from(size.rows()),
        );
        let blank = old - used;
        // The history gives whole lines, so a line of several rows needs room for all of them.
        let pulled = match blank {
            0 => self
                .canvas
                .history
                .row_count(self.margins.size.cols(), new.saturating_sub(old)),
            _ => 0,
        };
        (blank + new.saturating_sub(old) - pulled).saturating_sub(old.saturating_sub(new))
    }

    /// Joins the used rows, and the open line of the history before them, into logical lines, and follows the
    /// positions. A prompt starts a line of its own, because the shell assumes so.
    fn text(
        &mut self,
        text: Rows,
        prompt: Option<[usize; 2]>,
        head: u16,
        cols: usize,
    ) -> LogicalText {
        let Rows { rows, used, places } = text;
        let [start, last_line] = prompt.unwrap_or_default().map(|row| CursorPosition {
            row: row as u16,
            ..CursorPosition::default()
        });
        let places = [places[0], places[1], start, last_line];
        let head = usize::from(head).min(cols - 1);
        let broken = prompt.map(|[start, _]| start).filter(|_| head > 0);
        let mut lines = Vec::new();
        let mut line = Line::default();
        if self.canvas.history.open {
            line = self
                .canvas
                .history
                .pop_line(&mut self.canvas.tables)
                .unwrap_or_default();
        }
        let mut spots = [TextPosition {
            line: 0,
            offset: 0,
            pending: false,
        }; 4];
        for (at, row) in rows.iter().take(used).enumerate() {
            let head = if broken == Some(at) { head } else { 0 };
            let (before, row) = row.split_prompt(head);
            if let Some(before) = before {
                line.push_row(&before, cols);
                lines.push(std::mem::take(&mut line));
            }
            for (spot, place) in spots.iter_mut().zip(places) {
                // A saved position below the text moves to the text's last row.
                if usize::from(place.row).min(used - 1) == at {
                    *spot = TextPosition {
                        line: lines.len(),
                        offset: line.cells.len() + usize::from(place.col).saturating_sub(head),
                        pending: place.pending,
                    };
                }
            }
            line.push_row(&row, cols - head);
            if !row.wrapped {
                lines.push(std::mem::take(&mut line));
            }
        }
        if rows
            .get(used.wrapping_sub(1))
            .is_some_and(|row| row.wrapped)
        {
            lines.push(line);
        }
        LogicalText { lines, spots }
    }
}

/// The number of rows up to the last one with text or the cursor.
fn used_rows(rows: &[Row], cursor: u16) -> usize {
    let text = rows
        .iter()
        .rposition(|row| !row.trimmed().is_empty() || row.mark != 0);
    text.map_or(0, |at| at + 1).max(usize::from(cursor) + 1)
}

/// Breaks lines into rows, and returns the new row, column and pending wrap of each position.
fn wrap_text(text: LogicalText, cols: usize) -> (Vec<Row>, [(usize, usize, bool); 4]) {
    let mut out: Vec<Row> = Vec::new();
    let mut places = [(0, 0, false); 4];
    for (at, line) in text.lines.into_iter().enumerate() {
        for (place, spot) in places.iter_mut().zip(text.spots) {
            if spot.line == at {
                let (row, col, pending) = locate(&line, spot, cols);
                *place = (out.len() + row, col, pending);
            }
        }
        out.append(&mut line.into_rows(cols));
    }
    (out, places)
}

/// The row, column and pending wrap of a position in its line.
fn locate(line: &Line, spot: TextPosition, cols: usize) -> (usize, usize, bool) {
    let mut target = spot.offset + usize::from(spot.pending);
    // Behind a wide character on a screen of one column.
    if spot.pending && line.cells.get(target).is_some_and(|cell| cell.is_spacer()) {
        target += 1;
    }
    let (mut row, mut start) = (0, 0);
    loop {
        let end = row_end(&line.cells, start, cols);
        let last = end == line.cells.len();
        if target < end || last {
            let col = target - start;
            // At the end of a full row the wrap is still pending.
            let pending = col >= cols && target == end;
            return (row, col.min(cols - 1), pending);
        }
        start = end;
        row += 1;
    }
}

/// A position on a screen whose top rows were removed.
fn moved(place: CursorPosition, above: u16, size: Size) -> CursorPosition {
    let col = place.col.min(size.cols() - 1);
    CursorPosition {
        row: place.row.saturating_sub(above).min(size.rows() - 1),
        col,
        pending: place.pending && col == place.col,
    }
}
