//! Functions, each written so that it does no harm to the others: bash prints some functions in a form that it cannot
//! read again.
//!
//! These have a here-document, a pattern `esac`, or an unnamed coprocess in them, or a reserved word as their name.
//! Such a function is read on its own, first as it was printed and then repaired; if both fail, it is reported as
//! missing. If bash printed a here-document in the wrong place, the function may be read as a different one, so it
//! counts only if bash prints it again in the same form. All other functions are read directly, because an `eval` for
//! each would double the time.

use crate::pieces::Script;
use crate::state::ShellState;
use crate::words::quote;

/// The text of each function, by name; `None` if they cannot be separated. They are listed in the order of the names,
/// and each begins with a line of its own.
pub(super) fn split(state: &ShellState) -> Option<Vec<(&str, &[u8])>> {
    let text = state.section("functions");
    let mut names = names(state).map(|(_, name)| name).peekable();
    let mut begun: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let behind = &text[at + line.len()..];
        if let Some(name) = names.next_if(|name| behind.starts_with(b"{") && begins(line, name)) {
            begun.push((name, at));
        }
        at += line.len();
    }
    let is_whole = names.next().is_none() && begun.first().is_none_or(|(_, at)| *at == 0);
    let ends = begun.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    let found = begun.iter().zip(ends);
    is_whole.then(|| {
        found
            .map(|((name, at), end)| (*name, &text[*at..end]))
            .collect()
    })
}

/// Whether a function begins with this line. Before a name that is a reserved word, bash prints the word `function`.
fn begins(line: &[u8], name: &str) -> bool {
    let line = line.strip_suffix(b" () \n").unwrap_or_default();
    line == name.as_bytes() || line.strip_prefix(b"function ") == Some(name.as_bytes())
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
        // Bash can read it, but as a different function, so the repaired text comes first.
        (true, false) => tries.insert(0, mended),
        (false, false) => tries.push(mended),
    }
    if is_reserved && !text.starts_with(b"function ") {
        tries.push([b"function ", text].concat());
    }
    if tries.iter().any(|text| is_displaced(text)) {
        return put_if_the_same(script, name, text, &tries);
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

/// Adds a function with misplaced here-documents: the first text that bash prints in the form in which it was printed.
fn put_if_the_same(script: &mut Script, name: &str, text: &[u8], tries: &[Vec<u8>]) {
    let quoted_name = quote(name.as_bytes());
    script.line(&[b"__shellkeep_text=", &quote(text.trim_ascii_end())]);
    for text in tries.iter().flat_map(|text| replaced(text)) {
        script.0.extend_from_slice(
            &[
                b"builtin eval -- ",
                &quote(&text)[..],
                b" 2>/dev/null && [[ $(builtin declare -f -- ",
                &quoted_name,
                b") == \"$__shellkeep_text\" ]] || ",
            ]
            .concat(),
        );
    }
    let unread = quote([" ", name].concat().as_bytes());
    script.line(&[
        b"{ builtin unset -f -- ",
        &quoted_name,
        b" 2>/dev/null; __shellkeep_unread+=",
        &unread,
        b"; }",
    ]);
    script.text("builtin unset -v __shellkeep_text");
}

/// Reserved words. A function of such a name needs the word `function` before it, which not every bash prints.
const RESERVED: &[&str] = &[
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "in", "select", "then", "time", "until", "while", "{", "}",
];

fn is_doubtful(text: &[u8]) -> bool {
    let has_document = text.windows(3).enumerate().any(|(at, window)| {
        window[0] == b'<'
            && window[1] == b'<'
            && window[2] != b'<'
            && (at == 0 || text[at - 1] != b'<')
    });
    has_document || has_lone_coprocess(text) || lines(text).any(is_pattern)
}

fn lines(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n')
}

/// Whether the line begins with a pattern that needs an opening parenthesis, which bash does not print.
fn is_pattern(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"esac)") || line.starts_with(b"esac |")
}

const LONE_COPROCESS: &[u8] = b"coproc COPROC ";

/// Bash prints the name COPROC for a coprocess without a name, and reads that as its program.
fn has_lone_coprocess(text: &[u8]) -> bool {
    lines(text).any(|line| line.trim_ascii_start().starts_with(LONE_COPROCESS))
}

/// Repairs what bash misprints.
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
            // An operator after a compound command with a here-document is printed after the document, and belongs
            // before it.
            mended[opener].extend_from_slice(&[b" ", operator].concat());
            mended.push(rest.to_vec());
        } else {
            mended.push(line.to_vec());
        }
    }
    mended.join(&b'\n')
}

/// An operator with which no line can begin, and the text after it.
fn leading_operator(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let operators: [&[u8]; 6] = [b"&&", b"||", b"|&", b"|", b"&", b";"];
    let operator = operators
        .into_iter()
        .find(|operator| line.starts_with(operator))?;
    let rest = &line[operator.len()..];
    let is_end_of_case = operator == b";" && matches!(rest.first(), Some(b';' | b'&'));
    (!is_end_of_case).then_some((operator, rest))
}

/// The line that begins the here-document whose last line is the last of these.
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

/// The most arrangements that are tried.
const MAX_ARRANGEMENTS: usize = 48;

/// Whether bash printed the here-document of a condition after the first command in its body, which it does if that
/// command is redirected.
fn is_displaced(text: &[u8]) -> bool {
    lines(text).any(|line| word_of_condition(line).is_some())
}

/// The word that ends the here-document of a condition, if more text follows in that line, and whether tabs may precede
/// it.
fn word_of_condition(line: &[u8]) -> Option<(&[u8], bool)> {
    let line = line
        .strip_suffix(b"; then")
        .or_else(|| line.strip_suffix(b"; do"))?;
    let at = line.windows(2).rposition(|window| window == b"<<")?;
    let word = &line[at + 2..];
    let (word, has_tabs) = match word.strip_prefix(b"-") {
        Some(word) => (word, true),
        None => (word, false),
    };
    let quoted = word
        .strip_prefix(b"'")
        .and_then(|word| word.strip_suffix(b"'"));
    let word = quoted.unwrap_or(word);
    let is_word = !word.is_empty() && !word.contains(&b'<') && !word.starts_with(b" ");
    is_word.then_some((word, has_tabs))
}

/// The text with the here-documents of its conditions moved back. Where they begin is not marked, so there are several
/// possibilities.
fn replaced(text: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let lines: Vec<&[u8]> = lines(text).collect();
    replace_from(&lines, 0, &mut found);
    found
}

fn replace_from(lines: &[&[u8]], begin: usize, found: &mut Vec<Vec<u8>>) {
    let next = lines.iter().enumerate().skip(begin).find_map(|(at, line)| {
        let (word, has_tabs) = word_of_condition(line)?;
        Some((at, word, has_tabs))
    });
    let Some((at, word, has_tabs)) = next else {
        found.push(lines.join(&b'\n'));
        return;
    };
    let is_end = |line: &&[u8]| match has_tabs {
        true => line.trim_ascii_start() == word,
        false => *line == word,
    };
    let Some(end) = lines[at + 1..].iter().position(is_end) else {
        // The document is missing.
        return;
    };
    let end = at + 1 + end;
    for document in at + 2..=end {
        if found.len() >= MAX_ARRANGEMENTS {
            return;
        }
        let parts = [
            &lines[..=at],
            &lines[document..=end],
            &lines[at + 1..document],
            &lines[end + 1..],
        ];
        replace_from(&parts.concat(), at + 2 + end - document, found);
    }
}

pub(super) fn names(state: &ShellState) -> impl Iterator<Item = (&str, &str)> {
    let lines = state.section("names").split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| {
            std::str::from_utf8(line)
                .ok()?
                .strip_prefix("declare -")?
                .split_once(' ')
        })
        .filter(|(_, name)| !name.starts_with("__shellkeep_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_of_a_condition_is_tried_behind_it() {
        let text =
            "f () \n{ \n    if cat <<'E'; then\n        a > x\ntext\nE\n\n        b;\n    fi\n}\n";
        assert!(is_displaced(text.as_bytes()));
        let tries = replaced(text.as_bytes());
        let tries: Vec<&str> = tries
            .iter()
            .map(|text| std::str::from_utf8(text).unwrap())
            .collect();
        let right =
            "f () \n{ \n    if cat <<'E'; then\ntext\nE\n        a > x\n\n        b;\n    fi\n}\n";
        assert!(tries.contains(&right), "{tries:#?}");
        assert_eq!(tries.len(), 2);
        let lost = "if a <<-E; then\n    b > c\nfi\n";
        assert!(is_displaced(lost.as_bytes()) && replaced(lost.as_bytes()).is_empty());
        assert!(!is_displaced(b"if cat <<E\ntext\nE\n then\n a\n"));
    }

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
    fn function_named_like_a_reserved_word_is_declared_with_function() {
        let mut script = Script::default();
        put(&mut script, "if", b"if () \n{ \n    :\n}\n");
        let written = String::from_utf8(script.0).unwrap();
        assert!(
            written.contains("|| builtin eval -- 'function if () \n{"),
            "{written}"
        );
    }

    #[test]
    fn misprinted_functions_are_repaired() {
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
