//! The store as a whole: which sessions there are, whose they are, and where they lie.

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

/// Everything kept under one state directory. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dirs: StoreDirs,
    access: StoreAccess,
    label: String,
    /// Not known before a lock is held.
    owner: OnceLock<String>,
    /// The lock of this server, and those of dead servers whose sessions it took over: while it holds them, no other server takes the
    /// same sessions.
    locks: Mutex<BTreeMap<String, Flock<File>>>,
    /// Where the server listens whose store this is.
    socket: OnceLock<PathBuf>,
}

impl Store {
    /// Opens the store for a server with this label, makes what is missing, and takes a lock that says the server
    /// lives. It ends with the process, and with an exec.
    ///
    /// # Errors
    /// When something cannot be made, or the store was written by a later version: it is untouched then.
    pub fn open(root: &Path, label: &str) -> Result<Self, StoreError> {
        let (owner, lock) = furnish(root, label)?;
        let store = Self::with(root, StoreAccess::write(), label);
        store.has_lock(owner, lock);
        Ok(store)
    }

    /// The same for a server that starts whatever the disk is like: if the store cannot be opened for a reason that may pass,
    /// it is one that nothing can be written to before [`Store::make_ready`] has succeeded. What can be read of it can be read.
    ///
    /// # Errors
    /// When that will not pass: the store was written by a later version, and is untouched.
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

    /// Writes down where its server listens, so that a client finds it when its socket is gone.
    pub fn serves_at(&self, socket: &Path) {
        let _ = self.0.socket.set(socket.to_owned());
        self.sign_place();
    }

    fn sign_place(&self) {
        let locks = self.0.locks.lock().unwrap_or_else(PoisonError::into_inner);
        let lock = self.0.owner.get().and_then(|owner| locks.get(owner));
        if let Some((lock, socket)) = lock.zip(self.0.socket.get()) {
            // As the rest of the signature: where nothing can be written, the lock alone must do.
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
    /// When it still cannot be.
    pub fn make_ready(&self) -> Result<(), StoreError> {
        if self.waits_because().is_none() {
            return Ok(());
        }
        let (owner, lock) = furnish(self.root(), &self.0.label)?;
        self.has_lock(owner, lock);
        self.0.access.admit();
        Ok(())
    }

    /// Opens the store to look at: nothing is made, locked, moved or cut, and the sessions of all servers are seen.
    ///
    /// # Errors
    /// When the store was written by a later version, or cannot be read.
    pub fn look(root: &Path) -> Result<Self, StoreError> {
        version::refuse_newer(root)?;
        Ok(Self::with(root, StoreAccess::Look, ""))
    }

    /// What is wrong with the file that says the store's version. Nothing depends on it: every file says its own.
    #[must_use]
    pub fn inspect_version(&self) -> Option<StoreError> {
        version::read(self.root()).err()
    }

    /// The name under which this server owns sessions, e.g. `default` or `default.2`; empty when only looking.
    #[must_use]
    pub fn owner(&self) -> &str {
        self.0.owner.get().map_or("", String::as_str)
    }

    /// The label this server was opened with; empty when only looking.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.0.label
    }

    /// The state directory.
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

    /// Writes what is to be known of a session; the file before it stays as `session.json.old`. This server's label and
    /// owner are added to the body, which makes the session its own.
    ///
    /// # Errors
    /// When the body is not an object, or cannot be written; the file before it is untouched then.
    pub fn write_session(&self, id: StoreId, body: &impl Serialize) -> Result<(), StoreError> {
        let unsynced = self.write_session_unsynced(id, body)?;
        unsynced.sync()?;
        let dir = unsynced.dir().map(PathBuf::from);
        unsynced.finish()?;
        dir.as_deref().map_or(Ok(()), disk::sync_dir)
    }

    /// The same for a session that is finished together with others.
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

    /// Writes the description of a session without waiting for the disk: it is safe from the death of every process, but not from a
    /// power cut before it is written again.
    ///
    /// # Errors
    /// As for [`Store::write_session`].
    pub fn put_session(&self, id: StoreId, body: &impl Serialize) -> Result<(), StoreError> {
        let (path, bytes) = self.session_bytes(id, body)?;
        disk::make_dir(&path)?;
        disk::put(&path, SESSION, &bytes)
    }

    /// Makes the description of a session that is in its place survive a power cut, but for the directory's entry; that directory.
    ///
    /// # Errors
    /// When it is not there, or the disk does not say that it is safe.
    pub fn sync_session(&self, id: StoreId) -> Result<PathBuf, StoreError> {
        let dir = self.0.dirs.of(id);
        let path = dir.join(SESSION);
        self.0.dirs.refuse_links(&dir)?;
        let file = disk::open(&path)?.ok_or(StoreError::Unknown(id))?;
        file.sync_all().map_err(StoreError::io("sync", &path))?;
        Ok(dir)
    }

    /// Notes down that an open session is closed, without waiting for the disk: a server that takes it up archives it. Nothing happens if
    /// the session is archived already, or was never written.
    ///
    /// # Errors
    /// When it cannot be noted.
    pub fn mark_closed(&self, id: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        let dir = self.0.dirs.open(id);
        self.0.dirs.refuse_links(&dir)?;
        match disk::put(&dir, CLOSED, &[]) {
            Err(_) if !disk::is_dir(&dir) => Ok(()),
            done => done,
        }
    }

    /// Takes that note back: the session is open again.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn unmark_closed(&self, id: StoreId) -> Result<(), StoreError> {
        let dir = self.0.dirs.open(id);
        self.0.dirs.refuse_links(&dir)?;
        disk::remove_if_there(&dir.join(CLOSED))
    }

    /// Whether a session that is not in the archive was closed.
    fn is_marked_closed(&self, id: StoreId) -> bool {
        self.0.dirs.open(id).join(CLOSED).exists()
    }

    /// Where a session's description is, and what is to be in it.
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

    /// Whether an open session's description was ever written. A thread that replaces it at this moment may have moved the one before
    /// away, and not put the new one in its place yet.
    #[must_use]
    pub fn is_described(&self, id: StoreId) -> bool {
        let dir = self.0.dirs.open(id);
        dir.join(SESSION).exists() || dir.join(disk::old_name(SESSION)).exists()
    }

    /// The directory of one pane of a session, archived or not. It need not be there yet.
    #[must_use]
    pub fn pane(&self, session: StoreId, pane: StoreId) -> PaneDir {
        self.pane_in(&self.0.dirs.of(session), session, pane)
    }

    /// The same for a session that is known to be open, which saves looking for it.
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

    /// The open session in whose directory a pane is: the one that is believed to have it, unless it is in that of another.
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

    /// Whether a pane is in the archive, in whichever session's directory. All of the archive is looked through.
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

    /// Moves a pane to another session, made if need be. Open files stay valid. One that is not there needs no moving: it was moved
    /// before, or the user has removed its files.
    ///
    /// # Errors
    /// When the pane cannot be moved.
    pub fn move_pane(&self, from: StoreId, to: StoreId, pane: StoreId) -> Result<(), StoreError> {
        self.rename_pane(from, to, pane)?;
        self.sync_move(from, to)
    }

    /// The same without waiting for the disk: [`Store::sync_move`] does.
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
            // What was set aside of it goes with it, so that it is forgotten with it.
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

    /// Waits until panes that were moved between two sessions are found there after a power cut, too.
    ///
    /// # Errors
    /// When the disk does not say so.
    pub fn sync_move(&self, from: StoreId, to: StoreId) -> Result<(), StoreError> {
        for id in [to, from] {
            let path = self.0.dirs.of(id);
            if self.0.dirs.has(&path) {
                disk::sync_dir(&path)?;
            }
        }
        Ok(())
    }

    /// Removes a pane with all that is kept of it.
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

    /// Puts a session into the archive of the month.
    ///
    /// # Errors
    /// When it is not kept, or cannot be moved.
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

    /// Puts one pane into the archive as a session of its own.
    ///
    /// # Errors
    /// When it is not there, or cannot be moved.
    pub fn archive_pane_as(
        &self,
        from: StoreId,
        pane: StoreId,
        session: StoreId,
        body: &impl Serialize,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        self.write_session(session, body)?;
        // It is there if this was tried before.
        if !self
            .0
            .dirs
            .has(&self.0.dirs.of(session).join(pane.to_string()))
        {
            self.move_pane(from, session, pane)?;
        }
        self.archive(session, now_ms)
    }

    /// Takes a session out of the archive.
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

    /// Takes a session out of everybody's sight, open or archived: [`Store::forget`] deletes it, or the next server.
    ///
    /// # Errors
    /// When that cannot be done: it is where it was then. One that was never written is out of sight.
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

    /// Deletes a session for good: open, archived or hidden, and what was set aside of it.
    ///
    /// # Errors
    /// When it is not kept, or cannot be removed.
    pub fn forget(&self, id: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        // A link in the place of a session's directory is removed as such, and what it leads to stays.
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

    /// Whether a session of this owner is ours to take. From then on it is: its lock is held with ours.
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
            // Where nothing can be locked, no other server works either, and a session must not be lost for it.
            Err(_) => true,
        }
    }

    /// Bytes on disk of a session, what was set aside of it included.
    #[must_use]
    pub fn disk_use(&self, id: StoreId) -> u64 {
        disk::tree_size(&self.0.dirs.of(id)) + disk::tree_size(&self.0.dirs.quarantine(id))
    }

    /// Bytes of room left on the disk.
    ///
    /// # Errors
    /// When the system does not say.
    #[allow(
        clippy::useless_conversion,
        reason = "the width of these numbers differs between systems"
    )]
    pub fn room(&self) -> io::Result<u64> {
        let stat = nix::sys::statvfs::statvfs(self.root())?;
        Ok(u64::from(stat.blocks_available()).saturating_mul(u64::from(stat.fragment_size())))
    }
}

/// Nothing is put in the place of a description that a later version wrote.
fn refuse_newer(path: &Path) -> Result<(), StoreError> {
    let Ok(Some(bytes)) = disk::read(path, envelope::MAX_FILE) else {
        return Ok(());
    };
    match envelope::decode_text(&bytes) {
        Err(why @ FormatError::Newer { .. }) => Err(StoreError::format(path, why)),
        _ => Ok(()),
    }
}

/// Makes what is missing in a state directory, and takes a lock there.
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
        // Every file says its own version too, so what this one said can be done without.
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
