//! The inputs of copy mode: the user's options, and how it is entered.

use crate::command::Pattern;

/// Whose editor's keys are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModeKeys {
    /// The cursor is between characters; a forward search ends behind the match.
    #[default]
    Emacs,
    /// The cursor is on a character, which belongs to the selection.
    Vi,
}

/// The options that commands use, at the time when they run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyOptions {
    pub word_separators: String,
    pub wrap_search: bool,
    pub mode_keys: ModeKeys,
    /// `copy-command`; empty for none.
    pub copy_command: String,
    /// Whether `set-clipboard` allows copies to go to the outer terminal.
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

/// The last search of a pane, which is kept after copy mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The text of the search.
    pub text: String,
    pub pattern: Pattern,
}

/// How copy mode is entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnterOptions {
    /// Scrolling down to the end exits copy mode (`-e`).
    pub scroll_exit: bool,
    /// The position is not shown (`-H`).
    pub hide_position: bool,
    pub search: Option<Remembered>,
}
