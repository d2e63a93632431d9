//! Shell patterns as in fnmatch(3), for names in targets and for formats.

/// Whether case matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Case {
    Differs,
    Ignored,
}

/// Whether a name matches a pattern of `*`, `?` and `[…]`.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    Glob::new(pattern, Case::Differs).is_match(name)
}

/// An element of an fnmatch(3) pattern.
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

/// A parsed fnmatch(3) pattern.
pub(crate) struct Glob {
    elements: Vec<Element>,
    case: Case,
}

impl Glob {
    pub(crate) fn new(pattern: &str, case: Case) -> Self {
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
                    // A backslash at the end matches nothing.
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

    /// Whether all of the text matches. It is enough to backtrack to the last star.
    pub(crate) fn is_match(&self, text: &str) -> bool {
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

    /// The number of elements: the most steps that a search takes for each character.
    pub(crate) fn cost(&self) -> usize {
        1 + self.elements.len()
    }
}

fn fold(c: char) -> char {
    // Only one-to-one case folding, as C's towlower does.
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
                // A set without items could not be parsed, and matches nothing.
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

/// Parses a set after its `[`. Also returns its length in the pattern. `None` if it has no end.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_a_shell_does() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("a*b*c", "aXbXbc", true),
            ("a*b", "abx", false),
            ("?", "é", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]", "]", true),
            ("[[:digit:]]", "7", true),
            ("[", "[", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn pattern_of_many_stars_ends_soon() {
        assert!(!matches(&"*a".repeat(500), &"b".repeat(5000)));
    }
}
