//! The state of copy mode: cursor, view, selection, search, jump and mark.

use crate::command::{Direction, Land};
use crate::options::{EnterOptions, Remembered};
use crate::search::Search;
use crate::selection::{Drag, Selection, SelectionState};
use crate::text::{Pos, Text};

/// Copy mode in a frozen pane.
#[derive(Clone, Debug)]
pub struct CopyMode {
    /// Rows of history below the view's top.
    pub(crate) scroll: i64,
    /// The cursor's row in the view, and its column, which may be one after the last.
    pub(crate) row: i64,
    pub(crate) col: usize,
    /// The column from which the cursor came and the length of its row there, for vertical motion.
    pub(crate) last_col: usize,
    pub(crate) last_length: usize,
    pub(crate) selection: Selection,
    pub(crate) search: Search,
    pub(crate) jump: Option<(Direction, Land, String)>,
    pub(crate) mark: Pos,
    pub(crate) show_mark: bool,
    pub(crate) scroll_exit: bool,
    pub(crate) hide_position: bool,
}

impl CopyMode {
    /// Enters copy mode with the cursor at the pane's cursor.
    #[must_use]
    pub fn enter(cursor: Pos, text: &dyn Text, options: EnterOptions) -> Self {
        let row = cursor.row.clamp(0, text.bottom().max(0));
        let col = cursor.col.min(text.width());
        Self {
            scroll: 0,
            row,
            col,
            last_col: 0,
            last_length: 0,
            selection: Selection::new(),
            search: Search::new(options.search),
            jump: None,
            mark: Pos::new(row, col),
            show_mark: false,
            scroll_exit: options.scroll_exit,
            hide_position: options.hide_position,
        }
    }

    /// The cursor's position in the text.
    #[must_use]
    pub fn cursor(&self) -> Pos {
        Pos::new(self.row - self.scroll, self.col)
    }

    /// The cursor's row in the view.
    #[must_use]
    pub fn cursor_row(&self) -> u16 {
        u16::try_from(self.row.max(0)).unwrap_or(u16::MAX)
    }

    /// Rows of history below the view's top (`scroll_position`).
    #[must_use]
    pub fn scroll_position(&self) -> usize {
        self.scroll.max(0) as usize
    }

    /// Whether a rectangle is, or would be, selected (`rectangle_toggle`).
    #[must_use]
    pub fn is_rectangle(&self) -> bool {
        self.selection.rectangle
    }

    #[must_use]
    pub fn selection(&self) -> Option<SelectionState> {
        let selection = &self.selection;
        selection.exists.then_some(SelectionState {
            start: selection.start,
            end: selection.end,
            active: selection.drag != Drag::Neither,
        })
    }

    /// The search that the pane should remember for the next time (`pane_search_string`).
    #[must_use]
    pub fn remembered(&self) -> Option<&Remembered> {
        self.search.remembered.as_ref()
    }

    /// Whether matches of a search are highlighted (`search_present`).
    #[must_use]
    pub fn has_matches(&self) -> bool {
        self.search.marks.is_some()
    }

    /// Moves the cursor to a position, and the view to show it.
    pub(crate) fn go(&mut self, at: Pos) {
        self.col = at.col;
        self.row = at.row.max(0);
        self.scroll = (-at.row).max(0);
    }

    /// Limits cursor and view to the text, whose oldest rows or size may have changed.
    pub(crate) fn hold(&mut self, text: &dyn Text) {
        let top = text.top();
        let bottom = text.bottom().max(0);
        self.scroll = self.scroll.clamp(0, -top);
        self.row = self.row.clamp(0, bottom);
        self.col = self.col.min(text.width());
        let selection = &mut self.selection;
        for pos in [
            &mut self.mark,
            &mut selection.start,
            &mut selection.end,
            &mut selection.origin,
            &mut selection.least_start,
            &mut selection.least_end,
        ] {
            pos.row = pos.row.clamp(top, bottom);
        }
        if let Some((row, col, scroll)) = &mut self.search.origin {
            *scroll = (*scroll).clamp(0, -top);
            *row = (*row).clamp(0, bottom);
            *col = (*col).min(text.width());
        }
    }
}
