//! The store as a whole: which sessions there are, which server owns them, and where their directories are.

pub(crate) mod buffers;
mod dirs;
pub(crate) mod expire;
pub(crate) mod lock;
pub(crate) mod sweep;
pub(crate) mod taking_up;
pub(crate) mod version;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nix::fcntl::Flock;
use serde::Serialize;
use serde_json::Value;

use crate::access::StoreAccess;
use crate::dir::make_state_dir;
use crate::disk::{self, Fresh, Previous};
use crate::error::StoreError;
use crate::id::StoreId;
use crate::pane::PaneDir;
use crate::quarantine;
use crate::schema::envelope;
use crate::schema::header::FormatError;
use crate::schema::layout::{
    ARCHIVE, BUFFERS, CLOSED, QUARANTINE, SERVERS, SESSION, SESSIONS, STORE,
};
use crate::together::Unsynced;
use dirs::StoreDirs;

/// Everything stored under one state directory. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dirs: StoreDirs,
    access: StoreAccess,
    label: String,
    /// Unknown until a lock is held.
    owner: OnceLock<String>,
    /// The lock of this server, and the locks of dead servers whose sessions it has taken over. While it holds them, no
    /// other server takes these sessions.
    locks: Mutex<BTreeMap<String, Flock<File>>>,
    /// The socket of the server to which this store belongs.
    socket: OnceLock<PathBuf>,
}

impl Store {
    /// Opens the store for a server with this label, makes missing directories, and takes a lock that shows that the
    /// server is alive. The lock ends with the process, and with an exec.
    ///
    /// # Errors
    /// When something cannot be made, or the store was written by a later version, in which case nothing is changed.
    pub fn open(root: &Path, label: &str) -> Result<Self, StoreError> {
        let (owner, lock) = furnish(root, label)?;
        let store = Self::with(root, StoreAccess::write(), label);
        store.has_lock(owner, lock);
        Ok(store)
    }

    /// As [`Self::open`], for a server that has to start on any disk. If the store cannot be opened for a reason that
    /// may pass, nothing can be written until [`Store::make_ready`] has succeeded; what can be read is readable.
    ///
    /// # Errors
    /// When the reason will not pass: the store was written by a later version. Nothing is changed then.
    pub fn open_or_wait(root: &Path, label: &str) -> Result<Self, StoreError> {
        match Self::open(root, label) {
            Err(error @ StoreError::Io { .. }) => {
                let access = StoreAccess::waiting(error.to_string());
                Ok(Self::with(root, access, label))
            }
            opened => opened,
        }
    }

    fn with(root: &Path, access: StoreAccess, label: &str) -> Self {
        Self(Arc::new(Inner {
            dirs: StoreDirs::new(root),
            access,
            label: label.to_owned(),
            owner: OnceLock::new(),
            locks: Mutex::default(),
            socket: OnceLock::new(),
        }))
    }

    fn has_lock(&self, owner: String, lock: Flock<File>) {
        let mut locks = self.0.locks.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.0.owner.set(owner.clone());
        locks.insert(owner, lock);
        drop(locks);
        self.sign_place();
    }

    /// Records the socket of the server in its lock, so that a client can find the server when the socket is gone.
    pub fn serves_at(&self, socket: &Path) {
        let _ = self.0.socket.set(socket.to_owned());
        self.sign_place();
    }

    fn sign_place(&self) {
        let locks = self.0.locks.lock().unwrap_or_else(PoisonError::into_inner);
        let lock = self.0.owner.get().and_then(|owner| locks.get(owner));
        if let Some((lock, socket)) = lock.zip(self.0.socket.get()) {
            // An error is ignored: on a read-only disk the lock works without it.
            let _ = lock::sign_place(lock, socket);
        }
    }

    /// Why nothing can be written yet, if the store could not be opened when its server started.
    #[must_use]
    pub fn waits_because(&self) -> Option<String> {
        match self.check_writable() {
            Err(StoreError::Waiting(why)) => Some(why),
            _ => None,
        }
    }

    /// Opens a store for writing that could not be opened before.
    ///
    /// # Errors
    /// When it still cannot be opened.
    pub fn make_ready(&self) -> Result<(), StoreError> {
        if self.waits_because().is_none() {
            return Ok(());
        }
        let (owner, lock) = furnish(self.root(), &self.0.label)?;
        self.has_lock(owner, lock);
        self.0.access.admit();
        Ok(())
    }

    /// Opens the store for reading: nothing is made, locked, moved or cut, and the sessions of all servers are visible.
    ///
    /// # Errors
    /// When the store was written by a later version, or cannot be read.
    pub fn look(root: &Path) -> Result<Self, StoreError> {
        version::refuse_newer(root)?;
        Ok(Self::with(root, StoreAccess::Look, ""))
    }

    /// What is wrong with the file that has the store's version. Nothing depends on it, because every file has its own
    /// version.
    #[must_use]
    pub fn inspect_version(&self) -> Option<StoreError> {
        version::read(self.root()).err()
    }

    /// The name under which this server owns sessions, e.g. `default` or `default.2`; empty if the store is only read.
    #[must_use]
    pub fn owner(&self) -> &str {
        self.0.owner.get().map_or("", String::as_str)
    }

    /// The label of this server; empty if the store is only read.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.0.label
    }

    /// The path of the state directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.0.dirs.root()
    }

    fn check_writable(&self) -> Result<(), StoreError> {
        self.0.access.check_writable()
    }

    /// Whether a session is in the archive.
    #[must_use]
    pub fn is_archived(&self, id: StoreId) -> bool {
        !self.0.dirs.has(&self.0.dirs.open(id)) && self.0.dirs.archived(id).is_some()
    }

    /// Writes the description of a session, and keeps the previous file as `session.json.old`. This server's label and
    /// owner are added to the body, which makes the session its own.
    ///
    /// # Errors
    /// When the body is not an object, or cannot be written. The previous file is unchanged then.
    pub fn write_session(&self, id: StoreId, body: &impl Serialize) -> Result<(), StoreError> {
        let unsynced = self.write_session_unsynced(id, body)?;
        unsynced.sync()?;
        let dir = unsynced.dir().map(PathBuf::from);
        unsynced.finish()?;
        dir.as_deref().map_or(Ok(()), disk::sync_dir)
    }

    /// As [`Self::write_session`], to be finished together with others.
    ///
    /// # Errors
    /// As for [`Store::write_session`].
    pub fn write_session_unsynced(
        &self,
        id: StoreId,
        body: &impl Serialize,
    ) -> Result<Unsynced, StoreError> {
        let (path, bytes) = self.session_bytes(id, body)?;
        if !disk::is_dir(&path) {
            disk::make_dir(&path)?;
            disk::sync_dir(&self.root().join(SESSIONS))?;
        }
        Fresh::write(&path, SESSION, bytes, Previous::Keep).map(Unsynced::file)
    }

    /// Writes the description of a session without waiting for the disk. It survives the death of every process, but
    /// not a power cut.
    ///
    /// # Errors
    /// As for [`Store::write_session`].
    pub fn put_session(&self, id: StoreId, body: &impl Serialize) -> Result<(), StoreError> {
        let (path, bytes) = self.session_bytes(id, body)?;
        disk::make_dir(&path)?;
        disk::put(&path, SESSION, &bytes)
    }

    /// Makes the description of a session durable, except for its directory entry. Returns that directory, which the
    /// caller has to sync.
    ///
    /// # Errors
    /// When it does not exist, or syncing fails.
    pub fn sync_session(&self, id: StoreId) -> Result<PathBuf, StoreError> {
        let dir = self.0.dirs.of(id);
        let path = dir.join(SESSION);
        self.0.dirs.refuse_links(&dir)?;
        let file = disk::open(&path)?.ok_or(StoreError::Unknown(id))?;
        file.sync_all().map_err(StoreError::io("sync", &path))?;
        Ok(dir)
    }

    /// Records that an open session was closed, without waiting for the disk. A server that takes the session up
    /// archives it. Does nothing if the session is archived already, or was never written.
    ///
    /// # Errors
    /// When it cannot be recorded.
    pub fn mark_closed(&self, id: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        let dir = self.0.dirs.open(id);
        self.0.dirs.refuse_links(&dir)?;
        match disk::put(&dir, CLOSED, &[]) {
            Err(_) if !disk::is_dir(&dir) => Ok(()),
            done => done,
        }
    }

    /// Removes that record, because the session is open again.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn unmark_closed(&self, id: StoreId) -> Result<(), StoreError> {
        let dir = self.0.dirs.open(id);
        self.0.dirs.refuse_links(&dir)?;
        disk::remove_if_there(&dir.join(CLOSED))
    }

    /// Whether a session outside the archive was closed.
    fn is_marked_closed(&self, id: StoreId) -> bool {
        self.0.dirs.open(id).join(CLOSED).exists()
    }

    /// The directory of a session's description, and its content.
    fn session_bytes(
        &self,
        id: StoreId,
        body: &impl Serialize,
    ) -> Result<(PathBuf, Vec<u8>), StoreError> {
        self.check_writable()?;
        let Ok(Value::Object(mut fields)) = serde_json::to_value(body) else {
            return Err(StoreError::Body(id));
        };
        fields.insert("label".to_owned(), self.0.label.clone().into());
        fields.insert("owner".to_owned(), self.owner().to_owned().into());
        let bytes = envelope::encode(&Value::Object(fields));
        let path = self.0.dirs.of(id);
        self.0.dirs.refuse_links(&path)?;
        refuse_newer(&path.join(SESSION))?;
        if bytes.len() as u64 > envelope::MAX_FILE {
            return Err(StoreError::TooLarge {
                path: path.join(SESSION),
                size: bytes.len() as u64,
                limit: envelope::MAX_FILE,
            });
        }
        Ok((path, bytes))
    }

    /// Whether the description of an open session was ever written. A thread that replaces it at this moment may have
    /// moved the old file away already, so that counts as well.
    #[must_use]
    pub fn is_described(&self, id: StoreId) -> bool {
        let dir = self.0.dirs.open(id);
        dir.join(SESSION).exists() || dir.join(disk::old_name(SESSION)).exists()
    }

    /// The directory of one pane of a session, archived or not. It need not exist.
    #[must_use]
    pub fn pane(&self, session: StoreId, pane: StoreId) -> PaneDir {
        self.pane_in(&self.0.dirs.of(session), session, pane)
    }

    /// As [`Self::pane`], for a session that is known to be open, which saves searching for it.
    #[must_use]
    pub fn open_pane(&self, session: StoreId, pane: StoreId) -> PaneDir {
        self.pane_in(&self.0.dirs.open(session), session, pane)
    }

    fn pane_in(&self, dir: &Path, session: StoreId, pane: StoreId) -> PaneDir {
        let pane = pane.to_string();
        let quarantine = self.0.dirs.quarantine(session).join(&pane);
        let access = self.0.access.clone();
        PaneDir::new(self.root(), dir.join(&pane), quarantine, access)
    }

    /// The open session whose directory holds a pane: `believed`, unless the pane is in another one.
    #[must_use]
    pub fn home_of(&self, believed: StoreId, pane: StoreId) -> StoreId {
        let name = pane.to_string();
        if self.0.dirs.has(&self.0.dirs.open(believed).join(&name)) {
            return believed;
        }
        let sessions = self.0.dirs.names(&self.root().join(SESSIONS));
        let sessions = sessions.unwrap_or_default().into_iter();
        let mut ids = sessions.filter_map(|entry| entry.name.parse().ok());
        let found = ids.find(|id| self.0.dirs.has(&self.0.dirs.open(*id).join(&name)));
        found.unwrap_or(believed)
    }

    /// Whether a pane is in the archive, in any session's directory. This searches the whole archive.
    #[must_use]
    pub fn is_pane_archived(&self, pane: StoreId) -> bool {
        let names = |path: &Path| self.0.dirs.names(path).unwrap_or_default();
        let archive = self.root().join(ARCHIVE);
        names(&archive).iter().any(|month| {
            let month = archive.join(&month.name);
            let sessions = names(&month).into_iter();
            let mut panes = sessions.map(|it| month.join(it.name).join(pane.to_string()));
            panes.any(|path| self.0.dirs.has(&path))
        })
    }

    /// Moves a pane to another session, whose directory is made if necessary. Open files stay valid. A pane without a
    /// directory is ignored: it was moved before, or the user has removed its files.
    ///
    /// # Errors
    /// When the pane cannot be moved.
    pub fn move_pane(&self, from: StoreId, to: StoreId, pane: StoreId) -> Result<(), StoreError> {
        self.rename_pane(from, to, pane)?;
        self.sync_move(from, to)
    }

    /// As [`Self::move_pane`], without waiting for the disk: [`Store::sync_move`] does that.
    ///
    /// # Errors
    /// When the pane cannot be moved.
    pub fn rename_pane(&self, from: StoreId, to: StoreId, pane: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        if from == to {
            return Ok(());
        }
        let pane = pane.to_string();
        let moves = [
            (self.0.dirs.of(from), self.0.dirs.of(to)),
            // Its files in the quarantine move too, so that they are deleted together with it.
            (self.0.dirs.quarantine(from), self.0.dirs.quarantine(to)),
        ];
        for (from, to) in moves {
            if self.0.dirs.has(&from.join(&pane)) {
                self.0.dirs.refuse_links(&to)?;
                disk::rename_dir(&from.join(&pane), &to.join(&pane))?;
            }
        }
        Ok(())
    }

    /// Makes the move of panes between two sessions durable.
    ///
    /// # Errors
    /// When syncing fails.
    pub fn sync_move(&self, from: StoreId, to: StoreId) -> Result<(), StoreError> {
        for id in [to, from] {
            let path = self.0.dirs.of(id);
            if self.0.dirs.has(&path) {
                disk::sync_dir(&path)?;
            }
        }
        Ok(())
    }

    /// Removes a pane and everything that is stored of it.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_pane(&self, session: StoreId, pane: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        self.pane(session, pane).remove()?;
        let aside = self.0.dirs.quarantine(session);
        self.0.dirs.refuse_links(&aside)?;
        disk::remove_tree(&aside.join(pane.to_string())).map(drop)
    }

    /// Moves a session to the archive of the month.
    ///
    /// # Errors
    /// When it is not stored, or cannot be moved.
    pub fn archive(&self, id: StoreId, now_ms: u64) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.0.dirs.open(id);
        match (self.0.dirs.has(&path), self.0.dirs.archived(id)) {
            (false, Some(_)) => Ok(()),
            (false, None) => Err(StoreError::Unknown(id)),
            (true, Some(_)) => Err(StoreError::Twice(id)),
            (true, None) => {
                let month = self.root().join(ARCHIVE).join(month(now_ms));
                let archived = month.join(id.to_string());
                self.0.dirs.refuse_links(&month)?;
                disk::move_dir(&path, &archived)?;
                disk::remove_if_there(&archived.join(CLOSED))?;
                disk::sync_dir(&self.root().join(ARCHIVE))
            }
        }
    }

    /// Moves one pane to the archive as a session of its own.
    ///
    /// # Errors
    /// When it does not exist, or cannot be moved.
    pub fn archive_pane_as(
        &self,
        from: StoreId,
        pane: StoreId,
        session: StoreId,
        body: &impl Serialize,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        self.write_session(session, body)?;
        // It is there already if an earlier try got this far.
        if !self
            .0
            .dirs
            .has(&self.0.dirs.of(session).join(pane.to_string()))
        {
            self.move_pane(from, session, pane)?;
        }
        self.archive(session, now_ms)
    }

    /// Moves a session out of the archive.
    ///
    /// # Errors
    /// When it is not there, or cannot be moved.
    pub fn reopen(&self, id: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        let open = self.0.dirs.open(id);
        match (self.0.dirs.has(&open), self.0.dirs.archived(id)) {
            (true, None) => self.unmark_closed(id),
            (false, None) => Err(StoreError::Unknown(id)),
            (true, Some(_)) => Err(StoreError::Twice(id)),
            (false, Some(path)) => {
                disk::remove_if_there(&path.join(CLOSED))?;
                disk::move_dir(&path, &open)
            }
        }
    }

    /// Hides a session, open or archived, from all servers. [`Store::forget`] or the next server deletes it.
    ///
    /// # Errors
    /// When that fails. The session is unchanged then. One that was never written counts as hidden.
    pub fn hide(&self, id: StoreId) -> Result<(), StoreError> {
        self.0.dirs.refuse_links(&self.root().join(SESSIONS))?;
        let mut places: Vec<_> = self.0.dirs.archived(id).into_iter().collect();
        places.push(self.0.dirs.open(id));
        for place in places {
            if disk::is_dir(&place) {
                self.check_writable()?;
            }
            disk::hide(&place)?;
        }
        Ok(())
    }

    /// Deletes a session for good, open, archived or hidden, together with its files in the quarantine.
    ///
    /// # Errors
    /// When it is not stored, or cannot be removed.
    pub fn forget(&self, id: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        // A link at the path of a session's directory is removed itself, and its target stays.
        for name in [SESSIONS, QUARANTINE] {
            self.0.dirs.refuse_links(&self.root().join(name))?;
        }
        let mut was_kept = disk::remove_tree(&self.0.dirs.open(id))?;
        was_kept |= disk::remove_tree(&self.0.dirs.quarantine(id))?;
        for place in self.0.dirs.archive_candidates(id)? {
            was_kept |= disk::remove_tree(&place)?;
        }
        match was_kept {
            true => Ok(()),
            false => Err(StoreError::Unknown(id)),
        }
    }

    /// Whether this server may take the sessions of an owner. If so, it holds the owner's lock from then on.
    fn is_ours(&self, owner: &str) -> bool {
        let mut locks = self.0.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if locks.contains_key(owner) || !lock::is_owner(owner) {
            return true;
        }
        let servers = self.root().join(SERVERS);
        let claimed = self.0.dirs.refuse_links(&servers);
        match claimed.and_then(|()| lock::claim(&servers, owner)) {
            Ok(Some(lock)) => {
                locks.insert(owner.to_owned(), lock);
                true
            }
            Ok(None) => false,
            // If nothing can be locked, no other server works either, and refusing would lose the session.
            Err(_) => true,
        }
    }

    /// The bytes on disk of a session, including its files in the quarantine.
    #[must_use]
    pub fn disk_use(&self, id: StoreId) -> u64 {
        disk::tree_size(&self.0.dirs.of(id)) + disk::tree_size(&self.0.dirs.quarantine(id))
    }

    /// Free bytes on the disk.
    ///
    /// # Errors
    /// When the system does not report it.
    #[allow(
        clippy::useless_conversion,
        reason = "the width of these numbers differs between systems"
    )]
    pub fn room(&self) -> io::Result<u64> {
        let stat = nix::sys::statvfs::statvfs(self.root())?;
        Ok(u64::from(stat.blocks_available()).saturating_mul(u64::from(stat.fragment_size())))
    }
}

/// Refuses to replace a description that a later version wrote.
fn refuse_newer(path: &Path) -> Result<(), StoreError> {
    let Ok(Some(bytes)) = disk::read(path, envelope::MAX_FILE) else {
        return Ok(());
    };
    match envelope::decode_text(&bytes) {
        Err(why @ FormatError::Newer { .. }) => Err(StoreError::format(path, why)),
        _ => Ok(()),
    }
}

/// Makes missing directories in a state directory, and takes a lock there.
fn furnish(root: &Path, label: &str) -> Result<(String, Flock<File>), StoreError> {
    let found = version::read(root);
    if let Err(error @ (StoreError::Newer { .. } | StoreError::Io { .. })) = found {
        return Err(error);
    }
    make_state_dir(root).map_err(StoreError::io("make the directory", root))?;
    for name in [SESSIONS, ARCHIVE, QUARANTINE, SERVERS, BUFFERS] {
        disk::refuse_links(root, &root.join(name))?;
    }
    for name in [SESSIONS, ARCHIVE, QUARANTINE, SERVERS] {
        disk::make_dir(&root.join(name))?;
    }
    // A directory that cannot be read would look empty, and the server would go on without its sessions.
    for name in [SESSIONS, BUFFERS] {
        disk::check_open(&root.join(name))?;
    }
    match found {
        Ok(Some(_)) => {}
        Ok(None) => version::write(root)?,
        // Every file has a version of its own as well, so this one can be replaced.
        Err(_) => {
            quarantine::put(root, &root.join(STORE), &root.join(QUARANTINE))?;
            version::write(root)?;
        }
    }
    lock::take(&root.join(SERVERS), label)
}

/// The month of the archive, e.g. `2026-11`.
fn month(now_ms: u64) -> String {
    let time = i64::try_from(now_ms)
        .ok()
        .and_then(|now| jiff::Timestamp::from_millisecond(now).ok())
        .unwrap_or_default();
    time.strftime("%Y-%m").to_string()
}
