//! The thread that keeps the catalogue and the search indexes up to date. It has a thread of its own because a write to
//! the catalogue may wait for another server's. Nothing depends on it: what it did not get to is read from the files at
//! the next start.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use shellkeep_store::catalogue::{Catalogue, CatalogueError, CatalogueState};
use shellkeep_store::{Store, StoreId};

use crate::persistence::disk_sizes::Sizes;
use crate::search;

/// Changes are written together after this time: sessions change often, and no command waits for their rows.
const BATCH_DELAY: Duration = Duration::from_secs(2);

/// After how many sessions a rebuild logs its progress.
const PROGRESS_INTERVAL: usize = 1000;

/// The handle of the thread, which is started at the first change.
pub(crate) struct Cataloguer {
    store: Store,
    sizes: Sizes,
    changes: Option<Sender<StoreId>>,
}

impl Cataloguer {
    pub(crate) fn new(store: Store, sizes: Sizes) -> Self {
        Self {
            store,
            sizes,
            changes: None,
        }
    }

    pub(crate) fn changed(&mut self, id: StoreId) {
        let changes = self.changes.get_or_insert_with(|| {
            let (changes, inbox) = mpsc::channel();
            let (store, sizes) = (self.store.clone(), self.sizes.clone());
            let thread = std::thread::Builder::new().name("catalogue".to_owned());
            if let Err(error) = thread.spawn(move || run(&store, &sizes, &inbox)) {
                tracing::warn!(%error, "cannot start the thread for the catalogue; it is out of date until the next start");
            }
            changes
        });
        // Without the thread nothing is lost: the files have everything.
        let _ = changes.send(id);
    }
}

fn run(store: &Store, sizes: &Sizes, inbox: &Receiver<StoreId>) {
    while let Ok(first) = inbox.recv() {
        let mut ids = BTreeSet::from([first]);
        let due = Instant::now() + BATCH_DELAY;
        let is_over = loop {
            match inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(id) => {
                    ids.insert(id);
                }
                Err(RecvTimeoutError::Timeout) => break false,
                Err(RecvTimeoutError::Disconnected) => break true,
            }
        };
        let ids: Vec<StoreId> = ids.into_iter().collect();
        if let Err(error) = put_in(store.root(), &ids) {
            tracing::warn!(%error, "cannot write to the catalogue; it is out of date until the next start");
        }
        for id in ids {
            // Before its size is measured, since indexes take room, too.
            index(store, id);
            sizes.measure(store, id);
        }
        if is_over {
            return;
        }
    }
}

/// Writes the search indexes of a session's pages that change no more. Panes that are in memory are searched there.
fn index(store: &Store, id: StoreId) {
    let Ok(kept) = store.read_session(id) else {
        return;
    };
    let is_archived = store.is_archived(id);
    let windows = kept.file().map(|file| file.windows).unwrap_or_default();
    for pane in windows.iter().flat_map(|window| &window.panes) {
        let is_at_rest = is_archived || pane.sleep.is_some();
        if let Some(home) = pane.home.filter(|_| is_at_rest) {
            search::refresh_index(&search::Kept::plain(store.pane(id, home.pane)));
        }
    }
}

/// Opens the catalogue anew each time: that takes a millisecond, and an open database takes memory and could not be
/// removed.
fn put_in(root: &Path, ids: &[StoreId]) -> Result<(), CatalogueError> {
    let opened = Catalogue::open(root)?;
    let mut catalogue = opened.catalogue;
    if let CatalogueState::Rebuilt { aside, why } = &opened.state {
        tracing::warn!(%why, aside = %aside.display(), "the catalogue was unusable and was set aside");
    }
    if opened.state == CatalogueState::Sound {
        return catalogue.refresh(ids);
    }
    let rebuilt = catalogue.rebuild(&mut |done, all| {
        if done % PROGRESS_INTERVAL == 0 {
            tracing::info!(done, all, "rebuilding the catalogue");
        }
    })?;
    tracing::info!(sessions = rebuilt.sessions, "rebuilt the catalogue");
    Ok(())
}
