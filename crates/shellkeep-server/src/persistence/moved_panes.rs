//! Where the panes of a session out of the store really are. A pane is moved before the description of the session that had it is written anew, and
//! a server can be killed in between.

use std::collections::BTreeMap;

use shellkeep_core::WindowId;
use shellkeep_store::StoreId;

use crate::model::{Model, Pane};
use crate::persistence::keeping::Keeping;
use crate::persistence::notes::SessionBody;
use crate::persistence::record::Home;

/// Whether a pane is where its session says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// Only its directory is looked for, since there may be thousands.
    IsTrue,
    /// It may have gone on with another session while this one was in the archive.
    MayBeOld,
}

/// Whether a session out of the store is a pane that was being closed when both processes ended. It goes on its way to the archive if its files
/// are there already, and else is dropped: the session in which it was still has it.
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
        tracing::info!(session = %id, "a pane was not closed when the last server ended");
        keeping.recorder.run(id, move |store| store.forget(id));
    }
    true
}

/// Finds the panes of a session out of the store: they are in its own directory, or in that of another session which has their
/// window too. A window that is there already becomes one of this session's, as it was. A pane that was closed and is in the archive is dropped.
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

/// The window whose pane is kept there.
fn window_kept_at(model: &Model, home: Home) -> Option<WindowId> {
    let is_it = |pane: &&Pane| pane.screen.with_record(|record| record.home()) == Some(home);
    let pane = model.panes.values().find(is_it);
    pane.map(|pane| pane.window)
}

/// Whether a pane that a session names was closed there: it is in the archive, or on its way, as a session of its own.
fn is_closed(home: Home, kept: StoreId, keeping: &Keeping) -> bool {
    let store = &keeping.store;
    if home.session != kept {
        let session = store.read_session(home.session);
        return session.is_ok_and(|session| session.part_of().is_some());
    }
    !store.open_pane(kept, home.pane).path().is_dir() && store.is_pane_archived(home.pane)
}

/// Windows with panes in the directory of another session than the one that was taken up with them.
pub(crate) type Adopted = BTreeMap<Home, WindowId>;
