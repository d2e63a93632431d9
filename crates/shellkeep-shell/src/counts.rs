//! The number of items of each kind in a state.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) variables: usize,
    pub(crate) functions: usize,
    /// Aliases; in fish, abbreviations.
    pub(crate) aliases: usize,
    /// Lines of the history.
    pub(crate) history: usize,
    /// Lines of the history that are not in a file yet.
    pub(crate) unsaved: usize,
}
