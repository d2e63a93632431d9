//! Commands as an argument of a command: a text, or a block.

use super::{Arg, Host, List, NoHost, ParseError, parse_strict, print_list};

/// No text has this character in it, so it can mark a block on its way through clap.
const MARK: char = '\0';

/// Commands to be run later: what `if-shell`, `bind-key` or `command-prompt` was given.
///
/// It reads as its text. A block has been read already; a text is read when it is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    text: String,
    is_block: bool,
}

impl std::ops::Deref for Script {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<String> for Script {
    fn from(text: String) -> Self {
        match text.strip_prefix(MARK) {
            Some(block) => Self {
                text: block.to_owned(),
                is_block: true,
            },
            None => Self {
                text,
                is_block: false,
            },
        }
    }
}

impl From<&str> for Script {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl Script {
    /// A word as it goes through clap.
    pub(crate) fn encode(arg: &Arg) -> String {
        match arg {
            // A word can have no such mark but from a foreign caller's argv.
            Arg::Text(text) => text.trim_start_matches(MARK).to_owned(),
            Arg::Block(list) => format!("{MARK}{}", print_list(list)),
        }
    }

    /// Whether it stood between braces.
    #[must_use]
    pub const fn is_block(&self) -> bool {
        self.is_block
    }

    /// As the word it was.
    #[must_use]
    pub fn to_arg(&self) -> Arg {
        if self.is_block {
            // A block was printed by us, and reads back.
            Arg::Block(parse_strict(&self.text, &mut NoHost).unwrap_or_default())
        } else {
            Arg::Text(self.text.clone())
        }
    }

    /// Its commands.
    ///
    /// # Errors
    /// When its text cannot be read.
    pub fn commands(&self, host: &mut dyn Host) -> Result<List, ParseError> {
        self.fill::<&str>(&[], host)
    }

    /// Its commands with `%1` to `%9` replaced by answers, and `%%` by the first.
    ///
    /// In a block only the words change, so that an answer with a quote or a `;` in it stays one word; in
    /// a text an answer is put in before it is read, quoted where it says `%%%`.
    ///
    /// # Errors
    /// When its text cannot be read.
    pub fn fill<S: AsRef<str>>(
        &self,
        answers: &[S],
        host: &mut dyn Host,
    ) -> Result<List, ParseError> {
        if !self.is_block {
            return parse_strict(&fill_text(&self.text, answers), host);
        }
        let mut list = parse_strict(&self.text, &mut NoHost)?;
        if !answers.is_empty() {
            fill_list(&mut list, answers);
        }
        Ok(list)
    }
}

fn fill_list<S: AsRef<str>>(list: &mut List, answers: &[S]) {
    for command in list.0.iter_mut().flatten() {
        for arg in command.argv_mut() {
            match arg {
                Arg::Text(word) => *word = fill_text(word, answers),
                Arg::Block(list) => fill_list(list, answers),
            }
        }
    }
}

/// Replaces `%1` to `%9`, and the first `%%` by the first answer; `%%%` and `%1%` quote it.
fn fill_text<S: AsRef<str>>(template: &str, answers: &[S]) -> String {
    let Some(first) = answers.first() else {
        return template.to_owned();
    };
    let mut text = String::with_capacity(template.len());
    let mut chars = template.chars().peekable();
    let mut was_replaced = false;
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().filter(|_| c == '%');
        let answer = match next {
            Some('%') if !was_replaced => {
                was_replaced = true;
                Some(first)
            }
            Some(digit @ '1'..='9') => {
                let number = digit.to_digit(10).unwrap_or(1) as usize;
                answers.get(number - 1)
            }
            _ => None,
        };
        let Some(answer) = answer else {
            text.push(c);
            continue;
        };
        chars.next();
        if chars.next_if_eq(&'%').is_some() {
            for c in answer.as_ref().chars() {
                if "\"\\$;~".contains(c) {
                    text.push('\\');
                }
                text.push(c);
            }
        } else {
            text.push_str(answer.as_ref());
        }
    }
    text
}
