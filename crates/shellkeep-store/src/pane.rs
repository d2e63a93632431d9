//! The directory of one pane.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_files::Refused;

use crate::catalogue::FileStamp;
use crate::disk::{self, Fresh, Previous};
use crate::error::StoreError;
use crate::format::journal::Record;
use crate::format::screen::{self, Checkpoint};
use crate::format::sealed::{self, Kind};
use crate::format::{FormatError, HEADER};
use crate::journal::generation_of;
use crate::quarantine;
use crate::recording;
use crate::recovery::{Damage, FIRST_JOURNAL, Recovery};
use crate::schema::StoredStart;
use crate::together::Unsynced;

pub(crate) const SCREEN: &str = "screen";
pub(crate) const HISTORY: &str = "history";

/// Whether anything may be changed. Clones say the same at any time.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    /// Yes; but as long as something stands here it is why that must wait.
    Write(Arc<Mutex<Option<String>>>),
    Look,
}

impl Access {
    /// Everything may be changed at once.
    pub(crate) fn write() -> Self {
        Self::Write(Arc::default())
    }

    /// Everything may be changed later, when [`Access::admit`] was called.
    pub(crate) fn waiting(why: String) -> Self {
        Self::Write(Arc::new(Mutex::new(Some(why))))
    }

    /// From now on everything may be changed.
    pub(crate) fn admit(&self) {
        if let Self::Write(why) = self {
            *why.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    pub(crate) fn is_look(&self) -> bool {
        matches!(self, Self::Look)
    }

    pub(crate) fn check_writable(&self) -> Result<(), StoreError> {
        match self {
            Self::Look => Err(StoreError::LookOnly),
            Self::Write(why) => {
                let why = why.lock().unwrap_or_else(PoisonError::into_inner);
                why.clone()
                    .map_or(Ok(()), |why| Err(StoreError::Waiting(why)))
            }
        }
    }
}

/// The directory of one pane: a path, so that a new one is needed after the pane was moved.
#[derive(Clone, Debug)]
pub struct PaneDir(Arc<Place>);

#[derive(Debug)]
struct Place {
    /// The state directory.
    root: PathBuf,
    path: PathBuf,
    quarantine: PathBuf,
    access: Access,
}

impl PaneDir {
    pub(crate) fn new(root: &Path, path: PathBuf, quarantine: PathBuf, access: Access) -> Self {
        Self(Arc::new(Place {
            root: root.to_owned(),
            path,
            quarantine,
            access,
        }))
    }

    /// The same directory, to look at: nothing in it is made, moved or cut.
    #[must_use]
    pub fn only_look(&self) -> Self {
        let place = &self.0;
        let (path, quarantine) = (place.path.clone(), place.quarantine.clone());
        Self::new(&place.root, path, quarantine, Access::Look)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Whether it is there; a link in its place is not it.
    #[must_use]
    pub fn is_there(&self) -> bool {
        disk::is_dir(self.path())
    }

    /// Refuses the directory if it is a link, or is reached through one.
    pub(crate) fn refuse_links(&self) -> Result<(), StoreError> {
        self.refuse_links_to(self.path())
    }

    /// The same for something in the directory.
    pub(crate) fn refuse_links_to(&self, path: &Path) -> Result<(), StoreError> {
        disk::refuse_links(&self.0.root, path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path.join(name)
    }

    pub(crate) fn journal_path(&self, generation: u64) -> PathBuf {
        self.file(&format!("journal.{generation}"))
    }

    /// A journal that only the checkpoint before the newest one needs.
    pub(crate) fn old_journal_path(&self, generation: u64) -> PathBuf {
        self.file(&disk::old_name(&format!("journal.{generation}")))
    }

    pub(crate) fn may_write(&self) -> bool {
        self.check_writable().is_ok()
    }

    pub(crate) fn check_writable(&self) -> Result<(), StoreError> {
        self.0.access.check_writable()?;
        self.refuse_links()
    }

    /// Makes the directory; a link in its place is set aside. It is safe from a power cut with [`PaneDir::write_start`].
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(&self) -> Result<(), StoreError> {
        self.set_link_aside()?;
        self.check_writable()?;
        disk::make_dir(self.path())
    }

    /// Writes a checkpoint and reads it back; the one before it stays as `screen.old`, and may be the one that is found after a
    /// power cut until [`PaneDir::settle`].
    ///
    /// # Errors
    /// When it cannot be written. The one before it is untouched then.
    pub fn write_screen(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        let unsynced = self.write_screen_unsynced(checkpoint)?;
        unsynced.sync()?;
        unsynced.finish()
    }

    /// The same for a checkpoint that is finished together with others.
    ///
    /// # Errors
    /// When it cannot be written. The one before it is untouched then.
    pub fn write_screen_unsynced(&self, checkpoint: &Checkpoint) -> Result<Unsynced, StoreError> {
        self.check_writable()?;
        self.refuse_newer(SCREEN, screen::check_header)?;
        let bytes =
            screen::encode(checkpoint).map_err(StoreError::io("pack", &self.file(SCREEN)))?;
        Fresh::write(self.path(), SCREEN, bytes, Previous::Keep).map(Unsynced::file)
    }

    /// Reads all that is kept of the pane: the newest good checkpoint and what follows it. What is broken is set
    /// aside and noted, and so is a link in place of the directory: what it leads to is not ours to read or write.
    ///
    /// # Errors
    /// When something cannot be read, or was written by a later version.
    pub fn load(&self) -> Result<Recovery, StoreError> {
        let link = self.set_link_aside()?;
        let mut recovery = Recovery::of(self)?;
        recovery.damage.extend(link);
        Ok(recovery)
    }

    /// Moves a link that lies in the place of the directory to the quarantine, if anything may be written, and makes the directory.
    fn set_link_aside(&self) -> Result<Option<Damage>, StoreError> {
        let path = self.path();
        let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
        if !is_link || self.0.access.check_writable().is_err() {
            return Ok(None);
        }
        disk::refuse_links(&self.0.root, path.parent().unwrap_or(path))?;
        let kept_at = self.set_aside(path)?;
        disk::make_dir(path)?;
        Ok(Some(Damage::new(
            path,
            Refused::Link.to_string(),
            Some(kept_at),
        )))
    }

    /// Only the newest good checkpoint, e.g. for its facts; nothing is set aside, cut or made.
    ///
    /// # Errors
    /// When it cannot be read, or was written by a later version.
    pub fn read_screen(&self) -> Result<Option<Checkpoint>, StoreError> {
        match self.read_checkpoint(SCREEN) {
            Ok(None) | Err(StoreError::Broken { .. }) => {
                self.read_checkpoint(&disk::old_name(SCREEN))
            }
            other => other,
        }
    }

    pub(crate) fn read_checkpoint(&self, name: &str) -> Result<Option<Checkpoint>, StoreError> {
        self.refuse_links()?;
        let path = self.file(name);
        let Some(bytes) = disk::read(&path, screen::MAX_FILE)? else {
            return Ok(None);
        };
        screen::decode(&bytes)
            .map(Some)
            .map_err(|why| StoreError::format(&path, why))
    }

    /// The generations of the journals that are there, in order, without those that only the checkpoint before the newest one needs.
    pub(crate) fn journals(&self) -> Result<Vec<u64>, StoreError> {
        self.generations(generation_of)
    }

    /// The generations of the journals that only the checkpoint before the newest one needs, in order.
    pub(crate) fn old_journals(&self) -> Result<Vec<u64>, StoreError> {
        self.generations(|name| generation_of(name.strip_suffix(".old")?))
    }

    /// The names in a directory that is this one or below it.
    pub(crate) fn names(&self, path: &Path) -> Result<Vec<disk::Named>, StoreError> {
        disk::names(&self.0.root, path)
    }

    fn generations(&self, of: impl Fn(&str) -> Option<u64>) -> Result<Vec<u64>, StoreError> {
        let names = self.names(self.path())?;
        let mut generations: Vec<_> = names.iter().filter_map(|entry| of(&entry.name)).collect();
        generations.sort_unstable();
        Ok(generations)
    }

    /// Waits until a checkpoint will be found after a power cut too, and removes the journals that neither it nor the one before it needs.
    /// Journals that it has made needless go into the recording, as far as it may take `record_limit` bytes.
    ///
    /// # Errors
    /// When the disk does not say so, or one cannot be removed.
    pub fn settle(&self, generation: u64, record_limit: u64) -> Result<(), StoreError> {
        self.check_writable()?;
        disk::sync_dir(self.path())?;
        self.remove_journals_before(generation, record_limit)
    }

    /// Removes the journals that a checkpoint has made needless. It must be such that a power cut does not undo it. Those since the
    /// checkpoint before it stay under another name: if the newest file is damaged, they and the older one give all that was shown.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn remove_journals_before(
        &self,
        generation: u64,
        record_limit: u64,
    ) -> Result<(), StoreError> {
        self.check_writable()?;
        let previous = self.previous_journal();
        let is_needed = |old: u64| previous.is_some_and(|first| old >= first);
        let remove =
            |path: &Path| std::fs::remove_file(path).map_err(StoreError::io("remove", path));
        for old in self.old_journals()? {
            if !is_needed(old) {
                remove(&self.old_journal_path(old))?;
            }
        }
        for old in self.journals()? {
            if old < generation {
                let path = self.journal_path(old);
                if record_limit > 0 {
                    // Nobody is refused a checkpoint because there is no room for what only a replay would show.
                    let _ = recording::add(self, old);
                }
                if is_needed(old) {
                    let renamed = std::fs::rename(&path, self.old_journal_path(old));
                    renamed.map_err(StoreError::io("rename", &path))?;
                } else {
                    remove(&path)?;
                }
            }
        }
        recording::trim(self, record_limit)
    }

    /// The journal that goes on from the checkpoint before the newest one, or from the beginning if there is one checkpoint only.
    fn previous_journal(&self) -> Option<u64> {
        let mut bytes = [0; screen::PEEK];
        let file = disk::open(&self.file(&disk::old_name(SCREEN))).ok()?;
        let Some(mut file) = file else {
            return Some(FIRST_JOURNAL);
        };
        file.read_exact(&mut bytes).ok()?;
        screen::peek_journal(&bytes)
    }

    /// Which journals are in the recording, in order. They are numbered as they were written.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn recording(&self) -> Result<Vec<u64>, StoreError> {
        recording::parts(self)
    }

    /// Gives the records of one journal out of the recording, in order; of damaged ones those before the damage.
    ///
    /// # Errors
    /// When it cannot be read, is broken, or was written by a later version.
    pub fn read_recording(
        &self,
        generation: u64,
        each: impl FnMut(Record<'_>),
    ) -> Result<(), StoreError> {
        recording::read(self, generation, each)
    }

    /// Removes one journal of which nothing is wanted.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_journal(&self, generation: u64) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.journal_path(generation);
        std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))
    }

    /// Keeps how the pane's program was started: its arguments, directory and environment. The pane itself is safe from a
    /// power cut then, too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_start(&self, start: &StoredStart) -> Result<(), StoreError> {
        self.write_sealed(&sealed::START, &start.to_bytes())?;
        self.dirs_above()
            .iter()
            .skip(1)
            .try_for_each(|dir| disk::sync_dir(dir))
    }

    /// The same for a pane that is finished together with others. Then [`PaneDir::dirs_above`] are to be synced.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_start_unsynced(&self, start: &StoredStart) -> Result<Unsynced, StoreError> {
        let bytes = self.seal(&sealed::START, &start.to_bytes())?;
        let fresh = Fresh::write(self.path(), sealed::START.name, bytes, Previous::Drop);
        fresh.map(Unsynced::file)
    }

    /// The pane's directory, the session's, that of the sessions and the store: any of them may be as new as the pane.
    #[must_use]
    pub fn dirs_above(&self) -> Vec<PathBuf> {
        self.path().ancestors().take(4).map(PathBuf::from).collect()
    }

    /// The same without waiting for the disk: safe from the death of every process, but not from a power cut.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_start(&self, start: &StoredStart) -> Result<(), StoreError> {
        let bytes = self.seal(&sealed::START, &start.to_bytes())?;
        disk::put(self.path(), sealed::START.name, &bytes)
    }

    /// How the pane's program was started, if that is kept.
    ///
    /// # Errors
    /// When it cannot be read, is broken (it is set aside then), or was written by a later version.
    pub fn read_start(&self) -> Result<Option<StoredStart>, StoreError> {
        let Some(bytes) = self.read_sealed(&sealed::START)? else {
            return Ok(None);
        };
        let path = self.file(sealed::START.name);
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|_| StoreError::format(&path, FormatError::Value("JSON text")))
    }

    /// Keeps the captured state of the pane's shell.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_shell(&self, state: &[u8]) -> Result<(), StoreError> {
        self.write_sealed(&sealed::SHELL, state)
    }

    /// The same for a state that is finished together with others.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_shell_unsynced(&self, state: &[u8]) -> Result<Unsynced, StoreError> {
        let bytes = self.seal(&sealed::SHELL, state)?;
        let fresh = Fresh::write(self.path(), sealed::SHELL.name, bytes, Previous::Drop);
        fresh.map(Unsynced::file)
    }

    /// The captured state of the pane's shell, if there is one.
    ///
    /// # Errors
    /// When it cannot be read, is broken (it is set aside then), or was written by a later version.
    pub fn read_shell(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_sealed(&sealed::SHELL)
    }

    /// By which that state is known not to have changed; none if there is none.
    #[must_use]
    pub fn shell_stamp(&self) -> Option<FileStamp> {
        FileStamp::of(&self.file(sealed::SHELL.name)).ok()
    }

    /// Takes the captured state of the pane's shell away without waiting for the disk; [`Self::remove_shell`] is to follow.
    pub fn drop_shell(&self) {
        let newer = self.refuse_newer(sealed::SHELL.name, |bytes| {
            sealed::check_header(&sealed::SHELL, bytes)
        });
        if self.check_writable().is_ok() && newer.is_ok() {
            let _ = std::fs::remove_file(self.file(sealed::SHELL.name));
        }
    }

    /// Forgets the captured state of the pane's shell.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_shell(&self) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.file(sealed::SHELL.name);
        self.refuse_newer(sealed::SHELL.name, |bytes| {
            sealed::check_header(&sealed::SHELL, bytes)
        })?;
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StoreError::io("remove", &path)(error)),
            Ok(()) => disk::sync_dir(self.path()),
        }
    }

    /// Nothing is put in the place of a file that a later version wrote.
    fn refuse_newer(
        &self,
        name: &str,
        check: impl FnOnce(&[u8]) -> Result<(), FormatError>,
    ) -> Result<(), StoreError> {
        let path = self.file(name);
        let mut header = [0; HEADER];
        let file = disk::open(&path).ok().flatten();
        let found = file.and_then(|mut file| file.read_exact(&mut header).ok());
        match found.map(|()| check(&header)) {
            Some(Err(why @ FormatError::Newer { .. })) => Err(StoreError::format(&path, why)),
            _ => Ok(()),
        }
    }

    fn write_sealed(&self, kind: &Kind, plain: &[u8]) -> Result<(), StoreError> {
        let bytes = self.seal(kind, plain)?;
        disk::replace(self.path(), kind.name, bytes, Previous::Drop)
    }

    fn seal(&self, kind: &Kind, plain: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.check_writable()?;
        let path = self.file(kind.name);
        if plain.len() as u64 > sealed::MAX_PLAIN {
            return Err(StoreError::TooLarge {
                path,
                size: plain.len() as u64,
                limit: sealed::MAX_PLAIN,
            });
        }
        self.refuse_newer(kind.name, |bytes| sealed::check_header(kind, bytes))?;
        sealed::encode(kind, plain).map_err(StoreError::io("pack", &path))
    }

    fn read_sealed(&self, kind: &Kind) -> Result<Option<Vec<u8>>, StoreError> {
        self.refuse_links()?;
        let path = self.file(kind.name);
        let decode = |bytes: Vec<u8>| {
            let plain = sealed::decode(kind, &bytes);
            plain.map_err(|why| StoreError::format(&path, why))
        };
        let read = disk::read(&path, sealed::MAX_PLAIN + (1 << 20));
        let read = read.and_then(|bytes| bytes.map(decode).transpose());
        if self.may_write() && matches!(read, Err(StoreError::Broken { .. })) {
            self.set_aside(&path)?;
        }
        read
    }

    /// Removes the pane's directory with all that is in it.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> Result<(), StoreError> {
        // A link is removed as such, and what it leads to stays.
        self.0.access.check_writable()?;
        let above = self.path().parent().unwrap_or(self.path());
        disk::refuse_links(&self.0.root, above)?;
        disk::remove_tree(self.path()).map(drop)
    }

    /// Whether something of this name was set aside before.
    pub(crate) fn has_aside(&self, name: &str) -> bool {
        let names = disk::names(&self.0.root, &self.0.quarantine);
        let prefix = format!("{name}.");
        let mut names = names.unwrap_or_default().into_iter();
        names.any(|entry| entry.name.starts_with(&prefix))
    }

    /// Moves one of the pane's files to the quarantine.
    pub(crate) fn set_aside(&self, file: &Path) -> Result<PathBuf, StoreError> {
        quarantine::put(&self.0.root, file, &self.0.quarantine)
    }

    /// Moves all that is kept of the pane's screen to the quarantine, because it cannot be read.
    ///
    /// # Errors
    /// When something cannot be moved; what was moved already stays there.
    pub fn set_screen_aside(&self) -> Result<(), StoreError> {
        self.check_writable()?;
        let journals = self.journals()?.into_iter();
        let mut files: Vec<PathBuf> = journals.map(|each| self.journal_path(each)).collect();
        let old = self.old_journals()?.into_iter();
        files.extend(old.map(|each| self.old_journal_path(each)));
        files.extend([SCREEN, &disk::old_name(SCREEN), HISTORY].map(|name| self.file(name)));
        for file in files.iter().filter(|file| file.exists()) {
            self.set_aside(file)?;
        }
        Ok(())
    }

    /// Copies one of the pane's files to the quarantine.
    pub(crate) fn set_aside_copy(&self, file: &Path) -> Result<PathBuf, StoreError> {
        quarantine::put_copy(&self.0.root, file, &self.0.quarantine)
    }
}
