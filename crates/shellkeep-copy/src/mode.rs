//! Where the user is: cursor, view, selection, search, jump and mark.

use crate::command::{Direction, Land, Pattern};
use crate::run::Run;
use crate::search::Search;
use crate::text::{Pos, Text};

/// Which editor's keys the user has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModeKeys {
    /// The cursor is between characters; a forward search ends behind the match.
    #[default]
    Emacs,
    /// The cursor is on a character, which belongs to the selection.
    Vi,
}

/// The options a command looks at, as they are when it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyOptions {
    /// `word-separators`.
    pub word_separators: String,
    /// `wrap-search`.
    pub wrap_search: bool,
    /// `mode-keys`.
    pub mode_keys: ModeKeys,
    /// `copy-command`; empty for none.
    pub copy_command: String,
    /// Whether `set-clipboard` lets copies go to the outer terminal.
    pub set_clipboard: bool,
}

impl Default for CopyOptions {
    fn default() -> Self {
        Self {
            word_separators: "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~".to_owned(),
            wrap_search: true,
            mode_keys: ModeKeys::default(),
            copy_command: String::new(),
            set_clipboard: true,
        }
    }
}

/// The last search of a pane; it outlives copy mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// What was looked for.
    pub text: String,
    /// How it was meant.
    pub pattern: Pattern,
}

/// How copy mode is entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnterOptions {
    /// Scrolling down to the end leaves (`-e`).
    pub scroll_exit: bool,
    /// No position at the top right (`-H`).
    pub hide_position: bool,
    /// The pane's last search.
    pub search: Option<Remembered>,
}

/// What a command asks of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyEffect {
    /// Make a new paste buffer.
    Copy {
        /// Its contents.
        text: String,
        /// How its name begins; `None` for the usual way.
        prefix: Option<String>,
        /// Whether to tell the outer terminal's clipboard.
        clipboard: bool,
    },
    /// Add to the newest paste buffer, or make one.
    Append {
        /// What.
        text: String,
        /// Whether to tell the outer terminal's clipboard.
        clipboard: bool,
    },
    /// Run a command and give it this.
    Pipe {
        /// The command.
        command: String,
        /// Its input.
        text: String,
    },
    /// Freeze the pane anew and call [`CopyMode::refresh`].
    Refresh,
    /// Leave copy mode.
    Cancel,
    /// Draw again.
    Redraw,
}

/// Which end of the selection goes with the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    Neither,
    Start,
    End,
}

/// Whether whole lines are selected, and which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    No,
    Downward,
    Upward,
}

/// By what the selection grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Char,
    Word,
    Line,
}

/// The selection.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) exists: bool,
    pub(crate) start: Pos,
    pub(crate) end: Pos,
    pub(crate) drag: Drag,
    pub(crate) lines: Lines,
    pub(crate) unit: Unit,
    pub(crate) rectangle: bool,
    /// Where selecting by words or lines began, and what it takes at least.
    pub(crate) origin: Pos,
    pub(crate) least_start: Pos,
    pub(crate) least_end: Pos,
    /// What the words were separated by then.
    pub(crate) separators: String,
}

impl Selection {
    fn new() -> Self {
        // Out of the way: the first row of the screen is a place like any other.
        let nowhere = Pos::new(i64::MIN / 2, 0);
        Self {
            exists: false,
            start: nowhere,
            end: nowhere,
            drag: Drag::Neither,
            lines: Lines::No,
            unit: Unit::Char,
            rectangle: false,
            origin: nowhere,
            least_start: nowhere,
            least_end: nowhere,
            separators: String::new(),
        }
    }
}

/// What formats tell of the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectionState {
    /// Where it begins.
    pub start: Pos,
    /// Where it ends.
    pub end: Pos,
    /// Whether it grows with the cursor.
    pub active: bool,
}

/// A user's place in a frozen pane.
#[derive(Clone, Debug)]
pub struct CopyMode {
    /// Rows of history below the view's top.
    pub(crate) scroll: i64,
    /// The cursor's row in the view and its column; the column may be one past the last.
    pub(crate) row: i64,
    pub(crate) col: usize,
    /// The column the cursor came from and the length of the row it was in, for moving up and down.
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
    /// Enters with the cursor where the pane's was.
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

    /// The cursor's place in the text.
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

    /// The selection, if there is one.
    #[must_use]
    pub fn selection(&self) -> Option<SelectionState> {
        let selection = &self.selection;
        selection.exists.then_some(SelectionState {
            start: selection.start,
            end: selection.end,
            active: selection.drag != Drag::Neither,
        })
    }

    /// What the pane should remember of the search for the next time (`pane_search_string`).
    #[must_use]
    pub fn remembered(&self) -> Option<&Remembered> {
        self.search.remembered.as_ref()
    }

    /// Whether matches of a search are lit (`search_present`).
    #[must_use]
    pub fn has_matches(&self) -> bool {
        self.search.marks.is_some()
    }

    /// Takes a text of another size, or a pane frozen anew, with the cursor at `cursor` in it. The
    /// selection is dropped.
    pub fn resize(&mut self, cursor: Pos, text: &dyn Text, options: &CopyOptions) {
        self.go(cursor);
        let lit = self.search.marks.is_some();
        self.hold(text);
        let mut run = Run::new(self, text, options);
        run.clear_selection();
        run.clear_marks();
        if lit {
            run.mark_matches();
        }
        let mode = run.mode;
        mode.search.origin = Some((mode.row, mode.col, mode.scroll));
    }

    /// Takes the pane frozen anew after [`CopyEffect::Refresh`]. `added` is how many rows of history it
    /// has more than before: the view stays on the same text.
    pub fn refresh(&mut self, added: i64, text: &dyn Text, options: &CopyOptions) {
        self.scroll = self.scroll.saturating_add(added);
        self.mark.row = self.mark.row.saturating_sub(added);
        let lit = self.search.marks.is_some();
        if self.scroll < 0 {
            self.scroll = 0;
        }
        self.hold(text);
        let mut run = Run::new(self, text, options);
        run.clear_selection();
        run.clear_marks();
        if lit {
            run.mark_matches();
        }
    }

    /// Puts the cursor at a place and the view around it.
    fn go(&mut self, at: Pos) {
        self.col = at.col;
        self.row = at.row.max(0);
        self.scroll = (-at.row).max(0);
    }

    /// Keeps everything inside the text, which may have lost its oldest rows or its size.
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
