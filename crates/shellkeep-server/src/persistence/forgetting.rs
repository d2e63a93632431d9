//! Deleting sessions for good (`forget`). A session is out of the model and the archive at once, so that nothing can
//! bring it back, or nothing has happened and the command gets the reason. The recorder deletes the files.

use shellkeep_core::SessionId;
use shellkeep_store::{Store, StoreError, StoreId};

use crate::commands::queue::Wait;
use crate::model::{Model, Pane};
use crate::panes::sessions;
use crate::persistence::archived::Archived;
use crate::persistence::keeping::Keeping;
use crate::persistence::record::Home;
use crate::persistence::recorder::Forgotten;
use crate::persistence::state::Persistence;
use crate::persistence::{keeper_notes, notes};

/// Closes a session and deletes its files. Returns what the command has to wait for.
///
/// # Errors
/// If it cannot be deleted; it stays open then.
pub(crate) fn forget_session(
    model: &mut Model,
    persistence: &mut Persistence,
    id: SessionId,
) -> Result<Option<Wait>, String> {
    let session = model.sessions.get(&id);
    let name = session.map(|session| session.name.clone());
    let kept = session.and_then(|session| session.standing.kept);
    let (Some(name), Some(kept), Some(keeping)) = (name, kept, persistence.keeping.clone()) else {
        sessions::close_session(model, id);
        return Ok(None);
    };
    let moved = move_out(model, id, kept, &keeping);
    moved
        .and_then(|()| keeping.store.hide(kept))
        .map_err(|error| not_deleted(&name, &error))?;
    let before = model.changes.stored.closed_panes.len();
    sessions::close_session(model, id);
    // Its closed panes must not go to the archive.
    let panes = model
        .changes
        .stored
        .closed_panes
        .split_off(before)
        .into_iter();
    let homes = panes.map(|pane| pane.home);
    let elsewhere = homes.filter(|home| home.session != kept).collect();
    model
        .changes
        .stored
        .closed_sessions
        .retain(|closed| *closed != kept);
    keeper_notes::forget_note(model, notes::closed_key(kept));
    Ok(delete(model, persistence, name, kept, elsewhere, &keeping))
}

/// Deletes an archived session. Returns what the command has to wait for.
///
/// # Errors
/// If it cannot be deleted; it stays in the archive then.
pub(crate) fn forget_archived(
    model: &mut Model,
    persistence: &mut Persistence,
    archived: &Archived,
) -> Result<Option<Wait>, String> {
    let Archived { id, name, .. } = archived;
    let Some(keeping) = persistence.keeping.clone() else {
        return Ok(None);
    };
    let hidden = keeping.store.hide(*id);
    hidden.map_err(|error| not_deleted(name, &error))?;
    Ok(delete(
        model,
        persistence,
        name.clone(),
        *id,
        Vec::new(),
        &keeping,
    ))
}

fn delete(
    model: &mut Model,
    persistence: &mut Persistence,
    name: String,
    id: StoreId,
    elsewhere: Vec<Home>,
    keeping: &Keeping,
) -> Option<Wait> {
    let number = model.next_wait();
    persistence.forgotten_by_hand.insert(number, name);
    keeping.recorder.forget(Forgotten { id, elsewhere }, number);
    Some(Wait::Kept(number))
}

/// Moves panes that live on in other sessions out of the directory of a session that is to be deleted.
fn move_out(
    model: &mut Model,
    id: SessionId,
    kept: StoreId,
    keeping: &Keeping,
) -> Result<(), StoreError> {
    let panes = model.panes.values();
    for pane in panes.filter(|pane| is_kept_in(pane, kept)) {
        let sessions = model.links_of(pane.window);
        let sessions = sessions.filter_map(|(other, _)| model.sessions.get(&other));
        let mut others = sessions.filter(|other| other.id != id).peekable();
        if others.peek().is_none() {
            continue;
        }
        let Some(to) = others.find_map(|other| other.standing.kept) else {
            // The pane lives on in a private session: load it into memory before its files are gone.
            drop(pane.screen.lock());
            continue;
        };
        let moved = pane
            .screen
            .with_record(|record| record.move_to(&keeping.store, to));
        moved.transpose()?;
        let sync = move |store: &Store| store.sync_move(kept, to);
        keeping.recorder.run(to, sync);
        keeping.recorder.changed(to);
    }
    Ok(())
}

fn is_kept_in(pane: &Pane, kept: StoreId) -> bool {
    let home = pane.screen.with_record(|record| record.home().session);
    home == Some(kept)
}

fn not_deleted(name: &str, error: &StoreError) -> String {
    format!("session {name} is not deleted: {error}")
}
