//! A command's words, read against the table.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::getopt::{self, Read};
use super::{Command, CommandError, Spec, clap_command, find, usage};
use crate::parse::Arg as Word;

/// Understands one command: its name and arguments.
///
/// # Errors
/// When the name or the arguments do not fit; also, as [`CommandError::Help`], when help is asked for.
pub fn parse<S: AsRef<str>>(argv: &[S]) -> Result<Command, CommandError> {
    let words: Vec<Word> = argv
        .iter()
        .map(|word| Word::Text(word.as_ref().to_owned()))
        .collect();
    Reading::of(&words).command
}

/// The commands that were asked for, as clap knows them. To declare one takes longer than to run it, and a configuration names the same
/// few commands thousands of times.
static DECLARED: Mutex<BTreeMap<&'static str, clap::Command>> = Mutex::new(BTreeMap::new());

/// What the table makes of a command's words.
#[derive(Debug)]
pub(crate) struct Reading {
    /// Its entry and its words told apart, if they can be.
    words: Option<(&'static Spec, Read)>,
    pub(crate) command: Result<Command, CommandError>,
}

impl Reading {
    /// Reads a command: its name and arguments, which may be blocks.
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

    /// What the command was given, told apart.
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
        // In tmux it is the command that finds out, and says no more than that.
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

/// clap explains at length, over several lines; a user of a prompt or a config file has one.
fn one_sentence(error: &clap::Error) -> String {
    if let Some(source) = std::error::Error::source(error) {
        return source.to_string();
    }
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches("error: ").to_owned()
}

/// What a command was given, told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Its flags of one letter, with their values.
    pub flags: Vec<(char, Option<String>)>,
    /// Its arguments; a block as it prints.
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
