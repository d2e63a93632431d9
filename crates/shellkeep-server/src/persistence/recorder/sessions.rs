//! Writing sessions: every change at once, with one sync for changes that follow each other.

use std::collections::BTreeMap;
use std::time::Instant;

use shellkeep_store::StoreId;

use crate::persistence::recorder::pace::RETRY_INTERVAL;
use crate::persistence::recorder::page_cache::Version;
use crate::persistence::recorder::pending_session::{Begun, SESSION_BATCH_DELAY, Session};
use crate::persistence::recorder::unwritten::Slot;
use crate::persistence::recorder::worker::Worker;

impl Worker {
    /// A session has changed. It is in the page cache, or is about to be; changes that follow each other closely share
    /// one sync.
    pub(crate) fn session(&mut self, id: StoreId, version: Version, begun: Begun) {
        let now = Instant::now();
        let session = self.sessions.entry(id).or_insert(Session {
            version: None,
            written: None,
            due: match begun {
                Begun::Yes => now + SESSION_BATCH_DELAY,
                Begun::No => now,
            },
            trouble: None,
        });
        let is_fresh = session.due > now && !self.is_store_gone;
        let written = session.written.as_ref().map(|written| &written.body);
        if is_fresh && session.version.is_none() && written == Some(&version.body) {
            return;
        }
        // It is written when the whole batch is known.
        session.version = Some(version);
    }

    /// The newest versions of sessions that are not synced: those in these slots, or those that came from earlier slots
    /// and wait here.
    pub(crate) fn newest_versions(
        &mut self,
        sessions: Vec<(StoreId, Option<Slot>)>,
    ) -> BTreeMap<StoreId, Version> {
        let newest = sessions.into_iter().filter_map(|(id, slot)| {
            let taken = slot.and_then(|slot| self.shared.unwritten.sessions.take(slot));
            let waiting = || self.sessions.get_mut(&id)?.version.take();
            Some((id, taken.or_else(waiting)?))
        });
        newest.collect()
    }

    pub(crate) fn write_sessions(&mut self, until: Instant) {
        let is_any_due = self.sessions.values().any(|each| each.version.is_some());
        if is_any_due && !self.store.root().is_dir() {
            self.is_store_gone = true;
        }
        let due = self.sessions.iter_mut();
        let due = due.filter(|(_, session)| session.due <= until);
        let due = due.filter_map(|(id, session)| Some((*id, session.version.take()?)));
        let mut versions: BTreeMap<StoreId, Version> = due.collect();
        let mut failed = self.write_versions(&versions);
        for (id, session) in &mut self.sessions {
            let Some(version) = versions.remove(id) else {
                continue;
            };
            match failed.remove(id) {
                None => {
                    session.due = Instant::now() + SESSION_BATCH_DELAY;
                    session.trouble = None;
                    session.written = Some(version);
                    self.cataloguer.changed(*id);
                }
                Some(trouble) => {
                    if session.trouble.is_none() {
                        tracing::warn!(session = %id, error = trouble, "cannot write a session");
                    }
                    session.due = Instant::now() + RETRY_INTERVAL;
                    session.version = Some(version);
                    session.trouble = Some(trouble);
                }
            }
        }
        let now = Instant::now();
        self.sessions
            .retain(|_, session| session.version.is_some() || session.due > now);
    }
}
