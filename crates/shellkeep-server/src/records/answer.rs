//! The answer to a question about commands. It knows no model, since it is a part of an event.

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// What the user is told besides, on standard error.
    pub(crate) complaint: Option<String>,
    /// Whether anything was found: otherwise the exit status is 1.
    pub(crate) is_found: bool,
}
