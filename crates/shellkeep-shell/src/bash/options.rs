//! `set -o` and `shopt`.

use crate::pieces::Script;
use crate::state::ShellState;
use crate::words::declarations;

/// Options of `set -o`, in the order they are set again. Those that show or stop things come last.
const SET: &[&str] = &[
    "allexport",
    "braceexpand",
    "errtrace",
    "functrace",
    "hashall",
    "histexpand",
    "ignoreeof",
    "interactive-comments",
    "keyword",
    "monitor",
    "noclobber",
    "noglob",
    "nolog",
    "notify",
    "physical",
    "pipefail",
    "errexit",
    "nounset",
    "verbose",
    "xtrace",
];
/// Those that an interactive bash begins with, besides what it keeps to itself.
const ON_AT_FIRST: &[&str] = &[
    "braceexpand",
    "hashall",
    "histexpand",
    "interactive-comments",
    "monitor",
];
/// Only ever read.
const FIXED: &[&str] = &["login_shell", "restricted_shell"];
/// These change what the rest of the script does.
const AFTER: &[&str] = &["expand_aliases", "extdebug", "histappend"];

pub(super) fn has_shopt(state: &ShellState, name: &str) -> bool {
    has(state, "shopts", name)
}

/// Whether `set -o` has it on.
pub(super) fn has_mode(state: &ShellState, name: &str) -> bool {
    has(state, "setopts", name)
}

fn has(state: &ShellState, list: &str, name: &str) -> bool {
    let list = state.fact(list).unwrap_or_default();
    list.split(|byte| *byte == b':')
        .any(|item| item == name.as_bytes())
}

/// The names `shopt` knows. Their values are those of `BASHOPTS`, taken before anything was changed.
fn shopts(state: &ShellState) -> Vec<String> {
    let lines = declarations(state.section("shopt")).into_iter();
    let names = lines.filter_map(|line| std::str::from_utf8(line).ok()?.split(' ').nth(2));
    names
        .filter(|name| !FIXED.contains(name))
        .map(str::to_owned)
        .collect()
}

/// Switches options on and off in two commands.
fn switch<'a>(state: &ShellState, names: impl Iterator<Item = &'a String>, script: &mut Script) {
    let (on, off): (Vec<&String>, Vec<&String>) = names.partition(|name| has_shopt(state, name));
    // Each of the compat options switches the others off, even by being switched off itself.
    let off: Vec<&String> = off
        .into_iter()
        .filter(|name| !name.starts_with("compat"))
        .collect();
    for (sign, names) in [('u', off), ('s', on)] {
        if !names.is_empty() {
            let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
            script.text(&format!("builtin shopt -{sign} {}", names.join(" ")));
        }
    }
}

/// What has to be known before functions are read.
pub(super) fn early(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    let names = shopts(state);
    switch(
        state,
        names.iter().filter(|name| !AFTER.contains(&name.as_str())),
        &mut script,
    );
    script.0
}

/// The rest, at the first prompt.
pub(super) fn late(state: &ShellState, script: &mut Script) {
    let is_posix = has(state, "setopts", "posix");
    if is_posix {
        script.text("builtin set -o posix");
    }
    let names = shopts(state);
    // Being posixly correct has changed some of them.
    switch(
        state,
        names
            .iter()
            .filter(|name| is_posix || AFTER.contains(&name.as_str())),
        script,
    );
    let editing = ["vi", "emacs"]
        .into_iter()
        .find(|mode| has(state, "setopts", mode));
    script.text(&match editing {
        // Setting it again takes its time.
        Some(mode) => format!("[[ -o {mode} ]] || builtin set -o {mode}"),
        None => "builtin set +o emacs +o vi".to_owned(),
    });
    let mut command = "builtin set".to_owned();
    for name in SET {
        let is_on = has(state, "setopts", name);
        // Each costs; and taking ignoreeof away takes IGNOREEOF with it.
        if is_on != ON_AT_FIRST.contains(name) {
            let sign = if is_on { '-' } else { '+' };
            command.push_str(&format!(" {sign}o {name}"));
        }
    }
    if command.len() > "builtin set".len() {
        script.text(&command);
    }
    // Bash switches it on by itself; saying so in a script would put the script into the history.
    if !has(state, "setopts", "history") {
        script.text("builtin set +o history");
    }
}
