//! Paste buffers are kept: written down as they change, and taken up by the next server. What was copied in a private session
//! is in memory alone.

use shellkeep_core::PaneId;
use shellkeep_store::StoreId;

use super::Server;
use crate::exec::Reply;
use crate::queue::{Caller, Wait};
use crate::record;
use crate::recorder::BufferChange;
use crate::state::{Model, Secrecy};
use crate::world;

impl Server {
    /// The answer of a command that has changed buffers: it is over when they are safe.
    pub(crate) fn buffers_changed(&mut self) -> Reply {
        Reply {
            wait: self.keep_buffers(),
            ..Reply::default()
        }
    }

    /// Has buffers that changed written down. What to wait for, if anything is to be written.
    pub(super) fn keep_buffers(&mut self) -> Option<Wait> {
        let changes = self
            .state
            .buffers
            .take_changes(|| StoreId::new(record::now()));
        let keeping = self.persistence.keeping.as_ref()?;
        let written = changes.written.into_iter();
        let written = written.map(|(place, buffer)| (place, BufferChange::Write(buffer)));
        let gone = changes.gone.into_iter();
        let gone = gone.map(|place| (place, BufferChange::Remove));
        let changes: Vec<_> = written.chain(gone).collect();
        if changes.is_empty() {
            return None;
        }
        let recorder = keeping.recorder.clone();
        let number = self.number_to_wait_for();
        recorder.write_buffers(changes, number);
        Some(Wait::Kept(number))
    }

    /// The number that the recorder says when something that a command waits for is safe.
    pub(super) fn number_to_wait_for(&mut self) -> u64 {
        self.persistence.next_kept += 1;
        self.persistence.next_kept
    }

    /// Takes up the buffers that an earlier server kept.
    pub(super) fn take_up_buffers(&mut self) {
        let Some(keeping) = &self.persistence.keeping else {
            return;
        };
        let found = keeping.store.buffers();
        for complaint in &found.complaints {
            tracing::error!(%complaint, "in the store");
        }
        self.state.buffers.restore(found.buffers);
        self.keep_buffers();
    }

    /// Everything ends, and what was copied with it.
    pub(super) fn forget_buffers(&mut self) {
        self.state.buffers.clear();
        self.keep_buffers();
    }
}

/// Whether what a command brings may be kept: by where it was typed.
pub(crate) fn secrecy_for(model: &Model, caller: &Caller) -> Secrecy {
    let place = world::current(model, caller).place;
    place.map_or(Secrecy::Kept, |found| secrecy_of(model, found.pane))
}

/// Whether what is copied out of a pane may be kept.
pub(crate) fn secrecy_of(model: &Model, pane: PaneId) -> Secrecy {
    let window = model.panes.get(&pane).map(|pane| pane.window);
    let mut sessions = window
        .into_iter()
        .flat_map(|window| model.links_of(window))
        .filter_map(|(session, _)| model.sessions.get(&session));
    match sessions.any(|session| session.standing.is_private) {
        true => Secrecy::Private,
        false => Secrecy::Kept,
    }
}
