//! The slate: a page of memory, shared with a file, on which a key's echo is read.
//!
//! What a program printed must never be in our memory alone (see [`shellkeep_keeper::sluice`]). Through the sluice it takes three calls of
//! the system until an echo can be shown, and one of them makes room for a page; read onto the slate, it takes one. The file
//! outlives us, and so does what stands on it: the next server puts it into the journal that it was for.
//!
//! ```text
//! "skslate1", session, pane, journal, length of that journal     written before anything is read
//! what was read                                                  zeros before, and again when it is in the journal
//! ```
//!
//! How much was read need not be said, so there is no moment at which it could be wrong: it ends with the last byte that is no zero. Zeros
//! behind it mean nothing to a terminal. Where the journal has grown, what stands here is in it already.
//!
//! There is one slate for all panes. Who finds it in use goes through the sluice, and so does everybody where the file would not be in
//! memory: on a disk, the system may have a process wait that writes to such a page.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use shellkeep_files::{Access, MAX_SMALL};
use shellkeep_keeper::process::SharedMemory;
use shellkeep_keeper::{Pty, steps};
use shellkeep_store::{Journal, Store, StoreError, StoreId};

use crate::daemon::beside;
use crate::record::{Home, LITTLE, now};

const MAGIC: &[u8; 8] = b"skslate1";

/// Where what was read begins.
const HEADER: usize = 64;

const LENGTH: usize = HEADER + LITTLE;

/// Which pane's output stands on the slate, and how it comes into its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) home: Home,
    pub(crate) journal: u64,
    /// How long that journal is without it.
    pub(crate) length: u64,
}

impl Mark {
    fn encode(&self, page: &mut [u8]) {
        let words = [
            self.home.session.bits().to_le_bytes(),
            self.home.pane.bits().to_le_bytes(),
        ];
        page[..8].copy_from_slice(MAGIC);
        page[8..40].copy_from_slice(words.as_flattened());
        page[40..48].copy_from_slice(&self.journal.to_le_bytes());
        page[48..56].copy_from_slice(&self.length.to_le_bytes());
    }

    fn decode(page: &[u8]) -> Option<Self> {
        let page = page.strip_prefix(MAGIC)?;
        let (session, page) = page.split_first_chunk()?;
        let (pane, page) = page.split_first_chunk()?;
        let (journal, page) = page.split_first_chunk()?;
        let (length, _) = page.split_first_chunk()?;
        let id = |bits: &[u8; 16]| StoreId::from_bits(u128::from_le_bytes(*bits));
        Some(Self {
            home: Home {
                session: id(session)?,
                pane: id(pane)?,
            },
            journal: u64::from_le_bytes(*journal),
            length: u64::from_le_bytes(*length),
        })
    }
}

/// What stands on a slate, if anything does.
fn leftover(page: &[u8]) -> Option<(Mark, &[u8])> {
    let read = page.get(HEADER..)?;
    let last = read.iter().rposition(|byte| *byte != 0)?;
    Some((Mark::decode(page)?, &read[..=last]))
}

/// The slate of a server.
pub(crate) struct Slate(Mutex<State>);

enum State {
    /// Nobody has wanted it yet. It is to be here.
    Unmade(PathBuf),
    Blank(SharedMemory),
    /// Something stands on it that is in no journal yet.
    Written(SharedMemory),
    /// It cannot be had.
    Missing,
}

impl State {
    fn get_ready(&mut self) {
        if let Self::Unmade(path) = self {
            *self = make(path).map_or(Self::Missing, Self::Blank);
        }
    }
}

impl Slate {
    /// The slate of the server at this socket. What an earlier one has left there goes into its journal first.
    pub(crate) fn beside(socket: &Path, store: &Store) -> Self {
        let path = path_of(socket);
        match take_up(&path, store) {
            Ok(()) => Self(Mutex::new(State::Unmade(path))),
            Err(error) => {
                // What stands on it may be of use to somebody.
                tracing::error!(%error, path = %path.display(), "a key's echo cannot be saved");
                Self::none()
            }
        }
    }

    /// None, so that all goes through the sluice.
    pub(crate) fn none() -> Self {
        Self(Mutex::new(State::Missing))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes it, so that the first key need not wait for that.
    pub(crate) fn get_ready(&self) {
        self.state().get_ready();
    }

    /// Reads a terminal, a little at most. It is in `buffer` then as well. `None` if the slate cannot be used.
    pub(crate) fn read(
        &self,
        mark: Mark,
        pty: &dyn Pty,
        buffer: &mut Vec<u8>,
    ) -> Option<io::Result<usize>> {
        let mut state = self.state();
        state.get_ready();
        let State::Blank(memory) = &mut *state else {
            return None;
        };
        let page = memory.bytes();
        mark.encode(page);
        let read = pty.try_read(&mut page[HEADER..LENGTH]);
        if let Ok(count @ 1..) = read {
            buffer.clear();
            buffer.extend_from_slice(&page[HEADER..HEADER + count]);
            if let State::Blank(memory) = std::mem::replace(&mut *state, State::Missing) {
                *state = State::Written(memory);
            }
        }
        Some(read)
    }

    /// Passes on the first so many bytes of what was read, and wipes the slate when they are where they belong.
    pub(crate) fn wipe(&self, count: usize, keep: impl FnOnce(&[u8])) {
        let mut state = self.state();
        if let State::Written(mut memory) = std::mem::replace(&mut *state, State::Missing) {
            let read = &mut memory.bytes()[HEADER..HEADER + count];
            keep(read);
            steps::reached("entered");
            read.fill(0);
            *state = State::Blank(memory);
        }
    }
}

fn path_of(socket: &Path) -> PathBuf {
    beside(socket, ".slate")
}

/// Removes the slate of a server that has written everything down.
pub(crate) fn remove(socket: &Path) {
    let _ = std::fs::remove_file(path_of(socket));
}

/// Makes a blank one, if it would be in memory.
fn make(path: &Path) -> Option<SharedMemory> {
    let made = || -> io::Result<Option<SharedMemory>> {
        // An old one was taken up. Made anew, lest it be somebody else's, or a link to anything, where others may make files.
        let _ = std::fs::remove_file(path);
        let mut file = shellkeep_files::open(path, Access::New, MAX_SMALL)?;
        if !is_in_memory(&file) {
            std::fs::remove_file(path)?;
            return Ok(None);
        }
        // Written, not only made longer: where there is no room for it, that is said now.
        file.write_all(&[0; LENGTH])?;
        SharedMemory::of(&file, LENGTH).map(Some)
    };
    made()
        .inspect_err(|error| tracing::warn!(%error, path = %path.display(), "there is no slate"))
        .ok()
        .flatten()
}

#[cfg(target_os = "linux")]
fn is_in_memory(file: &File) -> bool {
    use nix::sys::statfs::{TMPFS_MAGIC, fstatfs};
    fstatfs(file).is_ok_and(|found| found.filesystem_type() == TMPFS_MAGIC)
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: &File) -> bool {
    false
}

/// Puts what a killed server has left on its slate into the journal that it was for.
fn take_up(path: &Path, store: &Store) -> Result<(), StoreError> {
    let Ok(page) = shellkeep_files::read(path, MAX_SMALL) else {
        return Ok(());
    };
    let Some((mark, bytes)) = leftover(&page) else {
        return Ok(());
    };
    let session = store.home_of(mark.home.session, mark.home.pane);
    let pane = store.open_pane(session, mark.home.pane);
    let added = Journal::catch_up(&pane, mark.journal, mark.length, bytes, now())?;
    tracing::info!(pane = %mark.home.pane, added, "an echo was found on the slate");
    Ok(())
}
