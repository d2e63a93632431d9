//! Patterns: fnmatch(3), and POSIX extended regular expressions with their longest matches.

use regex_automata::meta::{Config, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use super::regex_syntax::translate;

/// Whether `a` and `A` are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Case {
    Differs,
    Ignored,
}

/// Larger programs than any status line needs are refused, as they would take long to build and to run.
const LARGEST_PROGRAM: usize = 256 * 1024;

/// A regular expression that finds the leftmost of the longest matches, as POSIX wants it.
pub(super) struct Pattern {
    /// Where does the first match begin?
    first: Regex,
    /// How far does it reach, at most? None if the expression leaves no choice.
    longest: Option<Regex>,
    is_anchored: bool,
}

impl Pattern {
    /// Compiles; `None` if it is no regular expression, or a huge one.
    pub(super) fn new(pattern: &str, case: Case) -> Option<Self> {
        let translated = translate(pattern)?;
        let build = |kind| {
            let config = Config::new()
                .match_kind(kind)
                .nfa_size_limit(Some(LARGEST_PROGRAM))
                // Those pay off for long texts only; ours are titles and names.
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

    /// Whether it is found anywhere in the text.
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

    /// Puts `with` in place of every match. `spend` is told the bytes looked at, and says when it is enough.
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
            // Each search sees what is left only, so that `^` may match again: as tmux has it.
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

/// Writes a replacement: `\1` is the first group, a backslash before anything else stands for that.
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

/// One element of an fnmatch(3) pattern.
enum Element {
    Many,
    One,
    Char(char),
    Set { is_negated: bool, items: Vec<Item> },
}

enum Item {
    Range(char, char),
    Class(fn(char) -> bool),
}

/// An fnmatch(3) pattern, read once.
pub(super) struct Glob {
    elements: Vec<Element>,
    case: Case,
}

impl Glob {
    pub(super) fn new(pattern: &str, case: Case) -> Self {
        let chars: Vec<char> = pattern.chars().collect();
        let mut elements = Vec::with_capacity(chars.len());
        let mut at = 0;
        while let Some(c) = chars.get(at) {
            at += 1;
            elements.push(match c {
                '*' => Element::Many,
                '?' => Element::One,
                '\\' => match chars.get(at) {
                    Some(escaped) => {
                        at += 1;
                        Element::Char(*escaped)
                    }
                    // Escapes nothing, and so fits nothing.
                    None => Element::Set {
                        is_negated: false,
                        items: Vec::new(),
                    },
                },
                '[' => match parse_set(&chars[at..]) {
                    Some((set, length)) => {
                        at += length;
                        set
                    }
                    None => Element::Char('['),
                },
                c => Element::Char(*c),
            });
        }
        Self { elements, case }
    }

    /// Whether all of the text fits. Goes back to the last star only.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut element, mut at) = (0, 0);
        let mut last_star = None;
        while at < text.len() {
            match self.elements.get(element) {
                Some(Element::Many) => {
                    last_star = Some((element, at));
                    element += 1;
                }
                Some(one) if one.fits(text[at], self.case) => {
                    element += 1;
                    at += 1;
                }
                _ => {
                    let Some((star, taken)) = last_star else {
                        return false;
                    };
                    last_star = Some((star, taken + 1));
                    element = star + 1;
                    at = taken + 1;
                }
            }
        }
        self.elements[element..]
            .iter()
            .all(|element| matches!(element, Element::Many))
    }

    /// How many elements there are, which is what a search costs for each character at worst.
    pub(super) fn cost(&self) -> usize {
        1 + self.elements.len()
    }
}

fn fold(c: char) -> char {
    // Only the one-to-one foldings, as C's towlower.
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        _ => c,
    }
}

impl Element {
    fn fits(&self, c: char, case: Case) -> bool {
        let folded = |c: char| if case == Case::Ignored { fold(c) } else { c };
        match self {
            Self::Many | Self::One => true,
            Self::Char(wanted) => folded(*wanted) == folded(c),
            Self::Set { is_negated, items } => {
                // A set that holds nothing is one that could not be read: nothing fits.
                !items.is_empty()
                    && *is_negated
                        != items.iter().any(|item| match item {
                            Item::Range(from, to) => {
                                (folded(*from)..=folded(*to)).contains(&folded(c))
                            }
                            Item::Class(holds) => holds(c),
                        })
            }
        }
    }
}

/// Reads a set behind its `[`; how much of the pattern it takes. `None` if it never ends.
fn parse_set(pattern: &[char]) -> Option<(Element, usize)> {
    let is_negated = matches!(pattern.first(), Some('!' | '^'));
    let begin = usize::from(is_negated);
    let mut at = begin;
    let mut items = Vec::new();
    loop {
        match pattern[at..] {
            [] => return None,
            [']', ..] if at > begin => break,
            ['[', ':', ref rest @ ..] => {
                let end = rest.windows(2).position(|two| two == [':', ']']);
                let class = end.and_then(|end| {
                    let name: String = rest[..end].iter().collect();
                    Some((end, class(&name)?))
                });
                if let Some((end, holds)) = class {
                    items.push(Item::Class(holds));
                    at += end + 4;
                } else {
                    items.push(Item::Range('[', '['));
                    at += 1;
                }
            }
            _ => {
                let (from, length) = set_char(&pattern[at..])?;
                at += length;
                match pattern[at..] {
                    ['-', next, ..] if next != ']' => {
                        let (to, length) = set_char(&pattern[at + 1..])?;
                        at += 1 + length;
                        items.push(Item::Range(from, to));
                    }
                    _ => items.push(Item::Range(from, from)),
                }
            }
        }
    }
    Some((Element::Set { is_negated, items }, at + 1))
}

fn set_char(pattern: &[char]) -> Option<(char, usize)> {
    match pattern {
        ['\\', escaped, ..] => Some((*escaped, 2)),
        ['\\'] | [] => None,
        [c, ..] => Some((*c, 1)),
    }
}

fn class(name: &str) -> Option<fn(char) -> bool> {
    Some(match name {
        "alpha" => char::is_alphabetic,
        "alnum" => char::is_alphanumeric,
        "upper" => char::is_uppercase,
        "lower" => char::is_lowercase,
        "space" => char::is_whitespace,
        "cntrl" => char::is_control,
        "digit" => |c| c.is_ascii_digit(),
        "xdigit" => |c| c.is_ascii_hexdigit(),
        "punct" => |c| c.is_ascii_punctuation(),
        "blank" => |c| c == ' ' || c == '\t',
        "graph" => |c| !c.is_control() && !c.is_whitespace(),
        "print" => |c| !c.is_control(),
        _ => return None,
    })
}
