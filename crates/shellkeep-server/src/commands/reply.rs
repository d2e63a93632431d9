//! The result of a command.

use crate::commands::queue::{Item, Wait};

#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// Its output.
    pub(crate) stdout: Vec<u8>,
    /// What the queue has to wait for.
    pub(crate) wait: Option<Wait>,
    /// Commands to run next.
    pub(crate) next: Vec<Item>,
    /// Commands of hooks to run before those.
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

/// A command's reply, or an error as one sentence.
pub(crate) type Outcome = Result<Reply, String>;
