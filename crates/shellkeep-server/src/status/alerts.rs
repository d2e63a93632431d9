//! Alerts: reporting a bell, output or silence in a window to clients that may not show it.

use std::time::Duration;

use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};
use tokio::time::Instant;

use crate::alarm::Alarm;
use crate::model::notice::Notice;
use crate::model::{Model, Silence};
use crate::status::message;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alert {
    Bell,
    Activity,
    Silence,
}

impl Alert {
    /// The word for it in a message.
    const fn word(self) -> &'static str {
        match self {
            Self::Bell => "Bell",
            Self::Activity => "Activity",
            Self::Silence => "Silence",
        }
    }

    /// The option for which windows it is reported.
    const fn action(self) -> &'static str {
        match self {
            Self::Bell => "bell-action",
            Self::Activity => "activity-action",
            Self::Silence => "silence-action",
        }
    }

    /// The option for how it is reported.
    const fn visual(self) -> &'static str {
        match self {
            Self::Bell => "visual-bell",
            Self::Activity => "visual-activity",
            Self::Silence => "visual-silence",
        }
    }

    const fn notice(self, session: SessionId, window: WindowId) -> Notice {
        match self {
            Self::Bell => Notice::AlertBell { session, window },
            Self::Activity => Notice::AlertActivity { session, window },
            Self::Silence => Notice::AlertSilence { session, window },
        }
    }
}

pub(crate) fn bell_rang(model: &mut Model, pane: PaneId) {
    let Some(window) = model.panes.get(&pane).map(|pane| pane.window) else {
        return;
    };
    if model.window_options(window).flag("monitor-bell") {
        alert(model, window, Alert::Bell);
    }
}

/// There was output in a window.
pub(crate) fn window_printed(model: &mut Model, id: WindowId) {
    wait_for_silence(model, id);
    if model.window_options(id).flag("monitor-activity") {
        alert(model, id, Alert::Activity);
    }
}

/// There may have been no output in a window for the time set.
pub(crate) fn silence_due(model: &mut Model, id: WindowId) {
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    let since = window.silence.take().map(|silence| silence.since);
    let (Some(since), Some(time)) = (since, silence_time(model, id)) else {
        return;
    };
    match time.checked_sub(since.elapsed()).filter(|it| !it.is_zero()) {
        Some(remaining) => set_silence(model, id, since, remaining),
        None => alert(model, id, Alert::Silence),
    }
}

/// Reports an alert in every session that the window is linked to.
fn alert(model: &mut Model, window: WindowId, alert: Alert) {
    let links: Vec<(SessionId, u32)> = model.links_of(window).collect();
    let mut reported: Vec<SessionId> = Vec::new();
    for (session_id, index) in links {
        let is_shown = model.clients_of(session_id).next().is_some();
        let Some(session) = model.sessions.get_mut(&session_id) else {
            continue;
        };
        let is_current = session.current == index;
        let Some(link) = session.links.get_mut(&index) else {
            continue;
        };
        let flag = match alert {
            Alert::Bell => &mut link.alerts.bell,
            Alert::Activity => &mut link.alerts.activity,
            Alert::Silence => &mut link.alerts.silence,
        };
        // Every bell is reported; of the others only the first since the window was last shown.
        if alert != Alert::Bell && *flag {
            continue;
        }
        if !is_current || !is_shown {
            *flag = true;
            model.redraw_session(session_id);
        }
        let options = model.session_options(Some(session_id));
        let applies = match options.text(alert.action()) {
            "any" => true,
            "current" => is_current,
            "other" => !is_current,
            _ => false,
        };
        if !applies {
            continue;
        }
        model.notify(alert.notice(session_id, window));
        if !reported.contains(&session_id) {
            reported.push(session_id);
            sound(model, session_id, index, alert);
        }
    }
}

/// Reports an alert to every client of a session, as bell or message.
fn sound(model: &mut Model, session: SessionId, index: u32, alert: Alert) {
    let options = model.session_options(Some(session));
    let (is_heard, is_seen) = match options.text(alert.visual()) {
        "on" => (false, true),
        "both" => (true, true),
        _ => (true, false),
    };
    let is_current = model.sessions.get(&session).map(|session| session.current);
    let text = match is_current == Some(index) {
        true => format!("{} in current window", alert.word()),
        false => format!("{} in window {index}", alert.word()),
    };
    let clients = model.clients_of(session);
    let clients =
        clients.filter(|client| client.control.is_none() && !client.terminal.awaits_ready);
    let clients: Vec<ClientId> = clients.map(|client| client.id).collect();
    for id in clients {
        if let Some(client) = model.clients.get(&id).filter(|_| is_heard) {
            client.writer.ring();
        }
        if is_seen {
            message::show_plain_message(model, id, &text);
        }
    }
}

/// How long a window must be silent (`monitor-silence`).
fn silence_time(model: &Model, id: WindowId) -> Option<Duration> {
    let seconds = model.window_options(id).number("monitor-silence");
    let seconds = u64::try_from(seconds).ok().filter(|it| *it > 0);
    seconds.map(Duration::from_secs)
}

/// Starts the wait for silence in a window anew.
fn wait_for_silence(model: &mut Model, id: WindowId) {
    let now = Instant::now();
    let time = silence_time(model, id);
    let Some(window) = model.windows.get_mut(&id) else {
        return;
    };
    match (time, &mut window.silence) {
        (None, silence) => *silence = None,
        // The running alarm checks the time itself when it fires.
        (Some(_), Some(silence)) => silence.since = now,
        (Some(time), None) => set_silence(model, id, now, time),
    }
    // Ask for every output, not only for one in each half second.
    if time.is_some() {
        for pane in model.panes_of(id) {
            pane.screen.request_output_notice();
        }
    }
}

fn set_silence(model: &mut Model, id: WindowId, since: Instant, after: Duration) {
    let timer = model.set_alarm(Alarm::Silence(id), after);
    if let Some(window) = model.windows.get_mut(&id) {
        window.silence = Some(Silence {
            since,
            _timer: timer,
        });
    }
}

/// Options have changed: starts waiting for silence where it is set now.
pub(crate) fn follow_silence_options(model: &mut Model) {
    let windows = model.windows.iter();
    let windows = windows.map(|(id, window)| (*id, window.silence.is_some()));
    let windows: Vec<(WindowId, bool)> = windows.collect();
    for (id, is_waiting) in windows {
        let is_wanted = model.window_options(id).number("monitor-silence") > 0;
        if is_wanted != is_waiting {
            wait_for_silence(model, id);
        } else if let Some(time) = silence_time(model, id) {
            // The time may have changed, too.
            let windows = model.windows.get(&id);
            let since = windows
                .and_then(|it| it.silence.as_ref())
                .map(|it| it.since);
            let since = since.unwrap_or_else(Instant::now);
            set_silence(model, id, since, time.saturating_sub(since.elapsed()));
        }
    }
}
