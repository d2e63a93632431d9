//! Commands as an argument of a command: a text, or a block.
//!
//! This is the argument as clap keeps it. `parse` turns it into commands, when it is run.

/// No text has this character in it, so it can mark a block on its way through clap.
const BLOCK_MARK: char = '\0';

/// Commands to be run later: what `if-shell`, `bind-key` or `command-prompt` was given.
///
/// It derefs to its text. A block was parsed when it was written; a text is parsed when it is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    text: String,
    is_block: bool,
}

/// A word as it goes through clap.
pub(crate) fn encode_text(word: &str) -> String {
    // Only a foreign caller's argv can have the mark in a word.
    word.trim_start_matches(BLOCK_MARK).to_owned()
}

/// A block, printed without its braces, as it goes through clap.
pub(crate) fn encode_block(printed: &str) -> String {
    format!("{BLOCK_MARK}{printed}")
}

impl std::ops::Deref for Script {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<String> for Script {
    fn from(text: String) -> Self {
        match text.strip_prefix(BLOCK_MARK) {
            Some(block) => Self {
                text: block.to_owned(),
                is_block: true,
            },
            None => Self {
                text,
                is_block: false,
            },
        }
    }
}

impl From<&str> for Script {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl Script {
    /// Whether it stood between braces.
    #[must_use]
    pub const fn is_block(&self) -> bool {
        self.is_block
    }
}
