//! Windows are named after what runs in them.
//!
//! What runs in the foreground is known to the kernel alone, and it tells nobody when that changes; but a program that begins
//! or ends prints something. So a window's name is looked at when its pane prints, half a second after that once more, and
//! then not again before something is printed. Panes that print nothing wake nobody.

use std::time::Duration;

use shellkeep_command::options::{Change, View, find};
use shellkeep_core::{PaneId, SessionId, WindowId};

use crate::alarm::Alarm;
use crate::formats;
use crate::model::notice::Notice;
use crate::model::{Model, visible};
use crate::status::{alerts, first_name};

/// A window's name is looked at no more often than this.
const INTERVAL: Duration = Duration::from_millis(500);

/// Something was printed in a pane, for the first time since it was last asked about.
pub(crate) fn printed(model: &mut Model, pane: PaneId) {
    let now = model.now();
    let Some(pane) = model.panes.get(&pane) else {
        return;
    };
    let window_id = pane.window;
    let Some(window) = model.windows.get_mut(&window_id) else {
        return;
    };
    window.activity = now;
    let is_active = window.active == pane.id;
    alerts::window_printed(model, window_id);
    let Some(window) = model.windows.get(&window_id) else {
        return;
    };
    if window.naming.is_none() {
        if is_active {
            name_window(model, window_id);
        }
        let timer = model.set_alarm(Alarm::Rename(window_id), INTERVAL);
        if let Some(window) = model.windows.get_mut(&window_id) {
            window.naming = Some(timer);
        }
    }
}

/// Half a second has passed since something was printed in a window.
pub(crate) fn naming_due(model: &mut Model, id: WindowId) {
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    window.naming = None;
    name_window(model, id);
    for pane in model.panes_of(id) {
        pane.screen.tell_of_output();
    }
}

/// Names a window after what runs in its active pane, if it is to be.
pub(crate) fn name_window(model: &mut Model, id: WindowId) {
    let options = model.window_options(id);
    if !options.flag("automatic-rename") || model.links_of(id).next().is_none() {
        return;
    }
    let template = options.text("automatic-rename-format");
    let name = formats::scope(model).window(id).expand(template);
    set_window_name(model, id, name);
}

/// A program has named its window (ESC k).
pub(crate) fn renamed_by_program(model: &mut Model, pane: PaneId, name: &str) {
    if !model.pane_options(pane).flag("allow-rename") {
        return;
    }
    let Some(window) = model.panes.get(&pane).map(|pane| pane.window) else {
        return;
    };
    if name.is_empty() {
        // It wants none of its own: the window is named after what runs in it, as before.
        if let Some(window) = model.windows.get_mut(&window)
            && let Ok(name) = find("automatic-rename")
        {
            let parents = View::of(&model.options.window);
            let _ = window.options.change(&name, Change::Unset, parents);
        }
        model.window_note_due(window);
        name_window(model, window);
    } else {
        name_by_hand(model, window, name.to_owned());
    }
}

/// Gives a new window its name before it has its place in a session: as given, which stays, or that of what was started in it. Nobody is
/// told, since nobody has known it by another.
pub(crate) fn christen(model: &mut Model, id: WindowId, session: SessionId, given: Option<String>) {
    if given.is_some() {
        set_window_option(model, id, "automatic-rename", "off");
    }
    let name = given.unwrap_or_else(|| first_name::first_window_name(model, id, session));
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
pub(crate) fn titled_by_program(model: &mut Model, id: PaneId) {
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
    fn name_with_controls_is_written_out() {
        assert_eq!(
            clean("a\u{1b}b\tc\r\u{85}\\"),
            "a\\033b\\tc\\r\\302\\205\\\\"
        );
    }
}
