//! `set -o` and `shopt`.

use crate::pieces::Script;
use crate::state::ShellState;
use crate::words::declarations;

/// Options of `set -o`, in the order in which they are set. Those that print or stop commands are last.
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
/// Options that are on in a new interactive bash, besides those that it sets itself.
const ON_AT_FIRST: &[&str] = &[
    "braceexpand",
    "hashall",
    "histexpand",
    "interactive-comments",
    "monitor",
];
/// Read-only options.
const FIXED: &[&str] = &["login_shell", "restricted_shell"];
/// These would affect the rest of the script, so they are set after it.
const AFTER: &[&str] = &["expand_aliases", "extdebug", "histappend"];

pub(super) fn has_shopt(state: &ShellState, name: &str) -> bool {
    has(state, "shopts", name)
}

/// Whether an option of `set -o` is on.
pub(super) fn has_mode(state: &ShellState, name: &str) -> bool {
    has(state, "setopts", name)
}

fn has(state: &ShellState, list: &str, name: &str) -> bool {
    let list = state.fact(list).unwrap_or_default();
    list.split(|byte| *byte == b':')
        .any(|item| item == name.as_bytes())
}

/// The names of all `shopt` options. Their values come from `BASHOPTS`, which is read before anything is changed.
fn shopts(state: &ShellState) -> Vec<String> {
    let lines = declarations(state.section("shopt")).into_iter();
    let names = lines.filter_map(|line| std::str::from_utf8(line).ok()?.split(' ').nth(2));
    names
        .filter(|name| !FIXED.contains(name))
        .map(str::to_owned)
        .collect()
}

/// Switches options on and off with two commands.
fn switch<'a>(state: &ShellState, names: impl Iterator<Item = &'a String>, script: &mut Script) {
    let (on, off): (Vec<&String>, Vec<&String>) = names.partition(|name| has_shopt(state, name));
    // Each of the compat options switches the others off, even when it is switched off itself.
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

/// Options that must be set before functions are read.
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

/// The other options, for the first prompt.
pub(super) fn late(state: &ShellState, script: &mut Script) {
    let is_posix = has(state, "setopts", "posix");
    if is_posix {
        script.text("builtin set -o posix");
    }
    let names = shopts(state);
    // The posix option has changed some of these.
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
        // Setting it again would take time.
        Some(mode) => format!("[[ -o {mode} ]] || builtin set -o {mode}"),
        None => "builtin set +o emacs +o vi".to_owned(),
    });
    let mut command = "builtin set".to_owned();
    for name in SET {
        let is_on = has(state, "setopts", name);
        // Each command takes time. And switching ignoreeof off also unsets IGNOREEOF.
        if is_on != ON_AT_FIRST.contains(name) {
            let sign = if is_on { '-' } else { '+' };
            command.push_str(&format!(" {sign}o {name}"));
        }
    }
    if command.len() > "builtin set".len() {
        script.text(&command);
    }
    // Bash switches it on by itself. Doing so in a script would add the script to the history.
    if !has(state, "setopts", "history") {
        script.text("builtin set +o history");
    }
}
