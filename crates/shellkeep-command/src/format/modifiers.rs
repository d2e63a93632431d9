//! Parses the modifiers before the colon in `#{…:name}`.

use super::number::parse_count;
use super::scan::{skip, strip_escapes};

pub(super) struct Modifier<'t> {
    pub(super) name: &'t str,
    pub(super) arguments: Vec<String>,
}

fn is_end(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b':' | b';'))
}

/// The most modifiers that are parsed, because each may take time proportional to the key's length.
const MAX_MODIFIERS: usize = 100;

/// Splits modifiers off a key; `expand` expands their arguments. `None` if there are none, or they are malformed: then
/// the whole key is a name.
pub(super) fn split<'t>(
    key: &'t str,
    mut expand: impl FnMut(&str) -> String,
) -> Option<(Vec<Modifier<'t>>, &'t str)> {
    let mut modifiers = Vec::new();
    let mut rest = key;
    while !rest.is_empty() && !rest.starts_with(':') {
        if modifiers.len() > MAX_MODIFIERS {
            return None;
        }
        rest = rest.strip_prefix(';').unwrap_or(rest);
        if rest.starts_with(':') {
            break;
        }
        let bytes = rest.as_bytes();
        let plain = match bytes {
            [first, ..] if b"labcdnwETSWP<>".contains(first) && is_end(bytes.get(1)) => 1,
            [b'|', b'|', ..] | [b'&', b'&', ..] | [b'!' | b'=' | b'<' | b'>', b'=', ..]
                if is_end(bytes.get(2)) =>
            {
                2
            }
            [first, ..] if b"mCNst=peq".contains(first) => {
                if is_end(bytes.get(1)) {
                    1
                } else {
                    let (modifier, after) = split_arguments(rest, &mut expand)?;
                    modifiers.push(modifier);
                    rest = after;
                    continue;
                }
            }
            _ => return None,
        };
        let (name, after) = rest.split_at(plain);
        modifiers.push(Modifier {
            name,
            arguments: Vec::new(),
        });
        rest = after;
    }
    Some((modifiers, rest.strip_prefix(':')?))
}

/// Parses a modifier with arguments: `=5`, or `=/5/…/` with any punctuation between them.
fn split_arguments<'t>(
    text: &'t str,
    expand: &mut impl FnMut(&str) -> String,
) -> Option<(Modifier<'t>, &'t str)> {
    let (name, mut rest) = text.split_at(1);
    let wrapper = *rest.as_bytes().first()?;
    let mut arguments = Vec::new();
    if !wrapper.is_ascii_punctuation() || wrapper == b'-' {
        let end = skip(rest, b":;")?;
        arguments.push(expand(&rest[..end]));
        return Some((Modifier { name, arguments }, &rest[end..]));
    }
    loop {
        // The rest begins with the separator.
        let bytes = rest.as_bytes();
        if bytes.first() == Some(&wrapper) && is_end(bytes.get(1)) {
            rest = &rest[1..];
            break;
        }
        let Some(end) = rest
            .get(1..)
            .and_then(|inside| skip(inside, &[wrapper, b';', b':']))
        else {
            break;
        };
        arguments.push(expand(&rest[1..=end]));
        rest = &rest[end + 1..];
        if is_end(rest.as_bytes().first()) {
            break;
        }
    }
    Some((Modifier { name, arguments }, rest))
}

/// How two sides are compared.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Comparison {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
}

/// Flags of `m:` and `C:`.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct MatchFlags {
    pub(super) is_regex: bool,
    pub(super) is_case_ignored: bool,
}

/// The one comparison or loop of a key.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Test {
    Compare(Comparison),
    Match(MatchFlags),
}

/// How a time is formatted.
pub(super) enum TimeForm {
    Plain,
    Pretty,
    Custom(String),
}

/// Everything that the modifiers of a key request.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) test: Option<Test>,
    pub(super) search: Option<MatchFlags>,
    pub(super) substitutions: Vec<Vec<String>>,
    pub(super) expression: Option<Vec<String>>,
    pub(super) limit: i64,
    pub(super) marker: Option<String>,
    pub(super) padding: i64,
    pub(super) time: Option<TimeForm>,
    pub(super) is_literal: bool,
    pub(super) is_character: bool,
    pub(super) is_color: bool,
    pub(super) is_base_name: bool,
    pub(super) is_dir_name: bool,
    pub(super) is_length: bool,
    pub(super) is_width: bool,
    pub(super) is_shell_quoted: bool,
    pub(super) is_style_quoted: bool,
    pub(super) is_expanded: bool,
    pub(super) is_time_expanded: bool,
    pub(super) is_window_name: bool,
    pub(super) is_session_name: bool,
    pub(super) loops_sessions: bool,
    pub(super) loops_windows: bool,
    pub(super) loops_panes: bool,
}

fn match_flags(arguments: &[String]) -> MatchFlags {
    let has = |flag| arguments.first().is_some_and(|flags| flags.contains(flag));
    MatchFlags {
        is_regex: has('r'),
        is_case_ignored: has('i'),
    }
}

impl Plan {
    /// Adds a modifier. Of contradicting ones the last counts.
    pub(super) fn add(&mut self, modifier: Modifier<'_>) {
        let arguments = modifier.arguments;
        let compare = |comparison| Some(Test::Compare(comparison));
        match modifier.name {
            "||" => self.test = compare(Comparison::Or),
            "&&" => self.test = compare(Comparison::And),
            "==" => self.test = compare(Comparison::Equal),
            "!=" => self.test = compare(Comparison::NotEqual),
            "<" => self.test = compare(Comparison::Less),
            ">" => self.test = compare(Comparison::Greater),
            "<=" => self.test = compare(Comparison::LessOrEqual),
            ">=" => self.test = compare(Comparison::GreaterOrEqual),
            "m" => self.test = Some(Test::Match(match_flags(&arguments))),
            "C" => self.search = Some(match_flags(&arguments)),
            "s" if arguments.len() >= 2 => self.substitutions.push(arguments),
            "e" if (1..=3).contains(&arguments.len()) => self.expression = Some(arguments),
            "=" | "p" => self.add_size(modifier.name, arguments),
            "t" => self.time = Some(time_form(&arguments)),
            "l" => self.is_literal = true,
            "a" => self.is_character = true,
            "c" => self.is_color = true,
            "b" => self.is_base_name = true,
            "d" => self.is_dir_name = true,
            "n" => self.is_length = true,
            "w" => self.is_width = true,
            "E" => self.is_expanded = true,
            "T" => self.is_time_expanded = true,
            "S" => self.loops_sessions = true,
            "W" => self.loops_windows = true,
            "P" => self.loops_panes = true,
            "q" => match arguments.first() {
                None => self.is_shell_quoted = true,
                Some(flags) => self.is_style_quoted |= flags.contains(['e', 'h']),
            },
            "N" => match arguments.first() {
                None => self.is_window_name = true,
                Some(flags) if flags.contains('w') => self.is_window_name = true,
                Some(flags) => self.is_session_name |= flags.contains('s'),
            },
            _ => {}
        }
    }

    fn add_size(&mut self, name: &str, arguments: Vec<String>) {
        let mut arguments = arguments.into_iter();
        let Some(number) = arguments.next() else {
            return;
        };
        let number = parse_count(&number);
        if name == "p" {
            self.padding = number;
            return;
        }
        self.limit = number;
        if let Some(marker) = arguments.next() {
            self.marker = Some(marker);
        }
    }
}

fn time_form(arguments: &[String]) -> TimeForm {
    match arguments {
        [flags, ..] if flags.contains('p') => TimeForm::Pretty,
        [flags, format, ..] if flags.contains('f') => TimeForm::Custom(strip_escapes(format)),
        _ => TimeForm::Plain,
    }
}
