//! Text to commands: words, quotes, comments, `;` and line ends.

use std::fmt;

/// A command's name and arguments.
pub type Argv = Vec<String>;

/// The commands of one line, or what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the text, from 1: where it begins.
    pub number: usize,
    /// Its commands.
    pub commands: Result<Vec<Argv>, LexError>,
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LexError {
    /// A quote that nothing closes.
    #[error("a {0} quote is not closed")]
    OpenQuote(QuoteKind),
    /// A backslash with nothing behind it.
    #[error("a backslash at the very end escapes nothing")]
    LoneBackslash,
}

/// Which quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteKind {
    /// `'`
    Single,
    /// `"`
    Double,
}

impl fmt::Display for QuoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Single => "single",
            Self::Double => "double",
        })
    }
}

/// Splits a text into lines of commands. A bad line spoils only itself.
#[must_use]
pub fn lex(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut number = 1;
    let mut rest = text;
    while !rest.is_empty() {
        let (logical, consumed) = logical_line(rest);
        let commands = commands(&logical);
        if commands
            .as_ref()
            .map_or(true, |commands| !commands.is_empty())
        {
            lines.push(Line { number, commands });
        }
        number += rest[..consumed].matches('\n').count();
        rest = &rest[consumed..];
    }
    lines
}

/// Takes one line off the front, with those that a backslash at the end joins to it.
fn logical_line(text: &str) -> (String, usize) {
    let mut line = String::new();
    let mut consumed = 0;
    for piece in text.split_inclusive('\n') {
        consumed += piece.len();
        let bare = piece.trim_end_matches('\n').trim_end_matches('\r');
        let backslashes = bare.len() - bare.trim_end_matches('\\').len();
        if backslashes % 2 == 1 && piece.ends_with('\n') {
            line.push_str(&bare[..bare.len() - 1]);
        } else {
            line.push_str(bare);
            break;
        }
    }
    (line, consumed)
}

fn commands(line: &str) -> Result<Vec<Argv>, LexError> {
    let mut commands = Vec::new();
    let mut argv = Argv::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '#' if word.is_none() => break,
            ' ' | '\t' => argv.extend(word.take()),
            ';' => {
                argv.extend(word.take());
                commands.extend(Some(std::mem::take(&mut argv)).filter(|argv| !argv.is_empty()));
            }
            '\'' => single_quoted(&mut chars, word.get_or_insert_default())?,
            '"' => double_quoted(&mut chars, word.get_or_insert_default())?,
            '\\' => {
                let escaped = chars.next().ok_or(LexError::LoneBackslash)?;
                word.get_or_insert_default().push(escaped);
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    argv.extend(word);
    commands.extend(Some(argv).filter(|argv| !argv.is_empty()));
    Ok(commands)
}

fn single_quoted(chars: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), LexError> {
    loop {
        match chars.next() {
            None => return Err(LexError::OpenQuote(QuoteKind::Single)),
            Some('\'') => return Ok(()),
            Some(c) => word.push(c),
        }
    }
}

fn double_quoted(chars: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), LexError> {
    let open = LexError::OpenQuote(QuoteKind::Double);
    loop {
        match chars.next().ok_or(open)? {
            '"' => return Ok(()),
            '\\' => match chars.next().ok_or(open)? {
                'n' => word.push('\n'),
                'r' => word.push('\r'),
                't' => word.push('\t'),
                'e' => word.push('\u{1b}'),
                c => word.push(c),
            },
            c => word.push(c),
        }
    }
}

/// Splits what came from a shell at its `;` words. A word that ends in `;` ends its command, too, as
/// in tmux; `\;` at the end of a word is a plain semicolon.
#[must_use]
pub fn split_argv(argv: &[String]) -> Vec<Argv> {
    let mut commands = vec![Argv::new()];
    for word in argv {
        let last = commands.last_mut().expect("begins with one");
        if let Some(kept) = word.strip_suffix("\\;") {
            last.push(format!("{kept};"));
        } else if let Some(kept) = word.strip_suffix(';') {
            if !kept.is_empty() {
                last.push(kept.to_owned());
            }
            commands.push(Argv::new());
        } else {
            last.push(word.clone());
        }
    }
    commands.retain(|argv| !argv.is_empty());
    commands
}

/// Writes a command so that [`lex`] reads it back.
#[must_use]
pub fn print(argv: &[String]) -> String {
    argv.iter()
        .map(|word| quote(word))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quote(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "-_=+./:@%$,^~!?*[]<>|&(){}".contains(c));
    if is_plain {
        return word.to_owned();
    }
    let mut quoted = String::from('"');
    for c in word.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => quoted.extend(['\\', c]),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &[&[&str]]) {
        let got: Vec<Argv> = lex(text)
            .into_iter()
            .flat_map(|line| line.commands.unwrap())
            .collect();
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn words_and_quotes() {
        check("set -g  prefix C-a", &[&["set", "-g", "prefix", "C-a"]]);
        check(r#"a 'b c' "d e" f\ g"#, &[&["a", "b c", "d e", "f g"]]);
        check(
            r#"a"b"'c'd "" "\t\e\"\\""#,
            &[&["abcd", "", "\t\u{1b}\"\\"]],
        );
    }

    #[test]
    fn comments_and_separators() {
        check("a # b ; c\n#d\n\ne", &[&["a"], &["e"]]);
        check("a b;c ; d;;", &[&["a", "b"], &["c"], &["d"]]);
        check(r"a \; b#c", &[&["a", ";", "b#c"]]);
    }

    #[test]
    fn lines_are_joined_and_counted() {
        check("a \\\n b\nc", &[&["a", "b"], &["c"]]);
        let numbers: Vec<usize> = lex("\na \\\n b\n\nc")
            .iter()
            .map(|line| line.number)
            .collect();
        assert_eq!(numbers, [2, 5]);
    }

    #[test]
    fn bad_line_spoils_only_itself() {
        let lines = lex("a 'b\nc\nd \\");
        assert_eq!(
            lines[0].commands,
            Err(LexError::OpenQuote(QuoteKind::Single))
        );
        assert_eq!(lines[1].commands, Ok(vec![vec!["c".to_owned()]]));
        assert_eq!(lines[2].commands, Err(LexError::LoneBackslash));
    }

    #[test]
    fn shell_words_split_at_semicolons() {
        let argv = ["new", "-d;", "ls", ";", "send", "a\\;"].map(str::to_owned);
        assert_eq!(
            split_argv(&argv),
            [vec!["new", "-d"], vec!["ls"], vec!["send", "a;"]]
        );
    }

    proptest! {
        #[test]
        fn printed_commands_read_back(argv in prop::collection::vec("[^\0\t\u{1b}]*", 1..6)) {
            let lines = lex(&print(&argv));
            prop_assert_eq!(lines.len(), 1);
            prop_assert_eq!(&lines[0].commands, &Ok(vec![argv]));
        }

        #[test]
        fn any_text_is_read_without_panic(text in ".*") {
            let _ = lex(&text);
        }
    }
}
