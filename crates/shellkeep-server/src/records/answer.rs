//! The answer to a question about commands. It knows no model, since it is a part of an event.

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// The text has escape sequences for colours, and no others: it goes to a terminal as it is.
    pub(crate) has_colors: bool,
    /// What the user is told besides, on standard error.
    pub(crate) complaint: Option<String>,
    /// Whether anything was found: otherwise the exit status is 1.
    pub(crate) is_found: bool,
}
