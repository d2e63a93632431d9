//! Finds the panes of sessions read from the store. A pane's files are moved before the session's description is
//! written anew, and a server can be killed in between.

use std::collections::BTreeMap;

use shellkeep_core::WindowId;
use shellkeep_store::StoreId;

use crate::model::{Model, Pane};
use crate::persistence::keeping::Keeping;
use crate::persistence::notes::SessionBody;
use crate::persistence::record::Home;

/// How far a session's description is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// Only the pane's directory is checked, since there may be thousands.
    IsTrue,
    /// The session was in the archive meanwhile, and its pane may live in another session now.
    MayBeOld,
}

/// Whether a session read from the store is a pane that was being closed when server and keeper ended. If the pane's
/// files are in its directory it goes on to the archive; otherwise it is dropped, since the session that had the pane
/// still has it.
pub(crate) fn finish_closing(
    model: &mut Model,
    id: StoreId,
    body: &mut SessionBody,
    keeping: &Keeping,
) -> bool {
    if !body.is_closed_pane() {
        return false;
    }
    let is_here = |home: &Home| keeping.store.open_pane(id, home.pane).path().is_dir();
    if body.homes().all(|(_, home)| is_here(home)) {
        model.changes.stored.closed_sessions.push(id);
    } else {
        tracing::info!(session = %id, "a pane was still being closed when the last server ended");
        keeping.recorder.run(id, move |store| store.forget(id));
    }
    true
}

/// Finds the panes of a session read from the store: in its own directory, or in that of another session that shares
/// their window. A window that is in the model already becomes one of this session's, too. A pane that was closed and
/// archived is dropped.
pub(crate) fn find_panes(
    model: &Model,
    body: &mut SessionBody,
    kept: StoreId,
    noted: Noted,
    keeping: &Keeping,
    adopted: &Adopted,
) {
    let (mut shared, mut closed) = (Vec::new(), Vec::new());
    for (window, home) in body.homes() {
        let believed = keeping.store.open_pane(home.session, home.pane);
        if noted == Noted::MayBeOld || home.session != kept || !believed.path().is_dir() {
            home.session = keeping.store.home_of(kept, home.pane);
            if is_closed(*home, kept, keeping) {
                closed.push(home.pane);
                continue;
            }
        }
        let is_elsewhere = home.session != kept;
        let found = adopted.get(home).copied();
        let found = found.or_else(|| is_elsewhere.then(|| window_kept_at(model, *home)).flatten());
        shared.extend(found.map(|found| (window, found)));
    }
    for (window, found) in shared {
        body.share(window, found);
    }
    body.drop_panes(&closed);
}

/// The window whose pane has this record.
fn window_kept_at(model: &Model, home: Home) -> Option<WindowId> {
    let is_it = |pane: &&Pane| pane.screen.with_record(|record| record.home()) == Some(home);
    let pane = model.panes.values().find(is_it);
    pane.map(|pane| pane.window)
}

/// Whether a pane that a session's description names was closed: it is in the archive, or on its way, as a session of
/// its own.
fn is_closed(home: Home, kept: StoreId, keeping: &Keeping) -> bool {
    let store = &keeping.store;
    if home.session != kept {
        let session = store.read_session(home.session);
        return session.is_ok_and(|session| session.part_of().is_some());
    }
    !store.open_pane(kept, home.pane).path().is_dir() && store.is_pane_archived(home.pane)
}

/// Windows with panes in the directory of another session than the one they were read with.
pub(crate) type Adopted = BTreeMap<Home, WindowId>;
