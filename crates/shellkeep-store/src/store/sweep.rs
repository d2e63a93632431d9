//! Looking through all sessions at once.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{ARCHIVE, SESSION, SESSIONS, Store};
use crate::disk;
use crate::error::StoreError;
use crate::format::session;
use crate::id::StoreId;
use crate::pane::Access;
use crate::quarantine;

/// What a look through the sessions found.
#[derive(Debug, Default)]
pub struct Sweep {
    /// The sessions, by id.
    pub sessions: Vec<KeptSession>,
    /// Sessions whose description is lost but whose panes are there.
    pub orphans: Vec<Orphan>,
    /// What is wrong with others.
    pub complaints: Vec<Complaint>,
}

/// A session as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptSession {
    /// Its name in the store.
    pub id: StoreId,
    /// The label of the server it belongs to.
    pub label: String,
    /// The server that has it, or had it last.
    pub owner: String,
    /// What the server wrote down, without label and owner.
    pub body: Value,
    /// The panes whose directories are there.
    pub panes: Vec<StoreId>,
}

/// A session of which only the panes are left. It may also be one that a living server is just making, unless servers
/// write the description of a session before its first pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    /// Its name in the store.
    pub id: StoreId,
    /// Its panes.
    pub panes: Vec<StoreId>,
}

/// Something wrong with a session that was looked at.
#[derive(Debug)]
pub struct Complaint {
    /// The session, if it is known which.
    pub session: Option<StoreId>,
    /// What is wrong.
    pub error: StoreError,
    /// Where the broken file was set aside.
    pub kept_at: Option<PathBuf>,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        match &self.kept_at {
            Some(place) => write!(f, " (set aside as {})", place.display()),
            None => Ok(()),
        }
    }
}

impl Sweep {
    fn complain(&mut self, session: Option<StoreId>, error: StoreError) {
        self.complaints.push(Complaint {
            session,
            error,
            kept_at: None,
        });
    }

    fn sort(mut self) -> Self {
        self.sessions.sort_unstable_by_key(|session| session.id);
        self.orphans.sort_unstable_by_key(|orphan| orphan.id);
        self
    }
}

pub(super) fn open_sessions(store: &Store) -> Sweep {
    let mut sweep = Sweep::default();
    let mut owners: HashMap<String, bool> = HashMap::new();
    look_through(store, &store.0.root.join(SESSIONS), &mut sweep, |session| {
        if store.0.access == Access::Look {
            return true;
        }
        if session.label != store.0.label {
            return false;
        }
        match owners.get(&session.owner) {
            Some(&ours) => ours,
            None => {
                let ours = store.is_ours(&session.owner);
                owners.insert(session.owner.clone(), ours);
                ours
            }
        }
    });
    sweep.sort()
}

pub(super) fn archived_sessions(store: &Store) -> Sweep {
    let mut sweep = Sweep::default();
    let archive = store.0.root.join(ARCHIVE);
    match disk::names(&archive) {
        Err(error) => sweep.complain(None, error),
        Ok(months) => {
            for month in months.unwrap_or_default() {
                look_through(store, &archive.join(&month.name), &mut sweep, |session| {
                    store.0.access == Access::Look || session.label == store.0.label
                });
            }
        }
    }
    sweep.sort()
}

fn look_through(
    store: &Store,
    dir: &Path,
    sweep: &mut Sweep,
    mut wanted: impl FnMut(&KeptSession) -> bool,
) {
    let names = match disk::names(dir) {
        Ok(names) => names.unwrap_or_default(),
        Err(error) => return sweep.complain(None, error),
    };
    for entry in names.iter().filter(|entry| entry.is_dir) {
        let path = dir.join(&entry.name);
        let Ok(id) = entry.name.parse::<StoreId>() else {
            if entry.name.starts_with(disk::GONE) && store.0.access == Access::Write {
                // Being removed when its server ended. If it will not go now, it goes another time.
                let _ = disk::clear(&path);
            }
            continue;
        };
        match read_session(store, id, &path, sweep) {
            Ok(session) if wanted(&session) => sweep.sessions.push(session),
            Ok(_) => {}
            Err(StoreError::Unknown(_)) => match panes_of(&path) {
                Ok(panes) => sweep.orphans.push(Orphan { id, panes }),
                Err(error) => sweep.complain(Some(id), error),
            },
            Err(error) => sweep.complain(Some(id), error),
        }
    }
}

/// Reads one session. Broken files are set aside, and complained of.
pub(super) fn read_session(
    store: &Store,
    id: StoreId,
    dir: &Path,
    sweep: &mut Sweep,
) -> Result<KeptSession, StoreError> {
    for name in [SESSION, &disk::old_name(SESSION)] {
        match read_file(id, &dir.join(name)) {
            Ok(None) => {}
            Ok(Some(mut session)) => {
                session.panes = panes_of(dir)?;
                return Ok(session);
            }
            Err(error @ StoreError::Broken { .. }) => {
                let kept_at = match store.0.access {
                    Access::Write => {
                        quarantine::put(&dir.join(name), &store.quarantine_path(id)).ok()
                    }
                    Access::Look => None,
                };
                sweep.complaints.push(Complaint {
                    session: Some(id),
                    error,
                    kept_at,
                });
            }
            Err(error) => return Err(error),
        }
    }
    Err(StoreError::Unknown(id))
}

fn read_file(id: StoreId, path: &Path) -> Result<Option<KeptSession>, StoreError> {
    let Some(bytes) = disk::read(path, session::MAX_FILE)? else {
        return Ok(None);
    };
    let broken = |why| StoreError::format(path, why);
    let mut body = session::decode(&bytes).map_err(broken)?;
    let mut field = |name: &str| match body.as_object_mut()?.remove(name)? {
        Value::String(text) => Some(text),
        _ => None,
    };
    let (Some(label), Some(owner)) = (field("label"), field("owner")) else {
        return Err(broken(crate::FormatError::Value("owner")));
    };
    Ok(Some(KeptSession {
        id,
        label,
        owner,
        body,
        panes: Vec::new(),
    }))
}

fn panes_of(dir: &Path) -> Result<Vec<StoreId>, StoreError> {
    let names = disk::names(dir)?.unwrap_or_default();
    let mut panes: Vec<StoreId> = names
        .iter()
        .filter(|entry| entry.is_dir)
        .filter_map(|entry| entry.name.parse().ok())
        .collect();
    panes.sort_unstable();
    Ok(panes)
}
