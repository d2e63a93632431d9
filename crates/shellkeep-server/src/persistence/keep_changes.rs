//! Brings the store up to date with what an event has changed: new, moved and closed panes, and the descriptions of
//! sessions.

use std::collections::BTreeSet;

use shellkeep_core::{PaneId, SessionId, WindowId};
use shellkeep_keeper::HostRequest;
use shellkeep_store::{Store, StoreError, StoreId};
use shellkeep_term::Config;

use crate::model::{Model, Pane, Session, Window};
use crate::panes::screen::Screen;
use crate::panes::{emulator, runtime_files, shell_dir};
use crate::persistence::closed_pane::ClosedPane;
use crate::persistence::keeping::Keeping;
use crate::persistence::record::{Home, Record};
use crate::persistence::recorder::{Begun, LastCheckpoint};
use crate::persistence::state::Persistence;
use crate::persistence::{expiry, notes, record};

/// Brings the store up to date with panes that were opened, moved or closed.
pub(crate) fn keep_panes(model: &mut Model, persistence: &mut Persistence) {
    let new = std::mem::take(&mut model.changes.stored.new_panes);
    let starts = std::mem::take(&mut model.changes.stored.starts);
    let Some(keeping) = persistence.keeping.clone() else {
        model.changes.stored.closed_panes.clear();
        model.changes.stored.closed_sessions.clear();
        return;
    };
    for id in &new {
        keep_pane(model, *id, &new, &keeping);
    }
    for start in starts {
        let home = model.panes.get(&start.pane);
        let home = home.and_then(|pane| pane.screen.with_record(|record| record.home()));
        if let Some(home) = home {
            keeping.recorder.write_start(home, start.into());
        }
    }
    for window in perhaps_elsewhere(model) {
        settle_homes(model, window, &keeping);
    }
    archive_closed(model, persistence, &keeping);
}

/// Sends closed panes and sessions to the archive.
fn archive_closed(model: &mut Model, persistence: &mut Persistence, keeping: &Keeping) {
    let closed_panes = std::mem::take(&mut model.changes.stored.closed_panes);
    // Request all checkpoints first: consecutive ones go to the disk together.
    let last = closed_panes.iter().map(|closed| {
        let screen = closed.screen.clone();
        keeping.recorder.checkpoint_last(screen)
    });
    let last: Vec<LastCheckpoint> = last.collect();
    for (closed, last) in closed_panes.into_iter().zip(last) {
        let Home { session, pane } = closed.home;
        keeping.recorder.end_record(session, last, closed.captured);
        let is_session_closed = model.changes.stored.closed_sessions.contains(&session);
        if let Some((id, body)) = closed.body
            && !is_session_closed
        {
            keeping.recorder.run(session, move |store| {
                store.archive_pane_as(session, pane, id, &body, record::now())
            });
            keeping.recorder.changed(id);
        }
    }
    if !model.changes.stored.closed_sessions.is_empty() {
        expiry::expiry_due(model, persistence);
    }
    for id in std::mem::take(&mut model.changes.stored.closed_sessions) {
        let host = model.outside.keeper.clone();
        keeping.recorder.archive(id, move || {
            // Tell the keeper that the next server has nothing left to do for it.
            let (key, value) = (notes::closed_key(id), Vec::new());
            host.request(HostRequest::Remember { key, value });
        });
    }
    for number in std::mem::take(&mut persistence.awaited) {
        keeping.recorder.report_when_done(number);
    }
}

/// The server ends for good: sends all sessions to the archive.
pub(crate) fn archive_all(model: &mut Model, persistence: &mut Persistence) {
    let panes: Vec<PaneId> = model.panes.keys().copied().collect();
    for id in panes {
        if let Some(pane) = model.panes.remove(&id) {
            pane.stop_reading();
            runtime_files::remove_shell_dir(model, id);
            pane_closed(model, &pane, None);
        }
    }
    for id in model.sessions.keys() {
        runtime_files::remove_agent(model, *id);
    }
    let sessions = model.sessions.values();
    model
        .changes
        .stored
        .closed_sessions
        .extend(sessions.filter_map(|session| session.standing.kept));
    keep_panes(model, persistence);
}

pub(crate) fn store_sessions(
    model: &Model,
    persistence: &Persistence,
    sessions: &BTreeSet<SessionId>,
) {
    let Some(keeping) = &persistence.keeping else {
        return;
    };
    for id in sessions {
        let Some(session) = model.sessions.get(id) else {
            continue;
        };
        if let Some(kept) = session.standing.kept {
            let body = notes::session_body(session, model);
            // A new session is written here and now: no client may hear of it before it would survive the death of
            // server and keeper.
            let mut begun = Begun::No;
            if !keeping.store.is_described(kept) {
                match keeping.store.put_session(kept, &body) {
                    Ok(()) => begun = Begun::Yes,
                    Err(error) => {
                        tracing::warn!(session = %kept, %error, "cannot write the new session's description yet");
                    }
                }
            }
            keeping.recorder.write_session(kept, body, begun);
        }
    }
}

/// The session whose directory holds the panes of a window.
fn home_of(model: &Model, window: WindowId) -> Option<StoreId> {
    let sessions = model.links_of(window);
    let sessions = sessions.filter_map(|(id, _)| model.sessions.get(&id));
    let kept = sessions.filter(|session| session.standing.kept.is_some());
    let first = kept.min_by_key(|session| session.id)?;
    first.standing.kept
}

/// Begins the record of a new pane, unless its session is private, or the older panes of its window are.
fn keep_pane(model: &mut Model, id: PaneId, new: &[PaneId], keeping: &Keeping) {
    let Some(window) = model.panes.get(&id).map(|pane| pane.window) else {
        return;
    };
    let older = model.panes_of(window);
    let older = older.filter(|pane| !new.contains(&pane.id));
    let is_secret = older.map(|pane| pane.is_secret).reduce(|a, b| a && b);
    let home = home_of(model, window).filter(|_| is_secret != Some(true));
    let Some(session) = home else {
        if let Some(pane) = model.panes.get_mut(&id) {
            pane.is_secret = true;
        }
        return;
    };
    let home = Home {
        session,
        pane: StoreId::new(record::now()),
    };
    let config = kept_config(model, window);
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let record = Record::create(&keeping.store, &keeping.recorder, home, pane.size, config);
    pane.screen.keep(record);
    let _ = pane.screen.with_record(Record::lay_out);
    shell_dir::expect_exit_state(model, id);
    model.window_note_due(window);
}

/// The windows that may have panes in the directory of a session they are not linked to, after this event.
fn perhaps_elsewhere(model: &Model) -> BTreeSet<WindowId> {
    let mut windows = model.changes.notes.windows.clone();
    let sessions = model.changes.notes.sessions.iter();
    for session in sessions.filter_map(|id| model.sessions.get(id)) {
        let is_here = |pane: &Pane| {
            let home = pane.screen.with_record(|record| record.home().session);
            home.is_none() || home == session.standing.kept
        };
        let links = session.links.values().map(|link| link.window);
        windows.extend(links.filter(|id| !model.panes_of(*id).all(is_here)));
    }
    windows
}

/// Moves the records of a window's panes to a session that the window is linked to, if it has left the one that holds
/// them.
fn settle_homes(model: &mut Model, window: WindowId, keeping: &Keeping) {
    let sessions = model.links_of(window);
    let sessions = sessions.filter_map(|(id, _)| model.sessions.get(&id));
    let homes: Vec<Option<StoreId>> = sessions.map(|each| each.standing.kept).collect();
    if homes.is_empty() {
        return;
    }
    let home = home_of(model, window);
    let mut secret = Vec::new();
    for pane in model.panes_of(window) {
        let Some(now) = pane.screen.with_record(|record| record.home()) else {
            continue;
        };
        match home {
            _ if homes.contains(&Some(now.session)) => {}
            Some(to) => {
                let screen = pane.screen.clone();
                keeping
                    .recorder
                    .run(to, move |store| move_home(&screen, store, to));
                keeping.recorder.changed(now.session);
                keeping.recorder.changed(to);
            }
            // All its sessions are private: its record stays where it is, and ends.
            None => {
                drop(pane.screen.take_record());
                secret.push(pane.id);
            }
        }
    }
    for id in secret {
        if let Some(pane) = model.panes.get_mut(&id) {
            pane.is_secret = true;
        }
    }
}

/// Moves a pane's record to another session, from wherever it is when the recorder gets to it: it may have been moved
/// meanwhile.
fn move_home(screen: &Screen, store: &Store, to: StoreId) -> Result<(), StoreError> {
    let moved = screen.with_record(|record| record.move_to(store, to));
    match moved.transpose()? {
        Some(from) => store.sync_move(from, to),
        None => Ok(()),
    }
}

/// A pane was closed: its record goes to the archive.
pub(crate) fn pane_closed(model: &mut Model, pane: &Pane, closed_window: Option<&Window>) {
    let Some(home) = pane.screen.with_record(|record| {
        record.close_for_good();
        record.home()
    }) else {
        return;
    };
    let sessions = model.sessions.values();
    let mut sessions = sessions.filter(|s| s.standing.kept == Some(home.session));
    let body = sessions.next().map(|session| {
        let kept = StoreId::new(record::now());
        let window = model.windows.get(&pane.window).or(closed_window);
        let body = notes::closed_pane_body(session, window, pane, kept);
        (kept, body)
    });
    model.changes.is_unsettled = true;
    model.changes.stored.closed_panes.push(ClosedPane {
        screen: pane.screen.clone(),
        captured: pane.capture.captured(),
        home,
        body,
    });
}

/// The emulator configuration of a pane on disk. Its history is unlimited unless a limit is set.
pub(crate) fn kept_config(model: &Model, window: WindowId) -> Config {
    kept_config_in(model, model.session_with(window))
}

pub(crate) fn kept_config_in(model: &Model, session: Option<SessionId>) -> Config {
    let usual = emulator::emulator_config_in(model, session);
    let limit = model.session_options(session).number("history-limit");
    let limit = usize::try_from(limit).unwrap_or(0);
    Config {
        keep: shellkeep_term::Keep::Store,
        uncompressed_budget: MAX_UNPACKED_BYTES,
        history_limit: if limit == 0 { usize::MAX } else { limit },
        ..usual
    }
}

/// Gives a session an id in the store.
pub(crate) fn keep_session(persistence: &Persistence, session: &mut Session) {
    let standing = &mut session.standing;
    if persistence.keeping.is_some() && !standing.is_private && standing.kept.is_none() {
        standing.kept = Some(StoreId::new(record::now()));
    }
}

/// Pages of a pane on disk leave memory with every checkpoint, so packing them in memory is wasted work. They exceed
/// this size only if the disk cannot be written.
const MAX_UNPACKED_BYTES: usize = 8 << 20;
