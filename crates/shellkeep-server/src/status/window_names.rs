//! Automatic names of windows.
//!
//! Only the kernel knows the foreground program, and it does not report changes; but a program prints something when it
//! begins or ends. So a window's name is computed when its pane prints, again half a second later, and then not before
//! the next output. Panes without output wake nothing.

use std::time::Duration;

use shellkeep_command::options::{Change, View, find};
use shellkeep_core::{PaneId, SessionId, WindowId};

use crate::alarm::Alarm;
use crate::formats;
use crate::model::notice::Notice;
use crate::model::{Model, visible};
use crate::status::{alerts, first_name};

/// How often a window's name is computed at most.
const NAMING_INTERVAL: Duration = Duration::from_millis(500);

/// A pane has printed something, for the first time since its output was last requested.
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
        let timer = model.set_alarm(Alarm::Rename(window_id), NAMING_INTERVAL);
        if let Some(window) = model.windows.get_mut(&window_id) {
            window.naming = Some(timer);
        }
    }
}

/// Half a second has passed since output in a window.
pub(crate) fn naming_due(model: &mut Model, id: WindowId) {
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    window.naming = None;
    name_window(model, id);
    for pane in model.panes_of(id) {
        pane.screen.request_output_notice();
    }
}

/// Computes the name of a window from its active pane, if it is automatic.
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
        // An empty name: the window is named automatically again.
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

/// Names a new window before it is linked to a session: as given, which stays, or after what was started in it. There
/// is no notice, since no client knows it by another name.
pub(crate) fn name_new_window(
    model: &mut Model,
    id: WindowId,
    session: SessionId,
    given: Option<String>,
) {
    if given.is_some() {
        set_window_option(model, id, "automatic-rename", "off");
    }
    let name = given.unwrap_or_else(|| first_name::first_window_name(model, id, session));
    if let Some(window) = model.windows.get_mut(&id) {
        window.name = without_controls(&name);
    }
    model.window_note_due(id);
}

/// Gives a window a name that automatic naming keeps.
pub(crate) fn name_by_hand(model: &mut Model, id: WindowId, name: String) {
    set_window_name(model, id, name);
    set_window_option(model, id, "automatic-rename", "off");
}

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
        tracing::error!(%error, name, "the server has set an invalid option");
    }
    model.window_note_due(id);
}

/// Changes a window's automatic name, with notices.
pub(crate) fn set_window_name(model: &mut Model, id: WindowId, name: String) {
    let name = clean(&name);
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    if window.name == name {
        return;
    }
    window.name = name;
    model.notify(Notice::WindowRenamed(id));
    model.window_note_due(id);
    let sessions: Vec<_> = model.links_of(id).map(|(session, _)| session).collect();
    for session in sessions {
        model.redraw_session(session);
    }
}

/// A program has changed its pane's title.
pub(crate) fn titled_by_program(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let window = pane.window;
    model.notify(Notice::PaneTitleChanged(id));
    let sessions: Vec<_> = model.links_of(window).map(|(session, _)| session).collect();
    for session in sessions {
        model.redraw_session(session);
    }
}

/// A later name of a window: control characters are escaped, and so are backslashes.
fn clean(name: &str) -> String {
    visible(name.as_bytes())
}

/// A name without control characters. As in tmux, the name of a new window is otherwise left as it is.
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
