//! Finds out whether readline is at rest. If it waits for the rest of a key sequence, for a key to quote, or for more
//! text of a history search, it would read our key as part of that, and insert it into the user's line. Readline cannot
//! be asked, but its bindings and the last input are known.
//!
//! `C-g` cancels all of these without changing the line, if it has its default binding. It has no effect on an editor
//! at rest.

use super::keys::{Part, walk};
use super::options::has_mode;
use crate::shell::Shell;
use crate::state::ShellState;

/// Cancels what was begun with emacs keys, then makes bash write the line.
const ABORT_AND_TELL: &[u8] = b"\x07\x1b[7701;1~";

const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// The bytes that make bash write its half-typed line after the input `typed`. `None` if readline would read them as
/// something else.
pub(crate) fn line_key(state: &ShellState, typed: &[u8]) -> Option<&'static [u8]> {
    let keys = Keys::of(state);
    if keys.quotes_next(typed) || is_pasting(typed) {
        return None;
    }
    let is_begun = match keys.map {
        Map::Emacs if keys.abort == Abort::Always => return Some(ABORT_AND_TELL),
        Map::Emacs => is_begun_in_emacs(typed),
        Map::Insert => is_searching(typed),
        Map::Command => is_searching(typed) || awaits_more(typed),
    };
    Shell::Bash.line_key().filter(|_| !is_begun)
}

/// Whether vi's command mode is active.
pub(super) fn is_in_command_mode(state: &ShellState) -> bool {
    matches!(Keys::of(state).map, Map::Command)
}

/// The bindings that matter here.
struct Keys<'a> {
    map: Map,
    abort: Abort,
    /// The keys that quote the next key.
    quotes: Vec<&'a str>,
}

/// The active key map.
enum Map {
    Emacs,
    Insert,
    Command,
}

/// The effect of `C-g`, after any other key.
#[derive(PartialEq, Eq)]
enum Abort {
    Always,
    Unknown,
}

impl<'a> Keys<'a> {
    fn of(state: &'a ShellState) -> Self {
        let (mut map, name) = match has_mode(state, "vi") {
            true => (Map::Insert, "vi-insert"),
            false => (Map::Emacs, "emacs"),
        };
        let (mut aborts, mut others, mut quotes) = (false, false, Vec::new());
        walk(state.section("bindings"), |part, keymap, line| match part {
            // Readline names the map for commands by its first name.
            Part::Settings if line == "set keymap vi" && matches!(map, Map::Insert) => {
                map = Map::Command;
            }
            Part::Settings => {}
            Part::Keys | Part::Commands => {
                let (key, function) = line.rsplit_once("\": ").unwrap_or((line, ""));
                if keymap == name && function == "quoted-insert" {
                    quotes.push(key.trim_start_matches('"'));
                }
                if keymap == name && line.contains("\\C-g") {
                    aborts |= line == "\"\\C-g\": abort";
                    others |= function != "abort";
                }
            }
        });
        let abort = match aborts && !others {
            true => Abort::Always,
            false => Abort::Unknown,
        };
        Self { map, abort, quotes }
    }

    /// Whether the next key is quoted. If two quoting keys follow each other, the second one is quoted itself.
    fn quotes_next(&self, typed: &[u8]) -> bool {
        self.quotes.iter().any(|key| {
            let key = bytes_of(key);
            let mut rest = typed;
            let mut count = 0;
            while let Some(before) = rest.strip_suffix(&key[..]).filter(|_| !key.is_empty()) {
                (rest, count) = (before, count + 1);
            }
            count % 2 == 1
        })
    }
}

/// The bytes of a key in readline's notation. Supports only what these keys need.
fn bytes_of(key: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = key;
    while let Some(first) = rest.bytes().next() {
        let controlled = rest
            .strip_prefix("\\C-")
            .and_then(|rest| rest.bytes().next());
        let (byte, length) = match controlled {
            Some(letter) => (letter.to_ascii_uppercase() & 0x1f, 4),
            None if rest.starts_with("\\e") => (0x1b, 2),
            None => (first, 1),
        };
        bytes.push(byte);
        rest = rest.get(length..).unwrap_or_default();
    }
    bytes
}

/// Whether the end of a paste is still to come.
fn is_pasting(typed: &[u8]) -> bool {
    let last = |mark: &[u8]| typed.windows(mark.len()).rposition(|window| window == mark);
    last(PASTE_BEGINS) > last(PASTE_ENDS)
}

/// The input from the last key that is not plain text on. A history search lasts until such a key.
fn since_control(typed: &[u8]) -> &[u8] {
    let is_plain = |byte: &u8| !byte.is_ascii_control() || matches!(byte, 0x08 | 0x7f);
    let last = typed.iter().rposition(|byte| !is_plain(byte));
    typed.get(last.unwrap_or(0)..).unwrap_or_default()
}

/// Whether a history search was begun and is not over.
fn is_searching(typed: &[u8]) -> bool {
    matches!(since_control(typed), [0x12 | 0x13, ..])
}

/// Whether a key sequence, a quote or a search was begun and is not over, in emacs mode.
fn is_begun_in_emacs(typed: &[u8]) -> bool {
    let since = since_control(typed);
    is_searching(typed)
        || matches!(
            since,
            [0x1b | 0x18] | [0x1b, b'[' | b'O'] | [0x1b, b'p' | b'n', ..]
        )
}

/// Whether a command of vi mode is incomplete, according to the input since the last escape, which cancels every
/// command.
fn awaits_more(typed: &[u8]) -> bool {
    let since = typed.rsplit(|byte| *byte == 0x1b).next().unwrap_or(typed);
    let since = match since {
        // An arrow key or similar.
        [b'[' | b'O', rest @ ..] => {
            let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte));
            rest.get(end.map_or(rest.len(), |end| end + 1)..)
                .unwrap_or_default()
        }
        since => since,
    };
    let mut awaited = Awaited::Command;
    for byte in since {
        awaited = match (awaited, byte) {
            (Awaited::Text, b'\r' | b'\n') | (Awaited::Any, _) => Awaited::Command,
            (Awaited::Text, _) | (Awaited::Command, b'/' | b'?') => Awaited::Text,
            (_, b'f' | b'F' | b't' | b'T' | b'`') | (Awaited::Command, b'r' | b'm') => Awaited::Any,
            (Awaited::Command, b'd' | b'c' | b'y') | (Awaited::Motion, b'0'..=b'9') => {
                Awaited::Motion
            }
            _ => Awaited::Command,
        };
    }
    awaited != Awaited::Command
}

/// What a vi command waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Command,
    Motion,
    /// Any character.
    Any,
    /// A text to search for, up to its end.
    Text,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TELL: Option<&[u8]> = Some(b"\x1b[7701;1~");

    fn state(options: &str, bindings: &str) -> ShellState {
        let answer = format!(
            "#shellkeep 1 begin\nshell bash\nsetopts {options}\n#shellkeep 1 bindings\n{bindings}\n#shellkeep 1 end\n"
        );
        ShellState::parse_answer(answer.as_bytes(), "1").unwrap()
    }

    fn emacs(more: &str) -> ShellState {
        let keys = "\"\\C-g\": abort\n\"\\C-x\\C-g\": abort\n\"\\C-v\": quoted-insert\n\"\\C-q\": quoted-insert";
        state(
            "emacs:history",
            &format!("keymap emacs\n{keys}\n{more}\nkeymap vi-command\nsettings\nset keymap emacs"),
        )
    }

    fn vi(map: &str) -> ShellState {
        let keys =
            "keymap vi-insert\n\"\\C-v\": quoted-insert\nkeymap vi-command\n\"\\C-g\": abort";
        state("history:vi", &format!("{keys}\nsettings\nset keymap {map}"))
    }

    #[test]
    fn whatever_was_begun_is_ended_first() {
        let state = emacs("");
        for typed in [
            "",
            "echo ab",
            "ab\x1b",
            "ab\x18",
            "\x12find",
            "\x1bpfind",
            "\x16\x16",
        ] {
            assert_eq!(
                line_key(&state, typed.as_bytes()),
                Some(ABORT_AND_TELL),
                "{typed:?}"
            );
        }
    }

    #[test]
    fn key_that_would_be_inserted_or_pasted_is_not_sent() {
        let state = emacs("");
        for typed in ["ab\x16", "\x11", "\x16\x16\x16", "\x1b[200~ab"] {
            assert_eq!(line_key(&state, typed.as_bytes()), None, "{typed:?}");
        }
        let state = emacs("\"\\C-xq\": quoted-insert");
        assert_eq!(line_key(&state, b"ab\x18q"), None);
        assert_eq!(line_key(&state, b"ab\x18q\x18q"), Some(ABORT_AND_TELL));
        let whole = b"\x1b[200~a\x16b\x1b[201~";
        assert_eq!(line_key(&state, whole), Some(ABORT_AND_TELL));
    }

    #[test]
    fn key_for_abort_that_does_something_else_is_not_used() {
        for more in [
            "\"\\C-g\\C-f\": \"files\"",
            "commands\n\"\\C-x\\C-g\": \"navi\"",
        ] {
            let state = emacs(more);
            for typed in ["echo", "\x12find\r", "\x1bb", "\x12find\x07x"] {
                assert_eq!(line_key(&state, typed.as_bytes()), TELL, "{typed:?}");
            }
            for typed in ["ab\x1b", "ab\x1b[", "ab\x18", "\x12find", "\x1bpfind"] {
                assert_eq!(line_key(&state, typed.as_bytes()), None, "{typed:?}");
            }
        }
    }

    #[test]
    fn commands_of_vi_are_not_cut_in_two() {
        let (insert, command) = (vi("vi-insert"), vi("vi"));
        assert!(is_in_command_mode(&command) && !is_in_command_mode(&insert));
        for typed in ["echo find", "\x1bi", "ab\x1b"] {
            assert_eq!(line_key(&insert, typed.as_bytes()), TELL, "{typed:?}");
        }
        assert_eq!(line_key(&insert, b"\x12find"), None);
        assert_eq!(line_key(&insert, b"\x16"), None);
        for typed in [
            "a/b\x1b",
            "\x1b3",
            "\x1bfx",
            "\x1bd2w",
            "\x1b/fin\r",
            "\x1b[F",
            "\x1brd",
        ] {
            assert_eq!(line_key(&command, typed.as_bytes()), TELL, "{typed:?}");
        }
        for typed in [
            "\x1b/fin", "\x1bf", "\x1bd2", "\x1bdf", "\x1b?", "\x1br", "\x1bc",
        ] {
            assert_eq!(line_key(&command, typed.as_bytes()), None, "{typed:?}");
        }
    }
}
