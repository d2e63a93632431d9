//! The texts of functions, each so that it harms no other: bash now and then prints one that it cannot read again.
//!
//! What it misprints has a here-document or a pattern `esac` in it, or an unnamed coprocess, or is called like a word of the language. Such a function is read on its own,
//! at first as it is, then mended; if both fail, it is missing by name. All others are read as they are: an `eval` for each
//! would double the time.

use super::names;
use crate::pieces::Script;
use crate::state::State;
use crate::words::quote;

/// Each function's own text, by name; none if they cannot be told apart. They are listed in the order of the names, each
/// beginning with a line of its own.
pub(super) fn split(state: &State) -> Option<Vec<(&str, &[u8])>> {
    let mut rest = state.section("functions");
    let mut found: Vec<(&str, &[u8])> = Vec::new();
    for (_, name) in names(state) {
        let at = beginning(rest, name)?;
        match found.last_mut() {
            Some(last) => last.1 = &rest[..at],
            None if at > 0 => return None,
            None => {}
        }
        rest = &rest[at..];
        found.push((name, rest));
    }
    Some(found)
}

/// Where a function begins. Those that are called like a word of the language have another word in front.
fn beginning(text: &[u8], name: &str) -> Option<usize> {
    let begin = [name.as_bytes(), b" () \n{"].concat();
    let other = [b"function ", begin.as_slice()].concat();
    if text.starts_with(&begin) || text.starts_with(&other) {
        return Some(0);
    }
    let find = |begin: &[u8]| {
        let begin = [b"\n", begin].concat();
        let mut windows = text.windows(begin.len());
        windows.position(|window| window == begin)
    };
    find(&begin).or_else(|| find(&other)).map(|at| at + 1)
}

/// Adds a function.
pub(super) fn put(script: &mut Script, name: &str, text: &[u8]) {
    let is_reserved = RESERVED.contains(&name);
    if !is_doubtful(text) && !is_reserved {
        script.0.extend_from_slice(text);
        return;
    }
    let mut tries = vec![text.to_vec()];
    let mended = mended(text);
    match (has_lone_coprocess(text), mended == text) {
        (_, true) => {}
        // It can be read, and is another then.
        (true, false) => tries.insert(0, mended),
        (false, false) => tries.push(mended),
    }
    if is_reserved && !text.starts_with(b"function ") {
        tries.push([b"function ", text].concat());
    }
    for text in tries {
        let text = quote(&text);
        script
            .0
            .extend_from_slice(&[b"builtin eval -- ", &text[..], b" 2>/dev/null || "].concat());
    }
    let name = quote([" ", name].concat().as_bytes());
    script.line(&[b"__shellkeep_unread+=", &name]);
}

/// Words of the language: a function that is called like one of them needs another in front, which not every bash prints.
const RESERVED: &[&str] = &[
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "in", "select", "then", "time", "until", "while", "{", "}",
];

fn is_doubtful(text: &[u8]) -> bool {
    let has_document = text.windows(3).enumerate().any(|(at, window)| {
        window.starts_with(b"<<") && window[2] != b'<' && (at == 0 || text[at - 1] != b'<')
    });
    has_document || has_lone_coprocess(text) || lines(text).any(is_pattern)
}

fn lines(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n')
}

/// A pattern that needs the parenthesis in front of it, which bash leaves out.
fn is_pattern(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"esac)") || line.starts_with(b"esac |")
}

const LONE_COPROCESS: &[u8] = b"coproc COPROC ";

/// Bash names a coprocess that had no name, and takes that for its program when it reads it again.
fn has_lone_coprocess(text: &[u8]) -> bool {
    lines(text).any(|line| line.trim_ascii_start().starts_with(LONE_COPROCESS))
}

/// Undoes what bash misprints.
fn mended(text: &[u8]) -> Vec<u8> {
    let mut mended: Vec<Vec<u8>> = Vec::new();
    for line in lines(text) {
        let inner = line.trim_ascii_start();
        let indent = &line[..line.len() - inner.len()];
        if is_pattern(line) {
            mended.push([indent, b"(", inner].concat());
        } else if let Some(rest) = inner.strip_prefix(LONE_COPROCESS) {
            mended.push([indent, b"coproc ", rest].concat());
        } else if let Some((operator, rest)) = leading_operator(inner)
            && let Some(opener) = opener(&mended)
        {
            // What follows a compound command with a document stands behind the document.
            mended[opener].extend_from_slice(&[b" ", operator].concat());
            mended.push(rest.to_vec());
        } else {
            mended.push(line.to_vec());
        }
    }
    mended.join(&b'\n')
}

/// An operator that no line can begin with, and what is behind it.
fn leading_operator(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let operators: [&[u8]; 6] = [b"&&", b"||", b"|&", b"|", b"&", b";"];
    let operator = operators
        .into_iter()
        .find(|operator| line.starts_with(operator))?;
    let rest = &line[operator.len()..];
    let is_end_of_case = operator == b";" && matches!(rest.first(), Some(b';' | b'&'));
    (!is_end_of_case).then_some((operator, rest))
}

/// The line in which the document begins that ends in the last of these.
fn opener(lines: &[Vec<u8>]) -> Option<usize> {
    let (last, before) = lines.split_last()?;
    let word = last.trim_ascii_start();
    let begins = |line: &Vec<u8>| {
        let forms: [&[&[u8]]; 4] = [
            &[b"<<", word],
            &[b"<<-", word],
            &[b"<<'", word, b"'"],
            &[b"<<-'", word, b"'"],
        ];
        forms.into_iter().any(|form| line.ends_with(&form.concat()))
    };
    before.iter().rposition(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut script = Script::default();
        put(&mut script, "f", text.as_bytes());
        String::from_utf8(script.0).unwrap()
    }

    #[test]
    fn function_without_doubt_is_written_as_it_is() {
        for text in [
            "f () \n{ \n    cat <<< x\n}\n",
            "f () \n{ \n    case x in \n        x)\n            :\n        ;;\n    esac\n}\n",
        ] {
            assert_eq!(written(text), text);
        }
    }

    #[test]
    fn function_with_a_document_is_read_on_its_own() {
        assert_eq!(
            written("f () \n{ \n    cat <<E\nit's\nE\n\n}\n"),
            "builtin eval -- 'f () \n{ \n    cat <<E\nit'\\''s\nE\n\n}\n' 2>/dev/null || __shellkeep_unread+=' f'\n"
        );
    }

    #[test]
    fn function_called_like_a_word_of_the_language_is_said_to_be_one() {
        let mut script = Script::default();
        put(&mut script, "if", b"if () \n{ \n    :\n}\n");
        let written = String::from_utf8(script.0).unwrap();
        assert!(
            written.contains("|| builtin eval -- 'function if () \n{"),
            "{written}"
        );
    }

    #[test]
    fn what_bash_misprints_is_mended() {
        let cases = [
            ("        esac)\n", "        (esac)\n"),
            ("    coproc COPROC cat\n", "    coproc cat\n"),
            ("} <<E\nx\nE\n && y\n", "} <<E &&\nx\nE\n y\n"),
            ("} <<-'E'\nx\nE\n | y\n", "} <<-'E' |\nx\nE\n y\n"),
            ("a <<E\nE\n ;; b\n", "a <<E\nE\n ;; b\n"),
            ("a\n && b\n", "a\n && b\n"),
        ];
        for (text, expected) in cases {
            let mended = String::from_utf8(mended(text.as_bytes())).unwrap();
            assert_eq!(mended, expected);
        }
    }
}
