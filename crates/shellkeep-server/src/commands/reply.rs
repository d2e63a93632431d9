//! What a command comes to.

use crate::commands::queue::{Item, Wait};

/// What a command comes to.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// What it prints.
    pub(crate) stdout: Vec<u8>,
    /// What the next command has to wait for.
    pub(crate) wait: Option<Wait>,
    /// Commands to be run next.
    pub(crate) next: Vec<Item>,
    /// Commands of hooks to be run before those.
    pub(crate) hooks: Vec<Item>,
}

impl Reply {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self {
            stdout: text.into().into_bytes(),
            ..Self::default()
        }
    }
}

/// A command's reply, or one sentence saying what is wrong.
pub(crate) type Outcome = Result<Reply, String>;
