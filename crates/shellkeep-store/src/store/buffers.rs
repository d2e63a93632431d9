//! Paste buffers, a file each. They belong to a server and not to a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use shellkeep_files::{ANY_SIZE, Access};

use super::Store;
use super::sweep::Complaint;
use crate::disk;
use crate::error::StoreError;
use crate::id::StoreId;
use crate::quarantine;
use crate::schema::buffer::{self, BufferHead};
use crate::schema::layout::{BUFFERS, QUARANTINE};
use crate::schema::sealed;

/// The largest file of a buffer that is read.
const MAX_FILE: u64 = sealed::MAX_PLAIN + (1 << 20);

/// A stored paste buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptBuffer {
    /// Its name.
    pub name: String,
    /// The copied text.
    pub data: Arc<[u8]>,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// Whether the server has chosen its name.
    pub is_automatic: bool,
    /// Greater than that of every buffer that was changed earlier, to find the newest.
    pub order: u64,
}

/// The result of reading all buffers.
#[derive(Debug, Default)]
pub struct FoundBuffers {
    /// The buffers, the oldest first.
    pub buffers: Vec<(StoreId, KeptBuffer)>,
    /// What is wrong with others.
    pub complaints: Vec<Complaint>,
}

impl FoundBuffers {
    fn complain(&mut self, error: StoreError, kept_at: Option<PathBuf>) {
        self.complaints.push(Complaint {
            session: None,
            error,
            kept_at,
        });
    }
}

impl Store {
    fn buffer_path(&self, id: StoreId) -> PathBuf {
        self.root().join(BUFFERS).join(id.to_string())
    }

    /// The directory of the buffers. An error if it is a link.
    fn buffers_dir(&self) -> Result<PathBuf, StoreError> {
        let dir = self.root().join(BUFFERS);
        self.0.dirs.refuse_links(&dir)?;
        Ok(dir)
    }

    /// Writes a buffer so that it survives the death of every process. [`Store::sync_buffer`] makes it survive a power
    /// cut.
    ///
    /// # Errors
    /// When it cannot be written, or is too large. The old file is unchanged then.
    pub fn put_buffer(&self, id: StoreId, buffer: &KeptBuffer) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.buffer_path(id);
        let head = BufferHead {
            name: buffer.name.clone(),
            created: buffer.created,
            automatic: buffer.is_automatic,
            order: buffer.order,
            label: self.label().to_owned(),
            owner: self.owner().to_owned(),
        };
        let plain = buffer::encode(&head, &buffer.data);
        if plain.len() as u64 > sealed::MAX_PLAIN {
            return Err(StoreError::TooLarge {
                path,
                size: plain.len() as u64,
                limit: sealed::MAX_PLAIN,
            });
        }
        let bytes =
            sealed::encode(&sealed::BUFFER, &plain).map_err(StoreError::io("pack", &path))?;
        let dir = self.buffers_dir()?;
        disk::make_dir(&dir)?;
        disk::put(&dir, &id.to_string(), &bytes)
    }

    /// Makes a written buffer durable. One that does not exist is no error.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync_buffer(&self, id: StoreId) -> Result<(), StoreError> {
        let path = self.buffer_path(id);
        let dir = self.buffers_dir()?;
        match shellkeep_files::open(&path, Access::Read, ANY_SIZE).and_then(|file| file.sync_all())
        {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(StoreError::io("sync", &path)(error))
            }
            Err(_) => Ok(()),
            Ok(()) => disk::sync_dir(&dir),
        }
    }

    /// Removes a buffer. One that does not exist is no error.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove_buffer(&self, id: StoreId) -> Result<(), StoreError> {
        self.check_writable()?;
        self.buffers_dir()?;
        let path = self.buffer_path(id);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(StoreError::io("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    /// The buffers of this server's label that it owns, or whose owner is dead. Broken ones are moved to the
    /// quarantine.
    #[must_use]
    pub fn buffers(&self) -> FoundBuffers {
        let mut found = FoundBuffers::default();
        for id in self.buffer_ids(&mut found) {
            match self.read_buffer(id) {
                Ok(Some((head, buffer))) => {
                    if head.label == self.label() && self.is_ours(&head.owner) {
                        found.buffers.push((id, buffer));
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    let path = self.buffer_path(id);
                    let aside = self.root().join(QUARANTINE).join(BUFFERS);
                    let kept_at = match &error {
                        StoreError::Broken { .. } => {
                            quarantine::put(self.root(), &path, &aside).ok()
                        }
                        _ => None,
                    };
                    found.complain(error, kept_at);
                }
            }
        }
        found
            .buffers
            .sort_by_key(|(id, buffer)| (buffer.order, *id));
        found
    }

    /// What is wrong with the stored buffers of all servers. Nothing is moved or removed.
    #[must_use]
    pub fn inspect_buffers(&self) -> Vec<StoreError> {
        let names = match self.0.dirs.names(&self.root().join(BUFFERS)) {
            Ok(names) => names,
            Err(error) => return vec![error],
        };
        let files = names.iter().filter(|entry| !entry.is_dir);
        let ids = files.filter_map(|entry| entry.name.parse().ok());
        ids.filter_map(|id| self.read_buffer(id).err()).collect()
    }

    fn buffer_ids(&self, found: &mut FoundBuffers) -> Vec<StoreId> {
        let dir = self.root().join(BUFFERS);
        let names = self.0.dirs.names(&dir).unwrap_or_else(|error| {
            found.complain(error, None);
            Vec::new()
        });
        let names = names.into_iter();
        let mut ids = Vec::new();
        for entry in names.filter(|entry| !entry.is_dir) {
            match entry.name.parse() {
                Ok(id) => ids.push(id),
                // A partial file of a server that was killed. Copied text must not stay on disk forever.
                Err(_) => remove_if_old(&dir.join(entry.name)),
            }
        }
        ids
    }

    fn read_buffer(&self, id: StoreId) -> Result<Option<(BufferHead, KeptBuffer)>, StoreError> {
        let path = self.buffer_path(id);
        let Some(bytes) = disk::read(&path, MAX_FILE)? else {
            return Ok(None);
        };
        let read = sealed::decode(&sealed::BUFFER, &bytes).and_then(|plain| buffer::decode(&plain));
        let (head, data) = read.map_err(|why| StoreError::format(&path, why))?;
        let buffer = KeptBuffer {
            name: head.name.clone(),
            data: data.into(),
            created: head.created,
            is_automatic: head.automatic,
            order: head.order,
        };
        Ok(Some((head, buffer)))
    }
}

/// Removes a partial file that is too old to be still in writing.
fn remove_if_old(path: &Path) {
    let modified = std::fs::metadata(path).and_then(|file| file.modified());
    let age = modified.ok().and_then(|then| then.elapsed().ok());
    if age.is_some_and(|age| age > Duration::from_secs(60)) {
        // If this fails, a later server tries again.
        let _ = std::fs::remove_file(path);
    }
}
