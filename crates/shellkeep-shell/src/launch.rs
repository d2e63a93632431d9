//! The program, words and variables with which a shell is started.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::session_variables::is_outside;
use crate::state::ShellState;

/// Whether a shell is to be a login shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As `login` starts it, and as new panes do unless told otherwise.
    Login,
    /// As typed at another shell's prompt.
    Plain,
}

/// Whether the user's own files run before the state is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunRc {
    /// They do not run: what they set up is in the state. This is faster, and their effects do not happen twice. Fish always runs the
    /// system's `config.fish`, and all files if it has no universal variables yet.
    Off,
    /// They run, so that changes in them take effect.
    On,
}

/// How to start a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program and its words.
    pub argv: Vec<OsString>,
    /// Variables to set above the environment it would have had.
    pub env: Vec<(OsString, OsString)>,
    /// It gets only the variables that [`Launch::takes`] accepts.
    pub is_bare: bool,
    /// The settings of its terminal, as [`crate::ShellState::set_terminal`] noted them; empty for those of a new one.
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

    /// Whether the shell gets this variable of the environment. A revived shell has its own variables in its state; unsetting all others
    /// itself would take half the time of its start.
    #[must_use]
    pub fn takes(&self, name: &str) -> bool {
        let is_anyones = matches!(name, "PWD" | "SHLVL") || name.starts_with("SHELLKEEP_");
        !self.is_bare || is_anyones || is_outside(name)
    }

    /// Starts it with few variables, unless the user's files are to run.
    pub(crate) fn with_little(mut self, run_rc: RunRc) -> Self {
        self.is_bare = run_rc == RunRc::Off;
        self
    }

    /// Starts it on a terminal with the settings of the shell that slept.
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
