//! The result of a search, and how it is printed.

use crate::commands::form::Form;
use crate::search::SearchResults;

pub(crate) enum Printing {
    Text(String),
    /// Each line in this format.
    Format {
        format: String,
        form: Form,
    },
    /// Not at all: the client goes to the line of this number.
    Go(usize),
}

/// The result, or the part of it that is not printed yet.
pub(crate) struct SearchDone {
    pub(crate) number: u64,
    pub(crate) outcome: Result<(SearchResults, Printing), String>,
    /// How many lines were printed already.
    pub(crate) printed: usize,
}
