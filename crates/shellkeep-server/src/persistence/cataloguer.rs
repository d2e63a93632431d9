//! Who keeps the catalogue up to date: a thread of its own, since a write there may wait for another server's, and journals must not wait
//! with it. It sleeps unless a session was written, moved or deleted. Nothing depends on it: what it did not get to is read
//! from the files at the next start.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use shellkeep_store::catalogue::{Catalogue, CatalogueError, CatalogueState};
use shellkeep_store::{Store, StoreId};

use crate::persistence::disk_sizes::Sizes;
use crate::search;

/// Changes are put in together: sessions change often, and nobody waits for their rows.
const TOGETHER: Duration = Duration::from_secs(2);

/// How often a rebuild says how far it is.
const PROGRESS: usize = 1000;

/// A way to the thread, which is started when there is something to do.
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

    /// Something on disk of a session is not as it was.
    pub(crate) fn changed(&mut self, id: StoreId) {
        let changes = self.changes.get_or_insert_with(|| {
            let (changes, inbox) = mpsc::channel();
            let (store, sizes) = (self.store.clone(), self.sizes.clone());
            let thread = std::thread::Builder::new().name("catalogue".to_owned());
            if let Err(error) = thread.spawn(move || run(&store, &sizes, &inbox)) {
                tracing::warn!(%error, "the catalogue is not kept up to date");
            }
            changes
        });
        // If there is no such thread, the files have it all.
        let _ = changes.send(id);
    }
}

fn run(store: &Store, sizes: &Sizes, inbox: &Receiver<StoreId>) {
    while let Ok(first) = inbox.recv() {
        let mut ids = BTreeSet::from([first]);
        let due = Instant::now() + TOGETHER;
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
            tracing::warn!(%error, "the catalogue is behind");
        }
        for id in ids {
            // Before it is measured, since it takes room, too.
            index(store, id);
            sizes.measure(store, id);
        }
        if is_over {
            return;
        }
    }
}

/// Has searches know where not to look among what has come to rest. Panes that live are read anyway, and change all the time.
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

/// Opened anew each time: that takes a millisecond, and an open one costs memory and stands in the way of its removal.
fn put_in(root: &Path, ids: &[StoreId]) -> Result<(), CatalogueError> {
    let opened = Catalogue::open(root)?;
    let mut catalogue = opened.catalogue;
    if let CatalogueState::Rebuilt { aside, why } = &opened.state {
        tracing::warn!(%why, aside = %aside.display(), "the catalogue was of no use");
    }
    if opened.state == CatalogueState::Sound {
        return catalogue.refresh(ids);
    }
    let rebuilt = catalogue.rebuild(&mut |done, all| {
        if done % PROGRESS == 0 {
            tracing::info!(done, all, "making the catalogue anew");
        }
    })?;
    tracing::info!(sessions = rebuilt.sessions, "the catalogue was made anew");
    Ok(())
}
