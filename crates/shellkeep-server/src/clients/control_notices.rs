//! The notices that control clients are sent, and whose output they get.

use std::collections::BTreeMap;
use std::sync::Arc;

use shellkeep_core::{ClientId, PaneId, WindowId};

use crate::clients::control;
use crate::formats;
use crate::model::notice::Notice;
use crate::model::{Client, Model, Session};
use crate::panes::tap::{Tap, TapKey};

pub(crate) fn notify_control_clients(model: &mut Model, notices: &[Notice]) {
    if notices.is_empty() || !has_taps_to_see_to(model) {
        return;
    }
    let notices = in_tmux_order(notices);
    let clients = model.clients.values();
    let clients = clients.filter(|client| client.control.is_some());
    let ids: Vec<ClientId> = clients.map(|client| client.id).collect();
    for id in ids {
        let mut lines: Vec<String> = Vec::new();
        for notice in &notices {
            let line = control_notice(model, id, notice);
            // Attaching and switching the session are two notices with the same line, which is sent once. For two
            // sessions both are sent.
            let is_more = |line: &String| line == "%sessions-changed" || lines.last() != Some(line);
            let line = line.filter(is_more);
            lines.extend(line);
        }
        if let Some(control) = control::control_of(model, id) {
            for line in lines {
                control.notify(line);
            }
        }
    }
    place_taps(model);
}

/// A notice in control mode's syntax. None if the client is not sent it.
fn control_notice(model: &Model, id: ClientId, notice: &Notice) -> Option<String> {
    let client = model.clients.get(&id)?;
    if let Notice::SessionCreated(_) | Notice::SessionClosed { .. } = notice {
        return Some("%sessions-changed".to_owned());
    }
    if let Some(line) = sleep_notice(model, notice) {
        let hears = client.control.as_ref().is_some_and(|it| it.hears_sleep);
        return hears.then_some(line);
    }
    let own = model.sessions.get(&client.session?)?;
    let prefix = |window: WindowId| match own.index_of(window) {
        Some(_) => "",
        None => "unlinked-",
    };
    let line = match notice {
        Notice::WindowLinked { window, .. } => {
            format!("%{}window-add {window}", prefix(*window))
        }
        Notice::WindowUnlinked { window, .. } => {
            format!("%{}window-close {window}", prefix(*window))
        }
        Notice::WindowRenamed(window) => {
            let name = &model.windows.get(window)?.name;
            format!("%{}window-renamed {window} {name}", prefix(*window))
        }
        Notice::WindowLayoutChanged(window) => layout_notice(model, client, own, *window)?,
        Notice::WindowPaneChanged(window) => {
            let active = model.windows.get(window)?.active;
            format!("%window-pane-changed {window} {active}")
        }
        Notice::PaneModeChanged(pane) => format!("%pane-mode-changed {pane}"),
        Notice::SessionRenamed(session) => {
            let name = &model.sessions.get(session)?.name;
            format!("%session-renamed {session} {name}")
        }
        Notice::SessionWindowChanged(session) => {
            let window = model.current_window(*session)?.id;
            format!("%session-window-changed {session} {window}")
        }
        Notice::ClientAttached(other) | Notice::ClientSessionChanged(other) => {
            session_notice(model, client, *other)?
        }
        Notice::ClientDetached { name, .. } => format!("%client-detached {name}"),
        _ => return None,
    };
    Some(line)
}

fn layout_notice(
    model: &Model,
    client: &Client,
    own: &Session,
    window: WindowId,
) -> Option<String> {
    let index = own.index_of(window)?;
    let scope = formats::scope(model)
        .client(Some(client.id))
        .session(own.id);
    Some(scope.link(index).expand(
        "%layout-change #{window_id} #{window_layout} #{window_visible_layout} #{window_raw_flags}",
    ))
}

/// Whether a client has taps, or had some until now.
fn has_taps_to_see_to(model: &Model) -> bool {
    let is_tapping = |client: &Client| client.control.is_some() || client.native.is_some();
    model.are_taps_placed || model.clients.values().any(is_tapping)
}

/// Puts the taps of control clients on all panes of their sessions, and removes others.
pub(crate) fn place_taps(model: &mut Model) {
    let mut wanted: BTreeMap<PaneId, Vec<ClientId>> = BTreeMap::new();
    let clients = model.clients.values();
    for client in clients.filter(|client| client.control.is_some()) {
        let session = client.session.and_then(|id| model.sessions.get(&id));
        let links = session
            .into_iter()
            .flat_map(|session| session.links.values());
        for pane in links.flat_map(|link| model.panes_of(link.window)) {
            wanted.entry(pane.id).or_default().push(client.id);
        }
    }
    for client in model.clients.values() {
        if let Some(feed) = &client.native {
            wanted.entry(feed.pane()).or_default().push(client.id);
        }
    }
    model.are_taps_placed = !wanted.is_empty();
    for pane in model.panes.values() {
        let clients = wanted.remove(&pane.id).unwrap_or_default();
        pane.taps.keep_clients(&clients);
        for id in clients {
            let key = TapKey::Client(id);
            let client = model.clients.get(&id);
            let tap = client.and_then(tap_of);
            if let Some(tap) = tap {
                pane.taps.put(key, tap);
            }
        }
    }
}

/// A notice of hibernation, which tmux does not have. It is sent for every session.
fn sleep_notice(model: &Model, notice: &Notice) -> Option<String> {
    let name_of = |session| Some(&model.sessions.get(session)?.name);
    Some(match notice {
        Notice::PaneHibernated(pane) => format!("%pane-hibernated {pane}"),
        Notice::PaneHibernateFailed { pane, reason } => {
            format!("%pane-hibernate-failed {pane} {}", in_a_line(reason))
        }
        Notice::PaneRevived { pane, report } => {
            format!("%pane-revived {pane} {}", in_a_line(&report.text()))
        }
        Notice::PaneReviveFailed { pane, reason } => {
            format!("%pane-revive-failed {pane} {}", in_a_line(reason))
        }
        Notice::SessionHibernated(session) => {
            format!("%session-hibernated {session} {}", name_of(session)?)
        }
        Notice::SessionHibernateFailed { session, reason } => {
            format!("%session-hibernate-failed {session} {}", in_a_line(reason))
        }
        Notice::SessionRevived { session, .. } => {
            format!("%session-revived {session} {}", name_of(session)?)
        }
        Notice::SessionReviveFailed { session, reason } => {
            format!("%session-revive-failed {session} {}", in_a_line(reason))
        }
        _ => return None,
    })
}

/// The notice that a client has switched to another session.
fn session_notice(model: &Model, client: &Client, other: ClientId) -> Option<String> {
    let other = model.clients.get(&other)?;
    let session = model.sessions.get(&other.session?)?;
    let (id, name) = (session.id, &session.name);
    Some(if other.id == client.id {
        format!("%session-changed {id} {name}")
    } else {
        format!("%client-session-changed {} {id} {name}", other.name())
    })
}

/// The notices in tmux's order: a new session after its windows, its client after both, and the new name of a window
/// last.
fn in_tmux_order(notices: &[Notice]) -> Vec<&Notice> {
    let linked = |window: &WindowId| {
        notices.iter().position(
            |notice| matches!(notice, Notice::WindowLinked { window: new, .. } if new == window),
        )
    };
    let rank = |(at, notice): &(usize, &Notice)| match notice {
        Notice::SessionCreated(_) => Some(1),
        Notice::ClientAttached(_) | Notice::ClientSessionChanged(_) => Some(2),
        Notice::WindowRenamed(window) => match linked(window) {
            // The window was named before it was linked: a pane was broken out into it.
            Some(linked) if *at < linked => Some(0),
            // The first name of a new window is no change.
            Some(_) => None,
            None => Some(3),
        },
        _ => Some(0),
    };
    let ranked = notices.iter().enumerate();
    let mut ranked: Vec<(u8, &Notice)> = ranked
        .filter_map(|(at, notice)| Some((rank(&(at, notice))?, notice)))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, notice)| notice).collect()
}

/// A text without newlines.
fn in_a_line(text: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(printable).collect()
}

fn tap_of(client: &Client) -> Option<Arc<dyn Tap>> {
    match (&client.control, &client.native) {
        (Some(control), _) => Some(control.feed.clone()),
        (None, Some(feed)) => Some(feed.clone()),
        (None, None) => None,
    }
}
