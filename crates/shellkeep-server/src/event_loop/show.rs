//! Which client shows what, and how large that makes a window.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::glob;
use shellkeep_core::{ClientId, PaneId, SessionId, Size};
use shellkeep_proto::{Attached, FromServer, Leave};

use super::native::terminal_bytes;
use super::{Ending, Server, native, sessions, status, windows};
use crate::Idle;
use crate::alarm::Alarm;
use crate::damage_tracker::DamageTracker;
use crate::exec::{Outcome, Reply};
use crate::keyboard::Keyboard;
use crate::notice::Notice;
use crate::overlay::Overlay;
use crate::queue::Wait;
use crate::state::{Environ, Model};
use crate::terminal::{self, TerminalReader};
use crate::terminfo;

/// So long after somebody has attached for the first time, what a key needs is got ready: sooner it would be in the way of a prompt.
const FIRST_KEY: Duration = Duration::from_millis(20);

impl Server {
    /// Shows a session on a client's terminal.
    pub(crate) fn attach(&mut self, id: ClientId, session_id: SessionId) {
        let now = self.state.now();
        let Some(session) = self.state.sessions.get_mut(&session_id) else {
            return;
        };
        session.last_attached = Some(now);
        self.state.use_session(session_id, now);
        teach_terminal(&mut self.state, id);
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        client.session = Some(session_id);
        if client.control.is_none() {
            client.awaits_ready = client.shares_terminal();
            let is_direct = client.awaits_ready;
            say_attached(&self.state, id);
            if !is_direct {
                native::begin_natively(&mut self.state, id);
            }
        }
        tracing::info!(client = %id, session = %session_id, "attached");
        if !self.is_back(id) {
            self.used(id);
        }
        if let Some(window) = self.state.current_window(session_id).map(|w| w.id) {
            windows::clear_alerts(&mut self.state, window);
        }
        self.state.tell(Notice::ClientAttached(id));
        self.state.tell(Notice::ClientSessionChanged(id));
        self.mind_idleness(session_id);
        sessions::session_changed(&mut self.state, session_id);
        self.show_complaints(id);
    }

    /// Has the terminfo entry of a client's terminal read beside the loop, for a command that is about to attach the client and has changed
    /// nothing yet; what the command answers meanwhile. It is run `again` then. Nothing if the entry was read before.
    pub(crate) fn describe_terminal(
        &mut self,
        id: ClientId,
        again: impl FnOnce(&mut Self) -> Outcome + Send + 'static,
    ) -> Option<Reply> {
        let client = self.state.clients.get(&id)?;
        if client.is_described || client.control.is_some() {
            return None;
        }
        let environ = client.context.environ.iter().map(Vec::as_slice);
        let environ = Environ::from_entries(environ);
        let name = client.context.env("TERM").unwrap_or_default().to_owned();
        let described = move |server: &mut Self, entry: Option<Vec<u8>>| {
            if let Some(client) = server.state.clients.get_mut(&id) {
                client.is_described = true;
                entry.iter().for_each(|it| client.caps.add_terminfo(it));
            }
            again(server)
        };
        Some(self.work_on_files(|| terminfo::read_in_time(name, environ), described))
    }

    /// Shows what was wrong with the configuration, as tmux does, to the first who could see it.
    fn show_complaints(&mut self, id: ClientId) {
        let client = self.state.clients.get(&id);
        if client.is_none_or(|client| client.control.is_some()) {
            return;
        }
        let complaints = self.take_complaints();
        if !complaints.is_empty() {
            self.view(id, complaints.join("\n").as_bytes());
        }
    }

    /// Gives a client's terminal back.
    pub(crate) fn release(&mut self, id: ClientId, leave: Leave) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(session) = client.session.take() else {
            return;
        };
        client.let_go();
        client.message = None;
        let pid = client.pid;
        match &mut client.control {
            Some(control) => {
                control.exit.get_or_insert(0);
            }
            None => client.writer.say(FromServer::Leave(leave)),
        }
        let name = client.name();
        self.leaves_order(pid);
        self.clear_front(id);
        self.close_overlay(id);
        self.state.tell(Notice::ClientDetached {
            client: id,
            name,
            session,
        });
        sessions::session_changed(&mut self.state, session);
        self.check_unattached(session);
        self.sleepers_due();
    }

    /// A client's terminal is raw and prepared: takes it, or lets the client pass the bytes.
    pub(super) fn client_ready(&mut self, id: ClientId) {
        let (events, escape_time) = (self.events.clone(), self.clients.escape_time.subscribe());
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        if client.session.is_none() {
            return;
        }
        client.awaits_ready = false;
        self.state.changes.is_painting = true;
        let first_key = || self.state.alarms.set(Alarm::FirstKey, FIRST_KEY);
        self.clients.first_key.get_or_insert_with(first_key);
        if client.shares_terminal() {
            match terminal::open(client.pid) {
                Ok(terminal) => {
                    let keyboard = Keyboard::new(id, events, escape_time);
                    let reading = self.shutdown.leaving.intake.reading();
                    let reader = TerminalReader::start(terminal.clone(), keyboard, reading);
                    client.reader = Some(reader);
                    client.writer.paint_on(Some(terminal));
                }
                Err(error) => {
                    tracing::info!(client = %id, %error, "its terminal is not ours to open; it passes the bytes");
                    client.writer.paint_on(None);
                    client.writer.say(FromServer::Relay);
                }
            }
        } else {
            client.writer.repaint();
        }
        native::begin_natively(&mut self.state, id);
        self.state.redraw_client(id);
    }

    pub(super) fn client_gone(&mut self, id: ClientId) {
        self.close_overlay(id);
        let Some(mut client) = self.state.clients.remove(&id) else {
            return;
        };
        if let Some(front) = client.front.take() {
            self.drop_front(front);
        }
        self.leave_channels(id);
        self.drop_searches_of(id);
        self.commands
            .queues
            .retain(|_, queue| queue.wait != Some(Wait::Input(id)));
        if let Some(session) = client.session {
            tracing::info!(client = %id, %session, "client gone");
            if let Some(reader) = client.reader.take() {
                reader.give_back(&terminal_bytes(&client).1);
            }
            let name = client.name();
            self.leaves_order(client.pid);
            self.state.tell(Notice::ClientDetached {
                client: id,
                name,
                session,
            });
            sessions::session_changed(&mut self.state, session);
            self.check_unattached(session);
            self.sleepers_due();
        }
        self.end_if_unused();
    }

    /// Ends a server that was started for something which has failed, so that it is not there as if somebody wanted it.
    fn end_if_unused(&mut self) {
        let is_due = self.shutdown.idle == Idle::Ends && self.is_unused();
        if is_due && self.state.options.server().flag("exit-empty") {
            self.shutdown.ending.get_or_insert(Ending::Empty);
        }
    }

    /// Whether there is no session, and nothing under way that a client asked for.
    pub(super) fn is_unused(&self) -> bool {
        self.state.sessions.is_empty()
            && self.state.clients.is_empty()
            && self.commands.queues.is_empty()
            && self.commands.jobs.is_empty()
    }

    pub(super) fn client_resized(&mut self, id: ClientId, size: Size) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        // One that goes on after a stop, or has come back, says the size it had: that is no use of it.
        let is_news = std::mem::replace(&mut client.size, size) != size;
        let session = client.session;
        self.fit_overlay(id);
        if let Some(session) = session {
            if is_news {
                self.used(id);
            }
            self.state.tell(Notice::ClientResized(id));
            sessions::session_changed(&mut self.state, session);
        }
    }

    // ---- scenes ----

    /// Tells every client whose picture is stale what to show.
    pub(super) fn show_stale(&mut self) {
        let stale = self.state.clients.values_mut();
        let stale =
            stale.filter_map(|client| std::mem::take(&mut client.is_stale).then_some(client.id));
        let stale: Vec<ClientId> = stale.collect();
        if stale.is_empty() {
            return;
        }
        for id in stale {
            self.forget_pan(id);
            let picture = self.picture(id);
            status::time_status(&mut self.state, id);
            if let Some(client) = self.state.clients.get_mut(&id) {
                let (scene, clicks) =
                    picture.map_or((None, Vec::new()), |it| (Some(it.scene), it.clicks));
                client.status_clicks = clicks;
                let enter = std::mem::take(&mut client.enter);
                if !enter.is_empty() {
                    client.writer.prepare(enter);
                }
                client.writer.show(scene);
            }
        }
        self.wind_clocks();
        watch(&self.state);
    }
}

/// Has a client's terminal be believed able to do what `terminal-features` and `terminal-overrides` say of its name.
pub(super) fn teach_terminal(model: &mut Model, id: ClientId) {
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
        features.for_each(|feature| client.caps.teach_feature(feature));
    }
    // What is said so of a terminal counts more.
    for entry in options.texts("terminal-overrides").filter(said_of_it) {
        let said = entry.split(':').skip(1);
        said.for_each(|capability| client.caps.teach_capability(capability));
    }
}

/// Tells a client which session it shows.
pub(super) fn say_attached(model: &Model, id: ClientId) {
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
    client.writer.say(FromServer::Attached(Attached {
        session: session.id,
        name: session.name.clone(),
        enter,
        leave,
        is_direct: client.shares_terminal(),
        is_read_only: client.is_read_only,
    }));
}

/// Lets a client stop itself; its terminal is left alone until it is ready again.
pub(crate) fn suspend(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    client.let_go();
    client.awaits_ready = true;
    client.writer.say(FromServer::Suspend);
}

/// Tells every pane who looks at it.
fn watch(model: &Model) {
    let mut trackers: BTreeMap<PaneId, Vec<Arc<DamageTracker>>> = BTreeMap::new();
    for client in model.clients.values() {
        let paints = !client.awaits_ready && client.control.is_none() && !client.scrolls_natively();
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
        let popup = client.overlay.as_ref().and_then(Overlay::popup);
        if let Some(popup) = popup.filter(|_| !client.awaits_ready) {
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
