//! The history of a pane on disk: appended to by the recorder, read by whoever looks back.

mod reader;
mod release;
mod scan;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use shellkeep_files::{ANY_SIZE, Access};

use crate::disk;
use crate::error::StoreError;
use crate::format::history::{
    MAX_BASE, NewPage, PackedPage, Page, PageEntry, PageHeader, RECORD, decode_header,
    encode_header,
};
use crate::format::packed::Packer;
use crate::format::{FormatError, HEADER};
use crate::pane::{HISTORY, PaneDir};
use crate::recovery::Damage;
use crate::together::Unsynced;
pub use reader::PageReader;
use scan::{Scan, Stored};

/// How many pages share one base. Damage to a base costs all of them, and beyond this little is saved.
const GROUP: u32 = 7;

/// So many pages at once come from a program that floods its terminal. They are packed each for itself: beside a
/// flood the processor's time is scarcer than the disk's room.
const FLOOD: usize = 64;

/// The sealed pages of one pane. Clones are the same history; they can be used from several threads.
#[derive(Clone, Debug)]
pub struct History(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    dir: PaneDir,
    path: PathBuf,
    /// For those who only look, or cannot write yet; `None` if there is none.
    reader: Option<File>,
    /// For those who write, and then for all.
    writer: OnceLock<File>,
    /// What is to be done before anything is written.
    mending: Mending,
    tail: Mutex<Tail>,
    pages: RwLock<BTreeMap<u64, Stored>>,
    /// Held while pages are given up or released: both write over what is there.
    released: Mutex<Range<u64>>,
}

/// Where the next page goes.
#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    end: u64,
    /// Where the base of the next page is.
    base: Option<u64>,
    /// How many pages use it.
    used: u32,
}

/// What is to be done to a file in which something is wrong.
#[derive(Clone, Debug, Default)]
struct Mending {
    /// A copy is to be set aside first.
    is_worth_a_copy: bool,
    /// What is to be given up.
    holes: Vec<Range<u64>>,
}

impl Mending {
    /// Does it, and gives the file a good header and a good end; where the copy is.
    fn apply(
        &self,
        dir: &PaneDir,
        file: &File,
        path: &Path,
        good_end: u64,
    ) -> Result<Option<PathBuf>, StoreError> {
        let copy = self.is_worth_a_copy.then(|| dir.set_aside_copy(path));
        let copy = copy.transpose()?;
        let mut holes = self.holes.iter().filter(|hole| hole.end <= good_end);
        holes
            .try_for_each(|hole| scan::give_up(file, hole))
            .and_then(|()| make_good(file, good_end))
            .map_err(StoreError::io("write", path))?;
        Ok(copy)
    }
}

/// What is done with pages after the end that a checkpoint names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// They are cut off: the journal gives them again.
    Cut,
    /// They are all that is left.
    Keep,
}

impl History {
    /// Opens the history of a pane up to `end`, where the pane's checkpoint says; 0 is a new one. What is beyond is
    /// cut off.
    ///
    /// # Errors
    /// When it cannot be read or made, or was written by a later version.
    pub fn open(dir: &PaneDir, end: u64) -> Result<Self, StoreError> {
        Self::recover(dir, end, Excess::Cut, &mut Vec::new())
    }

    pub(crate) fn recover(
        dir: &PaneDir,
        end: u64,
        excess: Excess,
        damage: &mut Vec<Damage>,
    ) -> Result<Self, StoreError> {
        dir.refuse_links()?;
        let path = dir.file(HISTORY);
        let end = end.max(HEADER as u64);
        let (file, mode) = match open_file(&path, dir) {
            Ok(Some(opened)) => opened,
            Ok(None) => {
                if end > HEADER as u64 {
                    damage.push(Damage::noted(&path, "it is not there"));
                }
                return Ok(Self::of(dir, path, None, &Scan::default()));
            }
            Err(StoreError::Broken { why, .. }) => {
                let aside = dir.may_write().then(|| dir.set_aside(&path)).transpose()?;
                damage.push(Damage::new(&path, why.to_string(), aside));
                return Ok(Self::of(dir, path, None, &Scan::default()));
            }
            Err(error) => return Err(error),
        };
        let size = file
            .metadata()
            .map_err(StoreError::io("look at", &path))?
            .len();
        let end = match excess {
            Excess::Keep => size.max(end),
            Excess::Cut => end,
        };
        let header = read_header(&file, size, &path)?;
        let scan = Scan::of(&file, size.min(end)).map_err(StoreError::io("read", &path))?;
        let wrong = if header.is_some() {
            header
        } else if size < end && end > HEADER as u64 {
            Some(FormatError::Short)
        } else {
            scan.wrong.clone()
        };
        // What comes after the last good page is cut, or the next one could not be found.
        let is_lost = scan.good_end < size.min(end);
        // What is damaged in the middle is told of once; for the rest, one copy is enough.
        let is_told_again = scan.holes.is_empty() && dir.has_aside(HISTORY);
        let mending = Mending {
            is_worth_a_copy: is_lost || (wrong.is_some() && !is_told_again),
            holes: scan.holes.clone(),
        };
        let (mut mode, mut kept_at) = (mode, None);
        if mode == Mode::Write {
            match mending.apply(dir, &file, &path, scan.good_end) {
                Ok(copy) => kept_at = copy,
                // It can be read all the same, and is made good when something is written to it.
                Err(error) if error.is_full() => mode = Mode::Read,
                Err(error) => return Err(error),
            }
        }
        if let Some(why) = wrong {
            damage.push(Damage::new(&path, why.to_string(), kept_at));
        }
        let file = (file, mode, mending);
        Ok(Self::of(dir, path, Some(file), &scan))
    }

    fn of(dir: &PaneDir, path: PathBuf, file: Option<(File, Mode, Mending)>, scan: &Scan) -> Self {
        let tail = Tail {
            end: scan.good_end.max(HEADER as u64),
            base: scan.base,
            used: scan.used,
        };
        let (reader, writer, mending) = match file {
            Some((file, Mode::Write, _)) => (None, OnceLock::from(file), Mending::default()),
            Some((file, Mode::Read, mending)) => (Some(file), OnceLock::new(), mending),
            None => (None, OnceLock::new(), Mending::default()),
        };
        Self(Arc::new(Shared {
            dir: dir.clone(),
            path,
            reader,
            writer,
            mending,
            tail: Mutex::new(tail),
            pages: RwLock::new(scan.pages.clone()),
            released: Mutex::new(scan.released.clone().unwrap_or(release::NONE_RELEASED)),
        }))
    }

    fn file(&self) -> Option<&File> {
        self.0.writer.get().or(self.0.reader.as_ref())
    }

    /// The file to write to. If it could only be read before, it is opened again, and made what it would have been made then.
    fn writer(&self, tail: &Tail) -> Result<&File, StoreError> {
        if let Some(file) = self.0.writer.get() {
            return Ok(file);
        }
        let (dir, path) = (&self.0.dir, &self.0.path);
        dir.check_writable()?;
        let file = open_for_writing(path)?;
        self.0.mending.apply(dir, &file, path, tail.end)?;
        Ok(self.0.writer.get_or_init(|| file))
    }

    /// Appends pages, durably, and says where the history ends now. Each is dropped before the next is asked for.
    ///
    /// # Errors
    /// When they could not be written; the history is as before then.
    pub fn append(&self, pages: impl IntoIterator<Item = Page>) -> Result<u64, StoreError> {
        if let Some(appended) = self.lay_out(pages)? {
            appended.sync()?;
            appended.take_up();
        }
        Ok(self.end())
    }

    /// Writes pages behind the end without waiting for the disk, and says where the history will end; nothing, if there are none.
    /// Until they are finished, nobody finds them there, and nothing else may be appended.
    ///
    /// # Errors
    /// When they could not be written; the history is as before then.
    pub fn append_unsynced(
        &self,
        pages: impl IntoIterator<Item = impl Into<NewPage>>,
    ) -> Result<(Option<Unsynced>, u64), StoreError> {
        let appended = self.lay_out(pages)?;
        let end = match &appended {
            Some(appended) => appended.tail.end,
            None => self.end(),
        };
        Ok((appended.map(Unsynced::pages), end))
    }

    fn lay_out(
        &self,
        pages: impl IntoIterator<Item = impl Into<NewPage>>,
    ) -> Result<Option<Appended>, StoreError> {
        let tail = *self.0.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pages = pages.into_iter().peekable();
        if pages.peek().is_none() {
            return Ok(None);
        }
        let file = self.writer(&tail)?;
        let packing = match pages.size_hint().0 {
            0..FLOOD => Packing::Alike(self.packer_of(&tail)),
            _ => Packing::Plain,
        };
        let packed = Batch::new(tail, packing).and_then(|mut batch| {
            pages.try_for_each(|page| batch.add(&page.into()))?;
            Ok(batch)
        });
        let batch = packed.map_err(StoreError::io("pack a page of", &self.0.path))?;
        let appended = Appended {
            history: self.clone(),
            before: tail,
            tail: batch.tail,
            added: batch.added,
            is_taken_up: false,
        };
        file.write_all_at(&batch.bytes, tail.end)
            .map_err(StoreError::io("write", &self.0.path))?;
        Ok(Some(appended))
    }

    /// A packer that was shown the base the next page is to use.
    fn packer_of(&self, tail: &Tail) -> Option<Packer> {
        let at = tail.base.filter(|_| tail.used < GROUP)?;
        Packer::new(&self.read_base(at)?).ok()
    }

    fn read_base(&self, at: u64) -> Option<Vec<u8>> {
        let mut bytes = [0; RECORD];
        self.file()?.read_exact_at(&mut bytes, at).ok()?;
        let header = PageHeader::decode(&bytes).ok()?;
        let is_base = header.base == 0 && header.entry.size as usize <= MAX_BASE;
        let payload = self.payload(&Stored { at, header }).filter(|_| is_base)?;
        header.read(&payload, &[]).ok()
    }

    fn payload(&self, stored: &Stored) -> Option<Vec<u8>> {
        let file = self.file()?;
        let start = stored.at.checked_add(RECORD as u64)?;
        let size = file.metadata().ok()?.len();
        if start.checked_add(u64::from(stored.header.packed))? > size {
            return None;
        }
        let mut payload = vec![0; stored.header.packed as usize];
        file.read_exact_at(&mut payload, start).ok()?;
        Some(payload)
    }

    /// The pages there are, by number.
    #[must_use]
    pub fn index(&self) -> Vec<PageEntry> {
        let pages = self.0.pages.read().unwrap_or_else(PoisonError::into_inner);
        pages.values().map(|stored| stored.header.entry).collect()
    }

    /// The contents of a page; `None` if there is none, or if it is damaged.
    #[must_use]
    pub fn page(&self, number: u64) -> Option<Vec<u8>> {
        let stored = {
            let pages = self.0.pages.read().unwrap_or_else(PoisonError::into_inner);
            *pages.get(&number)?
        };
        let base = match stored.header.base {
            0 => Vec::new(),
            at => self.read_base(at)?,
        };
        stored.header.read(&self.payload(&stored)?, &base).ok()
    }

    /// How many lines are on pages that are there and cannot be read.
    #[must_use]
    pub fn unread_lines(&self) -> u64 {
        let unread = self.unread().into_iter();
        unread.map(|page| u64::from(page.header.entry.lines)).sum()
    }

    /// Pages that are there and cannot be read.
    fn unread(&self) -> Vec<Stored> {
        let Some(mut reader) = self.reader() else {
            return Vec::new();
        };
        let mut pages: Vec<Stored> = {
            let pages = self.0.pages.read().unwrap_or_else(PoisonError::into_inner);
            pages.values().copied().collect()
        };
        pages.retain(|page| reader.page(page.header.entry.number).is_none());
        pages
    }

    /// Gives up the pages that are damaged, so that nobody comes upon them again: where they were is known, and what is left of them
    /// is in a copy that is set aside. The pane is there now. What is to be said of it, if there are any.
    ///
    /// # Errors
    /// When that copy, or the history, cannot be written.
    pub fn give_up_unread(&self, dir: &PaneDir) -> Result<Option<Damage>, StoreError> {
        let released = self.0.released.lock();
        let _released = released.unwrap_or_else(PoisonError::into_inner);
        let mut unread = self.unread();
        // What the system does not give now may be as good as ever.
        unread.retain(|page| self.payload(page).is_some());
        if unread.is_empty() {
            return Ok(None);
        }
        dir.check_writable()?;
        let path = &dir.file(HISTORY);
        let tail = *self.0.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let file = self.writer(&tail)?;
        let kept_at = dir.set_aside_copy(path)?;
        let mut lines = 0;
        for page in unread {
            scan::give_up(file, &page.span()).map_err(StoreError::io("write", path))?;
            let mut pages = self.0.pages.write().unwrap_or_else(PoisonError::into_inner);
            pages.remove(&page.header.entry.number);
            lines += u64::from(page.header.entry.lines);
        }
        Ok(Some(Damage::new(
            path,
            unread_sentence(lines),
            Some(kept_at),
        )))
    }

    /// Where the history ends: what a checkpoint has to name.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.0
            .tail
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .end
    }
}

/// What is said of lines that cannot be read.
pub(crate) fn unread_sentence(lines: u64) -> String {
    format!("{lines} lines of it cannot be read")
}

/// Pages that are written behind the end of a history. They are cut off again if they are dropped before they are taken up.
#[derive(Debug)]
pub(crate) struct Appended {
    history: History,
    before: Tail,
    tail: Tail,
    added: Vec<Stored>,
    is_taken_up: bool,
}

impl Appended {
    /// Waits until they are on the disk.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        let shared = &self.history.0;
        let Some(file) = shared.writer.get() else {
            return Err(StoreError::LookOnly);
        };
        file.sync_data()
            .map_err(StoreError::io("write", &shared.path))
    }

    /// Has them found from now on.
    pub(crate) fn take_up(mut self) {
        self.is_taken_up = true;
        let shared = &self.history.0;
        let mut tail = shared.tail.lock().unwrap_or_else(PoisonError::into_inner);
        *tail = self.tail;
        let mut known = shared.pages.write().unwrap_or_else(PoisonError::into_inner);
        for stored in self.added.drain(..) {
            known.insert(stored.header.entry.number, stored);
        }
    }
}

impl Drop for Appended {
    fn drop(&mut self) {
        if let (false, Some(file)) = (self.is_taken_up, self.history.0.writer.get()) {
            let _ = file.set_len(self.before.end);
        }
    }
}

/// How pages are packed.
enum Packing {
    /// Like another one, the base, which the packer was shown; `None` while there is none.
    Alike(Option<Packer>),
    /// Each for itself.
    Plain,
}

/// Pages on their way to the disk.
struct Batch {
    bytes: Vec<u8>,
    start: u64,
    tail: Tail,
    packing: Packing,
    plain_packer: Packer,
    added: Vec<Stored>,
}

impl Batch {
    fn new(tail: Tail, packing: Packing) -> io::Result<Self> {
        Ok(Self {
            bytes: Vec::new(),
            start: tail.end,
            tail,
            packing,
            plain_packer: Packer::new(b"")?,
            added: Vec::new(),
        })
    }

    fn add(&mut self, page: &NewPage) -> io::Result<()> {
        let at = self.start + self.bytes.len() as u64;
        let header = match page {
            NewPage::Plain(page) => match self.pack_alike(page) {
                Some(packed) => packed.write(&mut self.bytes),
                None => {
                    let packed = PackedPage::new(page, &mut self.plain_packer, 0)?;
                    self.stands_for_itself(at, Some(page));
                    packed.write(&mut self.bytes)
                }
            },
            NewPage::Packed(packed) => {
                self.stands_for_itself(at, None);
                packed.write(&mut self.bytes)
            }
        };
        self.added.push(Stored { at, header });
        self.tail.end = self.start + self.bytes.len() as u64;
        Ok(())
    }

    /// Packs a page like its base, if it is to have one.
    fn pack_alike(&mut self, page: &Page) -> Option<PackedPage> {
        let Packing::Alike(Some(packer)) = &mut self.packing else {
            return None;
        };
        // Bytes that look like a trained dictionary cannot be a base, and show it here.
        let packed = PackedPage::new(page, packer, self.tail.base?).ok()?;
        self.tail.used += 1;
        if self.tail.used >= GROUP {
            self.packing = Packing::Alike(None);
        }
        Some(packed)
    }

    /// A page was packed without a base. It is the next one's, if its plain bytes are at hand.
    fn stands_for_itself(&mut self, at: u64, page: Option<&Page>) {
        let mut base = None;
        if let Packing::Alike(packer) = &mut self.packing {
            base = page.filter(|page| page.data.len() <= MAX_BASE);
            *packer = base.and_then(|page| Packer::new(&page.data).ok());
        }
        (self.tail.base, self.tail.used) = (base.map(|_| at), 0);
    }
}

/// What a file was opened for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Write,
}

/// Opens the file as well as possible: to write, else to read.
fn open_file(path: &Path, dir: &PaneDir) -> Result<Option<(File, Mode)>, StoreError> {
    if dir.may_write() {
        match open_for_writing(path) {
            Err(error) if error.is_refused() => {}
            opened => return opened.map(|file| Some((file, Mode::Write))),
        }
    }
    Ok(disk::open(path)?.map(|file| (file, Mode::Read)))
}

fn open_for_writing(path: &Path) -> Result<File, StoreError> {
    // It is made, so that it can be missing only with its directory.
    disk::open_as(path, Access::Make, ANY_SIZE)?
        .ok_or_else(|| StoreError::io("open", path)(io::ErrorKind::NotFound.into()))
}

/// What is wrong with the header, if anything is. A new file has none.
fn read_header(file: &File, size: u64, path: &Path) -> Result<Option<FormatError>, StoreError> {
    if size == 0 {
        return Ok(None);
    }
    let mut header = vec![0; size.min(HEADER as u64) as usize];
    file.read_exact_at(&mut header, 0)
        .map_err(StoreError::io("read", path))?;
    match decode_header(&header) {
        Ok(()) => Ok(None),
        Err(why @ FormatError::Newer { .. }) => Err(StoreError::format(path, why)),
        Err(why) => Ok(Some(why)),
    }
}

/// Gives a file a good header and a good end.
fn make_good(file: &File, good_end: u64) -> io::Result<()> {
    let size = file.metadata()?.len();
    let header = encode_header();
    let mut found = vec![0; HEADER];
    if size < HEADER as u64 || file.read_exact_at(&mut found, 0).is_err() || found != header {
        file.write_all_at(&header, 0)?;
    }
    if size > good_end.max(HEADER as u64) {
        file.set_len(good_end.max(HEADER as u64))?;
    }
    Ok(())
}
