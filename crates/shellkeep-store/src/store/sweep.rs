//! Reads all sessions at once: those of this server, and what is wrong with others.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use serde_json::Value;

use super::Store;
use crate::disk;
use crate::error::StoreError;
use crate::id::StoreId;
use crate::quarantine;
use crate::schema::header::FormatError;
use crate::schema::layout::{ARCHIVE, SESSION, SESSIONS};
use crate::schema::{SessionFile, SessionOwner, envelope};

/// The result of reading all sessions.
#[derive(Debug, Default)]
pub struct Sweep {
    /// The sessions, by id.
    pub sessions: Vec<KeptSession>,
    /// Sessions without a description, but with panes.
    pub orphans: Vec<Orphan>,
    /// What is wrong with other sessions.
    pub complaints: Vec<Complaint>,
}

/// A stored session.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptSession {
    /// Its name in the store.
    pub id: StoreId,
    /// The label of the server it belongs to.
    pub label: String,
    /// The server that owns it, or owned it last.
    pub owner: String,
    /// The description, without label and owner.
    pub body: Value,
    /// The panes that have directories.
    pub panes: Vec<StoreId>,
}

impl KeptSession {
    /// The description; `None` if it is not one that a server writes.
    #[must_use]
    pub fn file(&self) -> Option<SessionFile> {
        SessionFile::deserialize(&self.body).ok()
    }

    /// The name that users see; empty if the description is not one that a server writes.
    #[must_use]
    pub fn name(&self) -> String {
        self.file()
            .map_or_else(String::new, |file| file.session.name)
    }

    /// The session from which it was closed as a pane.
    #[must_use]
    pub fn part_of(&self) -> Option<StoreId> {
        self.file()?.part_of
    }
}

/// A session of which only the panes are left. A session that a running server is making at this moment does not count,
/// as long as servers write a session's description before its first pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    /// Its name in the store.
    pub id: StoreId,
    /// Its panes.
    pub panes: Vec<StoreId>,
}

/// Something that is wrong with a session.
#[derive(Debug)]
pub struct Complaint {
    /// The session, if it is known.
    pub session: Option<StoreId>,
    /// What is wrong.
    pub error: StoreError,
    /// The path of the broken file in the quarantine.
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
    pub(super) fn complain(&mut self, session: Option<StoreId>, error: StoreError) {
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

impl Store {
    /// Reads one session, archived or not.
    ///
    /// # Errors
    /// When it is not stored, cannot be read, or was written by a later version.
    pub fn read_session(&self, id: StoreId) -> Result<KeptSession, StoreError> {
        read_session(self, id, &self.0.dirs.of(id), &mut Sweep::default())
    }

    /// The open sessions of this server's label that it owns, or whose owner is dead. If the store is only read: all.
    #[must_use]
    pub fn sessions(&self) -> Sweep {
        open_sessions(self)
    }

    /// The archived sessions of this server's label. If the store is only read: all.
    #[must_use]
    pub fn archived(&self) -> Sweep {
        archived_sessions(self)
    }
}

fn open_sessions(store: &Store) -> Sweep {
    let mut sweep = Sweep::default();
    let mut owners = Owners::default();
    look_through(store, &store.root().join(SESSIONS), &mut sweep, |head| {
        owners.are_ours(store, head)
    });
    sweep.sort()
}

/// Caches whether this server may take the sessions of an owner.
#[derive(Default)]
pub(super) struct Owners(HashMap<String, bool>);

impl Owners {
    pub(super) fn are_ours(&mut self, store: &Store, owner: &SessionOwner) -> bool {
        if store.0.access.is_look() {
            return true;
        }
        if owner.label != store.0.label {
            return false;
        }
        match self.0.get(&owner.owner) {
            Some(&ours) => ours,
            None => {
                let ours = store.is_ours(&owner.owner);
                self.0.insert(owner.owner.clone(), ours);
                ours
            }
        }
    }
}

fn archived_sessions(store: &Store) -> Sweep {
    let mut sweep = Sweep::default();
    let archive = store.root().join(ARCHIVE);
    match store.0.dirs.names(&archive) {
        Err(error) => sweep.complain(None, error),
        Ok(months) => {
            for month in months.iter().filter(|month| month.is_dir || month.is_link) {
                look_through(store, &archive.join(&month.name), &mut sweep, |head| {
                    store.0.access.is_look() || head.label == store.0.label
                });
            }
        }
    }
    sweep.sort()
}

/// The sessions that have a directory here. Deletes directories that were being removed.
pub(super) fn ids_in(store: &Store, dir: &Path, sweep: &mut Sweep) -> Vec<StoreId> {
    let names = match store.0.dirs.names(dir) {
        Ok(names) => names,
        Err(error) => {
            sweep.complain(None, error);
            return Vec::new();
        }
    };
    let mut ids = Vec::with_capacity(names.len());
    for entry in names.iter().filter(|entry| entry.is_dir || entry.is_link) {
        match entry.name.parse::<StoreId>() {
            Ok(id) => match store.0.dirs.refuse_links(&dir.join(&entry.name)) {
                Ok(()) => ids.push(id),
                Err(error) => sweep.complain(Some(id), error),
            },
            Err(_)
                if entry.name.starts_with(disk::REMOVAL_PREFIX)
                    && store.check_writable().is_ok() =>
            {
                // A server has ended while removing it. If this fails, a later server tries again.
                let _ = disk::clear(&dir.join(&entry.name));
            }
            Err(_) => {}
        }
    }
    ids
}

fn look_through(
    store: &Store,
    dir: &Path,
    sweep: &mut Sweep,
    mut wanted: impl FnMut(&SessionOwner) -> bool,
) {
    for id in ids_in(store, dir, sweep) {
        let path = dir.join(id.to_string());
        let session = read_text(store, id, &path, sweep).and_then(|(head, text)| {
            let is_wanted = wanted(&head);
            is_wanted
                .then(|| whole(store, id, head, &text, &path))
                .transpose()
        });
        match session {
            Ok(session) => sweep.sessions.extend(session),
            Err(StoreError::Unknown(_)) => match panes_of(store, &path) {
                Ok(panes) => sweep.orphans.push(Orphan { id, panes }),
                Err(error) => sweep.complain(Some(id), error),
            },
            Err(error) => sweep.complain(Some(id), error),
        }
    }
}

/// Reads one session. Broken files are moved to the quarantine and reported.
pub(super) fn read_session(
    store: &Store,
    id: StoreId,
    dir: &Path,
    sweep: &mut Sweep,
) -> Result<KeptSession, StoreError> {
    let (head, text) = read_text(store, id, dir, sweep)?;
    whole(store, id, head, &text, dir)
}

/// A session with everything that is known of it.
fn whole(
    store: &Store,
    id: StoreId,
    head: SessionOwner,
    text: &str,
    dir: &Path,
) -> Result<KeptSession, StoreError> {
    let broken = || StoreError::format(&dir.join(SESSION), FormatError::Value("JSON text"));
    let mut body: Value = serde_json::from_str(text).map_err(|_| broken())?;
    if let Some(fields) = body.as_object_mut() {
        fields.remove("label");
        fields.remove("owner");
    }
    Ok(KeptSession {
        id,
        label: head.label,
        owner: head.owner,
        body,
        panes: panes_of(store, dir)?,
    })
}

/// Reads the description of one session. Broken files are moved to the quarantine and reported.
pub(super) fn read_text(
    store: &Store,
    id: StoreId,
    dir: &Path,
    sweep: &mut Sweep,
) -> Result<(SessionOwner, String), StoreError> {
    for name in [SESSION, &disk::old_name(SESSION)] {
        match read_file(&dir.join(name)) {
            Ok(None) => {}
            Ok(Some(found)) => return Ok(found),
            Err(error @ StoreError::Broken { .. }) => {
                let kept_at = match store.check_writable() {
                    Ok(()) => {
                        let aside = store.0.dirs.quarantine(id);
                        quarantine::put(store.root(), &dir.join(name), &aside).ok()
                    }
                    Err(_) => None,
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

fn read_file(path: &Path) -> Result<Option<(SessionOwner, String)>, StoreError> {
    let Some(bytes) = disk::read(path, envelope::MAX_FILE)? else {
        return Ok(None);
    };
    let broken = |why| StoreError::format(path, why);
    let text = envelope::decode_text(&bytes).map_err(broken)?;
    let head = SessionOwner::read(&text).ok_or_else(|| broken(FormatError::Value("owner")))?;
    Ok(Some((head, text)))
}

pub(super) fn panes_of(store: &Store, dir: &Path) -> Result<Vec<StoreId>, StoreError> {
    let names = store.0.dirs.names(dir)?;
    let mut panes: Vec<StoreId> = names
        .iter()
        // Recovering the pane reports a link in its place.
        .filter(|entry| entry.is_dir || entry.is_link)
        .filter_map(|entry| entry.name.parse().ok())
        .collect();
    panes.sort_unstable();
    Ok(panes)
}
