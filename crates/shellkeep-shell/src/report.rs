//! What a revival is to bring back, for the line that tells the user.

use std::path::PathBuf;

use crate::bash;
use crate::fish;
use crate::line::Line;
use crate::shell::Shell;
use crate::state::ShellState;
use crate::zsh;

/// What a revival is to bring back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Variables, without those a shell makes itself.
    pub variables: usize,
    /// Functions.
    pub functions: usize,
    /// Aliases or abbreviations.
    pub aliases: usize,
    /// Lines of history in the shell's list.
    pub history: usize,
    /// How many of them are in no file yet.
    pub unsaved: usize,
    /// Something was typed and not sent.
    pub has_line: bool,
    /// Where the shell was.
    pub cwd: PathBuf,
    /// When the shell was asked, if it went on after that; in milliseconds since 1970.
    pub captured: Option<u64>,
}

impl ShellState {
    /// Counts what is in it.
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
