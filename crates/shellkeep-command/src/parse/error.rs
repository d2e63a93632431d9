//! Why a text cannot be read.

/// The line of a text that cannot be read, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    pub message: String,
}
