//! What copy mode is told: the user's options, and how it is entered.

use crate::command::Pattern;

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
    pub pattern: Pattern,
}

/// How copy mode is entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnterOptions {
    /// Scrolling down to the end leaves (`-e`).
    pub scroll_exit: bool,
    /// No position at the top right (`-H`).
    pub hide_position: bool,
    pub search: Option<Remembered>,
}
