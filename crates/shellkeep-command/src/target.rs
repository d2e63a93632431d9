//! Targets: how a user names a session, a window, a pane or a client.

mod directions;
mod resolve;
mod world;

pub use resolve::{resolve, resolve_client, resolve_index, resolve_or_marked};
pub use world::{ClientSpot, Current, Found, Link, PaneBox, Slot, TargetError, World};

use shellkeep_core::{PaneId, SessionId};

/// How a session is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionTarget {
    /// Whichever the caller is in, or used last.
    Current,
    /// By id: `$3`.
    Id(SessionId),
    /// By this very name: `=work`.
    Exact(String),
    /// By name, the beginning of a name, or a pattern.
    Loose(String),
}

/// How a pane is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaneTarget {
    /// By id: `%3`.
    Id(PaneId),
    /// By place: `session:window.pane`.
    Place {
        /// The session.
        session: SessionTarget,
        /// The window, as typed.
        window: Option<String>,
        /// The pane, as typed.
        pane: Option<String>,
    },
}

impl SessionTarget {
    /// Reads a target. A window and pane behind a colon are let pass: a session is meant.
    #[must_use]
    pub fn parse(text: Option<&str>) -> Self {
        let text = text.unwrap_or_default();
        let name = text.split_once(':').map_or(text, |(session, _)| session);
        if name.is_empty() {
            return Self::Current;
        }
        if let Ok(id) = name.parse() {
            return Self::Id(id);
        }
        match name.strip_prefix('=') {
            Some(exact) => Self::Exact(exact.to_owned()),
            None => Self::Loose(name.to_owned()),
        }
    }

    /// Finds the one session that is meant, if there is exactly one: the exact name first, then the only
    /// name that begins so, then the only name that fits the pattern. `Current` is the caller's to know.
    pub fn find<'a>(
        &self,
        sessions: impl Iterator<Item = (SessionId, &'a str)> + Clone,
    ) -> Option<SessionId> {
        let named = |wanted: &str| sessions.clone().find(|(_, name)| *name == wanted);
        match self {
            Self::Current => None,
            Self::Id(wanted) => sessions.clone().find(|(id, _)| id == wanted),
            Self::Exact(wanted) => named(wanted),
            Self::Loose(wanted) => named(wanted)
                .or_else(|| {
                    only(
                        sessions
                            .clone()
                            .filter(|(_, name)| name.starts_with(wanted)),
                    )
                })
                .or_else(|| only(sessions.clone().filter(|(_, name)| matches(wanted, name)))),
        }
        .map(|(id, _)| id)
    }
}

impl PaneTarget {
    /// Reads a target.
    #[must_use]
    pub fn parse(text: Option<&str>) -> Self {
        let text = text.unwrap_or_default();
        if let Ok(id) = text.parse() {
            return Self::Id(id);
        }
        let (session, place) = text.split_once(':').unwrap_or((text, ""));
        let (window, pane) = place.split_once('.').unwrap_or((place, ""));
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Self::Place {
            session: SessionTarget::parse(Some(session)),
            window: given(window),
            pane: given(pane),
        }
    }
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

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

    fn find(target: &str, names: &[&str]) -> Option<u32> {
        let sessions = names.iter().enumerate();
        let sessions = sessions.map(|(at, name)| (SessionId(u32::try_from(at).unwrap()), *name));
        SessionTarget::parse(Some(target))
            .find(sessions)
            .map(|id| id.0)
    }

    #[test]
    fn session_found_by_name_beginning_pattern_and_id() {
        let names = ["work", "workshop", "mail", "web-1"];
        assert_eq!(
            find("work", &names),
            Some(0),
            "the exact name wins over a beginning"
        );
        assert_eq!(find("works", &names), Some(1));
        assert_eq!(find("wor", &names), None, "two begin so");
        assert_eq!(find("=works", &names), None);
        assert_eq!(find("=mail", &names), Some(2));
        assert_eq!(find("w*-[0-9]", &names), Some(3));
        assert_eq!(find("$2", &names), Some(2));
        assert_eq!(find("$9", &names), None);
        assert_eq!(find("mail:0.0", &names), Some(2));
    }

    #[test]
    fn pane_target_is_taken_apart() {
        assert_eq!(PaneTarget::parse(Some("%3")), PaneTarget::Id(PaneId(3)));
        let place = PaneTarget::parse(Some("work:1.2"));
        let session = SessionTarget::Loose("work".into());
        let (window, pane) = (Some("1".into()), Some("2".into()));
        assert_eq!(
            place,
            PaneTarget::Place {
                session,
                window,
                pane
            }
        );
        let nowhere = PaneTarget::Place {
            session: SessionTarget::Current,
            window: None,
            pane: None,
        };
        assert_eq!(PaneTarget::parse(None), nowhere);
    }

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
