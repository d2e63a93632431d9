//! What a revival will restore, for the line that reports it to the user.

use std::path::PathBuf;

use crate::bash;
use crate::fish;
use crate::line::Line;
use crate::shell::Shell;
use crate::state::ShellState;
use crate::zsh;

/// The contents of a state, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Variables, without those that every shell sets.
    pub variables: usize,
    /// Functions.
    pub functions: usize,
    /// Aliases or abbreviations.
    pub aliases: usize,
    /// Lines of history in the shell's list.
    pub history: usize,
    /// How many of them are not in a file yet.
    pub unsaved: usize,
    /// A line was typed but not entered.
    pub has_line: bool,
    /// The working directory.
    pub cwd: PathBuf,
    /// When the state was captured, if the shell went on after that; in milliseconds since 1970.
    pub captured: Option<u64>,
}

impl ShellState {
    /// Counts the contents of the state.
    #[must_use]
    pub fn report(&self) -> Report {
        let line = Line::parse(self.section("line"));
        let counts = match self.shell() {
            Shell::Bash => bash::count(self),
            Shell::Zsh => zsh::count(self),
            Shell::Fish => fish::count(self),
        };
        Report {
            variables: counts.variables,
            functions: counts.functions,
            aliases: counts.aliases,
            history: counts.history,
            unsaved: counts.unsaved,
            has_line: line.is_some_and(|line| !line.text.is_empty()),
            cwd: self.directory(),
            captured: self.captured(),
        }
    }
}
