//! Keys that only insert themselves. Input that was typed while a shell was starting is sent as far as it consists of
//! such keys, so that it is echoed before the shell reads the rest of its state, which takes the longest.

use super::later::{main_map, widget};
use crate::line::Line;
use crate::plain_keys::PlainKeys;
use crate::state::ShellState;
use crate::words::declarations;

/// The visible ASCII characters.
const VISIBLE: std::ops::RangeInclusive<u8> = b' '..=b'~';

/// The characters that insert themselves in the shell's own key map as well as in a default one.
pub(super) fn plain_keys(state: &ShellState) -> PlainKeys {
    let line = Line::parse(state.section("line"));
    let has_line = line.is_some_and(|line| !line.text.is_empty());
    let lines = declarations(state.section("bindings"));
    let has_widget = |wanted: &[u8]| {
        let mut widgets = lines.iter().filter_map(|line| widget(line));
        widgets.any(|(name, _)| name == wanted)
    };
    let begins_elsewhere = has_widget(b"zle-line-init") && may_choose_map(state);
    let is_elsewhere = state.fact("map").is_some_and(|map| map != b"main");
    let is_known = !has_line && !is_elsewhere && !has_widget(b"self-insert") && !begins_elsewhere;
    let map = lines.iter().find_map(|line| main_map(line));
    let Some(map) = map.filter(|_| is_known) else {
        return PlainKeys::default();
    };
    let keys = lines.iter().filter_map(|line| Keys::of(line, map));
    let keys: Vec<Keys> = keys.collect();
    let inserts = |byte: &u8| keys.iter().any(|it| it.insert(*byte));
    let begins = |byte: &u8| keys.iter().any(|it| it.begin(*byte));
    VISIBLE
        .filter(|byte| inserts(byte) && !begins(byte))
        .collect()
}

/// Whether a function selects the key map. A line may then begin in another map.
fn may_choose_map(state: &ShellState) -> bool {
    let text = state.section("functions");
    let has = |wanted: &[u8]| text.windows(wanted.len()).any(|window| window == wanted);
    has(b"zle -K") || has(b"vi-cmd-mode")
}

/// What a line binds.
enum Keys {
    /// A range of characters that insert themselves.
    Inserting(u8, u8),
    /// A sequence that begins with one of these.
    Sequence(Vec<u8>),
}

impl Keys {
    /// Parses `bindkey -M map "key" widget` and `bindkey -R -M map "from"-"to" widget`. `None` for other maps, and for
    /// keys without visible characters.
    fn of(line: &[u8], map: &[u8]) -> Option<Self> {
        let at = line.iter().position(|byte| *byte == b'"')?;
        let (flags, keys) = line.split_at(at);
        let flags: Vec<&[u8]> = flags.split(|byte| *byte == b' ').collect();
        let is_its = flags.windows(2).any(|it| it == [b"-M", map]);
        if flags.first() != Some(&&b"bindkey"[..]) || !is_its {
            return None;
        }
        let (first, rest) = quoted(keys)?;
        let is_range = flags.contains(&&b"-R"[..]);
        let (last, rest) = match rest.strip_prefix(b"-") {
            Some(rest) if is_range => quoted(rest)?,
            _ => (first, rest),
        };
        let inserts = rest == b" self-insert" && !flags.contains(&&b"-s"[..]);
        match (first, last) {
            ([first], [last]) if inserts => Some(Self::Inserting(*first, *last)),
            // A range from a control character on; all control characters come before the visible ones.
            ([b'^', control, ..], [last]) if inserts && is_range && *control != b'?' => {
                Some(Self::Inserting(b' ', *last))
            }
            // These three have several notations, which are not parsed further.
            ([b'\\', next, ..], _) if *next != b'M' => Some(Self::Sequence(b"\\\"^".to_vec())),
            ([b'^' | b'\\', ..] | [_], _) => None,
            ([first, ..], _) => Some(Self::Sequence(vec![*first])),
            ([], _) => None,
        }
    }

    fn insert(&self, byte: u8) -> bool {
        matches!(self, Self::Inserting(first, last) if (*first..=*last).contains(&byte))
    }

    fn begin(&self, byte: u8) -> bool {
        matches!(self, Self::Sequence(first) if first.contains(&byte))
    }
}

/// The text in quotes at the start, and the text after them.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b"\"")?;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return Some((&text[..at], &text[at + 1..])),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(bindings: &str, line: &str) -> String {
        plain_with(bindings, line, "")
    }

    fn plain_with(bindings: &str, line: &str, functions: &str) -> String {
        let mut answer = "#shellkeep 1 begin\nshell zsh\n".to_owned();
        for (name, text) in [
            ("line", line),
            ("bindings", bindings),
            ("functions", functions),
        ] {
            answer.push_str(&format!("#shellkeep 1 {name}\n{text}"));
        }
        answer.push_str("#shellkeep 1 end\n");
        let state = ShellState::parse_answer(answer.as_bytes(), "1").unwrap();
        let keys = plain_keys(&state);
        VISIBLE
            .filter(|byte| keys.leading(&[*byte]) == 1)
            .map(char::from)
            .collect()
    }

    const EMACS: &str = "bindkey -A emacs main\nbindkey -M emacs \"^A\" beginning-of-line\n";

    #[test]
    fn characters_of_the_map_in_use_insert_themselves() {
        let all: String = VISIBLE.map(char::from).collect();
        let rest =
            "bindkey -R -M emacs \" \"-\"~\" self-insert\nbindkey -R -M viins \"a\"-\"b\" vi-x\n";
        assert_eq!(plain(&format!("{EMACS}{rest}"), ""), all);
        let vi = "bindkey -R -M viins \"^\\\\\\\\\"-\"~\" self-insert\nbindkey -A viins main\n";
        assert_eq!(plain(vi, ""), all);
        assert_eq!(plain(EMACS, ""), "");
    }

    #[test]
    fn keys_bound_otherwise_or_starting_a_sequence_are_not_plain() {
        let bound = "bindkey -R -M emacs \"a\"-\"c\" self-insert\nbindkey -s -M emacs \"d\" \"e\"\n\
            bindkey -M emacs \"e\" magic-space\nbindkey -M emacs \"f\" self-insert\n\
            bindkey -M emacs \"bk\" vi-cmd-mode\nbindkey -M emacs \"^Xa\" undo\n";
        assert_eq!(plain(&format!("{EMACS}{bound}"), ""), "acf");
    }

    #[test]
    fn no_key_is_plain_in_an_unknown_map() {
        let range = "bindkey -R -M emacs \"a\"-\"c\" self-insert\n";
        assert_eq!(plain(&format!("{EMACS}{range}"), ""), "abc");
        let widget = "zle -N self-insert url-quote-magic\n";
        assert_eq!(plain(&format!("{EMACS}{range}{widget}"), ""), "");
        let begins = format!("{EMACS}{range}zle -N zle-line-init init\n");
        for (init, expected) in [("zle -K vicmd", ""), ("echoti smkx", "abc")] {
            let init = format!("init () {{\n\t{init}\n}}\n");
            assert_eq!(plain_with(&begins, "", &init), expected);
        }
        assert_eq!(plain(&format!("{EMACS}{range}"), "2\nls\n"), "");
        assert_eq!(plain(range, ""), "");
    }
}
