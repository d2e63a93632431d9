//! The results of the rules.

/// Collected over all rules, and printed at the end.
#[derive(Default)]
pub(super) struct Findings {
    /// Violations, each naming its file. Any of them makes the check fail.
    pub(super) faults: Vec<String>,
    /// Figures that have a limit, for the report.
    pub(super) notes: Vec<String>,
}
