//! Compiled search patterns, and which lines they match.

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

use crate::filter::{Filter, fold, hash};
use crate::required;

/// The most memory of a compiled pattern. Users type patterns, so they can be of any size.
const SIZE_LIMIT: usize = 4 << 20;

/// How the text of a pattern is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Text,
    Regex,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// Case counts if the pattern has capitals, as in copy mode.
    #[default]
    Smart,
    Exact,
    Ignore,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    #[error("nothing to look for")]
    Empty,
    #[error("bad regular expression: {pattern}: {why}")]
    Regex { pattern: String, why: String },
    #[error("regular expression too large: {0}")]
    TooLarge(String),
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    /// Set where case is ignored: the pattern in lower case, to be searched in a text in lower case. That is many times
    /// faster than ignoring case.
    small: Option<Regex>,
    reach: Reach,
    /// Bits in a [`Filter`] of the trigrams that every matching line contains.
    grams: Vec<u32>,
}

/// How much text can be searched at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Many lines: every match lies within one line.
    Lines,
    /// Many lines, as a first test: a match may span lines and then means nothing, but if there is no match, no line
    /// matches.
    Hint,
    /// One line at a time.
    Line,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// When the text is empty, or not a regular expression.
    pub fn new(text: &str, kind: Kind, case: Case) -> Result<Self, BadPattern> {
        if text.is_empty() {
            return Err(BadPattern::Empty);
        }
        let source = match kind {
            Kind::Text => regex::escape(text),
            Kind::Regex => text.to_owned(),
        };
        let hir = regex_syntax::ParserBuilder::new()
            .utf8(false)
            .multi_line(true)
            .build()
            .parse(&source)
            .map_err(|error| BadPattern::Regex {
                pattern: text.to_owned(),
                why: why(&error),
            })?;
        let is_small = !text.chars().any(char::is_uppercase);
        let ignores_case = match case {
            Case::Smart => is_small,
            Case::Exact => false,
            Case::Ignore => true,
        };
        let regex = RegexBuilder::new(&source)
            .case_insensitive(ignores_case)
            .multi_line(true)
            .size_limit(SIZE_LIMIT)
            .build()
            .map_err(|_| BadPattern::TooLarge(text.to_owned()))?;
        let reach = match kind {
            Kind::Text if !text.contains('\n') => Reach::Lines,
            Kind::Text => Reach::Line,
            // These anchors refer to the ends of the whole text, and flags can switch off that `^` and `$` match at
            // every line.
            Kind::Regex if ["\\A", "\\z", "(?"].iter().any(|word| text.contains(word)) => {
                Reach::Line
            }
            Kind::Regex => Reach::Hint,
        };
        let is_plain = reach == Reach::Lines && ignores_case && text.is_ascii();
        let small = is_plain.then(|| Regex::new(&regex::escape(&text.to_ascii_lowercase())));
        Ok(Self {
            regex,
            small: small.and_then(Result::ok),
            reach,
            grams: grams(&required::texts(&hir), ignores_case),
        })
    }

    /// The lines that match, in order and without their newlines. Every line of the text ends with a newline.
    pub fn lines<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
        let mut from = 0;
        let small = self.small.as_ref().filter(|_| !has_odd_letters(text));
        let small = small.map(|regex| (regex, text.to_ascii_lowercase()));
        std::iter::from_fn(move || {
            while from < text.len() {
                let at = match (&small, self.reach) {
                    (Some((regex, small)), _) => regex.find_at(small, from)?.start(),
                    (None, Reach::Lines | Reach::Hint) => self.regex.find_at(text, from)?.start(),
                    (None, Reach::Line) => from,
                };
                // Only an empty match can lie behind the last newline.
                if at >= text.len() {
                    return None;
                }
                let line = line_around(text, at);
                from = line.end + 1;
                if self.reach == Reach::Lines || self.regex.is_match(&text[line.clone()]) {
                    return Some(line);
                }
            }
            None
        })
    }

    /// Where the pattern matches in a line. Empty matches are left out.
    #[must_use]
    pub fn spans(&self, line: &[u8]) -> Vec<Range<usize>> {
        let found = self.regex.find_iter(line).map(|found| found.range());
        found.filter(|span| !span.is_empty()).collect()
    }

    /// Whether the text of this filter may have a line that matches.
    #[must_use]
    pub fn may_be_in(&self, filter: &Filter) -> bool {
        filter.may_hold(&self.grams)
    }

    /// Whether a filter can exclude texts: not if the pattern is too short, or has no text that every match contains.
    #[must_use]
    pub fn can_be_filtered(&self) -> bool {
        !self.grams.is_empty()
    }
}

/// Whether the text has a character that matches an ASCII letter when case is ignored: the Kelvin sign or the long s.
fn has_odd_letters(text: &[u8]) -> bool {
    let odd = ["\u{212a}".as_bytes(), "\u{17f}".as_bytes()];
    !text.is_ascii()
        && odd
            .iter()
            .any(|odd| text.windows(odd.len()).any(|at| at == *odd))
}

/// The line that contains a byte.
fn line_around(text: &[u8], at: usize) -> Range<usize> {
    let start = text[..at].iter().rposition(|byte| *byte == b'\n');
    let end = text[at..].iter().position(|byte| *byte == b'\n');
    start.map_or(0, |newline| newline + 1)..end.map_or(text.len(), |length| at + length)
}

/// The trigrams of texts that a match must contain, as bits of the largest filter.
fn grams(texts: &[Vec<u8>], ignores_case: bool) -> Vec<u32> {
    let mut grams = Vec::new();
    for text in texts {
        let mut folded = Vec::new();
        fold(text, &mut folded);
        // The filter has other letters as they are, so a trigram with one cannot be tested when case is ignored.
        let is_known = |byte: u8| byte != b'\n' && (byte.is_ascii() || !ignores_case);
        for gram in folded.windows(3) {
            if gram.iter().all(|byte| is_known(*byte)) {
                grams.push(hash([gram[0], gram[1], gram[2]]));
            }
        }
    }
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// The reason why an expression is wrong, in a few words.
fn why(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        other => {
            let text = other.to_string();
            text.lines().last().unwrap_or_default().to_owned()
        }
    }
}

#[cfg(test)]
mod tests;
