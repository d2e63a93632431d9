//! POSIX extended regular expressions, which find the longest match.

use regex_automata::meta::{Config, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use super::regex_syntax::translate;
use crate::glob::Case;

/// Larger programs than any status line needs are refused, because compiling and running them would take long.
const LARGEST_PROGRAM: usize = 256 * 1024;

/// A regular expression that finds the longest of the leftmost matches, as POSIX requires.
pub(super) struct Pattern {
    /// Finds where the first match begins.
    first: Regex,
    /// Finds its longest end; `None` if all matches are equally long.
    longest: Option<Regex>,
    is_anchored: bool,
}

impl Pattern {
    /// Compiles an expression; `None` if it is invalid or huge.
    pub(super) fn new(pattern: &str, case: Case) -> Option<Self> {
        let translated = translate(pattern)?;
        let build = |kind| {
            let config = Config::new()
                .match_kind(kind)
                .nfa_size_limit(Some(LARGEST_PROGRAM))
                // These optimisations are useful only for long texts; formats match titles and names.
                .hybrid(false)
                .dfa(false);
            let rules = syntax::Config::new()
                .case_insensitive(case == Case::Ignored)
                .dot_matches_new_line(true)
                .nest_limit(100);
            Regex::builder()
                .configure(config)
                .syntax(rules)
                .build(&translated)
                .ok()
        };
        let has_choice = pattern.contains(['|', '?', '*', '+', '{']);
        Some(Self {
            first: build(MatchKind::LeftmostFirst)?,
            longest: match has_choice {
                true => Some(build(MatchKind::All)?),
                false => None,
            },
            is_anchored: pattern.starts_with('^'),
        })
    }

    /// Whether there is a match anywhere in the text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.first.is_match(text)
    }

    /// Roughly how many steps a search takes for each byte.
    pub(super) fn cost(&self) -> usize {
        1 + self.first.memory_usage() / 2048
    }

    fn find(&self, text: &str, found: &mut Captures) -> bool {
        let Some(longest) = &self.longest else {
            self.first.captures(text, found);
            return found.is_match();
        };
        let Some(first) = self.first.find(text) else {
            return false;
        };
        let input = Input::new(text)
            .range(first.start()..)
            .anchored(Anchored::Yes);
        longest.search_captures(&input, found);
        found.is_match()
    }

    /// Replaces every match by `with`. `spend` is called with the bytes searched, and returns false to stop.
    pub(super) fn replace(
        &self,
        text: &str,
        with: &str,
        mut spend: impl FnMut(usize) -> bool,
    ) -> String {
        let mut out = String::with_capacity(text.len());
        let mut found = self
            .longest
            .as_ref()
            .unwrap_or(&self.first)
            .create_captures();
        let (mut start, mut last) = (0, 0);
        let mut was_empty = false;
        while start <= text.len() && spend(text.len() - start + out.len() / 16) {
            // Each search sees only the rest, so that `^` may match again, as in tmux.
            let rest = &text[start..];
            let span = match self.find(rest, &mut found) {
                true => found.get_group(0),
                false => None,
            };
            let Some(span) = span else {
                out.push_str(rest);
                break;
            };
            out.push_str(&text[last..start + span.start]);
            let is_new = was_empty || start + span.start != last || !span.is_empty();
            last = start + span.end;
            if is_new {
                expand_groups(&mut out, with, rest, &found);
                start = last;
                was_empty = false;
            } else {
                start = last + text[last..].chars().next().map_or(1, char::len_utf8);
                was_empty = true;
            }
            if self.is_anchored {
                out.push_str(text.get(start..).unwrap_or_default());
                break;
            }
        }
        out
    }
}

/// Writes a replacement: `\1` is the first group, and a backslash before any other character stands for that character.
fn expand_groups(out: &mut String, with: &str, text: &str, found: &Captures) {
    let mut chars = with.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let Some(escaped) = chars.next() else { break };
        let group = escaped.to_digit(10).and_then(|number| {
            let span = found.get_group(usize::try_from(number).ok()?)?;
            (!span.is_empty()).then_some(span)
        });
        match group {
            Some(span) => out.push_str(&text[span.range()]),
            None => out.push(escaped),
        }
    }
}
