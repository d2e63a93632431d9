//! Just enough of the shells' quoting to find where one declaration ends and the next begins.

/// Splits text into declarations: lines, except that a newline inside quotes ends none.
pub(crate) fn declarations(text: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = declaration_end(rest);
        if end > 0 {
            found.push(&rest[..end]);
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    found
}

/// The end of the first declaration: its newline, or the end of the text.
fn declaration_end(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            b'"' => at = after(text, at + 1, b'"', true),
            b'\'' => {
                let is_ansi = at > 0 && text[at - 1] == b'$';
                at = after(text, at + 1, b'\'', is_ansi);
            }
            _ => at += plain(&text[at..]),
        }
    }
    text.len()
}

/// The number of bytes before the next one with a meaning. Almost all have none.
fn plain(text: &[u8]) -> usize {
    let means = |byte: &u8| matches!(byte, b'\n' | b'\\' | b'"' | b'\'');
    text.iter().position(means).unwrap_or(text.len())
}

/// The position after the closing quote.
fn after(text: &[u8], from: usize, quote: u8, escapes: bool) -> usize {
    let mut at = from;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if escapes => at += 2,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// Quotes a text so that each of the shells reads it literally as one word.
pub(crate) fn quote(text: &[u8]) -> Vec<u8> {
    let mut word = vec![b'\''];
    for byte in text {
        match byte {
            b'\'' => word.extend_from_slice(b"'\\''"),
            byte => word.push(*byte),
        }
    }
    word.push(b'\'');
    word
}

/// Removes `"..."`, `'...'` and `$'...'` around a whole value, as far as paths and similar values need it.
pub(crate) fn unquote(word: &[u8]) -> Vec<u8> {
    let inner = |open: usize| word.get(open..word.len().saturating_sub(1));
    match word {
        [b'"', .., b'"'] => unescape(inner(1).unwrap_or_default(), Escapes::Double),
        [b'$', b'\'', .., b'\''] => unescape(inner(2).unwrap_or_default(), Escapes::Ansi),
        [b'\'', .., b'\''] => inner(1).unwrap_or_default().to_vec(),
        word => unescape(word, Escapes::Double),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Escapes {
    Double,
    Ansi,
}

fn unescape(text: &[u8], escapes: Escapes) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += 1;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let Some(next) = text.get(at) else { break };
        at += 1;
        match (escapes, next) {
            (Escapes::Ansi, b'n') => out.push(b'\n'),
            (Escapes::Ansi, b't') => out.push(b'\t'),
            (Escapes::Ansi, b'r') => out.push(b'\r'),
            (Escapes::Ansi, b'a') => out.push(7),
            (Escapes::Ansi, b'E' | b'e') => out.push(27),
            (Escapes::Ansi, b'0'..=b'7') => {
                let digits = text[at - 1..].iter().take(3);
                let digits: Vec<u8> = digits
                    .copied()
                    .take_while(|d| (b'0'..=b'7').contains(d))
                    .collect();
                let value = digits
                    .iter()
                    .fold(0u32, |sum, digit| sum * 8 + u32::from(digit - b'0'));
                out.push((value & 0xff) as u8);
                at += digits.len() - 1;
            }
            (_, other) => out.push(*other),
        }
    }
    out
}

pub(crate) fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_with_quoted_line_breaks_stay_whole() {
        let text = b"declare -- A=\"x\ndeclare -- B=\\\"y\"\ndeclare -a C=([0]=$'q\\'\n' [1]=\"z\")\nalias a='b\n'\\''c'\n";
        let found = declarations(text);
        assert_eq!(found.len(), 3);
        assert!(found[0].starts_with(b"declare -- A") && found[0].ends_with(b"y\""));
        assert!(found[1].ends_with(b"\"z\")"));
    }

    #[test]
    fn declarations_of_an_open_quote_end_with_the_text() {
        assert_eq!(declarations(b"a=\"b\nc").len(), 1);
        assert_eq!(declarations(b"a\\").len(), 1);
        assert!(declarations(b"\n\n").is_empty());
    }

    #[test]
    fn unquote_undoes_each_kind_of_quotes() {
        assert_eq!(unquote(b"\"a\\\"b\\$\""), b"a\"b$");
        assert_eq!(unquote(b"$'a\\n\\303\\251\\''"), "a\né'".as_bytes());
        assert_eq!(unquote(b"'a b'"), b"a b");
        assert_eq!(unquote(b"a\\ b"), b"a b");
        assert_eq!(unquote(b"\""), b"\"");
    }

    #[test]
    fn quote_of_a_quote_can_be_read_back() {
        assert_eq!(quote(b"it's"), b"'it'\\''s'");
    }
}
