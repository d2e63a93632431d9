//! What the next server must know, left with the keeper: where the PTYs are. Nothing here touches the disk.
//!
//! Notes are JSON with a version, so that a newer server can read what an older one left; a note that
//! cannot be read costs names and times, never a program.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shellkeep_command::options::{Level, Scope};
use shellkeep_core::{PaneId, SessionId, Size};

use crate::state::{Environ, GlobalOptions, Options, Pane, Seconds, Session, State};

/// Where what concerns the whole server is kept.
pub(crate) const SERVER_KEY: &str = "server";

type Notes = BTreeMap<String, Vec<u8>>;
type Variables = Vec<(Vec<u8>, Option<Vec<u8>>)>;
type Settings = Vec<(String, String)>;

#[derive(Serialize, Deserialize)]
struct ServerNote {
    version: u32,
    next_session: u32,
    next_pane: u32,
    /// Of the server; in notes of earlier versions, of all sessions as well.
    options: Settings,
    #[serde(default)]
    session_options: Settings,
    #[serde(default)]
    window_options: Settings,
    environ: Variables,
}

#[derive(Serialize, Deserialize)]
struct SessionNote {
    version: u32,
    id: u32,
    name: String,
    created: Seconds,
    activity: Seconds,
    pane: u32,
    rows: u16,
    cols: u16,
    options: Settings,
    environ: Variables,
}

/// A session as it was, and how large.
pub(crate) struct Remembered {
    pub(crate) session: Session,
    pub(crate) size: Size,
}

pub(crate) fn session_key(id: SessionId) -> String {
    format!("session/{}", id.0)
}

pub(crate) fn screen_key(id: PaneId) -> String {
    format!("screen/{}", id.0)
}

pub(crate) fn server_note(state: &State) -> Vec<u8> {
    encode(&ServerNote {
        version: 1,
        next_session: state.next_session,
        next_pane: state.next_pane,
        options: settings(&state.options.server),
        session_options: settings(&state.options.session),
        window_options: settings(&state.options.window),
        environ: variables(&state.environ),
    })
}

pub(crate) fn session_note(session: &Session, pane: &Pane) -> Vec<u8> {
    encode(&SessionNote {
        version: 1,
        id: session.id.0,
        name: session.name.clone(),
        created: session.created,
        activity: session.activity,
        pane: pane.id.0,
        rows: pane.size.rows(),
        cols: pane.size.cols(),
        options: settings(&session.options),
        environ: variables(&session.environ),
    })
}

/// Takes up the counters, options and environment of an earlier server.
pub(crate) fn restore_server(notes: &Notes, state: &mut State) {
    let Some(note) = notes
        .get(SERVER_KEY)
        .and_then(|note| decode::<ServerNote>(note))
    else {
        return;
    };
    state.next_session = note.next_session;
    state.next_pane = note.next_pane;
    state.options = GlobalOptions::restore(&[
        (Scope::Server, &note.options),
        (Scope::Session, &note.session_options),
        (Scope::Window, &note.window_options),
    ]);
    state.environ = environ(note.environ);
}

/// What is remembered of sessions, by their panes, and how many notes of any kind there were: an id no
/// session had.
pub(crate) struct Sessions(BTreeMap<PaneId, SessionNote>, usize);

/// Reads the notes on sessions, each once.
pub(crate) fn sessions(notes: &Notes) -> Sessions {
    let sessions = notes.iter().filter(|(key, _)| key.starts_with("session/"));
    let sessions = sessions.filter_map(|(_, note)| decode::<SessionNote>(note));
    Sessions(
        sessions.map(|note| (PaneId(note.pane), note)).collect(),
        notes.len(),
    )
}

/// The session a pane belongs to; one made up for it if nobody remembers: a program is never dropped for
/// want of a name.
pub(crate) fn session_with(
    pane: PaneId,
    sessions: &mut Sessions,
    now: Seconds,
    state: &mut State,
) -> Remembered {
    state.next_pane = state.next_pane.max(pane.0 + 1);
    let note = sessions.0.remove(&pane).unwrap_or_else(|| {
        tracing::warn!(%pane, "nobody remembers this pane's session");
        let id = state
            .next_session
            .max(sessions.1.try_into().unwrap_or(u32::MAX));
        SessionNote {
            version: 1,
            id,
            name: format!("recovered-{}", pane.0),
            created: now,
            activity: now,
            pane: pane.0,
            rows: Size::default().rows(),
            cols: Size::default().cols(),
            options: Vec::new(),
            environ: Vec::new(),
        }
    });
    state.next_session = state.next_session.max(note.id + 1);
    let session = Session {
        id: SessionId(note.id),
        name: note.name,
        created: note.created,
        activity: note.activity,
        pane,
        environ: environ(note.environ),
        options: options(&note.options),
    };
    Remembered {
        session,
        size: Size::new(note.rows, note.cols),
    }
}

/// The screens an orderly end left behind.
pub(crate) fn screens(notes: &Notes) -> BTreeMap<PaneId, Vec<u8>> {
    let screens = notes.iter().filter_map(|(key, note)| {
        let id = key.strip_prefix("screen/")?.parse().ok()?;
        Some((PaneId(id), note.clone()))
    });
    screens.collect()
}

fn encode(note: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(note).expect("plain data has a JSON form")
}

fn decode<'a, T: Deserialize<'a>>(note: &'a [u8]) -> Option<T> {
    serde_json::from_slice(note)
        .inspect_err(|error| tracing::warn!(%error, "a note of an earlier server is not readable"))
        .ok()
}

fn settings(options: &Options) -> Settings {
    options.pairs().collect()
}

fn options(settings: &Settings) -> Options {
    // An option that this version no longer has is let go.
    let pairs = settings.iter();
    let pairs = pairs.map(|(name, text)| (name.as_str(), text.as_str()));
    Options::restore(Level::Local, pairs)
}

fn variables(environ: &Environ) -> Variables {
    environ
        .pairs()
        .map(|(name, value)| (name.to_vec(), value.map(<[u8]>::to_vec)))
        .collect()
}

fn environ(variables: Variables) -> Environ {
    let mut environ = Environ::default();
    for (name, value) in variables {
        match value {
            Some(value) => environ.set(name, value),
            None => environ.remove(name),
        }
    }
    environ
}
