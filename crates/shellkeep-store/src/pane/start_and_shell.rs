//! How the program of a pane was started (`start`), and the captured state of its shell (`shell`).

use crate::disk::{self, Fresh, Previous};
use crate::error::StoreError;
use crate::file_stamp::FileStamp;
use crate::pane::PaneDir;
use crate::schema::StoredStart;
use crate::schema::header::FormatError;
use crate::schema::sealed::{self, Kind};
use crate::together::Unsynced;

impl PaneDir {
    /// Stores how the pane's program was started: its arguments, directory and environment. This also makes the pane's
    /// directory durable.
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

    /// As [`Self::write_start`], to be finished together with others. [`PaneDir::dirs_above`] have to be synced
    /// afterwards.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_start_unsynced(&self, start: &StoredStart) -> Result<Unsynced, StoreError> {
        let bytes = self.seal(&sealed::START, &start.to_bytes())?;
        let fresh = Fresh::write(self.path(), sealed::START.name, bytes, Previous::Drop);
        fresh.map(Unsynced::file)
    }

    /// As [`Self::write_start`] without waiting for the disk. It survives the death of every process, but not a power
    /// cut.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_start(&self, start: &StoredStart) -> Result<(), StoreError> {
        let bytes = self.seal(&sealed::START, &start.to_bytes())?;
        disk::put(self.path(), sealed::START.name, &bytes)
    }

    /// How the pane's program was started, if that is stored.
    ///
    /// # Errors
    /// When it cannot be read, is broken (then it is moved to the quarantine), or was written by a later version.
    pub fn read_start(&self) -> Result<Option<StoredStart>, StoreError> {
        let Some(bytes) = self.read_sealed(&sealed::START)? else {
            return Ok(None);
        };
        let path = self.file(sealed::START.name);
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|_| StoreError::format(&path, FormatError::Value("JSON text")))
    }

    /// Stores the captured state of the pane's shell.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_shell(&self, state: &[u8]) -> Result<(), StoreError> {
        self.write_sealed(&sealed::SHELL, state)
    }

    /// As [`Self::write_shell`], to be finished together with others.
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
    /// When it cannot be read, is broken (then it is moved to the quarantine), or was written by a later version.
    pub fn read_shell(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_sealed(&sealed::SHELL)
    }

    /// The stamp of that state, to detect changes; `None` if there is no state.
    #[must_use]
    pub fn shell_stamp(&self) -> Option<FileStamp> {
        FileStamp::of(&self.file(sealed::SHELL.name)).ok()
    }

    /// Removes the captured state of the pane's shell without waiting for the disk. [`Self::remove_shell`] has to
    /// follow.
    pub fn drop_shell(&self) {
        let newer = self.refuse_newer(sealed::SHELL.name, |bytes| {
            sealed::check_header(&sealed::SHELL, bytes)
        });
        if self.check_writable().is_ok() && newer.is_ok() {
            let _ = std::fs::remove_file(self.file(sealed::SHELL.name));
        }
    }

    /// Removes the captured state of the pane's shell.
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
}
