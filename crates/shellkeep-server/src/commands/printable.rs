//! Escapes what commands print to a terminal: a path or name in it must not act as an escape sequence.

use shellkeep_render::Colors;

use crate::commands::queue::{Caller, Origin};
use crate::commands::targets;
use crate::model::Model;

/// Commands whose output is the contents of panes, buffers or programs, and is not escaped.
const RAW: &[&str] = &[
    "capture-pane",
    "if-shell",
    "run-shell",
    "save-buffer",
    "search",
    "show-buffer",
];

/// Escapes a command's output if it goes to a terminal. A script gets the bytes unchanged.
pub(crate) fn make_printable(model: &Model, caller: &Caller, command: &str, text: &mut Vec<u8>) {
    if RAW.contains(&command) || !has_controls(text) {
        return;
    }
    if caller.origin == Origin::CommandLine && is_terminal(model, caller) {
        *text = printable(text);
    }
}

/// The text with control characters other than newline and tab as octal numbers.
pub(crate) fn printable(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let escape = |bytes: &[u8], out: &mut Vec<u8>| {
        for byte in bytes {
            out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
        }
    };
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            let bytes = c.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
            match is_harmless(c) {
                true => out.extend_from_slice(&bytes),
                false => escape(&bytes, &mut out),
            }
        }
        // A terminal that is not in UTF-8 mode may take some of these bytes for control characters.
        escape(chunk.invalid(), &mut out);
    }
    out
}

fn is_harmless(c: char) -> bool {
    !c.is_control() || matches!(c, '\n' | '\t')
}

fn has_controls(text: &[u8]) -> bool {
    match std::str::from_utf8(text) {
        Ok(text) => !text.chars().all(is_harmless),
        Err(_) => true,
    }
}

/// Whether a client's standard output is a terminal. If the system does not tell, it may be one.
fn is_terminal(model: &Model, caller: &Caller) -> bool {
    let Some(client) = targets::typist(model, caller).filter(|it| it.control.is_none()) else {
        return false;
    };
    let output = client
        .pid
        .map(|pid| std::fs::read_link(format!("/proc/{pid}/fd/1")));
    match output {
        Some(Ok(output)) => output.starts_with("/dev/pts") || output.starts_with("/dev/tty"),
        Some(Err(_)) | None => true,
    }
}

/// Whether a user reads a command's output on a terminal, and did not call `tmux`.
pub(crate) fn is_read_by_a_person(model: &Model, caller: &Caller) -> bool {
    readers_terminal(model, caller).is_some()
}

/// Whether a command's output goes to a terminal that shows colours, whose user has not refused them.
pub(crate) fn has_colors(model: &Model, caller: &Caller) -> bool {
    let client = targets::typist(model, caller);
    let shows_colors = client.is_some_and(|client| {
        let refuses = client
            .context
            .env("NO_COLOR")
            .is_some_and(|value| !value.is_empty());
        client.terminal.caps.colors != Colors::None && !refuses
    });
    shows_colors && is_read_by_a_person(model, caller)
}

/// The terminal that a command's output goes to, if the user did not call `tmux`. None if the system does not tell.
pub(crate) fn readers_terminal(model: &Model, caller: &Caller) -> Option<std::path::PathBuf> {
    let client =
        targets::typist(model, caller).filter(|client| !client.is_tmux && client.control.is_none());
    let pid = client?.pid?;
    let output = std::fs::read_link(format!("/proc/{pid}/fd/1")).ok()?;
    (output.starts_with("/dev/pts") || output.starts_with("/dev/tty")).then_some(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_written_as_numbers_and_all_else_stays() {
        let text = "a\tb\n\u{1b}]0;x\u{7}\u{9b}31m\u{7f} ä\n";
        let expected = "a\tb\n\\033]0;x\\007\\302\\23331m\\177 ä\n";
        assert_eq!(printable(text.as_bytes()), expected.as_bytes());
        assert_eq!(printable(b"x\x9b1m"), b"x\\2331m");
        assert!(!has_controls("ä\tb\n".as_bytes()));
        assert!(has_controls(b"\x1b"));
    }
}
