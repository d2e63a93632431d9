//! Attaching and detaching clients, what their terminals can do, and which client shows which pane.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::glob;
use shellkeep_core::{ClientId, PaneId, SessionId, Size};
use shellkeep_proto::{Attached, FromServer, Leave};
use tokio::sync::mpsc;

use crate::action::Action;
use crate::alarm::Alarm;
use crate::clients::intake::Intake;
use crate::clients::keyboard::Keyboard;
use crate::clients::native::terminal_bytes;
use crate::clients::state::ClientState;
use crate::clients::terminal::TerminalReader;
use crate::clients::{client_order, lock, native, terminal};
use crate::display::damage_tracker::DamageTracker;
use crate::event::Event;
use crate::model::Model;
use crate::model::notice::Notice;
use crate::modes::overlay::Overlay;
use crate::modes::{key_grab, overlays};
use crate::panes::{sessions, sizes, windows};

/// How long after the first attach the code for keys is prepared. Sooner would delay the prompt.
const FIRST_KEY_DELAY: Duration = Duration::from_millis(20);

pub(crate) fn attach(model: &mut Model, id: ClientId, session_id: SessionId) {
    let now = model.now();
    let Some(session) = model.sessions.get_mut(&session_id) else {
        return;
    };
    session.last_attached = Some(now);
    model.use_session(session_id, now);
    teach_terminal(model, id);
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    client.session = Some(session_id);
    if client.control.is_none() {
        client.terminal.awaits_ready = client.shares_terminal();
        let is_direct = client.terminal.awaits_ready;
        send_attached(model, id);
        if !is_direct {
            native::begin_natively(model, id);
        }
    }
    tracing::info!(client = %id, session = %session_id, "attached");
    if !client_order::is_back(model, id) {
        sizes::used(model, id);
    }
    if let Some(window) = model.current_window(session_id).map(|w| w.id) {
        windows::clear_alerts(model, window);
    }
    model.notify(Notice::ClientAttached(id));
    model.notify(Notice::ClientSessionChanged(id));
    lock::restart_idleness(model, session_id);
    model.session_changed(session_id);
    show_complaints(model, id);
}

/// Shows the errors of the configuration, as tmux does, to the first client that can display them.
fn show_complaints(model: &mut Model, id: ClientId) {
    let client = model.clients.get(&id);
    if client.is_none_or(|client| client.control.is_some()) {
        return;
    }
    let complaints = model.complaints.take();
    if !complaints.is_empty() {
        let text = complaints.join("\n").into_bytes();
        model.act(Action::ShowText(id, text));
    }
}

pub(crate) fn release(model: &mut Model, id: ClientId, leave: Leave) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let Some(session) = client.session.take() else {
        return;
    };
    client.let_go();
    client.view.message = None;
    let pid = client.pid;
    match &mut client.control {
        Some(control) => {
            control.exit.get_or_insert(0);
        }
        None => client.writer.send(FromServer::Leave(leave)),
    }
    let name = client.name();
    client_order::leaves_order(model, pid);
    key_grab::clear_key_grab(model, id);
    overlays::close_overlay(model, id);
    model.notify(Notice::ClientDetached {
        client: id,
        name,
        session,
    });
    model.session_changed(session);
    sessions::check_unattached(model, session);
    model.act(Action::PolicyDue);
}

/// A client has put its terminal into raw mode: opens it, or lets the client pass the bytes.
pub(crate) fn client_ready(
    model: &mut Model,
    clients: &mut ClientState,
    events: &mpsc::Sender<Event>,
    intake: &Intake,
    id: ClientId,
) {
    let (events, escape_time) = (events.clone(), clients.escape_time.subscribe());
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    if client.session.is_none() {
        return;
    }
    client.terminal.awaits_ready = false;
    model.changes.is_painting = true;
    let first_key = || model.outside.alarms.set(Alarm::FirstKey, FIRST_KEY_DELAY);
    clients.first_key.get_or_insert_with(first_key);
    if client.shares_terminal() {
        match terminal::open(client.pid) {
            Ok(terminal) => {
                let keyboard = Keyboard::new(id, events, escape_time);
                let reading = intake.reading();
                let reader = TerminalReader::start(terminal.clone(), keyboard, reading);
                client.terminal.reader = Some(reader);
                client.writer.paint_on(Some(terminal));
            }
            Err(error) => {
                tracing::info!(client = %id, %error, "the client's terminal cannot be opened: it passes the bytes");
                client.writer.paint_on(None);
                client.writer.send(FromServer::Relay);
            }
        }
    } else {
        client.writer.repaint();
    }
    native::begin_natively(model, id);
    model.redraw_client(id);
}

pub(crate) fn client_resized(model: &mut Model, id: ClientId, size: Size) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    // A client that continues after a stop, or has reconnected, sends the size it had. That does not count as a use.
    let is_news = std::mem::replace(&mut client.terminal.size, size) != size;
    let session = client.session;
    overlays::fit_overlay(model, id);
    if let Some(session) = session {
        if is_news {
            sizes::used(model, id);
        }
        model.notify(Notice::ClientResized(id));
        model.session_changed(session);
    }
}

/// Applies `terminal-features` and `terminal-overrides` to what a client's terminal can do.
pub(crate) fn teach_terminal(model: &mut Model, id: ClientId) {
    let options = model.options.server();
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let name = client.context.env("TERM").unwrap_or_default().to_owned();
    let said_of_it = |entry: &&str| {
        let pattern = entry.split(':').next().unwrap_or_default();
        glob::matches(pattern, &name)
    };
    for entry in options.texts("terminal-features").filter(said_of_it) {
        let features = entry.split(':').skip(1);
        features.for_each(|feature| client.terminal.caps.teach_feature(feature));
    }
    // `terminal-overrides` is applied last and wins.
    for entry in options.texts("terminal-overrides").filter(said_of_it) {
        let said = entry.split(':').skip(1);
        said.for_each(|capability| client.terminal.caps.teach_capability(capability));
    }
}

/// Sends a client the name of the session it is attached to.
pub(crate) fn send_attached(model: &Model, id: ClientId) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    if client.control.is_some() {
        return;
    }
    let Some(session) = client.session.and_then(|id| model.sessions.get(&id)) else {
        return;
    };
    let (enter, leave) = terminal_bytes(client);
    client.writer.send(FromServer::Attached(Attached {
        session: session.id,
        name: session.name.clone(),
        enter,
        leave,
        is_direct: client.shares_terminal(),
        is_read_only: client.is_read_only,
    }));
}

/// Lets a client stop itself (SIGTSTP). Its terminal is not painted until it is ready again.
pub(crate) fn suspend(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    client.let_go();
    client.terminal.awaits_ready = true;
    client.writer.send(FromServer::Suspend);
}

/// Sets for every pane which clients show it.
pub(crate) fn watch(model: &Model) {
    let mut trackers: BTreeMap<PaneId, Vec<Arc<DamageTracker>>> = BTreeMap::new();
    for client in model.clients.values() {
        let paints =
            !client.terminal.awaits_ready && client.control.is_none() && !client.scrolls_natively();
        let Some(session) = client.session.filter(|_| paints) else {
            continue;
        };
        let Some(window) = model.current_window(session) else {
            continue;
        };
        for pane in window.shown().panes() {
            trackers
                .entry(*pane)
                .or_default()
                .push(client.writer.tracker());
        }
    }
    for client in model.clients.values() {
        let popup = client.view.overlay.as_ref().and_then(Overlay::popup);
        if let Some(popup) = popup.filter(|_| !client.terminal.awaits_ready) {
            popup
                .pane
                .screen
                .set_trackers(vec![client.writer.tracker()]);
        }
    }
    for pane in model.panes.values() {
        pane.screen
            .set_trackers(trackers.remove(&pane.id).unwrap_or_default());
    }
}
