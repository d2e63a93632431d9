//! Sessions that are deleted for good. They are out of everybody's sight at once, so that nothing brings them back, or else nothing has
//! happened and whoever wanted it hears why; their files are deleted by the recorder.

use shellkeep_core::SessionId;
use shellkeep_store::{Store, StoreError, StoreId};

use super::Server;
use super::archive::Archived;
use crate::keeping::Keeping;
use crate::memory;
use crate::queue::Wait;
use crate::record::Home;
use crate::recorder::Forgotten;
use crate::state::{Model, Pane};

impl Server {
    /// Ends a session and deletes all that is kept of it. What to wait for until that is done.
    ///
    /// # Errors
    /// When it cannot be deleted: it goes on then.
    pub(crate) fn forget_session(&mut self, id: SessionId) -> Result<Option<Wait>, String> {
        let session = self.state.sessions.get(&id);
        let name = session.map(|session| session.name.clone());
        let kept = session.and_then(|session| session.standing.kept);
        let (Some(name), Some(kept), Some(keeping)) =
            (name, kept, self.persistence.keeping.clone())
        else {
            self.close_session(id);
            return Ok(None);
        };
        let moved = move_out(&mut self.state, id, kept, &keeping);
        moved
            .and_then(|()| keeping.store.hide(kept))
            .map_err(|error| not_deleted(&name, &error))?;
        let before = self.persistence.closed_panes.len();
        self.close_session(id);
        // None of it is to be put away.
        let panes = self.persistence.closed_panes.split_off(before).into_iter();
        let homes = panes.map(|pane| pane.home);
        let elsewhere = homes.filter(|home| home.session != kept).collect();
        self.persistence
            .closed_sessions
            .retain(|closed| *closed != kept);
        self.forget_note(memory::closed_key(kept));
        Ok(self.delete(name, kept, elsewhere, &keeping))
    }

    /// Deletes an archived session. What to wait for until that is done.
    ///
    /// # Errors
    /// When it cannot be deleted: it is still in the archive then.
    pub(crate) fn forget_archived(&mut self, archived: &Archived) -> Result<Option<Wait>, String> {
        let Archived { id, name, .. } = archived;
        let Some(keeping) = self.persistence.keeping.clone() else {
            return Ok(None);
        };
        let hidden = keeping.store.hide(*id);
        hidden.map_err(|error| not_deleted(name, &error))?;
        Ok(self.delete(name.clone(), *id, Vec::new(), &keeping))
    }

    fn delete(
        &mut self,
        name: String,
        id: StoreId,
        elsewhere: Vec<Home>,
        keeping: &Keeping,
    ) -> Option<Wait> {
        let number = self.number_to_wait_for();
        self.persistence.forgotten_by_hand.insert(number, name);
        keeping.recorder.forget(Forgotten { id, elsewhere }, number);
        Some(Wait::Kept(number))
    }
}

/// Moves panes that go on in other sessions out of the directory of one that is to be deleted.
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
            // It goes on in a private one, and must be in memory before its files are gone.
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
