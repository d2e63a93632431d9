//! Commands as they were written, and their meaning according to the command table.

use std::sync::{Arc, OnceLock};

use super::error::ParseError;
use super::print::print_list;
use crate::table::{Command, CommandError, Reading, Taken};

/// A word of a command, or a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    Text(String),
    /// The commands in braces.
    Block(List),
}

impl Arg {
    /// The word; for a block, its text without braces.
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

/// A command as it was written, and its meaning.
///
/// It is passed from where a command is typed to where it is run. The words are matched with the table once, when the
/// meaning is first needed: of a file with thousands of commands, one at a time as they run.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The line it began on, from 1.
    pub line: usize,
    pub(super) argv: Vec<Arg>,
    /// Its meaning, shared by copies. Boxed because it is large: a file with thousands of commands that have not run
    /// yet waits in memory.
    reading: Arc<OnceLock<Box<Reading>>>,
}

/// The line does not count for equality.
impl PartialEq for Parsed {
    fn eq(&self, other: &Self) -> bool {
        self.argv == other.argv
    }
}

impl Eq for Parsed {}

impl Parsed {
    /// A command of these words, on this line.
    #[must_use]
    pub fn new(line: usize, argv: Vec<Arg>) -> Self {
        Self {
            line,
            argv,
            reading: Arc::default(),
        }
    }

    #[must_use]
    pub fn argv(&self) -> &[Arg] {
        &self.argv
    }

    /// Its name and arguments, to be changed.
    pub(super) fn argv_mut(&mut self) -> &mut Vec<Arg> {
        self.reading = Arc::default();
        &mut self.argv
    }

    /// Its meaning.
    ///
    /// # Errors
    /// When its name or its arguments are not in the table; also, as [`CommandError::Help`], when help was requested.
    pub fn command(&self) -> Result<&Command, &CommandError> {
        self.reading().command.as_ref()
    }

    /// What is wrong with it, if anything. A request for help is not wrong.
    #[must_use]
    pub fn fault(&self) -> Option<&CommandError> {
        let error = self.command().err();
        error.filter(|error| !matches!(error, CommandError::Help(_)))
    }

    /// Its flags and arguments, for hooks. `None` if its words do not match the table.
    #[must_use]
    pub fn taken(&self) -> Option<Taken> {
        self.reading().taken()
    }

    /// Its words with the full name, and the flags in tmux's order: those without a value together, then those with
    /// one, by letter. `list-keys` prints commands in this form. Words that do not match the table are unchanged.
    #[must_use]
    pub fn canonical(&self) -> Vec<Arg> {
        let words = self.reading().canonical();
        words.unwrap_or_else(|| self.argv.clone())
    }

    fn reading(&self) -> &Reading {
        self.reading
            .get_or_init(|| Box::new(Reading::of(&self.argv)))
    }

    /// Its words; a block as its text.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        self.argv
            .iter()
            .map(|arg| arg.text().into_owned())
            .collect()
    }
}

/// Commands in sequences, in which they are separated by `;`. An error ends its sequence; the next sequence runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(pub Vec<Vec<Parsed>>);

impl List {
    pub fn commands(&self) -> impl Iterator<Item = &Parsed> {
        self.0.iter().flatten()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commands().next().is_none()
    }

    /// The errors in the names and arguments of its commands, including those in blocks.
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

    pub(super) fn begin(&mut self) {
        if self.0.last().is_none_or(|sequence| !sequence.is_empty()) {
            self.0.push(Vec::new());
        }
    }

    pub(super) fn push(&mut self, command: Parsed) {
        match self.0.last_mut() {
            Some(sequence) => sequence.push(command),
            None => self.0.push(vec![command]),
        }
    }

    /// Drops the last sequence if it is empty. No other sequence ever is.
    pub(super) fn trim(&mut self) {
        if self.0.last().is_some_and(Vec::is_empty) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_that_is_not_read_yet_takes_little_memory() {
        let parsed = Parsed::default();
        let unread = size_of_val(&*parsed.reading);
        assert!(unread <= 2 * size_of::<usize>(), "{unread} bytes");
    }
}
