//! The notes that describe the model for the next server. They are left with the keeper, which holds the PTYs, and,
//! except for private sessions, in the store, for when the keeper is gone too. Both have the same format. This module
//! does no I/O.
//!
//! The format is [`shellkeep_store::schema`]: plain JSON with a version, so that a newer server can read an older one's
//! notes. A note that cannot be read costs names and times, never a program.

mod convert;
mod placing;
mod stored;

/// The keeper request that removes a note.
pub(crate) fn forget_request(key: String) -> HostRequest {
    let value = Vec::new();
    HostRequest::Remember { key, value }
}

pub(crate) fn forget(key: String) -> Action {
    Action::AskKeeper(forget_request(key))
}

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use shellkeep_command::bind::{Filter, KeyTables, Repeat};
use shellkeep_command::options::{Level, Scope};
use shellkeep_command::parse::{NoHost, parse_strict, print_list};
use shellkeep_core::{PaneId, SessionId, Size, WindowId};
use shellkeep_keeper::{Exit, HostRequest};
use shellkeep_store::StoreId;
use shellkeep_store::schema::{
    NOTE_VERSION, NotedBinding, NotedServer, NotedServerStart, PaneHome, Settings, StoredPane,
    StoredProgram, StoredSession, StoredSleep, StoredWindow, TextBytes, Variables,
};

use crate::action::Action;
use crate::persistence::notes::placing::Windows;

pub(crate) use crate::persistence::notes::placing::Displaced;
pub(crate) use crate::persistence::notes::stored::{
    SessionBody, closed_pane_body, orphan_body, session_body, stored_session,
};

use crate::model::birth::Birth;
use crate::model::{
    Cause, Environ, GlobalOptions, Model, Options, Pane, Seconds, Session, Sleep, Standing, Window,
};
use crate::persistence::record::Facts;

/// The key of the note about the server itself.
pub(crate) const SERVER_KEY: &str = "server";

/// The key of the note about key bindings.
pub(crate) const KEYS_KEY: &str = "keys";

/// The key of the note about the order of clients.
pub(crate) const CLIENTS_KEY: &str = "clients";

type Notes = BTreeMap<String, Vec<u8>>;

pub(crate) fn session_key(id: SessionId) -> String {
    format!("session/{}", id.0)
}

/// The prefix of notes about sessions that were closed and are not in the archive yet.
pub(crate) const CLOSED: &str = "closed/";

pub(crate) fn closed_key(id: StoreId) -> String {
    format!("{CLOSED}{id}")
}

pub(crate) fn window_key(id: WindowId) -> String {
    format!("window/{}", id.0)
}

pub(crate) fn screen_key(id: PaneId) -> String {
    format!("screen/{}", id.0)
}

/// The key of the note that a pane belongs to a popup, and to no session.
pub(crate) fn popup_key(id: PaneId) -> String {
    format!("popup/{}", id.0)
}

pub(crate) fn server_note(state: &Model) -> Vec<u8> {
    encode(&NotedServer {
        version: NOTE_VERSION,
        next_session: state.next.session,
        next_window: state.next.window,
        next_pane: state.next.pane,
        options: settings(&state.options.server),
        session_options: settings(&state.options.session),
        window_options: settings(&state.options.window),
        environ: variables(&state.environ),
        hidden: hidden(&state.environ),
        birth: Some(NotedServerStart {
            cwd: state.birth.cwd.clone(),
            umask: state.birth.umask,
        }),
    })
}

/// The note about key bindings. It has all of them: a default that was unbound must not come back.
pub(crate) fn keys_note(tables: &KeyTables) -> Vec<u8> {
    let bindings = tables.list(Filter::default());
    let notes = bindings.map(|(table, binding)| NotedBinding {
        table: table.to_owned(),
        key: binding.key.to_string(),
        repeats: binding.repeat == Repeat::Repeats,
        note: binding.note.clone(),
        commands: print_list(&binding.commands),
    });
    encode(&notes.collect::<Vec<_>>())
}

/// The key bindings of an earlier server, if they were changed.
pub(crate) fn restore_keys(notes: &Notes) -> Option<KeyTables> {
    let bindings: Vec<NotedBinding> = decode(notes.get(KEYS_KEY)?)?;
    let mut tables = KeyTables::default();
    let names: BTreeSet<String> = tables
        .list(Filter::default())
        .map(|(table, _)| table.to_owned())
        .collect();
    for name in names {
        let _ = tables.unbind_all(&name);
    }
    for binding in bindings {
        let commands = parse_strict(&binding.commands, &mut NoHost);
        let (Ok(key), Ok(commands)) = (binding.key.parse(), commands) else {
            continue;
        };
        let repeat = if binding.repeats {
            Repeat::Repeats
        } else {
            Repeat::Once
        };
        tables.bind(&binding.table, key, Some(commands), binding.note, repeat);
    }
    Some(tables)
}

pub(crate) fn session_note(session: &Session) -> Vec<u8> {
    encode(&note_of_session(session))
}

fn note_of_session(session: &Session) -> StoredSession {
    let links = session.links.iter();
    StoredSession {
        version: NOTE_VERSION,
        id: session.id.0,
        name: session.name.clone(),
        created: session.created,
        activity: session.activity,
        last_attached: session.last_attached,
        cwd: session.cwd.clone(),
        links: links.map(|(index, link)| (*index, link.window.0)).collect(),
        current: session.current,
        last: session.last.clone(),
        options: settings(&session.options),
        environ: variables(&session.environ),
        hidden: hidden(&session.environ),
        group: session.group.clone(),
        standing: session.standing.clone().into(),
    }
}

pub(crate) fn window_note(window: &Window, state: &Model) -> Vec<u8> {
    encode(&note_of_window(window, state))
}

fn note_of_window(window: &Window, state: &Model) -> StoredWindow {
    note_of_panes(window, state.panes_of(window.id))
}

fn note_of_panes<'a>(window: &Window, panes: impl Iterator<Item = &'a Pane>) -> StoredWindow {
    let panes = panes.map(|pane| StoredPane {
        id: pane.id.0,
        number_in_layout: None,
        start_command: pane.start_command.clone(),
        start_path: pane.start_path.clone(),
        options: settings(&pane.options),
        argv: pane.argv.clone(),
        title: pane
            .has_title
            .then(|| pane.screen.lock().title().to_owned()),
        input_off: pane.input_off,
        is_secret: pane.is_secret,
        has_gap: pane.screen.with_record(|record| record.has_gap()) == Some(true),
        died: pane.life.dead().map(|dead| dead.since),
        exit_status: pane.shown_exit().and_then(Exit::status),
        exit_signal: pane.shown_exit().and_then(Exit::signal),
        home: pane.screen.with_record(|record| record.home()),
        sleep: pane.noted_sleep().cloned().map(StoredSleep::from),
        ending: pane.noted_shell(),
        facts: pane.facts.clone().into(),
        shell: pane.shell_program.clone(),
    });
    StoredWindow {
        version: NOTE_VERSION,
        id: window.id.0,
        name: window.name.clone(),
        created: window.created,
        layout: window.layout.to_text(),
        panes: panes.collect(),
        active: window.active.0,
        last_panes: window.last_panes.iter().map(|pane| pane.0).collect(),
        is_zoomed: window.zoomed.is_some(),
        options: settings(&window.options),
        manual_size: window.manual_size.map(|size| (size.rows(), size.cols())),
        preset: window.preset.map(|preset| preset.name().to_owned()),
        old_layout: window.old_layout.clone(),
    }
}

/// Restores the counters, options and environment of an earlier server.
pub(crate) fn restore_server(notes: &Notes, state: &mut Model) {
    let Some(note) = notes
        .get(SERVER_KEY)
        .and_then(|note| decode::<NotedServer>(note))
    else {
        return;
    };
    state.next.session = note.next_session;
    state.next.window = note.next_window;
    state.next.pane = note.next_pane;
    state.options = GlobalOptions::restore(&[
        (Scope::Server, &note.options),
        (Scope::Session, &note.session_options),
        (Scope::Window, &note.window_options),
    ]);
    state.environ = environ(note.environ, &note.hidden);
    if let Some(NotedServerStart { cwd, umask }) = note.birth {
        state.birth = Birth { cwd, umask };
    }
}

/// What an earlier server had, as far as its panes are still held.
pub(crate) struct Memory {
    pub(crate) sessions: Vec<Session>,
    pub(crate) windows: Vec<Window>,
    pub(crate) panes: BTreeMap<PaneId, NotedPane>,
    pub(crate) displaced: Vec<Displaced>,
}

pub(crate) struct NotedPane {
    pub(crate) window: WindowId,
    pub(crate) size: Size,
    pub(crate) start_command: String,
    pub(crate) start_path: Vec<u8>,
    pub(crate) options: Options,
    pub(crate) argv: Vec<String>,
    pub(crate) title: Option<String>,
    pub(crate) input_off: bool,
    pub(crate) is_secret: bool,
    pub(crate) has_gap: bool,
    pub(crate) died: Option<Seconds>,
    pub(crate) exit: Option<Exit>,
    pub(crate) home: Option<PaneHome>,
    pub(crate) sleep: Option<Sleep>,
    /// The pid of the shell that was about to be ended.
    pub(crate) ending: Option<u32>,
    pub(crate) facts: Facts,
    pub(crate) shell: Option<PathBuf>,
}

/// Whether a session read from the store has the ids it had before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    Same,
    /// Some of them are in use now.
    Others,
}

/// Rebuilds sessions and windows from the notes. A pane without a note gets a session of its own: no program is dropped
/// for lack of a name.
pub(crate) fn model(notes: &Notes, held: &[PaneId], unheld: Unheld, now: Seconds) -> Memory {
    let held: BTreeSet<PaneId> = held.iter().copied().collect();
    let mut there = held.clone();
    let mut notes_of_windows: Vec<StoredWindow> = kind::<StoredWindow>(notes, "window/").collect();
    if unheld == Unheld::Sleeps {
        // A sleeping pane has no PTY to hold. A pane that should be held and is not has lost its program, but not its
        // screen.
        let panes = notes_of_windows.iter_mut();
        let panes = panes.flat_map(|window| &mut window.panes);
        for pane in panes.filter(|pane| pane.home.is_some()) {
            if there.insert(PaneId(pane.id)) {
                fall_asleep(pane, Cause::Lost, now);
            }
        }
    }
    let next = notes_of_windows.iter().map(|note| note.id + 1).max();
    let mut windows = Windows::default();
    for note in notes_of_windows {
        windows.add(note, &there);
    }
    let mut sessions: Vec<StoredSession> = kind::<StoredSession>(notes, "session/").collect();
    let displaced = windows.add_strays(next.unwrap_or(0), &mut sessions);
    let ids: BTreeSet<WindowId> = windows.placed.iter().map(|window| window.id).collect();
    let sessions = sessions.into_iter();
    let mut memory = Memory {
        sessions: sessions.filter_map(|note| session(note, &ids)).collect(),
        windows: windows.placed,
        panes: windows.panes,
        displaced,
    };
    for pane in held {
        let window = memory.panes.get(&pane).map(|place| place.window);
        let is_shown = window.is_some_and(|window| {
            let mut sessions = memory.sessions.iter();
            sessions.any(|session| session.index_of(window).is_some())
        });
        if !is_shown {
            tracing::warn!(%pane, "the pane's session is noted nowhere");
            make_up(pane, window, now, &mut memory);
        }
    }
    // A window in no session is left to the store, if it is there.
    let sessions = &memory.sessions;
    let is_shown = |id: WindowId| sessions.iter().any(|each| each.index_of(id).is_some());
    memory.windows.retain(|window| is_shown(window.id));
    memory.panes.retain(|_, place| is_shown(place.window));
    memory
}

/// What becomes of a pane without a PTY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unheld {
    /// It is in the store, and asleep.
    Sleeps,
    /// There is no store, so it is dropped.
    Gone,
}

/// Notes why a pane has no program, unless that is noted. A pane whose program had ended before stays as it was.
fn fall_asleep(pane: &mut StoredPane, cause: Cause, now: Seconds) {
    if pane.died.is_some() {
        return;
    }
    let facts = &pane.facts;
    let (program, run) = if facts.program.is_empty() {
        // A shell that was asked for by name, or that was started when the pane woke, does not count as a lost program.
        let argv = pane.shell.as_ref().map_or(&pane.argv[..], |_| &[]);
        // A pane's start command of a single word is a shell command line.
        let line = argv.first().filter(|_| argv.len() == 1);
        let run = StoredProgram {
            directory: facts.directory.clone().unwrap_or_default(),
            typed: line.cloned(),
            ..facts.run.clone()
        };
        (argv.to_vec(), run)
    } else {
        (facts.program.clone(), facts.run.clone())
    };
    let sleep = StoredSleep {
        is_tidied: false,
        since: now,
        cause: cause.into(),
        program,
        run,
    };
    pane.sleep.get_or_insert(sleep);
}

fn kind<'a, T: Deserialize<'a>>(notes: &'a Notes, prefix: &'a str) -> impl Iterator<Item = T> {
    let notes = notes.iter().filter(move |(key, _)| key.starts_with(prefix));
    notes.filter_map(|(_, note)| decode(note))
}

/// A session from its note, without windows that are gone; `None` if none is left.
fn session(note: StoredSession, windows: &BTreeSet<WindowId>) -> Option<Session> {
    let mut session = Session {
        id: SessionId(note.id),
        name: note.name,
        created: note.created,
        idleness: None,
        activity: note.activity,
        used: 0,
        last_attached: note.last_attached,
        cwd: note.cwd,
        links: BTreeMap::new(),
        current: note.current,
        last: note.last,
        environ: environ(note.environ, &note.hidden),
        options: options(&note.options),
        group: note.group,
        standing: note.standing.into(),
    };
    for (index, window) in note.links {
        if windows.contains(&WindowId(window)) {
            session.link(index, WindowId(window));
        }
    }
    let (links, current) = (&session.links, session.current);
    session
        .last
        .retain(|index| links.contains_key(index) && *index != current);
    if !links.contains_key(&current) {
        session.current = *session.last.first().or_else(|| links.keys().next())?;
    }
    Some(session)
}

/// Makes a session for a pane without one, and a window if needed.
fn make_up(pane: PaneId, window: Option<WindowId>, now: Seconds, memory: &mut Memory) {
    let window = window.unwrap_or_else(|| {
        let highest = memory.windows.iter().map(|window| window.id.0).max();
        let id = WindowId(highest.map_or(0, |highest| highest + 1));
        memory
            .windows
            .push(Window::new(id, pane, Size::default(), now));
        let place = NotedPane {
            window: id,
            size: Size::default(),
            start_command: String::new(),
            start_path: Vec::new(),
            options: Options::default(),
            argv: Vec::new(),
            title: None,
            input_off: false,
            is_secret: false,
            has_gap: false,
            died: None,
            exit: None,
            home: None,
            sleep: None,
            ending: None,
            facts: Facts::default(),
            shell: None,
        };
        memory.panes.insert(pane, place);
        id
    });
    let highest = memory.sessions.iter().map(|session| session.id.0).max();
    let mut session = Session {
        id: SessionId(highest.map_or(0, |highest| highest + 1)),
        name: format!("recovered-{}", pane.0),
        created: now,
        idleness: None,
        activity: now,
        used: 0,
        last_attached: None,
        cwd: b"/".to_vec(),
        links: BTreeMap::new(),
        current: 0,
        last: Vec::new(),
        environ: Environ::default(),
        options: Options::default(),
        group: None,
        standing: Standing::default(),
    };
    session.link(0, window);
    memory.sessions.push(session);
}

/// The screens that an orderly end has left.
pub(crate) fn screens(notes: &Notes) -> BTreeMap<PaneId, Vec<u8>> {
    let screens = notes.iter().filter_map(|(key, note)| {
        let id = key.strip_prefix("screen/")?.parse().ok()?;
        Some((PaneId(id), note.clone()))
    });
    screens.collect()
}

pub(crate) fn encode(note: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(note).expect("plain data has a JSON form")
}

pub(crate) fn decode<'a, T: Deserialize<'a>>(note: &'a [u8]) -> Option<T> {
    serde_json::from_slice(note)
        .inspect_err(|error| tracing::warn!(%error, "a note of an earlier server cannot be read"))
        .ok()
}

fn settings(options: &Options) -> Settings {
    options.pairs().collect()
}

fn options(settings: &Settings) -> Options {
    // An option that this version no longer has is dropped.
    let pairs = settings.iter();
    let pairs = pairs.map(|(name, text)| (name.as_str(), text.as_str()));
    Options::restore(Level::Local, pairs)
}

fn variables(environ: &Environ) -> Variables {
    environ
        .pairs()
        .map(|(name, value)| {
            let bytes = |bytes: &[u8]| TextBytes(bytes.to_vec());
            (bytes(name), value.map(bytes))
        })
        .collect()
}

fn hidden(environ: &Environ) -> Vec<Vec<u8>> {
    let names = environ.pairs().map(|(name, _)| name);
    let names = names.filter(|name| environ.is_hidden(name));
    names.map(<[u8]>::to_vec).collect()
}

fn environ(variables: Variables, hidden: &[Vec<u8>]) -> Environ {
    let mut environ = Environ::default();
    for (TextBytes(name), value) in variables {
        match value.map(|value| value.0) {
            Some(value) if hidden.contains(&name) => environ.set_hidden(name, value),
            Some(value) => environ.set(name, value),
            None => environ.remove(name),
        }
    }
    environ
}
