//! What a server needs at its start: all of its sessions at once, in little time and memory. Their descriptions come out of the
//! catalogue if it has them as they are on disk, and are read on all processors at once.

use std::collections::HashMap;

use super::sweep::{self, Complaint, Head, Orphan, Owners, Sweep};
use super::{SESSION, SESSIONS, Store};
use crate::catalogue::{Body, Catalogue, CatalogueState, FileStamp};
use crate::error::StoreError;
use crate::id::StoreId;

/// So few sessions are read faster than a catalogue is opened.
const FEW: usize = 50;

/// The sessions a server takes up at its start.
#[derive(Debug)]
pub struct TakingUp<T> {
    /// The sessions, by id.
    pub sessions: Vec<TakenSession<T>>,
    /// Sessions whose description is lost but whose panes are there.
    pub orphans: Vec<Orphan>,
    /// What is wrong with others.
    pub complaints: Vec<Complaint>,
    /// What the catalogue does not have as it is on disk.
    pub uncatalogued: Vec<StoreId>,
}

/// A session that a server takes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenSession<T> {
    /// Its name in the store.
    pub id: StoreId,
    /// Bytes on disk, if that is known without looking at every file of many sessions.
    pub size: Option<u64>,
    /// What the server makes of what it wrote down.
    pub body: T,
}

/// What was found of one session.
struct Found<T> {
    id: StoreId,
    size: Option<u64>,
    is_catalogued: bool,
    /// Whose it is, and what it says if it may be ours.
    read: Result<(Head, Option<T>), StoreError>,
}

pub(super) fn run<T: Send>(store: &Store, read: impl Fn(&str) -> T + Sync) -> TakingUp<T> {
    let mut sweep = Sweep::default();
    let dir = store.0.root.join(SESSIONS);
    let ids = sweep::ids_in(store, &dir, &mut sweep);
    let mut catalogued = (ids.len() > FEW).then(|| catalogued(store));
    let has_catalogue = catalogued.is_some();
    let mut sessions: Vec<(StoreId, Option<Body>)> = ids
        .into_iter()
        .map(|id| (id, catalogued.as_mut().and_then(|known| known.remove(&id))))
        .collect();
    let look = |(id, known): &mut (StoreId, Option<Body>), sweep: &mut Sweep| {
        let size = match known {
            Some(body) => Some(body.size),
            None if has_catalogue => None,
            None => Some(store.disk_use(*id)),
        };
        let mut found = look_at(store, *id, known.take(), sweep, &read);
        found.size = size;
        found
    };
    // Those that are there no more are not as they are on disk either.
    let gone = catalogued.into_iter().flat_map(HashMap::into_keys);
    let mut taking_up = TakingUp {
        sessions: Vec::with_capacity(sessions.len()),
        orphans: Vec::new(),
        complaints: Vec::new(),
        uncatalogued: gone.collect(),
    };
    let mut owners = Owners::default();
    for found in side_by_side(&mut sessions, &mut sweep, look) {
        let Found { id, size, .. } = found;
        match found.read {
            Ok((head, body)) => {
                if has_catalogue && !found.is_catalogued {
                    taking_up.uncatalogued.push(id);
                }
                if let Some(body) = body.filter(|_| owners.are_ours(store, &head)) {
                    taking_up.sessions.push(TakenSession { id, size, body });
                }
            }
            Err(StoreError::Unknown(_)) => match sweep::panes_of(&dir.join(id.to_string())) {
                Ok(panes) => sweep.orphans.push(Orphan { id, panes }),
                Err(error) => sweep.complain(Some(id), error),
            },
            Err(error) => sweep.complain(Some(id), error),
        }
    }
    taking_up
        .sessions
        .sort_unstable_by_key(|session| session.id);
    sweep.orphans.sort_unstable_by_key(|orphan| orphan.id);
    (taking_up.orphans, taking_up.complaints) = (sweep.orphans, sweep.complaints);
    taking_up
}

/// Looks at many sessions on as many processors as there are: somebody waits for the first prompt.
fn side_by_side<S: Send, F: Send>(
    all: &mut [S],
    sweep: &mut Sweep,
    look: impl Fn(&mut S, &mut Sweep) -> F + Sync,
) -> Vec<F> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let part = all.len().div_ceil(processors).max(FEW);
    let look_through = |some: &mut [S]| -> (Vec<F>, Sweep) {
        let mut sweep = Sweep::default();
        let found = some.iter_mut().map(|each| look(each, &mut sweep)).collect();
        (found, sweep)
    };
    std::thread::scope(|scope| {
        let mut parts = all.chunks_mut(part);
        let here = parts.next();
        let others: Vec<_> = parts
            .map(|some| scope.spawn(|| look_through(some)))
            .collect();
        let here = here.map(look_through).into_iter();
        // One that panics would be a bug; the others' sessions are not lost over it.
        let others = others.into_iter().filter_map(|other| other.join().ok());
        let mut all = Vec::new();
        for (found, complaints) in here.chain(others) {
            all.extend(found);
            sweep.complaints.extend(complaints.complaints);
        }
        all
    })
}

fn look_at<T>(
    store: &Store,
    id: StoreId,
    known: Option<Body>,
    sweep: &mut Sweep,
    read: &impl Fn(&str) -> T,
) -> Found<T> {
    let path = store.open_path(id);
    let known = known.and_then(|body| still_true(body, &path.join(SESSION)));
    let is_catalogued = known.is_some();
    let found = match known {
        Some(found) => Ok(found),
        None => sweep::read_text(store, id, &path, sweep),
    };
    Found {
        id,
        size: None,
        is_catalogued,
        read: found.map(|(head, text)| {
            let may_be_ours = store.0.access.is_look() || head.label == store.0.label;
            let body = may_be_ours.then(|| read(&text));
            (head, body)
        }),
    }
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
