//! Prints commands as text that parses to the same commands, quoted as in tmux.

use super::parsed::{Arg, List, Parsed};

/// Prints a list in one line: `a ; b`, with `;;` where a new sequence begins.
#[must_use]
pub fn print_list(list: &List) -> String {
    join(&list.0, " ; ", " ;; ", |command| command.argv().to_vec())
}

/// Prints a list as `list-keys` does: full names, flags in order, and `\;` between commands.
#[must_use]
pub fn print_sequences(list: &List) -> String {
    join(&list.0, " \\; ", " \\;\\; ", Parsed::canonical)
}

/// Prints a list as for hooks and traced files: full names, flags in order.
#[must_use]
pub fn print_full(list: &List) -> String {
    join(&list.0, " ; ", " ;; ", Parsed::canonical)
}

#[must_use]
pub fn print_command(command: &Parsed) -> String {
    print_args(command.argv())
}

#[must_use]
pub fn print_args(argv: &[Arg]) -> String {
    words(argv, &|command| command.argv().to_vec())
}

type Rewrite<'a> = &'a dyn Fn(&Parsed) -> Vec<Arg>;

fn join(
    sequences: &[Vec<Parsed>],
    between: &str,
    apart: &str,
    rewrite: impl Fn(&Parsed) -> Vec<Arg>,
) -> String {
    let mut text = String::new();
    for (at, sequence) in sequences.iter().enumerate() {
        if at > 0 {
            text.push_str(apart);
        }
        for (at, command) in sequence.iter().enumerate() {
            if at > 0 {
                text.push_str(between);
            }
            text.push_str(&words(&rewrite(command), &rewrite));
        }
    }
    text
}

fn words(argv: &[Arg], rewrite: Rewrite<'_>) -> String {
    let printed: Vec<String> = argv
        .iter()
        .map(|arg| match arg {
            Arg::Text(word) => quote(word),
            Arg::Block(list) if list.is_empty() => "{ }".to_owned(),
            Arg::Block(list) => format!("{{ {} }}", join(&list.0, " ; ", " ;; ", rewrite)),
        })
        .collect();
    printed.join(" ")
}

/// Quotes a word so that it is parsed as one word.
#[must_use]
pub fn quote(word: &str) -> String {
    const IN_DOUBLE: &str = " #';${}%";
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (None, _) => return "''".to_owned(),
        (Some(only), None) if only != ' ' && (IN_DOUBLE.contains(only) || "\"~".contains(only)) => {
            return format!("\\{only}");
        }
        _ => {}
    }
    if word.contains(|c| IN_DOUBLE.contains(c)) {
        return format!("\"{}\"", escaped(word, Inside::Double));
    }
    if word.contains('"') {
        let is_plain = !word.contains(|c: char| c == '\\' || c.is_control());
        return if is_plain {
            format!("'{word}'")
        } else {
            format!("\"{}\"", escaped(word, Inside::Double))
        };
    }
    let tilde = if word.starts_with('~') { "\\" } else { "" };
    format!("{tilde}{}", escaped(word, Inside::Nothing))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Double,
    Nothing,
}

fn escaped(word: &str, inside: Inside) -> String {
    let mut text = String::with_capacity(word.len() + 2);
    let mut chars = word.chars().peekable();
    let mut is_first = true;
    while let Some(c) = chars.next() {
        let names_variable = |c: &char| *c == '_' || *c == '{' || c.is_ascii_alphabetic();
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{7}' => text.push_str("\\a"),
            '\u{8}' => text.push_str("\\b"),
            '\u{b}' => text.push_str("\\v"),
            '\u{c}' => text.push_str("\\f"),
            '\\' => text.push_str("\\\\"),
            '"' if inside == Inside::Double => text.push_str("\\\""),
            '~' if inside == Inside::Double && is_first => text.push_str("\\~"),
            '$' if chars.peek().is_some_and(names_variable) => text.push_str("\\$"),
            c if c.is_ascii_control() => text.push_str(&format!("\\{:03o}", u32::from(c))),
            c => text.push(c),
        }
        is_first = false;
    }
    text
}
