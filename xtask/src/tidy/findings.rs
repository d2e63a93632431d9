//! What the rules found in the tree.

/// Collected over all rules, and printed when the last one has run.
#[derive(Default)]
pub(super) struct Findings {
    /// Broken rules, each naming its file. One of them makes the check fail.
    pub(super) faults: Vec<String>,
    /// Figures that have a limit, for the report.
    pub(super) notes: Vec<String>,
}
