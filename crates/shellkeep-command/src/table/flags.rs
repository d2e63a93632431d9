//! How clap was told that a flag or an argument is written.

use clap::{Arg, ArgAction};

/// Whether a flag wants a value.
pub(super) fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// Whether a flag has its value only where that is joined to it.
pub(super) fn is_value_joined(arg: &Arg) -> bool {
    takes_value(arg) && arg.is_require_equals_set()
}

/// Whether an argument takes all the words that are left.
pub(super) fn is_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

/// What an argument's value is called.
pub(super) fn value_name(arg: &Arg) -> &str {
    let names = arg.get_value_names().unwrap_or_default();
    names.first().map_or("", |name| name.as_str())
}
