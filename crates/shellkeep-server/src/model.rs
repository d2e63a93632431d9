//! The model: the state of every session, window, pane, client, buffer and option. Plain data: it does no I/O, and only
//! the event loop changes it.

mod backlog;
pub(crate) mod birth;
mod buffers;
mod changes;
mod client;
pub(crate) mod client_order;
pub(crate) mod command_tracker;
mod complaints;
mod control;
mod environ;
mod falling;
mod figures;
mod format_jobs;
mod hook_subject;
mod idle_capture;
pub(crate) mod idleness;
mod key_grab;
mod message;
pub(crate) mod message_log;
mod mode;
mod mouse;
mod note_changes;
pub(crate) mod notice;
mod options;
mod outside;
mod pane;
mod pane_life;
mod session;
mod shell_report;
mod stdin;
pub(crate) mod ticket;
mod typed;
mod view;
mod window;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use shellkeep_command::bind::KeyTables;
use shellkeep_command::options::View;
use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use crate::alarm::{Alarm, Timer};
use crate::model::birth::Birth;
use crate::model::figures::Figures;
use crate::modes::prompt_line::Histories;

pub(crate) use crate::model::backlog::{Backlog, Release, Sent};
pub(crate) use crate::model::buffers::{Buffer, Buffers, Secrecy, visible};
pub(crate) use crate::model::changes::{Behind, Changes, HookDue, RunningCommand};
pub(crate) use crate::model::client::Client;
pub(crate) use crate::model::client_order::ClientOrder;
pub(crate) use crate::model::complaints::Complaints;
pub(crate) use crate::model::control::{Block, Control, Subject, Subscription};
pub(crate) use crate::model::environ::Environ;
pub(crate) use crate::model::falling::{Falling, FallingStage};
pub(crate) use crate::model::hook_subject::is_hook_set;
pub(crate) use crate::model::idle_capture::{CaptureQuestion, IdleCapture};
pub(crate) use crate::model::key_grab::{
    Asker, KeyGrab, NumberKeys, PaneNumbers, Prompt, PromptQuestion, Purpose,
};
pub(crate) use crate::model::message::{Message, MessageKeys};
pub(crate) use crate::model::message_log::MessageLog;
pub(crate) use crate::model::mode::{Copy, Mode, Reading, SharedText};
pub(crate) use crate::model::mouse::{Clicks, Deed, Drag, Pointer};
pub(crate) use crate::model::options::{GlobalOptions, Options, refusal};
pub(crate) use crate::model::outside::Outside;
pub(crate) use crate::model::pane::Pane;
pub(crate) use crate::model::pane_life::{
    Asleep, Cause, Dead, PaneLife, RevivalStage, Reviving, Rule, Sleep, Waker,
};
pub(crate) use crate::model::session::{Link, Session, Side, Standing, Step, clean_name};
pub(crate) use crate::model::shell_report::{ShellNews, ShellReport};
pub(crate) use crate::model::stdin::Stdin;
pub(crate) use crate::model::typed::Typed;
pub(crate) use crate::model::view::StatusClick;
pub(crate) use crate::model::window::{Silence, Window};
pub(crate) use crate::process::wall::Seconds;

#[derive(Default)]
pub(crate) struct NextNumbers {
    pub(crate) session: u32,
    pub(crate) window: u32,
    pub(crate) pane: u32,
    /// Counts uses of windows and panes; the highest number marks the one used last.
    uses: u64,
    /// The number last given to something a command waits for.
    waits: u64,
}

/// The state of every session, window, pane and client. Only the event loop changes it.
pub(crate) struct Model {
    pub(crate) sessions: BTreeMap<SessionId, Session>,
    pub(crate) windows: BTreeMap<WindowId, Window>,
    pub(crate) panes: BTreeMap<PaneId, Pane>,
    /// Modes of a pane under the one it shows ([`Pane::mode`]), the lowest first.
    pub(crate) covered: BTreeMap<PaneId, Vec<Mode>>,
    pub(crate) clients: BTreeMap<ClientId, Client>,
    pub(crate) buffers: Buffers,
    /// The panes whose programs were sent a focus-in.
    pub(crate) focused: BTreeSet<PaneId>,
    pub(crate) options: GlobalOptions,
    /// The environment of the client that started the server; every session's environment begins with it.
    pub(crate) environ: Environ,
    /// Directory and umask of that client.
    pub(crate) birth: Birth,
    /// The marked pane, and the session and window number it was marked in.
    pub(crate) marked: Option<PaneId>,
    /// The ids that are given next.
    pub(crate) next: NextNumbers,
    pub(crate) changes: Changes,
    pub(crate) outside: Outside,
    /// What formats show of other components.
    pub(crate) figures: Figures,
    pub(crate) prompt_histories: Histories,
    /// The messages that `show-messages` lists.
    pub(crate) messages: MessageLog,
    pub(crate) complaints: Complaints,
    pub(crate) key_tables: KeyTables,
    pub(crate) client_order: ClientOrder,
    /// Some panes have taps of control-mode clients.
    pub(crate) are_taps_placed: bool,
    pub(crate) started: Seconds,
    /// The socket's path, for `$SHELLKEEP`.
    pub(crate) socket: PathBuf,
}

impl Model {
    pub(crate) fn new(outside: Outside, socket: PathBuf) -> Self {
        Self {
            sessions: BTreeMap::new(),
            windows: BTreeMap::new(),
            panes: BTreeMap::new(),
            covered: BTreeMap::new(),
            clients: BTreeMap::new(),
            buffers: Buffers::default(),
            focused: BTreeSet::new(),
            options: GlobalOptions::default(),
            environ: Environ::default(),
            birth: Birth::default(),
            marked: None,
            next: NextNumbers::default(),
            changes: Changes::default(),
            figures: Figures::default(),
            prompt_histories: Histories::default(),
            messages: MessageLog::default(),
            complaints: Complaints::default(),
            key_tables: KeyTables::default(),
            client_order: ClientOrder::default(),
            are_taps_placed: false,
            started: (outside.clock)(),
            socket,
            outside,
        }
    }

    /// The time in seconds since 1970.
    pub(crate) fn now(&self) -> Seconds {
        (self.outside.clock)()
    }

    /// Sets an alarm. Dropping the timer cancels it.
    pub(crate) fn set_alarm(&self, alarm: Alarm, after: Duration) -> Timer {
        self.outside.alarms.set(alarm, after)
    }

    /// The name of a session, or an empty string if the session is gone.
    pub(crate) fn session_name(&self, id: SessionId) -> String {
        let session = self.sessions.get(&id);
        session.map_or_else(String::new, |session| session.name.clone())
    }

    /// Rebuilds the maps so that their nodes are full: maps that grew one by one are half empty, which counts with
    /// thousands of sessions.
    pub(crate) fn pack(&mut self) {
        self.sessions = std::mem::take(&mut self.sessions).into_iter().collect();
        self.windows = std::mem::take(&mut self.windows).into_iter().collect();
        self.panes = std::mem::take(&mut self.panes).into_iter().collect();
    }

    pub(crate) fn has_session_named(&self, name: &str) -> bool {
        self.sessions.values().any(|session| session.name == name)
    }

    /// The sessions in the order in which commands list them.
    pub(crate) fn sessions_by_name(&self) -> Vec<&Session> {
        let mut sessions: Vec<&Session> = self.sessions.values().collect();
        sessions.sort_by(|a, b| a.name.cmp(&b.name));
        sessions
    }

    /// The session used last.
    pub(crate) fn latest_session(&self) -> Option<SessionId> {
        self.sessions
            .values()
            .max_by_key(|session| session.recency())
            .map(|s| s.id)
    }

    /// The other sessions of a session's group, which share its windows.
    pub(crate) fn companions(&self, id: SessionId) -> Vec<SessionId> {
        let Some(group) = self.sessions.get(&id).and_then(|s| s.group.as_ref()) else {
            return Vec::new();
        };
        let others = self.sessions.values();
        let others = others.filter(|other| other.id != id && other.group.as_ref() == Some(group));
        others.map(|other| other.id).collect()
    }

    /// The number of a new use: higher than those of all earlier uses.
    pub(crate) fn next_use(&mut self) -> u64 {
        self.next.uses += 1;
        self.next.uses
    }

    /// A new number for something that a command waits for.
    pub(crate) fn next_wait(&mut self) -> u64 {
        self.next.waits += 1;
        self.next.waits
    }

    /// Notes that a client attached to a session or typed into it.
    pub(crate) fn use_session(&mut self, id: SessionId, now: Seconds) {
        let used = self.next_use();
        if let Some(session) = self.sessions.get_mut(&id) {
            (session.activity, session.used) = (now, used);
            session.standing.is_reopened = false;
        }
    }

    /// The sessions that a window is linked to, and its index in each.
    pub(crate) fn links_of(&self, window: WindowId) -> impl Iterator<Item = (SessionId, u32)> {
        self.sessions.values().flat_map(move |session| {
            let links = session.links.iter();
            let links = links.filter(move |(_, link)| link.window == window);
            links.map(|(index, _)| (session.id, *index))
        })
    }

    /// The session a window is linked to; the one used last if there are several.
    pub(crate) fn session_with(&self, window: WindowId) -> Option<SessionId> {
        self.links_of(window)
            .filter_map(|(id, _)| self.sessions.get(&id))
            .max_by_key(|session| session.recency())
            .map(|session| session.id)
    }

    /// The session a pane's window is linked to; the one used last if there are several.
    pub(crate) fn session_of(&self, pane: PaneId) -> Option<SessionId> {
        self.session_with(self.panes.get(&pane)?.window)
    }

    pub(crate) fn current_window(&self, session: SessionId) -> Option<&Window> {
        let session = self.sessions.get(&session)?;
        self.windows.get(&session.current_link()?.window)
    }

    /// The active pane of a session's current window.
    pub(crate) fn current_pane(&self, session: SessionId) -> Option<PaneId> {
        self.current_window(session).map(|window| window.active)
    }

    /// The pane that gets a client's keys: the client's own active pane in the window, if it has one, otherwise the
    /// window's.
    pub(crate) fn pane_of(&self, client: &Client) -> Option<PaneId> {
        let window = self.current_window(client.session?)?;
        Some(client.active_in(window))
    }

    pub(crate) fn clients_of(&self, session: SessionId) -> impl Iterator<Item = &Client> {
        self.clients
            .values()
            .filter(move |client| client.session == Some(session))
    }

    /// The clients that show a window now.
    pub(crate) fn viewers_of(&self, window: WindowId) -> impl Iterator<Item = &Client> {
        self.clients.values().filter(move |client| {
            let session = client.session.and_then(|id| self.sessions.get(&id));
            let link = session.and_then(Session::current_link);
            link.is_some_and(|link| link.window == window)
        })
    }

    /// The options of a session, or the global ones without a session.
    pub(crate) fn session_options(&self, id: Option<SessionId>) -> View<'_> {
        match id.and_then(|id| self.sessions.get(&id)) {
            Some(session) => self.options.session(&session.options),
            None => self.options.sessions(),
        }
    }

    pub(crate) fn window_options(&self, id: WindowId) -> View<'_> {
        match self.windows.get(&id) {
            Some(window) => View::over(&window.options, &self.options.window),
            None => View::of(&self.options.window),
        }
    }

    pub(crate) fn pane_options(&self, id: PaneId) -> View<'_> {
        let Some(pane) = self.panes.get(&id) else {
            return View::of(&self.options.window);
        };
        match self.windows.get(&pane.window) {
            Some(window) => View::pane(&pane.options, &window.options, &self.options.window),
            None => View::over(&pane.options, &self.options.window),
        }
    }

    /// The panes of a window, in layout order.
    pub(crate) fn panes_of(&self, window: WindowId) -> impl Iterator<Item = &Pane> {
        let order = self.windows.get(&window).map(Window::panes);
        let order = order.unwrap_or_default().iter();
        order.filter_map(|id| self.panes.get(id))
    }

    /// Whether a window was made in a private session. Nothing of it may be on disk, even if it is linked to another
    /// session now.
    pub(crate) fn is_secret(&self, window: WindowId) -> bool {
        self.panes_of(window).all(|pane| pane.is_secret)
    }
}
