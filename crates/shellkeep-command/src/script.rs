//! Commands as an argument of a command: a text or a block.
//!
//! This is the argument as clap stores it. `parse` turns it into commands when it is run.

/// Does not occur in texts, so it can mark a block that is passed through clap.
const BLOCK_MARK: char = '\0';

/// Commands to be run later: an argument of `if-shell`, `bind-key` or `command-prompt`.
///
/// It dereferences to its text. A block was parsed when it was written; a text is parsed when it is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    text: String,
    is_block: bool,
}

/// Encodes a word for clap.
pub(crate) fn encode_text(word: &str) -> String {
    // Only the argv of another program can contain the mark.
    word.trim_start_matches(BLOCK_MARK).to_owned()
}

/// Encodes a block, printed without its braces, for clap.
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
    /// Whether it was written in braces.
    #[must_use]
    pub const fn is_block(&self) -> bool {
        self.is_block
    }
}
