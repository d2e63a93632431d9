//! The store as a whole: which sessions there are, whose they are, and where they lie.

pub(crate) mod buffers;
pub(crate) mod expire;
pub(crate) mod lock;
pub(crate) mod sweep;
pub(crate) mod taking_up;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nix::fcntl::Flock;
use serde_json::Value;

use crate::dir::make_state_dir;
use crate::disk::{self, Fresh, Previous};
use crate::error::StoreError;
use crate::format::{FormatError, session};
use crate::id::StoreId;
use crate::pane::{Access, PaneDir};
use crate::quarantine;
use crate::together::Unsynced;
use sweep::{KeptSession, Sweep};
use taking_up::{TakenSession, TakingUp};

pub(crate) const SESSIONS: &str = "sessions";
pub(crate) const ARCHIVE: &str = "archive";
pub(crate) const QUARANTINE: &str = "quarantine";
const SERVERS: &str = "servers";
const STORE: &str = "store.json";
pub(crate) const SESSION: &str = "session.json";
/// Stands beside the description of a session that was closed and is not in the archive yet.
const CLOSED: &str = "closed";

/// Everything kept under one state directory. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    root: PathBuf,
    access: Access,
    label: String,
    /// Not known before a lock is held.
    owner: OnceLock<String>,
    /// The lock that says we live, and those of the dead whose sessions we took over: while we hold them nobody else
    /// takes the same sessions.
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
        let store = Self::with(root, Access::write(), label);
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
                let access = Access::waiting(error.to_string());
                Ok(Self::with(root, access, label))
            }
            opened => opened,
        }
    }

    fn with(root: &Path, access: Access, label: &str) -> Self {
        Self(Arc::new(Inner {
            root: root.to_owned(),
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
        let (owner, lock) = furnish(&self.0.root, &self.0.label)?;
        self.has_lock(owner, lock);
        self.0.access.admit();
        Ok(())
    }

    /// Opens the store to look at: nothing is made, locked, moved or cut, and all sessions are seen, whoever's they are.
    ///
    /// # Errors
    /// When the store was written by a later version, or cannot be read.
    pub fn look(root: &Path) -> Result<Self, StoreError> {
        // A broken one is for the next server to mend.
        if let Err(error @ (StoreError::Newer { .. } | StoreError::Io { .. })) = read_version(root)
        {
            return Err(error);
        }
        Ok(Self::with(root, Access::Look, ""))
    }

    /// What is wrong with the file that says the store's version. Nothing depends on it: every file says its own.
    #[must_use]
    pub fn inspect_version(&self) -> Option<StoreError> {
        read_version(&self.0.root).err()
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
        &self.0.root
    }

    fn check_writable(&self) -> Result<(), StoreError> {
        self.0.access.check_writable()
    }

    fn open_path(&self, id: StoreId) -> PathBuf {
        self.0.root.join(SESSIONS).join(id.to_string())
    }

    fn quarantine_path(&self, id: StoreId) -> PathBuf {
        self.0.root.join(QUARANTINE).join(id.to_string())
    }

    /// Where a session may be in the archive.
    fn archive_paths(&self, id: StoreId) -> Result<Vec<PathBuf>, StoreError> {
        let archive = self.0.root.join(ARCHIVE);
        let months = self.names(&archive)?.into_iter();
        let months = months.filter(|month| month.is_dir);
        let months = months.map(|month| archive.join(month.name));
        Ok(months.map(|month| month.join(id.to_string())).collect())
    }

    /// Whether a directory of the store is there, and is no link to one or reached through one.
    fn has_dir(&self, path: &Path) -> bool {
        disk::is_dir(path) && self.refuse_links(path).is_ok()
    }

    fn refuse_links(&self, path: &Path) -> Result<(), StoreError> {
        disk::refuse_links(&self.0.root, path)
    }

    /// The names in a directory of the store, none if it is not there.
    fn names(&self, path: &Path) -> Result<Vec<disk::Named>, StoreError> {
        disk::names(&self.0.root, path)
    }

    /// The directory of an archived session.
    fn archived_path(&self, id: StoreId) -> Option<PathBuf> {
        let paths = self.archive_paths(id).ok()?;
        paths.into_iter().find(|path| self.has_dir(path))
    }

    /// Whether a session is in the archive.
    #[must_use]
    pub fn is_archived(&self, id: StoreId) -> bool {
        !self.has_dir(&self.open_path(id)) && self.archived_path(id).is_some()
    }

    /// Where a session is, archived or not; where it would be made if it is nowhere.
    fn path_of(&self, id: StoreId) -> PathBuf {
        let open = self.open_path(id);
        if self.has_dir(&open) {
            return open;
        }
        self.archived_path(id).unwrap_or(open)
    }

    /// Reads one session, archived or not.
    ///
    /// # Errors
    /// When it is not kept, cannot be read, or was written by a later version.
    pub fn read_session(&self, id: StoreId) -> Result<KeptSession, StoreError> {
        sweep::read_session(self, id, &self.path_of(id), &mut Sweep::default())
    }

    /// Writes what is to be known of a session; the file before it stays as `session.json.old`. This server's label and
    /// owner are added to the body, which makes the session its own.
    ///
    /// # Errors
    /// When the body is not an object, or cannot be written; the file before it is untouched then.
    pub fn write_session(&self, id: StoreId, body: &Value) -> Result<(), StoreError> {
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
        body: &Value,
    ) -> Result<Unsynced, StoreError> {
        let (path, bytes) = self.session_bytes(id, body)?;
        if !disk::is_dir(&path) {
            disk::make_dir(&path)?;
            disk::sync_dir(&self.0.root.join(SESSIONS))?;
        }
        Fresh::write(&path, SESSION, bytes, Previous::Keep).map(Unsynced::file)
    }

    /// Writes the description of a session without waiting for the disk: it is safe from the death of every process, but not from a
    /// power cut before it is written again.
    ///
    /// # Errors
    /// As for [`Store::write_session`].
    pub fn put_session(&self, id: StoreId, body: &Value) -> Result<(), StoreError> {
        let (path, bytes) = self.session_bytes(id, body)?;
        disk::make_dir(&path)?;
        disk::put(&path, SESSION, &bytes)
    }

    /// Makes the description of a session that is in its place survive a power cut, but for the directory's entry; that directory.
    ///
    /// # Errors
    /// When it is not there, or the disk does not say that it is safe.
    pub fn sync_session(&self, id: StoreId) -> Result<PathBuf, StoreError> {
        let dir = self.path_of(id);
        let path = dir.join(SESSION);
        self.refuse_links(&dir)?;
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
        let dir = self.open_path(id);
        self.refuse_links(&dir)?;
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
        let dir = self.open_path(id);
        self.refuse_links(&dir)?;
        disk::remove_if_there(&dir.join(CLOSED))
    }

    /// Whether a session that is not in the archive was closed.
    fn is_marked_closed(&self, id: StoreId) -> bool {
        self.open_path(id).join(CLOSED).exists()
    }

    /// Where a session's description is, and what is to be in it.
    fn session_bytes(&self, id: StoreId, body: &Value) -> Result<(PathBuf, Vec<u8>), StoreError> {
        self.check_writable()?;
        let Value::Object(fields) = body else {
            return Err(StoreError::Body(id));
        };
        let mut fields = fields.clone();
        fields.insert("label".to_owned(), self.0.label.clone().into());
        fields.insert("owner".to_owned(), self.owner().to_owned().into());
        let bytes = session::encode(&Value::Object(fields));
        let path = self.path_of(id);
        self.refuse_links(&path)?;
        refuse_newer(&path.join(SESSION))?;
        if bytes.len() as u64 > session::MAX_FILE {
            return Err(StoreError::TooLarge {
                path: path.join(SESSION),
                size: bytes.len() as u64,
                limit: session::MAX_FILE,
            });
        }
        Ok((path, bytes))
    }

    /// Whether an open session's description was ever written. A thread that replaces it at this moment may have moved the one before
    /// away, and not put the new one in its place yet.
    #[must_use]
    pub fn is_described(&self, id: StoreId) -> bool {
        let dir = self.open_path(id);
        dir.join(SESSION).exists() || dir.join(disk::old_name(SESSION)).exists()
    }

    /// The directory of one pane of a session, archived or not. It need not be there yet.
    #[must_use]
    pub fn pane(&self, session: StoreId, pane: StoreId) -> PaneDir {
        self.pane_in(&self.path_of(session), session, pane)
    }

    /// The same for a session that is known not to be archived: nobody has to look where it is.
    #[must_use]
    pub fn open_pane(&self, session: StoreId, pane: StoreId) -> PaneDir {
        self.pane_in(&self.open_path(session), session, pane)
    }

    fn pane_in(&self, dir: &Path, session: StoreId, pane: StoreId) -> PaneDir {
        let pane = pane.to_string();
        let quarantine = self.quarantine_path(session).join(&pane);
        let access = self.0.access.clone();
        PaneDir::new(&self.0.root, dir.join(&pane), quarantine, access)
    }

    /// The open session in whose directory a pane is: the one that is believed to have it, unless it is in that of another.
    #[must_use]
    pub fn home_of(&self, believed: StoreId, pane: StoreId) -> StoreId {
        let name = pane.to_string();
        if self.has_dir(&self.open_path(believed).join(&name)) {
            return believed;
        }
        let sessions = self.names(&self.0.root.join(SESSIONS));
        let sessions = sessions.unwrap_or_default().into_iter();
        let mut ids = sessions.filter_map(|entry| entry.name.parse().ok());
        let found = ids.find(|id| self.has_dir(&self.open_path(*id).join(&name)));
        found.unwrap_or(believed)
    }

    /// Whether a pane is in the archive, in whichever session's directory. All of the archive is looked through.
    #[must_use]
    pub fn is_pane_archived(&self, pane: StoreId) -> bool {
        let names = |path: &Path| self.names(path).unwrap_or_default();
        let archive = self.0.root.join(ARCHIVE);
        names(&archive).iter().any(|month| {
            let month = archive.join(&month.name);
            let sessions = names(&month).into_iter();
            let mut panes = sessions.map(|it| month.join(it.name).join(pane.to_string()));
            panes.any(|path| self.has_dir(&path))
        })
    }

    /// Moves a pane to another session, made if need be. Open files stay valid. One that is not there needs no moving: it was moved
    /// before, or somebody has removed its files.
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
            (self.path_of(from), self.path_of(to)),
            // What was set aside of it goes with it, so that it is forgotten with it.
            (self.quarantine_path(from), self.quarantine_path(to)),
        ];
        for (from, to) in moves {
            if self.has_dir(&from.join(&pane)) {
                self.refuse_links(&to)?;
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
            let path = self.path_of(id);
            if self.has_dir(&path) {
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
        let aside = self.quarantine_path(session);
        self.refuse_links(&aside)?;
        disk::remove_tree(&aside.join(pane.to_string())).map(drop)
    }

    /// Puts a session into the archive of the month.
    ///
    /// # Errors
    /// When it is not kept, or cannot be moved.
    pub fn archive(&self, id: StoreId, now_ms: u64) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.open_path(id);
        match (self.has_dir(&path), self.archived_path(id)) {
            (false, Some(_)) => Ok(()),
            (false, None) => Err(StoreError::Unknown(id)),
            (true, Some(_)) => Err(StoreError::Twice(id)),
            (true, None) => {
                let month = self.0.root.join(ARCHIVE).join(month(now_ms));
                let archived = month.join(id.to_string());
                self.refuse_links(&month)?;
                disk::move_dir(&path, &archived)?;
                disk::remove_if_there(&archived.join(CLOSED))?;
                disk::sync_dir(&self.0.root.join(ARCHIVE))
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
        body: &Value,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        self.write_session(session, body)?;
        // It is there if this was tried before.
        if !self.has_dir(&self.path_of(session).join(pane.to_string())) {
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
        let open = self.open_path(id);
        match (self.has_dir(&open), self.archived_path(id)) {
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
        self.refuse_links(&self.0.root.join(SESSIONS))?;
        let mut places: Vec<_> = self.archived_path(id).into_iter().collect();
        places.push(self.open_path(id));
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
            self.refuse_links(&self.0.root.join(name))?;
        }
        let mut was_kept = disk::remove_tree(&self.open_path(id))?;
        was_kept |= disk::remove_tree(&self.quarantine_path(id))?;
        for place in self.archive_paths(id)? {
            was_kept |= disk::remove_tree(&place)?;
        }
        match was_kept {
            true => Ok(()),
            false => Err(StoreError::Unknown(id)),
        }
    }

    /// The open sessions of this server's label that are its own or whose owner lives no more. When only looking: all.
    #[must_use]
    pub fn sessions(&self) -> Sweep {
        sweep::open_sessions(self)
    }

    /// The same as [`Self::sessions`], for a server that starts: faster, each in turn with what `read` makes of its description on
    /// some other thread. That is JSON text, label and owner among it.
    pub fn take_up<T: Send>(
        &self,
        read: impl Fn(&str) -> T + Sync,
        each: impl FnMut(TakenSession<T>),
    ) -> TakingUp {
        taking_up::run(self, read, each)
    }

    /// The archived sessions of this server's label. When only looking: all.
    #[must_use]
    pub fn archived(&self) -> Sweep {
        sweep::archived_sessions(self)
    }

    /// Whether a session of this owner is ours to take. From then on it is: its lock is held with ours.
    fn is_ours(&self, owner: &str) -> bool {
        let mut locks = self.0.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if locks.contains_key(owner) || !lock::is_owner(owner) {
            return true;
        }
        let servers = self.0.root.join(SERVERS);
        let claimed = self.refuse_links(&servers);
        match claimed.and_then(|()| lock::claim(&servers, owner)) {
            Ok(Some(lock)) => {
                locks.insert(owner.to_owned(), lock);
                true
            }
            Ok(None) => false,
            // Where nothing can be locked nobody else is at work either, and a session must not be lost over it.
            Err(_) => true,
        }
    }

    /// Bytes on disk of a session, what was set aside of it included.
    #[must_use]
    pub fn disk_use(&self, id: StoreId) -> u64 {
        disk::tree_size(&self.path_of(id)) + disk::tree_size(&self.quarantine_path(id))
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
        let stat = nix::sys::statvfs::statvfs(&self.0.root)?;
        Ok(u64::from(stat.blocks_available()).saturating_mul(u64::from(stat.fragment_size())))
    }
}

/// Nothing is put in the place of a description that a later version wrote.
fn refuse_newer(path: &Path) -> Result<(), StoreError> {
    let Ok(Some(bytes)) = disk::read(path, session::MAX_FILE) else {
        return Ok(());
    };
    match session::decode_text(&bytes) {
        Err(why @ FormatError::Newer { .. }) => Err(StoreError::format(path, why)),
        _ => Ok(()),
    }
}

/// Makes what is missing in a state directory, and takes a lock there.
fn furnish(root: &Path, label: &str) -> Result<(String, Flock<File>), StoreError> {
    let found = read_version(root);
    if let Err(error @ (StoreError::Newer { .. } | StoreError::Io { .. })) = found {
        return Err(error);
    }
    make_state_dir(root).map_err(StoreError::io("make the directory", root))?;
    for name in [SESSIONS, ARCHIVE, QUARANTINE, SERVERS, buffers::BUFFERS] {
        disk::refuse_links(root, &root.join(name))?;
    }
    for name in [SESSIONS, ARCHIVE, QUARANTINE, SERVERS] {
        disk::make_dir(&root.join(name))?;
    }
    // Whoever cannot look into these would take what is there for nothing, and go on without it.
    for name in [SESSIONS, buffers::BUFFERS] {
        disk::check_open(&root.join(name))?;
    }
    match found {
        Ok(Some(_)) => {}
        Ok(None) => write_version(root)?,
        // Every file says its own version too, so what this one said can be done without.
        Err(_) => {
            quarantine::put(root, &root.join(STORE), &root.join(QUARANTINE))?;
            write_version(root)?;
        }
    }
    lock::take(&root.join(SERVERS), label)
}

fn read_version(root: &Path) -> Result<Option<u32>, StoreError> {
    let path = root.join(STORE);
    let Some(bytes) = disk::read(&path, 1 << 16)? else {
        return Ok(None);
    };
    session::decode_store(&bytes)
        .map(Some)
        .map_err(|why| StoreError::format(&path, why))
}

/// Nobody waits for the disk here: a store whose version a power cut took away is as good as one with it.
fn write_version(root: &Path) -> Result<(), StoreError> {
    disk::put(root, STORE, &session::encode_store())
}

/// The month of the archive, e.g. `2026-11`.
fn month(now_ms: u64) -> String {
    let time = i64::try_from(now_ms)
        .ok()
        .and_then(|now| jiff::Timestamp::from_millisecond(now).ok())
        .unwrap_or_default();
    time.strftime("%Y-%m").to_string()
}
