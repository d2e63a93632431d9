//! The name of a new window, before its program is known.

use shellkeep_core::{SessionId, WindowId};

use crate::model::{Model, Pane};
use crate::panes::usual_shell;

/// The name of a window, from the command that was started in it.
pub(crate) fn first_window_name(model: &Model, id: WindowId, session: SessionId) -> String {
    let window = model.windows.get(&id);
    let pane = window.and_then(|window| model.panes.get(&window.active));
    pane.map(|pane| first_name_in(model, pane, Some(session)))
        .unwrap_or_default()
}

/// The name of the command that was started in a pane.
pub(crate) fn first_name(model: &Model, pane: &Pane) -> String {
    first_name_in(model, pane, model.session_with(pane.window))
}

fn first_name_in(model: &Model, pane: &Pane, session: Option<SessionId>) -> String {
    if !pane.start_command.is_empty() {
        return program_name(&pane.start_command);
    }
    let Some(session) = session else {
        return String::new();
    };
    let options = model.session_options(Some(session));
    let default = options.text("default-command");
    if default.is_empty() {
        program_name(&String::from_utf8_lossy(&usual_shell::shell(
            model, session,
        )))
    } else {
        program_name(default)
    }
}

/// The name of the program in a command line, as tmux finds it: the first word without quotes, dashes and directories.
fn program_name(command: &str) -> String {
    let command = command.strip_prefix('"').unwrap_or(command);
    let command = command.split('"').next().unwrap_or(command);
    let command = command.strip_prefix("exec ").unwrap_or(command);
    let command = command.trim_start_matches([' ', '-']);
    let word = command.split(' ').next().unwrap_or(command);
    match word.strip_prefix('/') {
        Some(path) => path.rsplit('/').next().unwrap_or(path).to_owned(),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_is_found_in_the_command_line() {
        for (command, name) in [
            ("\"sleep 100\"", "sleep"),
            ("sleep 100", "sleep"),
            ("/usr/bin/env -i sh", "env"),
            ("-bash", "bash"),
            ("\"exec vim a\"", "vim"),
            ("''", "''"),
            ("", ""),
        ] {
            assert_eq!(program_name(command), name);
        }
    }
}
