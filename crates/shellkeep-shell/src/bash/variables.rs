//! The variables of a state.

use std::collections::HashSet;

use crate::pieces::Script;
use crate::state::ShellState;
use crate::words::{declarations, quote, unquote};

/// Variables that depend on the process, the terminal or the time.
const NOT_STATE: &[&str] = &[
    "BASH",
    "BASHOPTS",
    "BASHPID",
    "BASH_ALIASES",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_ARGV0",
    "BASH_CMDS",
    "BASH_COMMAND",
    "BASH_EXECUTION_STRING",
    "BASH_LINENO",
    "BASH_MONOSECONDS",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "BASH_TRAPSIG",
    "BASH_VERSINFO",
    "BASH_VERSION",
    "BASH_XTRACEFD",
    "COLUMNS",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "LINES",
    "OLDPWD",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PPID",
    "PWD",
    "RANDOM",
    "READLINE_LINE",
    "READLINE_MARK",
    "READLINE_POINT",
    "SECONDS",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "UID",
    "_",
];
const NOT_STATE_BEGINNINGS: &[&str] = &["SHELLKEEP_", "__shellkeep_"];
/// Set by every new bash, so they are unset if the user had unset them.
const FRESH: &[&str] = &[
    "HOME",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "MACHTYPE",
    "MAILCHECK",
    "OPTERR",
    "OPTIND",
    "OSTYPE",
    "PATH",
    "PS1",
    "PS2",
    "PS4",
    "SHELL",
];
/// Set at the first prompt, after bash has read the history file that is named here.
pub(super) const LATE: &[&str] = &["HISTFILESIZE", "HISTSIZE", "HISTFILE"];

/// The declarations of variables: attributes, name, and the whole text.
pub(super) struct Variables<'a>(pub(super) Vec<(&'a str, &'a str, &'a [u8])>);

impl<'a> Variables<'a> {
    pub(super) fn of(state: &'a ShellState) -> Self {
        let found = declarations(state.section("variables"))
            .into_iter()
            .filter_map(|whole| {
                let rest = whole.strip_prefix(b"declare ")?;
                let end = rest
                    .iter()
                    .position(|byte| *byte == b'=')
                    .unwrap_or(rest.len());
                let (attributes, name) = std::str::from_utf8(&rest[..end]).ok()?.split_once(' ')?;
                state.has_own(name).then_some((attributes, name, whole))
            });
        Self(found.collect())
    }

    pub(super) fn kept(&self) -> impl Iterator<Item = &(&'a str, &'a str, &'a [u8])> {
        self.0.iter().filter(|(_, name, _)| {
            !NOT_STATE.contains(name)
                && !NOT_STATE_BEGINNINGS
                    .iter()
                    .any(|begin| name.starts_with(begin))
        })
    }

    pub(super) fn find(&self, name: &str) -> Option<&'a [u8]> {
        self.0
            .iter()
            .find(|entry| entry.1 == name)
            .map(|entry| entry.2)
    }

    pub(super) fn value(&self, name: &str) -> Option<Vec<u8>> {
        let whole = self.find(name)?;
        let at = whole.iter().position(|byte| *byte == b'=')?;
        Some(unquote(&whole[at + 1..]))
    }

    pub(super) fn script(&self, state: &ShellState, waiting: &HashSet<String>) -> Vec<u8> {
        let mut script = Script::default();
        let unset = FRESH
            .iter()
            .copied()
            .filter(|name| self.find(name).is_none());
        let gone: Vec<&str> = unset.chain(state.thrown_away()).collect();
        if !gone.is_empty() {
            script.text(&format!("builtin unset -v {}", gone.join(" ")));
        }
        // The target of a name reference has to exist before the reference.
        let (references, plain): (Vec<_>, Vec<_>) = self
            .kept()
            .partition(|(attributes, ..)| attributes.contains('n'));
        for (_, name, whole) in plain.into_iter().chain(references) {
            if !LATE.contains(&name) && !waiting.contains(name) {
                // Without `builtin`, which cannot assign arrays. No function of the user exists yet.
                script.line(&[whole]);
            }
        }
        // SECONDS continues to count.
        if let Some(seconds) = self.value("SECONDS") {
            script.line(&[b"SECONDS=", &quote(&seconds)]);
        }
        script.0
    }

    /// Declares a variable as it was, or unsets it.
    pub(super) fn restore(&self, script: &mut Script, name: &str) {
        match self.find(name) {
            Some(whole) => script.line(&[b"builtin ", whole]),
            None => script.text(&format!("builtin unset -v {name}")),
        };
    }
}
