//! The values of format variables: the model in the scope of a client, session, window and pane. Nothing here changes
//! the model.

mod client;
mod copy;
mod pane;
pub(crate) mod scope;
mod server;
mod session;
mod window;

use std::sync::LazyLock;

use crate::formats::scope::Names;
use crate::model::Model;

pub(crate) use crate::formats::scope::{About, Scope, Value, Variable};

/// The scope of the whole server, during the running command.
pub(crate) fn scope(model: &Model) -> Scope<'_> {
    Scope::new(model, &BY_NAME)
}

// The tables, by the kind of thing their variables are about.
pub(crate) use crate::formats::client::TABLE as CLIENT;
pub(crate) use crate::formats::pane::{TABLE as PANE, current_path};
pub(crate) use crate::formats::server::TABLE as SERVER;
pub(crate) use crate::formats::session::TABLE as SESSION;
pub(crate) use crate::formats::window::TABLE as WINDOW;

pub(crate) fn named(names: &[&'static str]) -> Vec<Variable> {
    let known = names.iter().filter_map(|name| BY_NAME.get_key_value(name));
    known.map(|(name, value)| (*name, *value)).collect()
}

/// All variables by name. A list of a thousand panes looks up twenty thousand times.
static BY_NAME: LazyLock<Names> = LazyLock::new(|| {
    let tables = [SERVER, CLIENT, SESSION, WINDOW, PANE, copy::TABLE];
    tables.into_iter().flatten().copied().collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_one_table_and_are_no_options() {
        let tables = [SERVER, CLIENT, SESSION, WINDOW, PANE, copy::TABLE];
        let names: Vec<&str> = tables
            .into_iter()
            .flatten()
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(names.len(), BY_NAME.len(), "a name stands twice");
        for name in names {
            // Variables are looked up before options, which is right only if no option has the same name.
            assert!(shellkeep_command::options::known(name).is_none(), "{name}");
        }
    }

    /// The variables of the manual of tmux 3.3a, and those that `display-message -a` has in addition.
    const TMUX: &str = include_str!("formats/tmux-3.3a-variables.txt");

    /// Variables that a list of buffers or commands, or a hook, adds to its scope.
    const OF_A_MOMENT: &[&str] = &[
        "buffer_created",
        "buffer_name",
        "buffer_sample",
        "buffer_size",
        "command",
        "command_list_alias",
        "command_list_name",
        "command_list_usage",
        "hook",
        "hook_client",
        "hook_pane",
        "hook_session",
        "hook_session_name",
        "hook_window",
        "hook_window_name",
        "line",
    ];

    #[test]
    fn variables_of_tmux_are_all_known() {
        let missing: Vec<&str> = TMUX
            .lines()
            .filter(|name| !BY_NAME.contains_key(name) && !OF_A_MOMENT.contains(name))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(TMUX.lines().count() > 180);
    }

    #[test]
    fn value_is_what_it_is_in_json() {
        assert_eq!(Value::Number("-7".to_owned()).into_json(), -7);
        assert_eq!(Value::Flag(true).into_json(), true);
        assert_eq!(Value::Text("7".to_owned()).into_json(), "7");
        assert_eq!(Value::Flag(true).into_text(), "1");
    }
}
