//! Parses a script's commands, with answers in place of `%1` to `%9`.

use super::{Arg, Host, List, NoHost, ParseError, parse_argument, parse_strict};
use crate::script::Script;

impl Script {
    #[must_use]
    pub fn to_arg(&self) -> Arg {
        if self.is_block() {
            // We printed the block ourselves, so it can be parsed.
            Arg::Block(parse_strict(self, &mut NoHost).unwrap_or_default())
        } else {
            Arg::Text(self.to_string())
        }
    }

    /// Parses its commands.
    ///
    /// # Errors
    /// When its text cannot be parsed.
    pub fn commands(&self, host: &mut dyn Host) -> Result<List, ParseError> {
        self.fill::<&str>(&[], host)
    }

    /// Parses its commands, with `%1` to `%9` replaced by answers, and `%%` by the first.
    ///
    /// In a block only words are replaced, so that an answer with a quote or a `;` in it stays one word. In a text the
    /// answers are inserted before it is parsed, quoted for `%%%`.
    ///
    /// # Errors
    /// When its text cannot be parsed.
    pub fn fill<S: AsRef<str>>(
        &self,
        answers: &[S],
        host: &mut dyn Host,
    ) -> Result<List, ParseError> {
        if !self.is_block() {
            return parse_argument(&fill_text(self, answers), host);
        }
        let mut list = parse_strict(self, &mut NoHost)?;
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
