//! Giving back the room of pages that are beyond a pane's history limit.
//!
//! A checkpoint names places in the file, so nothing in it can move. The oldest pages become one record without lines,
//! of which only the header takes room: the rest is a hole.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::PoisonError;

use super::History;
use crate::error::StoreError;
use crate::format::HEADER;
use crate::format::history::{MAX_PACKED, PageHeader, RECORD};

/// Less is not worth waiting for the disk.
const WORTH: u64 = 64 << 10;

/// The place of the record that stands for released pages, while there is none.
pub(super) const NONE_RELEASED: Range<u64> = HEADER as u64..HEADER as u64;

impl History {
    /// Releases the pages before this one, if they are enough to be worth it. No checkpoint that counts may need them.
    ///
    /// # Errors
    /// When the file cannot be written or synced; the pages are not found any more all the same.
    pub fn release_before(&self, number: u64) -> Result<(), StoreError> {
        let shared = &self.0;
        let Some(file) = shared.writer.get() else {
            return Ok(());
        };
        let mut released = shared
            .released
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let first_kept = self.first_kept(number);
        let longest = (RECORD + MAX_PACKED) as u64;
        let start = match first_kept.saturating_sub(released.start) > longest {
            true => released.end,
            false => released.start,
        };
        // The room is given back in several steps where it does not fit one record; what is left waits for the next time.
        if first_kept.saturating_sub(released.end) < WORTH || first_kept - start > longest {
            return Ok(());
        }
        let mut pages = shared.pages.write().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|_, page| page.at >= first_kept);
        drop(pages);
        let header = PageHeader::released((first_kept - start) as usize - RECORD);
        // The header is safe before what it covers goes, or a power cut could leave a hole without one.
        file.write_all_at(&header.encode(), start)
            .and_then(|()| file.sync_data())
            .and_then(|()| punch(file, start + RECORD as u64..first_kept))
            .map_err(StoreError::io("write", &shared.path))?;
        *released = start..first_kept;
        Ok(())
    }

    /// Where the first page begins that is still needed, as a page or as the base of one.
    fn first_kept(&self, number: u64) -> u64 {
        let shared = &self.0;
        let tail = *shared.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = shared.pages.read().unwrap_or_else(PoisonError::into_inner);
        let kept = pages.range(number..).map(|(_, page)| {
            let base = Some(page.header.base).filter(|base| *base != 0);
            base.unwrap_or(page.at).min(page.at)
        });
        kept.chain(tail.base).fold(tail.end, u64::min)
    }
}

/// Makes a hole. Where the file system has none, the bytes stay.
#[cfg(target_os = "linux")]
fn punch(file: &File, hole: Range<u64>) -> io::Result<()> {
    use nix::errno::Errno;
    use nix::fcntl::{FallocateFlags, fallocate};
    let flags = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
    let (offset, len) = (hole.start as i64, (hole.end - hole.start) as i64);
    match fallocate(file, flags, offset, len) {
        Err(Errno::EOPNOTSUPP | Errno::ENOSYS) => Ok(()),
        done => Ok(done?),
    }
}

#[cfg(not(target_os = "linux"))]
fn punch(_: &File, _: Range<u64>) -> io::Result<()> {
    Ok(())
}
