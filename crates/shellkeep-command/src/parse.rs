//! The command language: parses text to lists of commands, and prints them.
//!
//! This is tmux's language, with one difference: after an error in a statement, the rest of the text is still read.
//! Everything outside the text (variables, home directories, conditions, aliases) comes from a [`Host`].

mod error;
mod fill;
mod grammar;
mod host;
mod lexer;
mod parsed;
mod print;
mod source;

pub use error::ParseError;
pub use grammar::{Outcome, Rest, TextParser};
pub use host::{Host, NoHost, Visibility};
pub use parsed::{Arg, List, Parsed};
pub use print::{print_args, print_command, print_full, print_list, print_sequences, quote};

pub fn parse_text(text: &str, host: &mut dyn Host) -> Outcome {
    grammar::read(text, host)
}

/// Reads a text that must be free of errors, such as a block.
///
/// # Errors
/// The first error.
pub fn parse_strict(text: &str, host: &mut dyn Host) -> Result<List, ParseError> {
    without_errors(grammar::read(text, host))
}

/// Reads a text that a command was given, such as a template, and that must be free of errors. As in tmux, its lines do not part
/// commands: all of it is one sequence, and so is every block in it.
///
/// # Errors
/// The first error.
pub fn parse_argument(text: &str, host: &mut dyn Host) -> Result<List, ParseError> {
    without_errors(grammar::read_joined(text, host))
}

fn without_errors(outcome: Outcome) -> Result<List, ParseError> {
    match outcome.errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(outcome.list),
    }
}

/// Makes commands of separate words, from a shell or from `bind-key`.
///
/// A word that ends in `;` ends its command; `\;` at the end of a word is a literal semicolon.
pub fn from_words(words: &[Arg], line: usize, host: &dyn Host) -> List {
    let mut list = List::default();
    list.begin();
    let mut argv = Vec::new();
    for word in words {
        let Arg::Text(text) = word else {
            argv.push(word.clone());
            continue;
        };
        if let Some(kept) = text.strip_suffix("\\;") {
            argv.push(Arg::Text(format!("{kept};")));
        } else if let Some(kept) = text.strip_suffix(';') {
            if !kept.is_empty() {
                argv.push(Arg::from(kept));
            }
            let argv = std::mem::take(&mut argv);
            grammar::push_command(&mut list, Parsed::new(line, argv), host);
        } else {
            argv.push(word.clone());
        }
    }
    grammar::push_command(&mut list, Parsed::new(line, argv), host);
    list.trim();
    list
}

#[cfg(test)]
mod tests;
