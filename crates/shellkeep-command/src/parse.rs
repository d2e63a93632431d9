//! The command language: text to lists of commands, and back.
//!
//! This is tmux's language. One rule is ours: an error spoils the statement it stands in, and the rest of
//! the text is still read. Everything that reaches outside (variables, home directories, conditions,
//! aliases) is asked of a [`Host`].

mod grammar;
mod lexer;
mod print;
mod script;
mod source;

use std::sync::{Arc, OnceLock};

use crate::table::Reading;
use crate::{Command, CommandError, Taken};

pub use grammar::{Rest, TextParser};
pub use print::{print_args, print_command, print_full, print_list, print_sequences, quote};
pub use script::Script;

/// How deep blocks and conditions may stand in each other.
pub const DEEPEST: usize = 64;

/// A word of a command, or a block of commands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A word.
    Text(String),
    /// What stood between braces.
    Block(List),
}

impl Arg {
    /// The word; a block as it prints, without its braces.
    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::Block(list) => print_list(list).into(),
        }
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A command as it was written, and what it means.
///
/// This is what travels from where a command is typed to where it is run. The command table reads it once, when it is first
/// asked what it means: a file of many thousand commands is read one by one, as they are run.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The line it began on, from 1.
    pub line: usize,
    argv: Vec<Arg>,
    /// What the table makes of it. Copies share it.
    reading: Arc<OnceLock<Reading>>,
}

/// Where a command was written is not a part of what it says.
impl PartialEq for Parsed {
    fn eq(&self, other: &Self) -> bool {
        self.argv == other.argv
    }
}

impl Eq for Parsed {}

impl Parsed {
    /// A command of these words, from this line.
    #[must_use]
    pub fn new(line: usize, argv: Vec<Arg>) -> Self {
        Self {
            line,
            argv,
            reading: Arc::default(),
        }
    }

    /// Its name and arguments.
    #[must_use]
    pub fn argv(&self) -> &[Arg] {
        &self.argv
    }

    /// Its name and arguments, to be changed.
    fn argv_mut(&mut self) -> &mut Vec<Arg> {
        self.reading = Arc::default();
        &mut self.argv
    }

    /// What it means.
    ///
    /// # Errors
    /// When its name or its arguments do not fit the table; also, as [`CommandError::Help`], when help is asked for.
    pub fn command(&self) -> Result<&Command, &CommandError> {
        self.reading().command.as_ref()
    }

    /// What is wrong with it, if anything is. To ask for help is no fault.
    #[must_use]
    pub fn fault(&self) -> Option<&CommandError> {
        let error = self.command().err();
        error.filter(|error| !matches!(error, CommandError::Help(_)))
    }

    /// What it was given: for hooks, which want to know. `None` if its words do not fit the table.
    #[must_use]
    pub fn taken(&self) -> Option<Taken> {
        self.reading().taken()
    }

    /// Its words with its full name, and its flags in tmux's order: those without a value together, then those with one, by
    /// letter. This is how `list-keys` prints commands. What does not fit the table is left as it is.
    #[must_use]
    pub fn canonical(&self) -> Vec<Arg> {
        let words = self.reading().canonical();
        words.unwrap_or_else(|| self.argv.clone())
    }

    fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| Reading::of(&self.argv))
    }

    /// Its words; a block as it prints.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        self.argv
            .iter()
            .map(|arg| arg.text().into_owned())
            .collect()
    }
}

/// Commands in sequences: those joined by `;`. An error in one ends its sequence; the next begins anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(pub Vec<Vec<Parsed>>);

impl List {
    /// Every command, in order.
    pub fn commands(&self) -> impl Iterator<Item = &Parsed> {
        self.0.iter().flatten()
    }

    /// Whether it holds no command.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commands().next().is_none()
    }

    /// What is wrong with the names and arguments of its commands, also inside blocks.
    #[must_use]
    pub fn check(&self) -> Vec<ParseError> {
        let mut errors = Vec::new();
        for command in self.commands() {
            for arg in command.argv() {
                if let Arg::Block(list) = arg {
                    errors.extend(list.check());
                }
            }
            if let Err(error) = command.command() {
                errors.push(ParseError {
                    line: command.line,
                    message: error.to_string(),
                });
            }
        }
        errors
    }

    fn begin(&mut self) {
        if self.0.last().is_none_or(|sequence| !sequence.is_empty()) {
            self.0.push(Vec::new());
        }
    }

    fn push(&mut self, command: Parsed) {
        match self.0.last_mut() {
            Some(sequence) => sequence.push(command),
            None => self.0.push(vec![command]),
        }
    }

    /// Drops a last sequence that nothing was put in; no other is ever empty.
    fn trim(&mut self) {
        if self.0.last().is_some_and(Vec::is_empty) {
            self.0.pop();
        }
    }
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// What came of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Its commands.
    pub list: List,
    /// What could not be read.
    pub errors: Vec<ParseError>,
}

/// Who may see a variable set by `NAME=value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Programs get it, too.
    Exported,
    /// It was set by `%hidden`: only configurations and formats see it.
    Hidden,
}

/// What the text may ask for while it is read.
pub trait Host {
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;
    /// Sets a variable of the environment.
    fn set_variable(&mut self, name: &str, value: &str, visibility: Visibility);
    /// The home directory of a user; of the server's own if none is named.
    fn home(&self, user: Option<&str>) -> Option<String>;
    /// Expands the format of a `%if`.
    fn expand(&mut self, format: &str) -> String;
    /// What an alias stands for.
    fn alias(&self, name: &str) -> Option<String>;
}

/// A host that knows nothing: for text that was printed by us.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn set_variable(&mut self, _: &str, _: &str, _: Visibility) {}

    fn home(&self, _: Option<&str>) -> Option<String> {
        None
    }

    fn expand(&mut self, format: &str) -> String {
        format.to_owned()
    }

    fn alias(&self, _: &str) -> Option<String> {
        None
    }
}

/// Reads a text.
pub fn parse_text(text: &str, host: &mut dyn Host) -> Outcome {
    grammar::read(text, host)
}

/// Reads a text that must be free of errors, such as a template or a block.
///
/// # Errors
/// The first error.
pub fn parse_strict(text: &str, host: &mut dyn Host) -> Result<List, ParseError> {
    let outcome = parse_text(text, host);
    match outcome.errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(outcome.list),
    }
}

/// Makes commands of words that were taken apart already: those of a shell, or those behind `bind-key`.
///
/// A word that ends in `;` ends its command; `\;` at the end of a word is a plain semicolon.
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
