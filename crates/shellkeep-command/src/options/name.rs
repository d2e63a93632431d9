//! Finds options by name, unique prefix, or `name[3]`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::error::OptionError;
use super::hooks::HOOKS;
use super::server::SERVER;
use super::session::SESSION;
use super::spec::OptionSpec;
use super::value::Value;
use super::window::WINDOW;

/// An option and its parsed default.
struct Entry {
    spec: &'static OptionSpec,
    default: Value,
}

/// Every option by name, for lookups; the tables themselves are in tmux's order.
static SORTED: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries: Vec<_> = all()
        .map(|spec| Entry {
            spec,
            default: Value::default_of(spec),
        })
        .collect();
    entries.sort_by_key(|entry| entry.spec.name);
    entries
});

/// Other spellings that tmux accepts.
const OTHER_NAMES: [(&str, &str); 5] = [
    ("clock-mode-color", "clock-mode-colour"),
    ("cursor-color", "cursor-colour"),
    ("display-panes-active-color", "display-panes-active-colour"),
    ("display-panes-color", "display-panes-colour"),
    ("pane-colors", "pane-colours"),
];

/// Every option and hook, in the order in which they are shown.
pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
    [SERVER, SESSION, WINDOW, HOOKS].into_iter().flatten()
}

/// The index of each name in `SORTED`. Options are looked up at every key, when the CPU's caches may be cold: a binary
/// search would fetch a dozen names, this fetches one.
static PLACES: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let names = SORTED.iter().map(|entry| entry.spec.name);
    names.enumerate().map(|(at, name)| (name, at)).collect()
});

fn entry(name: &str) -> Option<&'static Entry> {
    SORTED.get(*PLACES.get(name)?)
}

/// The option with exactly this name.
#[must_use]
pub fn known(name: &str) -> Option<&'static OptionSpec> {
    entry(name).map(|entry| entry.spec)
}

/// The default of the option with exactly this name.
pub(super) fn default_of(name: &str) -> Option<&'static Value> {
    entry(name).map(|entry| &entry.default)
}

/// Names with this prefix.
pub(super) fn beginning(start: &str) -> Vec<&'static str> {
    let start = start.split('[').next().unwrap_or(start);
    let names = SORTED.iter().map(|entry| entry.spec.name);
    names
        .filter(|name| !start.is_empty() && name.starts_with(start))
        .collect()
}

/// The name most similar to a mistyped one.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    // Longer than any name, so no name is similar; comparing would take time proportional to its length.
    if name.len() > 80 {
        return None;
    }
    let close = SORTED.iter().map(|entry| {
        let likeness = strsim::jaro_winkler(name, entry.spec.name);
        (likeness, entry.spec.name)
    });
    close
        .filter(|(likeness, _)| *likeness > 0.85)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, near)| near)
}

/// The option that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionName {
    Known {
        spec: &'static OptionSpec,
        /// The index of an array's item.
        index: Option<u32>,
    },
    /// A user option, whose name begins with `@`.
    User {
        /// The name with its `@`.
        name: String,
        /// The index that was typed, although user options have none.
        index: Option<u32>,
    },
}

impl OptionName {
    /// The name without an index.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Known { spec, .. } => spec.name,
            Self::User { name, .. } => name,
        }
    }

    #[must_use]
    pub fn index(&self) -> Option<u32> {
        match self {
            Self::Known { index, .. } | Self::User { index, .. } => *index,
        }
    }

    /// The table's entry; `None` for a user option.
    #[must_use]
    pub fn spec(&self) -> Option<&'static OptionSpec> {
        match self {
            Self::Known { spec, .. } => Some(spec),
            Self::User { .. } => None,
        }
    }
}

impl std::fmt::Display for OptionName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        self.index().map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// Finds an option by name or unique prefix, with an optional index in brackets.
///
/// # Errors
/// When there is none, or more than one.
pub fn find(text: &str) -> Result<OptionName, OptionError> {
    let ambiguous = || OptionError::Ambiguous(text.to_owned());
    let (name, index) = split_index(text).ok_or_else(ambiguous)?;
    if name.starts_with('@') {
        let name = name.to_owned();
        return Ok(OptionName::User { name, index });
    }
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    let name = other.map_or(name, |(_, name)| name);
    if let Some(spec) = known(name) {
        return Ok(OptionName::Known { spec, index });
    }
    let mut candidates = SORTED
        .iter()
        .map(|entry| entry.spec)
        .filter(|spec| spec.name.starts_with(name));
    match (candidates.next(), candidates.next()) {
        (Some(spec), None) => Ok(OptionName::Known { spec, index }),
        (Some(_), Some(_)) => Err(ambiguous()),
        (None, _) => Err(OptionError::Unknown(text.to_owned())),
    }
}

/// Splits `name[3]` into `name` and 3. `None` if the brackets have no valid index.
fn split_index(text: &str) -> Option<(&str, Option<u32>)> {
    let Some((name, rest)) = text.split_once('[') else {
        return (!text.is_empty()).then_some((text, None));
    };
    let digits = rest.strip_suffix(']')?;
    let is_number = digits.bytes().all(|b| b.is_ascii_digit());
    let index: i32 = digits.parse().ok().filter(|_| is_number)?;
    (!name.is_empty()).then_some((name, u32::try_from(index).ok()))
}
