//! Matches the words of a command with the table.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::getopt::{self, Read};
use super::{Command, CommandError, Spec, clap_command, find, usage};
use crate::parse::Arg as Word;

/// Parses one command: its name and arguments.
///
/// # Errors
/// When the name or the arguments are not in the table; also, as [`CommandError::Help`], when help was requested.
pub fn parse<S: AsRef<str>>(argv: &[S]) -> Result<Command, CommandError> {
    let words: Vec<Word> = argv
        .iter()
        .map(|word| Word::Text(word.as_ref().to_owned()))
        .collect();
    Reading::of(&words).command
}

/// A cache of clap declarations. Making one takes longer than running the command, and a configuration uses the same
/// few commands thousands of times.
static DECLARED: Mutex<BTreeMap<&'static str, clap::Command>> = Mutex::new(BTreeMap::new());

/// The result of matching a command's words with the table.
#[derive(Debug)]
pub(crate) struct Reading {
    /// Its entry and its separated words, if they could be separated.
    words: Option<(&'static Spec, Read)>,
    pub(crate) command: Result<Command, CommandError>,
}

impl Reading {
    /// Matches a command: its name and arguments, which may be blocks.
    pub(crate) fn of(argv: &[Word]) -> Self {
        let refused = |error| Self {
            words: None,
            command: Err(error),
        };
        let Some(name) = argv.first() else {
            return refused(CommandError::Empty);
        };
        let spec = match find(&name.text()) {
            Ok(spec) => spec,
            Err(error) => return refused(error),
        };
        let mut declared = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
        let declared = declared
            .entry(spec.name)
            .or_insert_with(|| clap_command(spec));
        match getopt::read(declared, &argv[1..]) {
            Ok(read) => Self {
                command: understand(spec, declared, &read),
                words: Some((spec, read)),
            },
            Err(reason) => refused(wrong(spec, &reason)),
        }
    }

    /// The command's flags and arguments.
    pub(crate) fn taken(&self) -> Option<Taken> {
        self.words.as_ref().map(|(_, read)| Taken {
            flags: read.letters(),
            arguments: read.arguments(),
        })
    }

    /// The words in tmux's order.
    pub(crate) fn canonical(&self) -> Option<Vec<Word>> {
        let (spec, read) = self.words.as_ref()?;
        Some(read.canonical(spec.name))
    }
}

fn understand(
    spec: &Spec,
    declared: &mut clap::Command,
    read: &Read,
) -> Result<Command, CommandError> {
    let result = declared
        .try_get_matches_from_mut(read.for_clap(spec.name))
        .and_then(|matches| (spec.understand)(&matches));
    result.map_err(|error| match error.kind() {
        clap::error::ErrorKind::DisplayHelp => CommandError::Help(error.to_string()),
        // In tmux the command itself checks values, and its errors say no more than this.
        clap::error::ErrorKind::ValueValidation => CommandError::Value(one_sentence(&error)),
        _ => wrong(spec, &one_sentence(&error)),
    })
}

fn wrong(spec: &Spec, reason: &str) -> CommandError {
    CommandError::Arguments {
        name: spec.name,
        reason: format!("{reason} (usage: {})", usage(spec)),
    }
}

/// clap's errors span several lines; a prompt or a config file has room for one.
fn one_sentence(error: &clap::Error) -> String {
    if let Some(source) = std::error::Error::source(error) {
        return source.to_string();
    }
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches("error: ").to_owned()
}

/// The flags and arguments of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The one-letter flags with their values.
    pub flags: Vec<(char, Option<String>)>,
    /// Its arguments; a block as its text.
    pub arguments: Vec<String>,
}

impl Taken {
    /// The value of a flag; the last one if it was given twice.
    #[must_use]
    pub fn value(&self, flag: char) -> Option<&str> {
        let found = self.flags.iter().rev().find(|(letter, _)| *letter == flag);
        found.and_then(|(_, value)| value.as_deref())
    }
}
