//! Windows are named after what runs in them.
//!
//! What runs in the foreground is known to the kernel alone, and it tells nobody when that changes; but a program that begins
//! or ends prints something. So a window's name is looked at when its pane prints, half a second after that once more, and
//! then not again before something is printed. Panes that print nothing wake nobody.

use std::time::Duration;

use shellkeep_command::options::{Change, View, find};
use shellkeep_core::{PaneId, SessionId, WindowId};

use super::{Server, spawn};
use crate::alarm::Alarm;
use crate::notice::Notice;
use crate::state::{Model, Pane, visible};

/// A window's name is looked at no more often than this.
const INTERVAL: Duration = Duration::from_millis(500);

impl Server {
    /// Something was printed in a pane, for the first time since it was last asked about.
    pub(super) fn printed(&mut self, pane: PaneId) {
        self.printed_while_waking(pane);
        let now = self.state.now();
        let Some(pane) = self.state.panes.get(&pane) else {
            return;
        };
        let window_id = pane.window;
        let Some(window) = self.state.windows.get_mut(&window_id) else {
            return;
        };
        window.activity = now;
        let is_active = window.active == pane.id;
        self.window_printed(window_id);
        let Some(window) = self.state.windows.get(&window_id) else {
            return;
        };
        if window.naming.is_none() {
            if is_active {
                self.name_window(window_id);
            }
            let timer = self.state.set_alarm(Alarm::Rename(window_id), INTERVAL);
            if let Some(window) = self.state.windows.get_mut(&window_id) {
                window.naming = Some(timer);
            }
        }
    }

    /// Half a second has passed since something was printed in a window.
    pub(super) fn naming_due(&mut self, id: WindowId) {
        let Some(window) = self.state.windows.get_mut(&id) else {
            return;
        };
        window.naming = None;
        self.name_window(id);
        for pane in self.state.panes_of(id) {
            pane.screen.tell_of_output();
        }
    }

    /// Names a window after what runs in its active pane, if it is to be.
    pub(crate) fn name_window(&mut self, id: WindowId) {
        let options = self.state.window_options(id);
        if !options.flag("automatic-rename") || self.state.links_of(id).next().is_none() {
            return;
        }
        let template = options.text("automatic-rename-format");
        let name = self.scope().window(id).expand(template);
        set_window_name(&mut self.state, id, name);
    }

    /// A program has named its window (ESC k).
    pub(super) fn renamed_by_program(&mut self, pane: PaneId, name: &str) {
        if !self.state.pane_options(pane).flag("allow-rename") {
            return;
        }
        let Some(window) = self.state.panes.get(&pane).map(|pane| pane.window) else {
            return;
        };
        if name.is_empty() {
            // It wants none of its own: the window is named after what runs in it, as before.
            if let Some(window) = self.state.windows.get_mut(&window)
                && let Ok(name) = find("automatic-rename")
            {
                let parents = View::of(&self.state.options.window);
                let _ = window.options.change(&name, Change::Unset, parents);
            }
            self.state.window_note_due(window);
            self.name_window(window);
        } else {
            name_by_hand(&mut self.state, window, name.to_owned());
        }
    }
}

/// The name of a window of which nothing more is known than what was started in it.
fn first_window_name(model: &Model, id: WindowId, session: SessionId) -> String {
    let window = model.windows.get(&id);
    let pane = window.and_then(|window| model.panes.get(&window.active));
    pane.map(|pane| first_name_in(model, pane, Some(session)))
        .unwrap_or_default()
}

/// The name of what was started in a pane.
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
        program_name(&String::from_utf8_lossy(&spawn::shell(model, session)))
    } else {
        program_name(default)
    }
}

/// Gives a new window its name before it has its place in a session: as given, which stays, or that of what was started in it. Nobody is
/// told, since nobody has known it by another.
pub(crate) fn christen(model: &mut Model, id: WindowId, session: SessionId, given: Option<String>) {
    if given.is_some() {
        set_window_option(model, id, "automatic-rename", "off");
    }
    let name = given.unwrap_or_else(|| first_window_name(model, id, session));
    if let Some(window) = model.windows.get_mut(&id) {
        window.name = without_controls(&name);
    }
    model.window_note_due(id);
}

/// Gives a window a name that stays.
pub(crate) fn name_by_hand(model: &mut Model, id: WindowId, name: String) {
    set_window_name(model, id, name);
    set_window_option(model, id, "automatic-rename", "off");
}

/// Sets an option of one window.
pub(crate) fn set_window_option(model: &mut Model, id: WindowId, name: &str, value: &str) {
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    let parents = View::of(&model.options.window);
    let changed = find(name).and_then(|name| {
        window
            .options
            .change(&name, Change::Set(Some(value)), parents)
    });
    if let Err(error) = changed {
        tracing::error!(%error, name, "an option of ours is none");
    }
    model.window_note_due(id);
}

/// Gives a window a name that may change, and says so.
pub(crate) fn set_window_name(model: &mut Model, id: WindowId, name: String) {
    let name = clean(&name);
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    if window.name == name {
        return;
    }
    window.name = name;
    model.tell(Notice::WindowRenamed(id));
    model.window_note_due(id);
    let sessions: Vec<_> = model.links_of(id).map(|(session, _)| session).collect();
    for session in sessions {
        model.redraw_session(session);
    }
}

/// A program has given its pane another title.
pub(super) fn titled_by_program(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let window = pane.window;
    model.tell(Notice::PaneTitleChanged(id));
    let sessions: Vec<_> = model.links_of(window).map(|(session, _)| session).collect();
    for session in sessions {
        model.redraw_session(session);
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

/// A name that a window is given later: what controls the terminal is written out, and so is what that is written with.
fn clean(name: &str) -> String {
    visible(name.as_bytes())
}

/// A name that can be shown in one line. That of a new window is left as it is but for that, as in tmux.
fn without_controls(name: &str) -> String {
    let mut clean = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\t' => clean.push_str("\\t"),
            '\n' => clean.push_str("\\n"),
            c if c.is_control() => clean.push_str(&format!("\\{:03o}", u32::from(c))),
            c => clean.push(c),
        }
    }
    clean
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

    #[test]
    fn name_with_controls_is_written_out() {
        assert_eq!(
            clean("a\u{1b}b\tc\r\u{85}\\"),
            "a\\033b\\tc\\r\\302\\205\\\\"
        );
    }
}
