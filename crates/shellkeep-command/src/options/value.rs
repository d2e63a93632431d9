//! Values: parsing, printing, toggling.

use std::collections::BTreeMap;
use std::time::Duration;

use shellkeep_core::key::Key;
use shellkeep_core::{ColorName, StyleText};

use super::duration;
use super::error::OptionError;
use super::quote::quote;
use super::spec::{Array, Kind, OptionSpec};

/// A style as it was typed, and its parsed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleValue {
    /// As typed.
    pub text: String,
    /// The parsed style; `None` if it contains a format that must be expanded first.
    pub style: Option<StyleText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Number(i64),
    Duration(Duration),
    Flag(bool),
    Choice(&'static str),
    Key(Key),
    /// A colour, or none at all.
    Color(Option<ColorName>),
    Style(StyleValue),
    Command(String),
    Array(BTreeMap<u32, Value>),
}

impl OptionSpec {
    /// Parses a complete value: for an array, all items.
    ///
    /// # Errors
    /// When the text is not of the option's kind.
    pub fn parse(&'static self, text: &str) -> Result<Value, OptionError> {
        let Some(array) = self.array else {
            return self.parse_item(text);
        };
        let mut items = BTreeMap::new();
        for (item, index) in array.split(text).zip(0..) {
            items.insert(index, self.parse_item(item)?);
        }
        Ok(Value::Array(items))
    }

    /// Parses one value: for an array, one item.
    ///
    /// # Errors
    /// When the text is not of the option's kind.
    pub fn parse_item(&'static self, text: &str) -> Result<Value, OptionError> {
        let owned = || text.to_owned();
        match self.kind {
            Kind::Text => Ok(Value::Text(owned())),
            Kind::Command => Ok(Value::Command(owned())),
            Kind::Size if is_size(text) => Ok(Value::Text(owned())),
            Kind::Size => Err(OptionError::Invalid(owned(), self)),
            Kind::Number { min, max } => self.parse_number(text, min, max),
            Kind::Duration => match duration::parse(text) {
                Some(duration) => Ok(Value::Duration(duration)),
                None => Err(OptionError::Invalid(owned(), self)),
            },
            Kind::Flag => parse_flag(text).ok_or_else(|| OptionError::NotAFlag(owned())),
            Kind::Choice(words) => {
                let word = words.iter().find(|word| **word == text);
                word.map(|word| Value::Choice(word))
                    .ok_or_else(|| OptionError::NotAChoice(owned(), self))
            }
            Kind::Key => match text.parse() {
                Ok(key) => Ok(Value::Key(key)),
                Err(_) => Err(OptionError::NotAKey(owned())),
            },
            Kind::Color => match text.parse() {
                Ok(color) => Ok(Value::Color(Some(color))),
                Err(_) => Err(OptionError::NotAColor(owned())),
            },
            Kind::Style => {
                let style = if text.contains("#{") {
                    None
                } else {
                    Some(text.parse().map_err(|_| OptionError::NotAStyle(owned()))?)
                };
                let text = owned();
                Ok(Value::Style(StyleValue { text, style }))
            }
        }
    }

    fn parse_number(&'static self, text: &str, min: i64, max: i64) -> Result<Value, OptionError> {
        // As C parses numbers: leading blanks and a plus sign are allowed.
        let digits = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b');
        match digits.parse::<i64>() {
            Ok(number) if number < min => Err(OptionError::TooSmall(text.to_owned(), self)),
            Ok(number) if number > max => Err(OptionError::TooLarge(text.to_owned(), self)),
            Ok(number) => Ok(Value::Number(number)),
            Err(error) => Err(match error.kind() {
                std::num::IntErrorKind::PosOverflow => OptionError::TooLarge(text.to_owned(), self),
                std::num::IntErrorKind::NegOverflow => OptionError::TooSmall(text.to_owned(), self),
                _ => OptionError::Invalid(text.to_owned(), self),
            }),
        }
    }

    /// The value if none is given: flags and the first two words of a choice are toggled.
    ///
    /// # Errors
    /// When the option needs a value.
    pub fn toggle(&'static self, current: &Value) -> Result<Value, OptionError> {
        match (self.kind, current) {
            (Kind::Flag, Value::Flag(on)) => Ok(Value::Flag(!on)),
            (Kind::Choice([first, second, ..]), Value::Choice(word)) => {
                Ok(Value::Choice(if word == first {
                    second
                } else if word == second {
                    first
                } else {
                    word
                }))
            }
            (Kind::Choice(_), Value::Choice(word)) => Ok(Value::Choice(word)),
            _ => Err(OptionError::Missing(Some(self))),
        }
    }
}

impl Array {
    /// The items in one text, without empty ones.
    pub(super) fn split<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let separators = self.separators;
        text.split(move |c| separators.contains(c))
            .filter(|item| !item.is_empty())
    }
}

/// Digits and anything, an `x`, digits and anything: tmux checks no more of a size.
fn is_size(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_rows = bytes
        .windows(2)
        .skip(1)
        .any(|pair| pair[0] == b'x' && pair[1].is_ascii_digit());
    bytes.first().is_some_and(u8::is_ascii_digit) && has_rows
}

fn parse_flag(text: &str) -> Option<Value> {
    let is = |words: [&str; 3]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(["on", "yes", "1"]) {
        Some(Value::Flag(true))
    } else if is(["off", "no", "0"]) {
        Some(Value::Flag(false))
    } else {
        None
    }
}

impl Value {
    pub(super) fn default_of(spec: &'static OptionSpec) -> Self {
        let read = |text: &&'static str| match spec.kind {
            // The cursor has no colour of its own. A user cannot type this text.
            Kind::Color if *text == "none" => Self::Color(None),
            // A test parses every default, so this is never reached.
            _ => spec
                .parse_item(text)
                .unwrap_or_else(|_| Self::Text((*text).to_owned())),
        };
        if spec.array.is_some() {
            return Self::Array((0..).zip(spec.default.iter().map(read)).collect());
        }
        spec.default
            .first()
            .map_or_else(|| Self::Text(String::new()), read)
    }

    /// The plain text that `show-options -v` prints, and that parses to the same value. An array has none; its items
    /// have one each.
    #[must_use]
    pub fn print(&self) -> String {
        match self {
            Self::Text(text) | Self::Command(text) => text.clone(),
            Self::Style(style) => style.text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Duration(duration) => duration::print(*duration),
            Self::Flag(true) => "on".to_owned(),
            Self::Flag(false) => "off".to_owned(),
            Self::Choice(word) => (*word).to_owned(),
            Self::Key(key) => key.to_string(),
            Self::Color(Some(color)) => color.to_string(),
            Self::Color(None) => "none".to_owned(),
            Self::Array(_) => String::new(),
        }
    }

    /// The text in a listing: texts are quoted, other values never need it.
    #[must_use]
    pub fn print_quoted(&self) -> String {
        match self {
            Self::Text(text) => quote(text),
            Self::Style(style) => quote(&style.text),
            _ => self.print(),
        }
    }

    /// The text in a format: as printed, except that a flag is 1 or 0.
    #[must_use]
    pub fn print_in_format(&self) -> String {
        match self {
            Self::Flag(true) => "1".to_owned(),
            Self::Flag(false) => "0".to_owned(),
            _ => self.print(),
        }
    }
}
