//! The facts about a program, and about other panes that run the same one, for the resume rules.

use crate::priority::Millis;
use crate::quote::Shell;

/// A program that runs in a pane.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its arguments, the program first. Some programs write a title over them.
    pub argv: &'a [String],
    /// Its directory.
    pub cwd: &'a str,
    /// The command line with which it was started, if the shell has reported it.
    pub typed: Option<&'a str>,
    /// Its environment.
    pub environment: &'a [(String, String)],
    /// The shell that will run it again.
    pub shell: Shell,
    /// When it was started.
    pub started: Millis,
    /// When its pane last printed something.
    pub last_output: Millis,
    /// Other panes in which the same program runs in the same directory.
    pub rivals: &'a [Rival],
}

impl Program<'_> {
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let mut pairs = self.environment.iter();
        let value = pairs.find(|(key, _)| key == name).map(|(_, value)| value);
        value.map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(super) fn home(&self) -> Option<&str> {
        self.variable("HOME")
    }
}

/// The variables of a program's environment that the rules look at.
pub const VARIABLES: &[&str] = &[
    "HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CURSOR_DATA_DIR",
    "PATH",
    "XDG_DATA_HOME",
];

/// Another pane with the same program in the same directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// When that pane last printed something.
    pub last_output: Millis,
}
