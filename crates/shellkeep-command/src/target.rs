//! Targets: how a user names a session, a window, a pane or a client.

mod directions;
mod resolve;
mod world;

pub use resolve::{resolve, resolve_client, resolve_index, resolve_or_marked};
pub use world::{ClientSpot, Current, Found, Link, PaneBox, Slot, TargetError, World};

/// Whether a name fits a shell pattern of `*`, `?` and `[…]`. Linear in the name for each star, as it
/// only ever goes back to the last one.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut last_star = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            last_star = Some((p, n));
            p += 1;
        } else if let Some(length) = match_one(&pattern[p..], name[n]) {
            p += length;
            n += 1;
        } else if let Some((star, taken)) = last_star {
            // Let the star take one character more.
            last_star = Some((star, taken + 1));
            p = star + 1;
            n = taken + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Length of the pattern's first element if it fits the character.
fn match_one(pattern: &[char], c: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', rest @ ..] => match rest.iter().skip(1).position(|end| *end == ']') {
            Some(end) => in_class(&rest[..=end], c).then_some(end + 3),
            None => (c == '[').then_some(1),
        },
        ['\\', escaped, ..] => (*escaped == c).then_some(2),
        [first, ..] => (*first == c).then_some(1),
        [] => None,
    }
}

fn in_class(class: &[char], c: char) -> bool {
    let (is_negated, mut class) = match class {
        ['!' | '^', rest @ ..] => (true, rest),
        _ => (false, class),
    };
    let mut found = false;
    while let [first, rest @ ..] = class {
        if let ['-', last, after @ ..] = rest {
            found |= (*first..=*last).contains(&c);
            class = after;
        } else {
            found |= *first == c;
            class = rest;
        }
    }
    found != is_negated
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

#[cfg(test)]
#[path = "target/tests.rs"]
mod resolve_tests;
