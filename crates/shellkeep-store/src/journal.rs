//! Writes the journal.
//!
//! Output comes through the *transit pipe*, which outlives the server, and is spliced from there into the file, so it
//! is never only in the server's memory. After that it is read back and given to the emulator.

pub(crate) mod reader;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout};

use shellkeep_files::Access;

use crate::disk;
use crate::error::{JournalError, StoreError};
use crate::pane::PaneDir;
use crate::schema::journal::{
    Begins, MAX_FILE, MAX_PAYLOAD, OUTPUT, RECORD, Record, RecordHeader, encode, encode_header,
    hasher,
};
use reader::{JournalReader, Step};

/// Output within this time goes into one record with one time.
const MAX_RECORD_MS: u64 = 20;

/// A journal that is being written. Dropping it closes its last record.
#[derive(Debug)]
pub struct Journal {
    file: Arc<File>,
    generation: u64,
    /// Where the next record begins, or the open one.
    end: u64,
    open: Option<OpenRecord>,
    mode: WriteMode,
}

/// Output whose record header is not written yet.
#[derive(Debug)]
struct OpenRecord {
    time: u64,
    length: usize,
    hasher: crc32fast::Hasher,
}

impl OpenRecord {
    /// Whether output of this time belongs to another record. All output of a record has the same second, which is the
    /// time of its lines on the screen, both when they are shown and when they are read back.
    fn is_due(&self, now_ms: u64) -> bool {
        self.length >= MAX_PAYLOAD
            || now_ms.abs_diff(self.time) >= MAX_RECORD_MS
            || now_ms / 1000 != self.time / 1000
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriteMode {
    /// Output is spliced into the file.
    Splice,
    /// The file system does not support splice.
    Write,
    /// Output was not stored. Anything after it would be replayed onto the wrong screen.
    Failed,
}

impl Journal {
    /// Starts a journal that continues the previous one, which must be closed.
    ///
    /// # Errors
    /// When a journal of this generation exists, or it cannot be made.
    pub fn create(dir: &PaneDir, generation: u64) -> Result<Self, StoreError> {
        Self::lay_out(dir, generation)?.begin(dir, JournalStart::Continues)
    }

    /// Makes the empty file of a journal in advance, because making a file may take a while.
    ///
    /// # Errors
    /// When a journal of this generation exists, or it cannot be made.
    pub fn lay_out(dir: &PaneDir, generation: u64) -> Result<Self, StoreError> {
        dir.check_writable()?;
        let path = dir.journal_path(generation);
        let file = shellkeep_files::open(&path, Access::New, MAX_FILE)
            .map_err(StoreError::io("create", &path))?;
        Ok(Self::of(file, generation))
    }

    /// Starts a journal whose file was made in advance.
    ///
    /// # Errors
    /// When it cannot be written. The file is removed then.
    pub fn begin(mut self, dir: &PaneDir, start: JournalStart) -> Result<Self, StoreError> {
        let begins = match start {
            JournalStart::Continues => after_previous(dir, self.generation),
            JournalStart::AfterLoss => Begins::Apart,
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
            mode: WriteMode::Splice,
        }
    }

    fn write_header(&mut self, begins: Begins) -> io::Result<()> {
        let header = encode_header(begins);
        self.file.write_all_at(&header, 0)?;
        self.end = header.len() as u64;
        Ok(())
    }

    /// Continues a journal after recovery. An open record is closed first; damage is copied to the quarantine and cut
    /// off. If the journal does not exist it is started.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn reopen(dir: &PaneDir, generation: u64) -> Result<Self, StoreError> {
        dir.check_writable()?;
        let path = dir.journal_path(generation);
        let Some(file) = disk::open_as(&path, Access::Write, MAX_FILE)? else {
            return Self::create(dir, generation);
        };
        let mut reader = JournalReader::open(&path)?;
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

    fn go_on(&mut self, reader: &JournalReader) -> io::Result<()> {
        self.end = self.end.max(reader.good_end());
        let Some(length) = reader.open_length() else {
            return Ok(());
        };
        let time = disk::modified_ms(&self.file)?;
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

    /// Adds output that was on its way to a journal when its server was killed. The journal had this length then: a
    /// longer one has the output already, and one that is gone does not need it. Returns whether it was added.
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

    /// Moves `count` bytes from the transit pipe to the journal, and appends them to `buffer`.
    ///
    /// # Errors
    /// When they could not be stored. Unless the error says otherwise they are in `buffer` nevertheless, because the
    /// pane has to go on.
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

    /// Moves as much as one system call moves.
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
        let moved = match self.mode {
            WriteMode::Failed => return Err(Trouble::NotWritten(stopped())),
            WriteMode::Splice => match splice(transit_pipe, &self.file, at, want) {
                Err(Errno::EINVAL | Errno::ENOSYS) => {
                    self.mode = WriteMode::Write;
                    return self.take_some(transit_pipe, left, now_ms, buffer);
                }
                Err(errno) => return Err(Trouble::NotWritten(errno.into())),
                Ok(moved) => {
                    self.read_back(at, moved, buffer)?;
                    moved
                }
            },
            WriteMode::Write => self.copy_through(transit_pipe, at, want, buffer)?,
        };
        if moved > 0 {
            self.grew(&buffer[start..], now_ms);
        }
        Ok(moved)
    }

    /// Adds written output to the open record.
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

    /// For file systems without splice. Between the two system calls, the bytes are only in memory.
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

    /// The journal has failed but the pane goes on: moves output from the transit pipe only to the buffer, which has
    /// `passed` bytes of it already.
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
        // The written output is valid: without a header its record counts as open.
        let _ = self.close_record();
        let _ = self.file.set_len(self.written());
        self.mode = WriteMode::Failed;
    }

    /// Appends a record.
    ///
    /// # Errors
    /// When it could not be written. The journal accepts nothing more then.
    pub fn append(&mut self, record: &Record<'_>, now_ms: u64) -> io::Result<()> {
        if self.mode == WriteMode::Failed {
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
            Some(open) if open.is_due(now_ms) => self.close_record(),
            _ => Ok(()),
        }
    }

    /// Writes the header of the open record, if there is one. Call it before the file is synced.
    ///
    /// # Errors
    /// When it cannot be written. The record stays open then, and is still valid.
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

    /// The length of what was written, including the open record.
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

    /// The generation of the journal among the pane's journals.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether output was not stored, so that a checkpoint and a new journal ([`JournalStart::AfterLoss`]) are needed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.mode == WriteMode::Failed
    }

    /// The file, for another thread to sync.
    #[must_use]
    pub fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // An open record is as valid; only its time is less exact.
        let _ = self.close_record();
    }
}

/// How a journal refers to the previous one, which receives nothing more.
fn after_previous(dir: &PaneDir, generation: u64) -> Begins {
    let previous = generation
        .checked_sub(1)
        .map(|before| dir.journal_path(before));
    let length = previous.and_then(|path| std::fs::metadata(path).ok());
    Begins::After(length.map_or(0, |meta| meta.len()))
}

/// Why output did not reach the file or the buffer.
enum Trouble {
    /// It is still in the transit pipe.
    NotWritten(io::Error),
    /// It is in the buffer, but not in the file.
    Written { bytes: usize, source: io::Error },
    /// It has left the transit pipe, or cannot leave it, and is not in the buffer.
    Unread { bytes: usize, source: io::Error },
}

fn stopped() -> io::Error {
    io::Error::other("an earlier write to this journal failed")
}

/// How a journal relates to the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalStart {
    /// It continues where the previous one ends, which is closed.
    Continues,
    /// Output before it was lost, so it is valid only together with the checkpoint that names it.
    AfterLoss,
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

/// Reads at most `want` bytes without waiting; 0 if there are none.
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
