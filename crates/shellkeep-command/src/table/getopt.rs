//! Separates flags and arguments as tmux does.
//!
//! clap finds flags anywhere in a line, and treats values that begin with a dash in its own way. tmux stops at the
//! first word that is not a flag, and a flag that takes a value takes the next word, whatever it is. So the words are
//! separated here according to clap's declarations, and clap gets a line that it can read in only one way.

use std::any::TypeId;

use clap::Arg;

use super::flags::{is_many, is_value_joined, takes_value};
use crate::parse::{Arg as Word, print_list};
use crate::script::{self, Script};

/// The separated words of a command.
#[derive(Debug)]
pub(super) struct Read {
    flags: Vec<Flag>,
    arguments: Vec<Word>,
}

#[derive(Debug)]
enum Flag {
    Short(char),
    Value(char, String),
    Long(String),
    LongValue(String, String),
}

/// Separates the words after a command's name.
pub(super) fn read(command: &clap::Command, mut words: &[Word]) -> Result<Read, String> {
    let mut flags = Vec::new();
    let mut is_ended_by_hand = false;
    while let [Word::Text(word), rest @ ..] = words {
        if word == "-" || !word.starts_with('-') || is_negative_argument(command, word) {
            break;
        }
        words = rest;
        if word == "--" {
            is_ended_by_hand = true;
            break;
        }
        words = match word.strip_prefix("--") {
            Some(long) => read_long(command, long, words, &mut flags)?,
            None => read_short(command, &word[1..], words, &mut flags)?,
        };
    }
    let mut arguments = words.to_vec();
    if !is_ended_by_hand && takes_json_anywhere(command) {
        let all = arguments.len();
        arguments.retain(|word| !matches!(word, Word::Text(text) if text == "--json"));
        if arguments.len() < all {
            flags.push(Flag::Long("json".to_owned()));
        }
    }
    let asks_for_help = flags
        .iter()
        .any(|flag| matches!(flag, Flag::Long(name) if name == "help"));
    if !asks_for_help {
        check_arguments(command, &arguments)?;
    }
    Ok(Read { flags, arguments })
}

/// Whether a word is a negative number, and an argument of this command may be one.
fn is_negative_argument(command: &clap::Command, word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or_default();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        && command
            .get_positionals()
            .any(Arg::is_allow_negative_numbers_set)
}

/// Whether `--json` may also come after arguments, where users often type it. Not if the arguments are a program and
/// its arguments.
fn takes_json_anywhere(command: &clap::Command) -> bool {
    let is_json = |arg: &Arg| arg.get_long() == Some("json");
    command.get_arguments().any(is_json) && !command.get_positionals().any(is_many)
}

fn read_short<'a>(
    command: &clap::Command,
    letters: &str,
    words: &'a [Word],
    flags: &mut Vec<Flag>,
) -> Result<&'a [Word], String> {
    let mut letters = letters.chars();
    while let Some(letter) = letters.next() {
        if !letter.is_ascii_alphanumeric() {
            return Err(format!("invalid flag -{letter}"));
        }
        let mut declared = command.get_arguments();
        let arg = declared
            .find(|arg| arg.get_short() == Some(letter))
            .ok_or_else(|| format!("unknown flag -{letter}"))?;
        if !takes_value(arg) {
            flags.push(Flag::Short(letter));
            continue;
        }
        let attached = letters.as_str();
        if !attached.is_empty() {
            flags.push(Flag::Value(letter, attached.to_owned()));
            return Ok(words);
        }
        if is_value_joined(arg) {
            flags.push(Flag::Short(letter));
            return Ok(words);
        }
        return match words {
            [Word::Text(value), rest @ ..] => {
                flags.push(Flag::Value(letter, value.clone()));
                Ok(rest)
            }
            [Word::Block(_), ..] => Err(format!("-{letter} argument must be a string")),
            [] => Err(format!("-{letter} expects an argument")),
        };
    }
    Ok(words)
}

/// Long flags: tmux has none.
fn read_long<'a>(
    command: &clap::Command,
    text: &str,
    words: &'a [Word],
    flags: &mut Vec<Flag>,
) -> Result<&'a [Word], String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    let mut declared = command.get_arguments();
    let arg = declared
        .find(|arg| arg.get_long() == Some(name))
        .ok_or_else(|| format!("unknown flag --{name}"))?;
    let name = name.to_owned();
    match (takes_value(arg), value, words) {
        (false, None, _) => flags.push(Flag::Long(name)),
        (false, Some(_), _) => return Err(format!("--{name} takes no argument")),
        (true, Some(value), _) => flags.push(Flag::LongValue(name, value)),
        (true, None, [Word::Text(value), rest @ ..]) => {
            flags.push(Flag::LongValue(name, value.clone()));
            return Ok(rest);
        }
        (true, None, _) => return Err(format!("--{name} expects an argument")),
    }
    Ok(words)
}

/// Checks the number of arguments, and that blocks are only where they are allowed.
fn check_arguments(command: &clap::Command, words: &[Word]) -> Result<(), String> {
    let positionals: Vec<&Arg> = command.get_positionals().collect();
    let least = positionals
        .iter()
        .filter(|arg| arg.is_required_set())
        .count();
    if words.len() < least {
        return Err(format!("too few arguments (need at least {least})"));
    }
    let takes_all = positionals.last().is_some_and(|arg| is_many(arg));
    let most = positionals.len();
    if !takes_all && words.len() > most {
        return Err(format!("too many arguments (need at most {most})"));
    }
    for (at, word) in words.iter().enumerate() {
        let takes_block = positionals
            .get(at.min(most.saturating_sub(1)))
            .is_some_and(|arg| arg.get_value_parser().type_id() == TypeId::of::<Script>());
        if !takes_block && matches!(word, Word::Block(_)) {
            return Err(format!("argument {} must be \"string\"", at + 1));
        }
    }
    Ok(())
}

impl Read {
    /// The one-letter flags with their values.
    pub(super) fn letters(&self) -> Vec<(char, Option<String>)> {
        let flags = self.flags.iter().filter_map(|flag| match flag {
            Flag::Short(letter) => Some((*letter, None)),
            Flag::Value(letter, value) => Some((*letter, Some(value.clone()))),
            Flag::Long(_) | Flag::LongValue(..) => None,
        });
        flags.collect()
    }

    pub(super) fn arguments(&self) -> Vec<String> {
        let arguments = self.arguments.iter();
        arguments.map(|word| word.text().into_owned()).collect()
    }

    /// The words in a form that clap cannot misread.
    pub(super) fn for_clap(&self, name: &str) -> Vec<String> {
        let mut words = vec![name.to_owned()];
        // clap removes one equals sign from a value that is joined to its flag.
        words.extend(self.flags.iter().map(|flag| match flag {
            Flag::Short(letter) => format!("-{letter}"),
            Flag::Value(letter, value) => format!("-{letter}={value}"),
            Flag::Long(name) => format!("--{name}"),
            Flag::LongValue(name, value) => format!("--{name}={value}"),
        }));
        words.push("--".to_owned());
        words.extend(self.arguments.iter().map(encoded));
        words
    }

    /// The words in tmux's order.
    pub(super) fn canonical(&self, name: &str) -> Vec<Word> {
        let text = |text: String| Word::Text(text);
        let mut words = vec![text(name.to_owned())];
        let letter = |flag: &Flag| match flag {
            Flag::Short(letter) | Flag::Value(letter, _) => Some(*letter),
            Flag::Long(_) | Flag::LongValue(..) => None,
        };
        // Flags with the same letter keep their order, such as the values of `-e`.
        let mut flags: Vec<&Flag> = self.flags.iter().collect();
        flags.sort_by_key(|flag| letter(flag));
        let mut letters: Vec<char> = Vec::new();
        for flag in &flags {
            if let Flag::Short(letter) = flag {
                letters.push(*letter);
            }
        }
        if !letters.is_empty() {
            words.push(text(format!("-{}", letters.iter().collect::<String>())));
        }
        for flag in flags {
            match flag {
                Flag::Short(_) => {}
                Flag::Value(letter, value) => {
                    words.extend([text(format!("-{letter}")), text(value.clone())]);
                }
                Flag::Long(name) => words.push(text(format!("--{name}"))),
                Flag::LongValue(name, value) => words.push(text(format!("--{name}={value}"))),
            }
        }
        let looks_like_flag = |word: &Word| matches!(word, Word::Text(text) if text.len() > 1 && text.starts_with('-'));
        if self.arguments.first().is_some_and(looks_like_flag) {
            words.push(text("--".to_owned()));
        }
        words.extend_from_slice(&self.arguments);
        words
    }
}

/// Encodes a word for clap.
fn encoded(word: &Word) -> String {
    match word {
        Word::Text(text) => script::encode_text(text),
        Word::Block(list) => script::encode_block(&print_list(list)),
    }
}
