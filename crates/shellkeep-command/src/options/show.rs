//! The lines of `show-options` and `show-hooks`.

use super::error::OptionError;
use super::name::{self, OptionName};
use super::set::Options;
use super::spec::{Family, OptionSpec, Scope};
use super::value::Value;
use super::view::View;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Name and quoted value.
    #[default]
    Line,
    /// The plain value (`-v`).
    Value,
}

/// How to show options that are not set in this set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inherited {
    #[default]
    Leave,
    /// With a star (`-A`).
    Mark,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hooks {
    /// Only options.
    #[default]
    Leave,
    /// Both (`-H`).
    Include,
    /// Only hooks (`show-hooks`).
    Only,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Show {
    pub form: Form,
    /// How to show options that are not set in this set.
    pub inherited: Inherited,
    /// Whether hooks are shown; has no effect for a single option.
    pub hooks: Hooks,
}

/// The lines of one option. Empty if it is not set in this set.
///
/// # Errors
/// When it is a user option that does not exist in this set.
pub fn show_one(
    name: &OptionName,
    options: &Options,
    parents: View<'_>,
    show: Show,
) -> Result<Vec<String>, OptionError> {
    let mut lines = Vec::new();
    match name {
        OptionName::User { name, .. } => {
            let inherited = || match show.inherited {
                Inherited::Mark => parents.user(name),
                Inherited::Leave => None,
            };
            let (value, star) = match options.user(name) {
                Some(value) => (value, ""),
                None => (
                    inherited().ok_or_else(|| OptionError::Unknown(name.clone()))?,
                    "*",
                ),
            };
            let value = Value::Text(value.to_owned());
            lines.push(line(&format!("{name}{star}"), &value, show.form));
        }
        OptionName::Known { spec, index } => {
            show_known(spec, *index, options, parents, show, &mut lines);
        }
    }
    Ok(lines)
}

/// The lines of all options of a set: first the user options, then those of the table with this scope.
#[must_use]
pub fn show_all(scope: Scope, options: &Options, parents: View<'_>, show: Show) -> Vec<String> {
    let mut lines = Vec::new();
    if show.hooks != Hooks::Only {
        for (name, value) in options.users() {
            lines.push(line(name, &Value::Text(value.to_owned()), show.form));
        }
    }
    let has_family = |spec: &OptionSpec| match show.hooks {
        Hooks::Leave => spec.family == Family::Setting,
        Hooks::Include => true,
        Hooks::Only => spec.family == Family::Hook,
    };
    let has_scope = |spec: &OptionSpec| {
        spec.scope == scope || (scope == Scope::Window && spec.scope == Scope::Pane)
    };
    for spec in name::all().filter(|spec| has_scope(spec) && has_family(spec)) {
        show_known(spec, None, options, parents, show, &mut lines);
    }
    lines
}

fn show_known(
    spec: &'static OptionSpec,
    index: Option<u32>,
    options: &Options,
    parents: View<'_>,
    show: Show,
    lines: &mut Vec<String>,
) {
    let inherited = || match show.inherited {
        Inherited::Mark => parents.get(spec.name),
        Inherited::Leave => None,
    };
    let (value, star) = match options.get(spec.name) {
        Some(value) => (value, ""),
        None => match inherited() {
            Some(value) => (value, "*"),
            None => return,
        },
    };
    let name = spec.name;
    match (value, index) {
        (Value::Array(items), Some(index)) => {
            let label = format!("{name}[{index}]{star}");
            match items.get(&index) {
                Some(item) => lines.push(line(&label, item, show.form)),
                // A missing item is shown as the empty text of its kind.
                None => {
                    let empty = spec.parse_item("").unwrap_or(Value::Command(String::new()));
                    lines.push(line(&label, &empty, show.form));
                }
            }
        }
        (Value::Array(items), None) => {
            for (index, item) in items {
                lines.push(line(&format!("{name}[{index}]{star}"), item, show.form));
            }
            if items.is_empty() && show.form == Form::Line {
                lines.push(format!("{name}{star}"));
            }
        }
        (value, Some(index)) => {
            lines.push(line(&format!("{name}[{index}]{star}"), value, show.form));
        }
        (value, None) => lines.push(line(&format!("{name}{star}"), value, show.form)),
    }
}

fn line(label: &str, value: &Value, form: Form) -> String {
    match form {
        Form::Line => format!("{label} {}", value.print_quoted()),
        Form::Value => value.print(),
    }
}
