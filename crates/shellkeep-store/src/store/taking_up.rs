//! What a server needs at its start: all of its sessions at once, in little time and memory. Their descriptions stay text here, and come
//! out of the catalogue if it has them as they are on disk.

use std::collections::HashMap;

use super::sweep::{self, Complaint, Orphan, Owners, Sweep};
use super::{SESSION, SESSIONS, Store};
use crate::catalogue::{Body, Catalogue, CatalogueState, FileStamp};
use crate::error::StoreError;
use crate::id::StoreId;

/// So few sessions are read faster than a catalogue is opened.
const FEW: usize = 50;

/// The sessions a server takes up at its start.
#[derive(Debug, Default)]
pub struct TakingUp {
    /// The sessions, by id.
    pub sessions: Vec<SessionText>,
    /// Sessions whose description is lost but whose panes are there.
    pub orphans: Vec<Orphan>,
    /// What is wrong with others.
    pub complaints: Vec<Complaint>,
    /// What the catalogue does not have as it is on disk.
    pub uncatalogued: Vec<StoreId>,
}

/// A session whose description was not looked into yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionText {
    /// Its name in the store.
    pub id: StoreId,
    /// The server that has it, or had it last.
    pub owner: String,
    /// Bytes on disk, if that is known without looking at every file of many sessions.
    pub size: Option<u64>,
    /// What the server wrote down, as JSON text, label and owner among it.
    pub text: String,
}

pub(super) fn run(store: &Store) -> TakingUp {
    let mut found = TakingUp::default();
    let mut sweep = Sweep::default();
    let dir = store.0.root.join(SESSIONS);
    let ids = sweep::ids_in(store, &dir, &mut sweep);
    let mut catalogued = (ids.len() > FEW).then(|| catalogued(store));
    let mut owners = Owners::default();
    for id in ids {
        let path = dir.join(id.to_string());
        let known = catalogued.as_mut().and_then(|known| known.remove(&id));
        let size = match (&known, &catalogued) {
            (Some(body), _) => Some(body.size),
            (None, None) => Some(store.disk_use(id)),
            (None, Some(_)) => None,
        };
        let known = known.and_then(|body| still_true(body, &path.join(SESSION)));
        let is_known = known.is_some();
        let read = match known {
            Some(text) => Ok(text),
            None => sweep::read_text(store, id, &path, &mut sweep),
        };
        match read {
            Ok((head, text)) => {
                if !is_known && catalogued.is_some() {
                    found.uncatalogued.push(id);
                }
                if owners.are_ours(store, &head) {
                    let owner = head.owner;
                    found.sessions.push(SessionText {
                        id,
                        owner,
                        size,
                        text,
                    });
                }
            }
            Err(StoreError::Unknown(_)) => match sweep::panes_of(&path) {
                Ok(panes) => sweep.orphans.push(Orphan { id, panes }),
                Err(error) => sweep.complain(Some(id), error),
            },
            Err(error) => sweep.complain(Some(id), error),
        }
    }
    // Those that are there no more.
    found
        .uncatalogued
        .extend(catalogued.into_iter().flat_map(HashMap::into_keys));
    found.sessions.sort_unstable_by_key(|session| session.id);
    sweep.orphans.sort_unstable_by_key(|orphan| orphan.id);
    (found.orphans, found.complaints) = (sweep.orphans, sweep.complaints);
    found
}

/// What the catalogue says, empty if there is nothing to be had from it. Whatever may be wrong with it, the files have it all.
fn catalogued(store: &Store) -> HashMap<StoreId, Body> {
    let mut bodies = HashMap::new();
    if let Some(Ok(opened)) = Catalogue::inspect(&store.0.root)
        && opened.state == CatalogueState::Sound
    {
        let mut catalogue = opened.catalogue;
        let found = catalogue.bodies_of(&store.0.label).unwrap_or_default();
        bodies.extend(found.into_iter().map(|body| (body.id, body)));
    }
    bodies
}

/// The description in the catalogue, if the file is still the one it was made from.
fn still_true(body: Body, file: &std::path::Path) -> Option<(sweep::Head, String)> {
    let stamp = FileStamp::of(file).ok()?;
    if stamp != body.stamp {
        return None;
    }
    let text = String::from_utf8(body.body).ok()?;
    Some((sweep::Head::of(&text)?, text))
}
