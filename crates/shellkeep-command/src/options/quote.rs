//! Quotes values in listings so that they can be read back as commands.

use std::fmt::Write as _;

/// Characters that need double quotes.
const DOUBLE: &[char] = &[' ', '#', '\'', ';', '$', '{', '}', '%'];

/// The kind of quotes around a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Single,
    Double,
}

/// A text as `show-options` prints it: without quotes if possible, else quoted as in tmux 3.3a.
#[must_use]
pub fn quote(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let quotes = if text.contains(DOUBLE) {
        Quotes::Double
    } else if text.contains('"') {
        Quotes::Single
    } else {
        Quotes::None
    };
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && c != ' '
        && (quotes != Quotes::None || c == '~')
    {
        return format!("\\{c}");
    }
    let body = escape(text, quotes);
    let tilde = if body.starts_with('~') { "\\" } else { "" };
    match quotes {
        Quotes::None => format!("{tilde}{body}"),
        Quotes::Double => format!("\"{tilde}{body}\""),
        // Inside single quotes nothing is special, not even a tilde.
        Quotes::Single => format!("'{body}'"),
    }
}

fn escape(text: &str, quotes: Quotes) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            '"' if quotes == Quotes::Double => out.push_str("\\\""),
            // Only where the name of a variable could follow.
            '$' if chars
                .peek()
                .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '_' | '{')) =>
            {
                out.push_str("\\$");
            }
            c if c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
            c => out.push(c),
        }
    }
    out
}
