//! Sessions in the store: the notes of a session and of its windows in one description.

use std::collections::BTreeSet;

use shellkeep_core::{PaneId, SessionId, Size, WindowId};
use shellkeep_store::schema::{
    NOTE_VERSION, PaneHome, SessionFile, Settings, StoredPane, StoredSession, StoredStanding,
    StoredWindow, Variables,
};
use shellkeep_store::{Orphan, StoreId};

use crate::model::{Cause, Model, Pane, Seconds, Session, Window};
use crate::persistence::notes::{
    Memory, Numbers, Windows, fall_asleep, note_of_panes, note_of_session, note_of_window, session,
};

/// A session read from the store, on its way into the model.
#[derive(Clone)]
pub(crate) struct SessionBody {
    file: SessionFile,
    /// Links to windows that are in the model already: pairs of an index and a window id.
    shared: Vec<(u32, u32)>,
}

impl SessionBody {
    pub(crate) fn read(text: &str) -> Result<Self, serde_json::Error> {
        let shared = Vec::new();
        SessionFile::read(text).map(|file| Self { file, shared })
    }

    /// Its panes' records, with the ids of their windows.
    pub(crate) fn homes(&mut self) -> impl Iterator<Item = (u32, &mut PaneHome)> {
        self.file.windows.iter_mut().flat_map(|window| {
            let id = window.id;
            let homes = window.panes.iter_mut();
            homes.filter_map(move |pane| Some((id, pane.home.as_mut()?)))
        })
    }

    /// Whether it is a pane of another session that was closed there.
    pub(crate) fn is_closed_pane(&self) -> bool {
        self.file.part_of.is_some()
    }

    /// Drops panes that are in other sessions by now, unless none would be left.
    pub(crate) fn drop_panes(&mut self, closed: &[StoreId]) {
        let is_closed =
            |pane: &StoredPane| pane.home.is_some_and(|home| closed.contains(&home.pane));
        let mut panes = self.file.windows.iter().flat_map(|window| &window.panes);
        if closed.is_empty() || (panes.all(is_closed) && self.shared.is_empty()) {
            return;
        }
        for window in &mut self.file.windows {
            window.panes.retain(|pane| !is_closed(pane));
        }
        self.file.windows.retain(|window| !window.panes.is_empty());
    }

    /// Makes its links to a window lead to one that is in the model already.
    pub(crate) fn share(&mut self, window: u32, with: WindowId) {
        self.file.windows.retain(|each| each.id != window);
        let links = &mut self.file.session.links;
        let shared = links.extract_if(.., |link| link.1 == window);
        self.shared.extend(shared.map(|(index, _)| (index, with.0)));
    }
}

/// The description of a session with its windows and panes. Private panes are left out.
pub(crate) fn session_body(session: &Session, state: &Model) -> SessionFile {
    let ids: BTreeSet<WindowId> = session.links.values().map(|link| link.window).collect();
    let open = ids.iter().filter(|id| !state.is_secret(**id));
    let open = open.filter_map(|id| state.windows.get(id));
    let mut windows: Vec<StoredWindow> = open.map(|window| note_of_window(window, state)).collect();
    if windows.is_empty() {
        windows.extend(stand_in(session, state));
    }
    let panes = windows.iter_mut().flat_map(|window| &mut window.panes);
    let is_secret = |id: u32| state.panes.get(&PaneId(id)).is_some_and(|it| it.is_secret);
    for pane in panes.filter(|pane| is_secret(pane.id)) {
        *pane = StoredPane {
            id: pane.id,
            start_path: session.cwd.clone(),
            ..StoredPane::default()
        };
    }
    let mut note = note_of_session(session);
    let there: BTreeSet<u32> = windows.iter().map(|window| window.id).collect();
    note.links.retain(|(_, window)| there.contains(window));
    SessionFile {
        session: note,
        windows,
        part_of: None,
    }
}

/// A window in the place of the current one, for a session that has only private windows: without any it could not be
/// reopened.
fn stand_in(session: &Session, state: &Model) -> Option<StoredWindow> {
    let shown = session.current_link()?.window;
    let pane = state.panes_of(shown).next()?;
    let window = Window::new(shown, pane.id, pane.size, session.created);
    Some(note_of_panes(&window, [pane].into_iter()))
}

/// A description for panes whose session's description is lost.
pub(crate) fn orphan_body(orphan: &Orphan, now: Seconds) -> serde_json::Value {
    let windows = (0..).zip(&orphan.panes).map(|(number, pane)| {
        let id = PaneId(number);
        let window = Window::new(WindowId(number), id, Size::default(), now);
        let mut note = note_of_panes(&window, std::iter::empty());
        note.panes.push(StoredPane {
            id: number,
            home: Some(PaneHome {
                session: orphan.id,
                pane: *pane,
            }),
            ..StoredPane::default()
        });
        note
    });
    let windows: Vec<StoredWindow> = windows.collect();
    let session = StoredSession {
        version: NOTE_VERSION,
        id: 0,
        name: format!("recovered-{}", orphan.id),
        created: now,
        activity: now,
        last_attached: None,
        cwd: b"/".to_vec(),
        links: windows
            .iter()
            .map(|window| (window.id, window.id))
            .collect(),
        current: 0,
        last: Vec::new(),
        options: Settings::new(),
        environ: Variables::new(),
        hidden: Vec::new(),
        group: None,
        standing: StoredStanding::default(),
    };
    let file = SessionFile {
        session,
        windows,
        part_of: None,
    };
    serde_json::to_value(file).expect("plain data has a JSON form")
}

/// The description of a closed pane as a session of its own, with the name of the session it was in.
pub(crate) fn closed_pane_body(
    session: &Session,
    window: Option<&Window>,
    pane: &Pane,
    kept: StoreId,
) -> SessionFile {
    let mut note = note_of_session(session);
    note.links = vec![(0, pane.window.0)];
    (note.current, note.last, note.group) = (0, Vec::new(), None);
    note.standing.kept = Some(kept);
    let mut home = pane.screen.with_record(|record| record.home());
    if let Some(home) = &mut home {
        home.session = kept;
    }
    let created = window.map_or(session.created, |window| window.created);
    let mut alone = Window::new(pane.window, pane.id, pane.size, created);
    if let Some(window) = window {
        alone.name.clone_from(&window.name);
    }
    let mut window = note_of_panes(&alone, [pane].into_iter());
    for pane in &mut window.panes {
        pane.home = home;
    }
    SessionFile {
        session: note,
        windows: vec![window],
        part_of: session.standing.kept,
    }
}

/// A session from the store, with its windows and panes asleep. It gets the ids it had before, unless they are in use
/// now.
pub(crate) fn stored_session(
    body: SessionBody,
    used: &Model,
    cause: Cause,
    now: Seconds,
) -> (Memory, Numbers) {
    let SessionBody {
        file: mut body,
        mut shared,
    } = body;
    let mut numbers = renumber(&mut body, used);
    let since = match cause {
        // When they ended is not known exactly, and it must be the same at every start.
        Cause::Lost => body.session.activity.min(now),
        Cause::Hibernated | Cause::Ended | Cause::Reopened => now,
    };
    let mut windows = Windows::default();
    let own = body.windows.iter().map(|window| window.id + 1).max();
    let next = own.unwrap_or(0).max(next_window(used));
    for mut note in body.windows {
        let panes = note.panes.iter().map(|pane| PaneId(pane.id)).collect();
        for pane in &mut note.panes {
            fall_asleep(pane, cause, since);
        }
        windows.add(note, &panes);
    }
    let mut note = [body.session];
    let displaced = windows.add_strays(next, &mut note);
    if !displaced.is_empty() {
        numbers = Numbers::Others;
    }
    let [mut note] = note;
    let mut ids: BTreeSet<WindowId> = windows.placed.iter().map(|window| window.id).collect();
    ids.extend(shared.iter().map(|(_, window)| WindowId(*window)));
    note.links.append(&mut shared);
    let memory = Memory {
        sessions: session(note, &ids).into_iter().collect(),
        windows: windows.placed,
        panes: windows.panes,
        displaced,
    };
    (memory, numbers)
}

/// The first free window id.
fn next_window(used: &Model) -> u32 {
    used.windows.last_key_value().map_or(0, |(id, _)| id.0 + 1)
}

/// Gives new ids to windows and panes whose ids are in use.
fn renumber(body: &mut SessionFile, used: &Model) -> Numbers {
    let mut numbers = Numbers::Same;
    if used.sessions.contains_key(&SessionId(body.session.id)) {
        let highest = used.sessions.last_key_value().map_or(0, |(id, _)| id.0);
        body.session.id = highest + 1;
        numbers = Numbers::Others;
    }
    let mut next = next_window(used);
    let own = body.windows.iter().map(|window| window.id + 1).max();
    next = next.max(own.unwrap_or(0));
    let mut next_pane = used.panes.last_key_value().map_or(0, |(id, _)| id.0 + 1);
    let own = body.windows.iter().flat_map(|window| &window.panes);
    next_pane = next_pane.max(own.map(|pane| pane.id + 1).max().unwrap_or(0));
    for window in &mut body.windows {
        if used.windows.contains_key(&WindowId(window.id)) {
            numbers = Numbers::Others;
            for link in &mut body.session.links {
                if link.1 == window.id {
                    link.1 = next;
                }
            }
            window.id = next;
            next += 1;
        }
        for pane in &mut window.panes {
            if used.panes.contains_key(&PaneId(pane.id)) {
                numbers = Numbers::Others;
                let new = next_pane;
                next_pane += 1;
                if window.active == pane.id {
                    window.active = new;
                }
                for last in &mut window.last_panes {
                    if *last == pane.id {
                        *last = new;
                    }
                }
                pane.number_in_layout = Some(std::mem::replace(&mut pane.id, new));
            }
        }
    }
    numbers
}
