//! Who keeps the catalogue up to date, and tells how large sessions are on disk: a thread of its own, since a write there may wait for
//! another server's, and journals must not wait with it. It sleeps unless a session was written, moved or deleted. Nothing depends on it: what it did not get to is read
//! from the files at the next start.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use shellkeep_store::catalogue::{Catalogue, CatalogueError, CatalogueState};
use shellkeep_store::{Store, StoreId};

use crate::event::Event;

/// Changes are put in together: sessions change often, and nobody waits for their rows.
const TOGETHER: Duration = Duration::from_secs(2);

/// How often a rebuild says how far it is.
const PROGRESS: usize = 1000;

/// A way to the thread, which is started when there is something to do.
pub(crate) struct Cataloguer {
    store: Store,
    events: tokio::sync::mpsc::Sender<Event>,
    changes: Option<Sender<Change>>,
}

/// What is not as it was.
enum Change {
    /// What is to be known of a session.
    Row(StoreId),
    /// How much is kept of it.
    Size(StoreId),
}

impl Cataloguer {
    pub(crate) fn new(store: Store, events: tokio::sync::mpsc::Sender<Event>) -> Self {
        Self {
            store,
            events,
            changes: None,
        }
    }

    /// Something on disk of a session is not as it was.
    pub(crate) fn changed(&mut self, id: StoreId) {
        self.tell(Change::Row(id));
    }

    /// A session may have another size; its row can wait.
    pub(crate) fn grown(&mut self, id: StoreId) {
        self.tell(Change::Size(id));
    }

    fn tell(&mut self, change: Change) {
        let changes = self.changes.get_or_insert_with(|| {
            let (changes, inbox) = mpsc::channel();
            let (store, events) = (self.store.clone(), self.events.clone());
            let thread = std::thread::Builder::new().name("catalogue".to_owned());
            if let Err(error) = thread.spawn(move || run(&store, &events, &inbox)) {
                tracing::warn!(%error, "the catalogue is not kept up to date");
            }
            changes
        });
        // If there is no such thread, the files have it all.
        let _ = changes.send(change);
    }
}

fn run(store: &Store, events: &tokio::sync::mpsc::Sender<Event>, inbox: &Receiver<Change>) {
    while let Ok(first) = inbox.recv() {
        let (mut rows, mut sizes) = (BTreeSet::new(), BTreeSet::new());
        let mut take = |change| match change {
            Change::Row(id) => {
                rows.insert(id);
                sizes.insert(id);
            }
            Change::Size(id) => {
                sizes.insert(id);
            }
        };
        take(first);
        let due = Instant::now() + TOGETHER;
        let is_over = loop {
            match inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(change) => take(change),
                Err(RecvTimeoutError::Timeout) => break false,
                Err(RecvTimeoutError::Disconnected) => break true,
            }
        };
        let rows: Vec<StoreId> = rows.into_iter().collect();
        if !rows.is_empty()
            && let Err(error) = put_in(store.root(), &rows)
        {
            tracing::warn!(%error, "the catalogue is behind");
        }
        let sizes = sizes.into_iter().map(|id| (id, store.disk_use(id)));
        let _ = events.blocking_send(Event::Sizes(sizes.collect()));
        if is_over {
            return;
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
