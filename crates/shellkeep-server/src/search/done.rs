//! What a search has come to, and how it is printed.

use crate::commands::form::Form;
use crate::search::Found;

/// How it is printed.
pub(crate) enum Printing {
    /// As it stands here.
    Text(String),
    /// Each line in this format.
    Format { format: String, form: Form },
    /// Not at all: the client goes there.
    Go(usize),
}

/// A search that is done, or as much of it as is not printed yet.
pub(crate) struct SearchDone {
    pub(crate) number: u64,
    pub(crate) outcome: Result<(Found, Printing), String>,
    /// How many lines were printed already.
    pub(crate) printed: usize,
}
