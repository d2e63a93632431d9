//! What a client's terminal can do, by its environment.

use shellkeep_proto::Context;
use shellkeep_render::{Caps, Environment};

pub(crate) fn caps_of(context: &Context) -> Caps {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| context.env(name));
    Caps::detect(&Environment {
        term: context.env("TERM").unwrap_or_default(),
        colorterm: context.env("COLORTERM"),
        term_program: context.env("TERM_PROGRAM"),
        vte_version: context.env("VTE_VERSION"),
        locale: locale.into_iter().find(|value| !value.is_empty()),
    })
}

/// The environment from what a client of another version reports of its terminal.
pub(crate) fn terminal_environment<'a>(term: &'a str, colorterm: &'a str) -> Environment<'a> {
    Environment {
        term,
        colorterm: Some(colorterm),
        ..Environment::default()
    }
}
