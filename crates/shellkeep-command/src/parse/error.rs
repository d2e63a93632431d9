//! Errors in a text of commands.

/// An error, and the line of the text that has it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    pub message: String,
}
