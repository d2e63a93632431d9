//! Key bindings and readline's settings.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::pieces::Script;
use crate::state::ShellState;
use crate::words::quote;

/// The default bindings of bash 5.1 to 5.3. They are not bound again, because that takes longer than everything else.
static DEFAULTS: LazyLock<HashSet<(&str, &str)>> = LazyLock::new(|| {
    let mut defaults = HashSet::new();
    let text = include_str!("../../scripts/bash-keys.txt");
    walk(text.as_bytes(), |_, keymap, line| {
        defaults.insert((keymap, line));
    });
    defaults
});
/// Our own keys in readline's notation.
const OURS: &str = "[7701;";

/// The kind of a line in the section.
pub(super) enum Part {
    Keys,
    Commands,
    Settings,
}

pub(super) fn walk<'a>(text: &'a [u8], mut see: impl FnMut(&Part, &'a str, &'a str)) {
    let mut part = Part::Keys;
    let mut keymap = "emacs";
    for line in text.split(|byte| *byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else {
            continue;
        };
        if let Some(name) = line.strip_prefix("keymap ") {
            (part, keymap) = (Part::Keys, name);
        } else if line == "commands" {
            part = Part::Commands;
        } else if line == "settings" {
            part = Part::Settings;
        } else if !line.is_empty() && !line.starts_with('#') && !line.contains(OURS) {
            see(&part, keymap, line);
        }
    }
}

/// Keys and settings as a file for `bind -f`.
pub(super) fn inputrc(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    let mut current = "";
    walk(state.section("bindings"), |part, keymap, line| match part {
        Part::Keys => {
            // Every printable key inserts itself by default.
            if line.ends_with(": self-insert")
                || line.ends_with(": do-lowercase-version")
                // It means every key without a longer binding, and cannot be bound by name.
                || line.contains("\\000\"")
                || DEFAULTS.contains(&(keymap, line))
            {
                return;
            }
            if keymap != current {
                script.text(&format!("set keymap {keymap}"));
                current = keymap;
            }
            script.text(line);
        }
        Part::Settings => {
            // `set -o` decides the first two, and setting them would drop bindings. HISTSIZE decides the third, and
            // setting it would drop the history.
            let elsewhere = ["set keymap ", "set editing-mode ", "set history-size "];
            if !elsewhere.iter().any(|begin| line.starts_with(begin)) {
                script.text(line);
            }
        }
        Part::Commands => {}
    });
    script.0
}

/// The shell commands bound to keys, which come after everything else.
pub(super) fn commands(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    // The file switches from map to map, and would leave the shell in the last one, such as vi's command map. When bash
    // is given a map, it returns to the one that it was in.
    script.text("builtin bind -m emacs -f \"$__shellkeep_dir/keys\"");
    walk(state.section("bindings"), |part, keymap, line| {
        if let Part::Commands = part
            && let Some((key, command)) = split(line)
        {
            let binding = quote(format!("{key}: {command}").as_bytes());
            script.line(&[b"builtin bind -m ", keymap.as_bytes(), b" -x ", &binding]);
        }
    });
    script.0
}

/// Splits `"key": "command"`, in 5.3 without the colon, into the key as it is and the command without its quotes.
fn split(line: &str) -> Option<(&str, String)> {
    let inner = line.strip_prefix('"')?;
    let mut escaped = false;
    let end = inner.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    let key = &line[..end + 2];
    let command = line[end + 2..].trim_start_matches(':').trim_start();
    let command = command
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(command);
    let mut out = String::new();
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    Some((key, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_reads_both_ways_of_listing_commands() {
        let expected = Some(("\"\\C-\\\"t\"", "echo \"a b\" \\".to_owned()));
        assert_eq!(split("\"\\C-\\\"t\": \"echo \\\"a b\\\" \\\\\""), expected);
        assert_eq!(split("\"\\C-\\\"t\" \"echo \\\"a b\\\" \\\\\""), expected);
        assert_eq!(split("nonsense"), None);
    }
}
