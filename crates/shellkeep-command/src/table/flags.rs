//! Queries on clap's declaration of a flag or an argument.

use clap::{Arg, ArgAction};

/// Whether a flag takes a value.
pub(super) fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// Whether a flag's value is only recognised if it is joined to the flag.
pub(super) fn is_value_joined(arg: &Arg) -> bool {
    takes_value(arg) && arg.is_require_equals_set()
}

/// Whether an argument takes all remaining words.
pub(super) fn is_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

/// The name of an argument's value.
pub(super) fn value_name(arg: &Arg) -> &str {
    let names = arg.get_value_names().unwrap_or_default();
    names.first().map_or("", |name| name.as_str())
}
