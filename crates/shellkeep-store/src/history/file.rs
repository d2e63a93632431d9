//! The file of a history, addressed by positions that do not change when pages are cut off.
//!
//! Checkpoints and pages refer to positions in the history. When pages are cut off in front, the rest moves towards the
//! start of the file, and the header records by how much. A position is the same before and after.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use crate::disk;
use crate::error::StoreError;
use crate::pane::PaneDir;
use crate::schema::header::{FormatError, HEADER};
use crate::schema::history::{PageHeader, RECORD, UNIT, decode_header, encode_header};
use crate::schema::layout::HISTORY;

/// Bytes that are copied at a time.
const CHUNK: usize = 256 << 10;

/// An open history. All positions are counted from the beginning of the history, whether it was cut off or not.
#[derive(Debug)]
pub(super) struct HistoryFile {
    file: File,
    /// The number of bytes that were cut off in front.
    cut: u64,
}

impl HistoryFile {
    /// Uses an open file, and reads how much was cut off. Also returns what is wrong with the header. A new file has no
    /// header.
    ///
    /// # Errors
    /// When it cannot be read, or was written by a later version.
    pub(super) fn of(file: File, path: &Path) -> Result<(Self, Option<FormatError>), StoreError> {
        let bytes = first_bytes(&file).map_err(StoreError::io("read", path))?;
        let (units, wrong) = match decode_header(&bytes) {
            _ if bytes.is_empty() => (0, None),
            Ok(units) => (units, None),
            Err(why @ FormatError::Newer { .. }) => return Err(StoreError::format(path, why)),
            Err(why) => (units_of_first_record(&bytes), Some(why)),
        };
        let cut = u64::from(units) * UNIT;
        Ok((Self { file, cut }, wrong))
    }

    /// The position where the first page may begin.
    pub(super) fn start(&self) -> u64 {
        self.cut + HEADER as u64
    }

    pub(super) fn is_cut(&self) -> bool {
        self.cut > 0
    }

    /// The position where the file ends.
    pub(super) fn end(&self) -> io::Result<u64> {
        Ok(self.cut + self.file.metadata()?.len())
    }

    /// The offset of a position in the file. An error if it was cut off.
    fn offset(&self, place: u64) -> io::Result<u64> {
        let offset = place.checked_sub(self.cut);
        offset.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    pub(super) fn read_exact_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        self.file.read_exact_at(bytes, self.offset(place)?)
    }

    pub(super) fn write_all_at(&self, bytes: &[u8], place: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, self.offset(place)?)
    }

    pub(super) fn set_end(&self, place: u64) -> io::Result<()> {
        self.file.set_len(self.offset(place)?)
    }

    pub(super) fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Corrects the header and the end.
    pub(super) fn make_good(&self, good_end: u64) -> io::Result<()> {
        let size = self.file.metadata()?.len();
        let header = encode_header((self.cut / UNIT) as u32);
        let mut found = vec![0; HEADER];
        let is_short = size < HEADER as u64;
        if is_short || self.file.read_exact_at(&mut found, 0).is_err() || found != header {
            self.file.write_all_at(&header, 0)?;
        }
        let good_end = good_end.max(self.start());
        if self.cut + size > good_end {
            self.set_end(good_end)?;
        }
        Ok(())
    }

    /// The first position from `from` on that was written to; the end of the file if there is none, and `None` if the
    /// system does not report it.
    #[cfg(target_os = "linux")]
    pub(super) fn data_after(&self, from: u64) -> Option<u64> {
        use nix::errno::Errno;
        use nix::unistd::{Whence, lseek};
        let from = i64::try_from(self.offset(from).ok()?).ok()?;
        match lseek(&self.file, from, Whence::SeekData) {
            Ok(at) => Some(self.cut + u64::try_from(at).ok()?),
            Err(Errno::ENXIO) => self.end().ok(),
            Err(_) => None,
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn data_after(&self, _: u64) -> Option<u64> {
        None
    }

    /// Replaces the file by one that has only these of its bytes. A crash leaves one or the other, complete. The second
    /// result is an error if a power cut may still bring the longer file back.
    pub(super) fn shortened_to(
        &self,
        kept: Range<u64>,
        dir: &PaneDir,
    ) -> Result<(Self, Result<(), StoreError>), StoreError> {
        let (path, temp) = (dir.file(HISTORY), disk::new_path(dir.path(), HISTORY));
        let written = self.write_shortened(&kept, &temp).and_then(|file| {
            std::fs::rename(&temp, &path)?;
            Ok(file)
        });
        match written {
            Ok(file) => Ok((file, disk::sync_dir(dir.path()))),
            Err(error) => {
                let _ = std::fs::remove_file(&temp);
                Err(StoreError::io("write", &temp)(error))
            }
        }
    }

    fn write_shortened(&self, kept: &Range<u64>, temp: &Path) -> io::Result<Self> {
        let units = kept.start.saturating_sub((HEADER + RECORD) as u64) / UNIT;
        let units = u32::try_from(units).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let file = shellkeep_files::make_anew(temp)?;
        file.write_all_at(&encode_header(units), 0)?;
        let cut = u64::from(units) * UNIT;
        let shortened = Self { file, cut };
        // Of the part before it, less than a unit is left. One record covers it.
        let first_record = shortened.start();
        if let Some(rest) = kept.start.checked_sub(first_record + RECORD as u64) {
            let record = PageHeader::released(rest as usize, units);
            shortened.write_all_at(&record.encode(), first_record)?;
        }
        shortened.set_end(kept.start)?;
        let mut chunk = vec![0; CHUNK];
        for (place, count) in chunks(kept) {
            self.read_exact_at(&mut chunk[..count], place)?;
            shortened.write_all_at(&chunk[..count], place)?;
        }
        shortened.file.sync_all()?;
        // The longer file is deleted only after the bytes were read back.
        let mut again = vec![0; CHUNK];
        for (place, count) in chunks(kept) {
            self.read_exact_at(&mut chunk[..count], place)?;
            shortened.read_exact_at(&mut again[..count], place)?;
            if chunk[..count] != again[..count] {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        Ok(shortened)
    }
}

/// The header and the first record, as far as they exist.
fn first_bytes(file: &File) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let mut bytes = vec![0; length.min((HEADER + RECORD) as u64) as usize];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// How much was cut off, according to the first record, which repeats it in case the header is damaged.
fn units_of_first_record(bytes: &[u8]) -> u32 {
    let record = bytes.get(HEADER..HEADER + RECORD);
    let header = record.and_then(|record| PageHeader::decode(record).ok());
    header.map_or(0, |header| header.units_before())
}

/// Positions and lengths of the chunks in which bytes are copied.
fn chunks(places: &Range<u64>) -> impl Iterator<Item = (u64, usize)> {
    let end = places.end;
    let starts = (places.start..end).step_by(CHUNK);
    starts.map(move |start| (start, (end - start).min(CHUNK as u64) as usize))
}
