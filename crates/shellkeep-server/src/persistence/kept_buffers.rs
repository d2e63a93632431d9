//! Paste buffers on disk: written as they change, and read by the next server. Buffers copied in a private session stay
//! in memory.

use shellkeep_core::PaneId;
use shellkeep_store::StoreId;

use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::Reply;
use crate::commands::targets;
use crate::model::{Model, Secrecy};
use crate::persistence::record;
use crate::persistence::recorder::BufferChange;
use crate::persistence::state::Persistence;

/// The reply of a command that has changed buffers: it waits until they are written.
pub(crate) fn buffers_changed(model: &mut Model, persistence: &Persistence) -> Reply {
    Reply {
        wait: keep_buffers(model, persistence),
        ..Reply::default()
    }
}

/// Has changed buffers written. Returns what to wait for, if there are any.
pub(crate) fn keep_buffers(model: &mut Model, persistence: &Persistence) -> Option<Wait> {
    let changes = model.buffers.take_changes(|| StoreId::new(record::now()));
    let keeping = persistence.keeping.as_ref()?;
    let written = changes.written.into_iter();
    let written = written.map(|(place, buffer)| (place, BufferChange::Write(buffer)));
    let gone = changes.gone.into_iter();
    let gone = gone.map(|place| (place, BufferChange::Remove));
    let changes: Vec<_> = written.chain(gone).collect();
    if changes.is_empty() {
        return None;
    }
    let recorder = keeping.recorder.clone();
    let number = model.next_wait();
    recorder.write_buffers(changes, number);
    Some(Wait::Kept(number))
}

/// Reads the buffers of an earlier server.
pub(crate) fn take_up_buffers(model: &mut Model, persistence: &Persistence) {
    let Some(keeping) = &persistence.keeping else {
        return;
    };
    let found = keeping.store.buffers();
    for complaint in &found.complaints {
        tracing::error!(%complaint, "a paste buffer in the store cannot be read");
    }
    model.buffers.restore(found.buffers);
    keep_buffers(model, persistence);
}

/// Deletes all buffers: the server ends for good.
pub(crate) fn forget_buffers(model: &mut Model, persistence: &Persistence) {
    model.buffers.clear();
    keep_buffers(model, persistence);
}

/// Whether a buffer that a command makes may be on disk. That depends on the session the command came from.
pub(crate) fn secrecy_for(model: &Model, caller: &Caller) -> Secrecy {
    let place = targets::current(model, caller).place;
    place.map_or(Secrecy::Kept, |found| secrecy_of(model, found.pane))
}

/// Whether a buffer copied from a pane may be on disk.
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
