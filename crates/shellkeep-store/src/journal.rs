//! Writing the journal.
//!
//! Output comes through the *transit pipe*, a pipe that outlives the server, and is spliced from there into the file: at no
//! moment is it in the memory of the server alone. Only then is it read back and shown to the emulator.

pub(crate) mod reader;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout};

use shellkeep_files::Access;

use crate::disk;
use crate::error::{JournalError, StoreError};
use crate::format::journal::{
    Begins, MAX_PAYLOAD, OUTPUT, RECORD, Record, RecordHeader, encode, encode_header, hasher,
};
use crate::pane::PaneDir;
use reader::{Reader, Step};

/// A journal is replaced when it has some megabytes, as long as the disk takes anything at all. What is longer than this was not written by us.
pub(crate) const MAX_JOURNAL: u64 = 1 << 30;

/// How long a record of output may grow: within it all bytes have the same time.
const GROWS_MS: u64 = 20;

/// A journal being written. When dropped, its last record is closed.
#[derive(Debug)]
pub struct Journal {
    file: Arc<File>,
    generation: u64,
    /// Where the next record begins, or the open one.
    end: u64,
    open: Option<OpenRecord>,
    state: State,
}

/// Output whose header is not written yet.
#[derive(Debug)]
struct OpenRecord {
    time: u64,
    length: usize,
    hasher: crc32fast::Hasher,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The file takes splices.
    Splice,
    /// The file system knows no splice.
    Write,
    /// Something was not kept: what came after it would be replayed onto the wrong screen.
    Failed,
}

impl Journal {
    /// Begins a journal that goes on where the one before it ends; nothing may be added to that one any more.
    ///
    /// # Errors
    /// When there is one of this generation already, or none can be made.
    pub fn create(dir: &PaneDir, generation: u64) -> Result<Self, StoreError> {
        Self::lay_out(dir, generation)?.begin(dir, Place::GoesOn)
    }

    /// Makes the file of a journal that is to begin soon, since that may take a while; until then there is nothing in it.
    ///
    /// # Errors
    /// When there is one of this generation already, or none can be made.
    pub fn lay_out(dir: &PaneDir, generation: u64) -> Result<Self, StoreError> {
        dir.check_writable()?;
        let path = dir.journal_path(generation);
        let file = shellkeep_files::open(&path, Access::New, MAX_JOURNAL)
            .map_err(StoreError::io("create", &path))?;
        Ok(Self::of(file, generation))
    }

    /// Begins a journal that was laid out.
    ///
    /// # Errors
    /// When nothing can be written to it; it is removed then.
    pub fn begin(mut self, dir: &PaneDir, place: Place) -> Result<Self, StoreError> {
        let begins = match place {
            Place::GoesOn => after_previous(dir, self.generation),
            Place::Apart => Begins::Apart,
        };
        if let Err(error) = self.write_header(begins) {
            let path = dir.journal_path(self.generation);
            let _ = std::fs::remove_file(&path);
            return Err(StoreError::io("write", &path)(error));
        }
        Ok(self)
    }

    fn of(file: File, generation: u64) -> Self {
        Self {
            file: Arc::new(file),
            generation,
            end: 0,
            open: None,
            state: State::Splice,
        }
    }

    fn write_header(&mut self, begins: Begins) -> io::Result<()> {
        let header = encode_header(begins);
        self.file.write_all_at(&header, 0)?;
        self.end = header.len() as u64;
        Ok(())
    }

    /// Goes on with a journal after recovery. A record that was open is closed first; what is damaged is set aside and
    /// cut off. A journal that is not there is begun.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn reopen(dir: &PaneDir, generation: u64) -> Result<Self, StoreError> {
        dir.check_writable()?;
        let path = dir.journal_path(generation);
        let Some(file) = disk::open_as(&path, Access::Write, MAX_JOURNAL)? else {
            return Self::create(dir, generation);
        };
        let mut reader = Reader::open(&path)?;
        loop {
            match reader.step().map_err(StoreError::io("read", &path))? {
                Step::Record(_) => {}
                Step::End => break,
                Step::Damage(_) => {
                    dir.set_aside_copy(&path)?;
                    file.set_len(reader.good_end())
                        .map_err(StoreError::io("cut", &path))?;
                    break;
                }
            }
        }
        let mut journal = Self::of(file, generation);
        let begun = match reader.good_end() {
            0 => journal.write_header(after_previous(dir, generation)),
            _ => Ok(()),
        };
        begun
            .and_then(|()| journal.go_on(&reader))
            .map_err(StoreError::io("write", &path))?;
        Ok(journal)
    }

    fn go_on(&mut self, reader: &Reader) -> io::Result<()> {
        self.end = self.end.max(reader.good_end());
        let Some(length) = reader.open_length() else {
            return Ok(());
        };
        let time = modified_ms(&self.file)?;
        let mut payload = vec![0; length];
        self.file
            .read_exact_at(&mut payload, self.end + RECORD as u64)?;
        let mut hasher = hasher(OUTPUT, time);
        hasher.update(&payload);
        self.open = Some(OpenRecord {
            time,
            length,
            hasher,
        });
        self.close_record()
    }

    /// Adds output that was on its way to a journal when its server was killed. The journal had this length then: one that is longer has it
    /// already, and one that is not there any more has no use for it. Says whether it was added.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn catch_up(
        dir: &PaneDir,
        generation: u64,
        length: u64,
        output: &[u8],
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        let path = dir.journal_path(generation);
        if !std::fs::metadata(&path).is_ok_and(|found| found.len() == length) {
            return Ok(false);
        }
        let mut journal = Self::reopen(dir, generation)?;
        let (time, bytes) = (now_ms, output);
        journal
            .append(&Record::Output { time, bytes }, now_ms)
            .map_err(StoreError::io("write", &path))?;
        Ok(true)
    }

    /// Moves `count` bytes from the transit pipe into the journal, and adds them to `buffer`.
    ///
    /// # Errors
    /// When they could not be kept. They are in `buffer` all the same, as far as the error does not say otherwise:
    /// the pane must go on.
    pub fn take(
        &mut self,
        transit_pipe: BorrowedFd<'_>,
        count: usize,
        now_ms: u64,
        buffer: &mut Vec<u8>,
    ) -> Result<(), JournalError> {
        let mut left = count;
        while left > 0 {
            match self.take_some(transit_pipe, left, now_ms, buffer) {
                Ok(0) => return Err(JournalError::Dry { missing: left }),
                Ok(moved) => left -= moved,
                Err(Trouble::NotWritten(source)) => {
                    return Err(self.pass_on(transit_pipe, left, 0, source, buffer));
                }
                Err(Trouble::Written { bytes, source }) => {
                    return Err(self.pass_on(transit_pipe, left - bytes, bytes, source, buffer));
                }
                Err(Trouble::Unread { bytes, source }) => {
                    self.fail();
                    return Err(JournalError::Unread { bytes, source });
                }
            }
        }
        Ok(())
    }

    /// Moves what one call of the system moves.
    fn take_some(
        &mut self,
        transit_pipe: BorrowedFd<'_>,
        left: usize,
        now_ms: u64,
        buffer: &mut Vec<u8>,
    ) -> Result<usize, Trouble> {
        self.close_if_due(now_ms).map_err(Trouble::NotWritten)?;
        let length = self.open.as_ref().map_or(0, |open| open.length);
        let want = left.min(MAX_PAYLOAD - length);
        let at = self.end + (RECORD + length) as u64;
        let start = buffer.len();
        let moved = match self.state {
            State::Failed => return Err(Trouble::NotWritten(stopped())),
            State::Splice => match splice(transit_pipe, &self.file, at, want) {
                Err(Errno::EINVAL | Errno::ENOSYS) => {
                    self.state = State::Write;
                    return self.take_some(transit_pipe, left, now_ms, buffer);
                }
                Err(errno) => return Err(Trouble::NotWritten(errno.into())),
                Ok(moved) => {
                    self.read_back(at, moved, buffer)?;
                    moved
                }
            },
            State::Write => self.copy_through(transit_pipe, at, want, buffer)?,
        };
        if moved > 0 {
            self.grew(&buffer[start..], now_ms);
        }
        Ok(moved)
    }

    /// So much was written behind what was there.
    fn grew(&mut self, output: &[u8], now_ms: u64) {
        let open = self.open.get_or_insert_with(|| OpenRecord {
            time: now_ms,
            length: 0,
            hasher: hasher(OUTPUT, now_ms),
        });
        open.length += output.len();
        open.hasher.update(output);
    }

    fn read_back(&self, at: u64, count: usize, buffer: &mut Vec<u8>) -> Result<(), Trouble> {
        let start = buffer.len();
        buffer.resize(start + count, 0);
        self.file
            .read_exact_at(&mut buffer[start..], at)
            .map_err(|source| {
                buffer.truncate(start);
                Trouble::Unread {
                    bytes: count,
                    source,
                }
            })
    }

    /// Where there is no splice: the bytes are in memory alone for the moment between the two calls.
    fn copy_through(
        &mut self,
        transit_pipe: BorrowedFd<'_>,
        at: u64,
        want: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<usize, Trouble> {
        let start = buffer.len();
        let count = read_ready(transit_pipe, want, buffer).map_err(|source| Trouble::Unread {
            bytes: want,
            source,
        })?;
        if let Err(source) = self.file.write_all_at(&buffer[start..], at) {
            return Err(Trouble::Written {
                bytes: count,
                source,
            });
        }
        Ok(count)
    }

    /// The journal is of no use any more, but the pane goes on: what is in the transit pipe goes straight to the buffer.
    /// `passed` bytes are there already.
    fn pass_on(
        &mut self,
        transit_pipe: BorrowedFd<'_>,
        count: usize,
        passed: usize,
        source: io::Error,
        buffer: &mut Vec<u8>,
    ) -> JournalError {
        self.fail();
        let mut left = count;
        while left > 0 {
            match read_ready(transit_pipe, left, buffer) {
                Ok(0) => return JournalError::Dry { missing: left },
                Ok(read) => left -= read,
                Err(source) => {
                    return JournalError::Unread {
                        bytes: left,
                        source,
                    };
                }
            }
        }
        JournalError::NotKept {
            bytes: count + passed,
            source,
        }
    }

    fn fail(&mut self) {
        // What is there is good: if its header cannot be written either, it counts as open.
        let _ = self.close_record();
        let _ = self.file.set_len(self.written());
        self.state = State::Failed;
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When it could not be written; from then on the journal takes nothing more.
    pub fn append(&mut self, record: &Record<'_>, now_ms: u64) -> io::Result<()> {
        if self.state == State::Failed {
            return Err(stopped());
        }
        let mut bytes = Vec::new();
        encode(record, now_ms, &mut bytes);
        let written = self
            .close_record()
            .and_then(|()| self.file.write_all_at(&bytes, self.end));
        match written {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.fail();
                Err(error)
            }
        }
    }

    fn close_if_due(&mut self, now_ms: u64) -> io::Result<()> {
        match &self.open {
            Some(open) if open.length >= MAX_PAYLOAD || now_ms.abs_diff(open.time) >= GROWS_MS => {
                self.close_record()
            }
            _ => Ok(()),
        }
    }

    /// Writes the header of the open record, if there is one. To be called before the file is synced.
    ///
    /// # Errors
    /// When it cannot be written. The record stays open then, and as good.
    pub fn close_record(&mut self) -> io::Result<()> {
        let Some(open) = &self.open else {
            return Ok(());
        };
        let header = RecordHeader {
            length: open.length as u32,
            kind: OUTPUT,
            time: open.time,
            check: open.hasher.clone().finalize(),
        };
        self.file.write_all_at(&header.encode(), self.end)?;
        self.end += (RECORD + open.length) as u64;
        self.open = None;
        Ok(())
    }

    /// The length of what was written, the open record included.
    fn written(&self) -> u64 {
        self.end
            + self
                .open
                .as_ref()
                .map_or(0, |open| (RECORD + open.length) as u64)
    }

    /// The length of the file.
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "a journal is never empty: it has a header"
    )]
    pub fn len(&self) -> u64 {
        self.written()
    }

    /// Which of the pane's journals it is.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether something could not be kept, so that a new journal ([`Place::Apart`]) and a checkpoint are needed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.state == State::Failed
    }

    /// The file, to be synced by another thread.
    #[must_use]
    pub fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // An open record is as good, only its time is less exact.
        let _ = self.close_record();
    }
}

/// The place of a journal after the one before it, which gets nothing more.
fn after_previous(dir: &PaneDir, generation: u64) -> Begins {
    let previous = generation
        .checked_sub(1)
        .map(|before| dir.journal_path(before));
    let length = previous.and_then(|path| std::fs::metadata(path).ok());
    Begins::After(length.map_or(0, |meta| meta.len()))
}

/// Why output did not get through.
enum Trouble {
    /// It is still in the transit pipe.
    NotWritten(io::Error),
    /// It is in the buffer, but not in the file.
    Written { bytes: usize, source: io::Error },
    /// It left the transit pipe, or cannot, and is not in the buffer.
    Unread { bytes: usize, source: io::Error },
}

fn stopped() -> io::Error {
    io::Error::other("an earlier write to this journal failed")
}

/// Where a journal stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It goes on where the one before it ends; nothing may be added to that one any more.
    GoesOn,
    /// It is good only after the checkpoint that names it, because output before it was not kept.
    Apart,
}

/// When a file was last written, in milliseconds since 1970.
pub(crate) fn modified_ms(file: &File) -> io::Result<u64> {
    let meta = file.metadata()?;
    let seconds = u64::try_from(meta.mtime()).unwrap_or(0);
    Ok(seconds.saturating_mul(1000) + (meta.mtime_nsec() / 1_000_000).unsigned_abs())
}

#[cfg(target_os = "linux")]
fn splice(
    transit_pipe: BorrowedFd<'_>,
    file: &File,
    at: u64,
    count: usize,
) -> Result<usize, Errno> {
    use nix::fcntl::{SpliceFFlags, splice};
    let flags = SpliceFFlags::SPLICE_F_MOVE | SpliceFFlags::SPLICE_F_NONBLOCK;
    let mut offset = i64::try_from(at).map_err(|_| Errno::EFBIG)?;
    loop {
        match splice(
            transit_pipe,
            None,
            file.as_fd(),
            Some(&mut offset),
            count,
            flags,
        ) {
            Err(Errno::EINTR) => {}
            Err(Errno::EAGAIN) => return Ok(0),
            moved => return moved,
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn splice(_: BorrowedFd<'_>, _: &File, _: u64, _: usize) -> Result<usize, Errno> {
    Err(Errno::ENOSYS)
}

/// Reads what is there, at most `want` bytes, without waiting: 0 if nothing is.
fn read_ready(
    transit_pipe: BorrowedFd<'_>,
    want: usize,
    buffer: &mut Vec<u8>,
) -> io::Result<usize> {
    let mut polled = [PollFd::new(transit_pipe, PollFlags::POLLIN)];
    if nix::poll::poll(&mut polled, PollTimeout::ZERO)? == 0 {
        return Ok(0);
    }
    let start = buffer.len();
    buffer.resize(start + want.min(MAX_PAYLOAD), 0);
    let read = loop {
        match nix::unistd::read(transit_pipe, &mut buffer[start..]) {
            Err(Errno::EINTR) => {}
            Err(Errno::EAGAIN) => break Ok(0),
            read => break read,
        }
    };
    buffer.truncate(start + read.unwrap_or(0));
    Ok(read?)
}

/// Reads until the buffer is full or the file ends.
pub(crate) fn read_full(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The generation in a file's name, if it is the name of a journal.
pub(crate) fn generation_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("journal.")?;
    let generation: u64 = digits.parse().ok()?;
    // One file has one name, and the next generation is always a number as well.
    (generation.to_string() == digits && generation < 1 << 62).then_some(generation)
}
