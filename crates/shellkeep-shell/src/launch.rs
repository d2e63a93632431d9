//! The program, arguments and variables with which a shell is started.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::session_variables::is_outside;
use crate::state::ShellState;

/// Whether a shell is started as a login shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As `login` starts it. New panes do so by default.
    Login,
    /// As started by its name from another shell.
    Plain,
}

/// Whether the user's start-up files run before the state is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunRc {
    /// They do not run, because their effects are part of the state. This is faster, and nothing is done twice. Fish
    /// always runs the system's `config.fish`, and runs all files if it has no universal variables yet.
    Off,
    /// They run, so that changes in them take effect.
    On,
}

/// How to start a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// Variables to add to the environment.
    pub env: Vec<(OsString, OsString)>,
    /// The shell gets only those variables of the environment that [`Launch::takes`] accepts.
    pub is_bare: bool,
    /// The settings of the terminal, as in [`crate::ShellState::set_terminal`]; empty for the defaults.
    pub terminal: Vec<u8>,
}

impl Launch {
    pub(crate) fn new(program: &Path) -> Self {
        Self {
            argv: vec![program.into()],
            env: Vec::new(),
            is_bare: false,
            terminal: Vec::new(),
        }
    }

    /// Whether the shell gets this variable of the environment. A revived shell has its own variables in its state, and
    /// unsetting all others would take half the time of its start.
    #[must_use]
    pub fn takes(&self, name: &str) -> bool {
        let is_anyones = matches!(name, "PWD" | "SHLVL") || name.starts_with("SHELLKEEP_");
        !self.is_bare || is_anyones || is_outside(name)
    }

    /// Gives the shell few variables, unless the user's files are to run.
    pub(crate) fn with_little(mut self, run_rc: RunRc) -> Self {
        self.is_bare = run_rc == RunRc::Off;
        self
    }

    /// Gives the terminal the settings that the hibernated shell had.
    pub(crate) fn on_terminal_of(mut self, state: &ShellState) -> Self {
        self.terminal = state.section("terminal").to_vec();
        self
    }

    pub(crate) fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.argv.push(word.as_ref().to_owned());
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }
}
