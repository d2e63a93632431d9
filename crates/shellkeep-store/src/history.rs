//! The history of a pane on disk. The recorder appends pages; clients that scroll back or search read them.

mod file;
mod reader;
mod release;
mod scan;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use shellkeep_files::{ANY_SIZE, Access};

use crate::damage::Damage;
use crate::disk;
use crate::error::StoreError;
use crate::pane::PaneDir;
use crate::schema::header::{FormatError, HEADER};
use crate::schema::history::{MAX_BASE, NewPage, PackedPage, Page, PageEntry, PageHeader, RECORD};
use crate::schema::layout::HISTORY;
use crate::schema::packed::Packer;
use file::HistoryFile;
pub use reader::PageReader;
use scan::{Scan, Stored};

/// How many pages share a base. If a base is damaged, all of them are lost, and more pages would save little.
const PAGES_PER_BASE: u32 = 7;

/// If this many pages are appended at once, a program is flooding its terminal. Pages are then packed without a base,
/// because CPU time is scarcer than disk space during a flood.
const FLOOD_PAGES: usize = 64;

/// The sealed pages of one pane. Clones share the history, and can be used from several threads.
#[derive(Clone, Debug)]
pub struct History(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    dir: PaneDir,
    path: PathBuf,
    /// `None` if there is no file yet.
    opened: RwLock<Option<Opened>>,
    /// The repairs that have to be made before anything is written.
    repairs: Repairs,
    tail: Mutex<HistoryTail>,
    pages: RwLock<BTreeMap<u64, Stored>>,
    /// Held while pages are given up or cut off.
    rewriting: Mutex<()>,
}

/// The file, and for what it was opened.
#[derive(Clone, Debug)]
struct Opened {
    file: Arc<HistoryFile>,
    mode: Mode,
}

/// Where the next page is appended.
#[derive(Clone, Copy, Debug, Default)]
struct HistoryTail {
    end: u64,
    /// The position of the base of the next page.
    base: Option<u64>,
    /// How many pages use this base.
    used: u32,
    /// Pages are being written after the end.
    is_growing: bool,
}

/// The repairs of a damaged file.
#[derive(Clone, Debug, Default)]
struct Repairs {
    /// A copy has to be put into the quarantine first.
    is_worth_a_copy: bool,
    /// The ranges that are given up.
    holes: Vec<Range<u64>>,
    /// The end comes from an older checkpoint, from before pages were cut off in front of the file.
    is_before_cut: bool,
}

impl Repairs {
    /// Makes the repairs, and corrects the header and the end. Returns the file, which may be a new one, and where the
    /// copy is.
    fn apply(
        &self,
        dir: &PaneDir,
        file: Arc<HistoryFile>,
        good_end: u64,
    ) -> Result<(Arc<HistoryFile>, Option<PathBuf>), StoreError> {
        let path = dir.file(HISTORY);
        let copy = self.is_worth_a_copy.then(|| dir.set_aside_copy(&path));
        let copy = copy.transpose()?;
        if self.is_before_cut {
            let (shorter, safe) = file.shortened_to(good_end..good_end, dir)?;
            return safe.map(|()| (Arc::new(shorter), copy));
        }
        let mut holes = self.holes.iter().filter(|hole| hole.end <= good_end);
        holes
            .try_for_each(|hole| scan::give_up(&file, hole))
            .and_then(|()| file.make_good(good_end))
            .map_err(StoreError::io("write", &path))?;
        Ok((file, copy))
    }
}

/// What to do with pages after the end that a checkpoint names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// Cut them off, because the journal produces them again.
    Cut,
    /// Keep them, because nothing else is left.
    Keep,
}

impl History {
    /// Opens the history of a pane up to `end`, which the pane's checkpoint names; 0 for a new one. Anything after it
    /// is cut off.
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
        let (file, header) = HistoryFile::of(file, &path)?;
        let size = file.end().map_err(StoreError::io("look at", &path))?;
        let end = match excess {
            Excess::Keep => size.max(end),
            Excess::Cut => end,
        };
        let scan = Scan::of(&file, size.min(end)).map_err(StoreError::io("read", &path))?;
        let wrong = if header.is_some() {
            header
        } else if size < end && end > HEADER as u64 {
            Some(FormatError::Short)
        } else {
            scan.wrong.clone()
        };
        // Anything after the last good page has to be cut off, or the next page could not be found.
        let is_lost = scan.good_end < size.min(end);
        // Damage in the middle is reported only once. For other damage, one copy is enough.
        let is_reported = scan.holes.is_empty() && dir.has_aside(HISTORY);
        let repairs = Repairs {
            is_worth_a_copy: is_lost || (wrong.is_some() && !is_reported),
            holes: scan.holes.clone(),
            is_before_cut: scan.is_before_cut,
        };
        let (mut file, mut mode, mut kept_at) = (Arc::new(file), mode, None);
        if mode == Mode::Write {
            // Left by a server that died while it cut off pages.
            let _ = disk::remove_if_there(&disk::new_path(dir.path(), HISTORY));
            match repairs.apply(dir, file.clone(), scan.good_end) {
                Ok((good, copy)) => (file, kept_at) = (good, copy),
                // It can still be read. It is repaired when something is written to it.
                Err(error) if error.is_full() => mode = Mode::Read,
                Err(error) => return Err(error),
            }
        }
        if let Some(why) = wrong {
            damage.push(Damage::new(&path, why.to_string(), kept_at));
        }
        let opened = (Opened { file, mode }, repairs);
        Ok(Self::of(dir, path, Some(opened), &scan))
    }

    fn of(dir: &PaneDir, path: PathBuf, opened: Option<(Opened, Repairs)>, scan: &Scan) -> Self {
        let tail = HistoryTail {
            end: scan.good_end.max(HEADER as u64),
            base: scan.base,
            used: scan.used,
            is_growing: false,
        };
        let (opened, repairs) = opened.unzip();
        Self(Arc::new(Shared {
            dir: dir.clone(),
            path,
            opened: RwLock::new(opened),
            repairs: repairs.unwrap_or_default(),
            tail: Mutex::new(tail),
            pages: RwLock::new(scan.pages.clone()),
            rewriting: Mutex::default(),
        }))
    }

    fn file(&self) -> Option<Arc<HistoryFile>> {
        self.opened_for(Mode::Read)
    }

    /// The file, if it was opened for this.
    fn opened_for(&self, mode: Mode) -> Option<Arc<HistoryFile>> {
        let opened = self.0.opened.read().unwrap_or_else(PoisonError::into_inner);
        let opened = opened.as_ref().filter(|opened| opened.mode >= mode);
        opened.map(|opened| opened.file.clone())
    }

    /// Uses this file from now on, which is open for writing.
    fn now_in(&self, file: Arc<HistoryFile>) {
        let opened = self.0.opened.write();
        let mode = Mode::Write;
        *opened.unwrap_or_else(PoisonError::into_inner) = Some(Opened { file, mode });
    }

    /// The file to write to. If it could be opened only for reading before, it is opened again and repaired.
    fn writer(&self, tail: &HistoryTail) -> Result<Arc<HistoryFile>, StoreError> {
        if let Some(file) = self.opened_for(Mode::Write) {
            return Ok(file);
        }
        let (dir, path) = (&self.0.dir, &self.0.path);
        dir.check_writable()?;
        let (file, _) = HistoryFile::of(open_for_writing(path)?, path)?;
        let (file, _) = self.0.repairs.apply(dir, Arc::new(file), tail.end)?;
        self.now_in(file.clone());
        Ok(file)
    }

    /// Appends pages durably, and returns the new end. Each page is dropped before the next is taken from the iterator.
    ///
    /// # Errors
    /// When they could not be written. The history is unchanged then.
    pub fn append(&self, pages: impl IntoIterator<Item = Page>) -> Result<u64, StoreError> {
        if let Some(appended) = self.lay_out(pages)? {
            appended.sync()?;
            appended.take_up();
        }
        Ok(self.end())
    }

    /// Writes pages after the end without waiting for the disk, and returns the new end; `None` if there are no pages.
    /// Until they are finished they cannot be found, and nothing else may be appended.
    ///
    /// # Errors
    /// When they could not be written. The history is unchanged then.
    pub fn append_unsynced(
        &self,
        pages: impl IntoIterator<Item = impl Into<NewPage>>,
    ) -> Result<(Option<AppendedPages>, u64), StoreError> {
        let appended = self.lay_out(pages)?;
        let end = match &appended {
            Some(appended) => appended.tail.end,
            None => self.end(),
        };
        Ok((appended, end))
    }

    fn lay_out(
        &self,
        pages: impl IntoIterator<Item = impl Into<NewPage>>,
    ) -> Result<Option<AppendedPages>, StoreError> {
        let mut pages = pages.into_iter().peekable();
        if pages.peek().is_none() {
            return Ok(None);
        }
        let tail = self.begin_to_grow();
        // From here on, dropping this restores the old end.
        let mut appended = AppendedPages {
            history: self.clone(),
            before: tail,
            tail,
            added: Vec::new(),
            is_taken_up: false,
        };
        let file = self.writer(&tail)?;
        let packing = match pages.size_hint().0 {
            0..FLOOD_PAGES => Packing::Alike(self.packer_of(&tail)),
            _ => Packing::Plain,
        };
        let packed = Batch::new(tail, packing).and_then(|mut batch| {
            pages.try_for_each(|page| batch.add(&page.into()))?;
            Ok(batch)
        });
        let batch = packed.map_err(StoreError::io("pack a page of", &self.0.path))?;
        (appended.tail, appended.added) = (batch.tail, batch.added);
        file.write_all_at(&batch.bytes, tail.end)
            .map_err(StoreError::io("write", &self.0.path))?;
        Ok(Some(appended))
    }

    /// Blocks cutting off until the pages that are about to be written are in place or given up. Returns where they go.
    fn begin_to_grow(&self) -> HistoryTail {
        let rewriting = self.0.rewriting.lock();
        let _rewriting = rewriting.unwrap_or_else(PoisonError::into_inner);
        let mut tail = self.0.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.is_growing = true;
        *tail
    }

    /// A packer that has been given the base of the next page.
    fn packer_of(&self, tail: &HistoryTail) -> Option<Packer> {
        let at = tail.base.filter(|_| tail.used < PAGES_PER_BASE)?;
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
        let size = file.end().ok()?;
        if start.checked_add(u64::from(stored.header.packed))? > size {
            return None;
        }
        let mut payload = vec![0; stored.header.packed as usize];
        file.read_exact_at(&mut payload, start).ok()?;
        Some(payload)
    }

    /// All pages, by number.
    #[must_use]
    pub fn index(&self) -> Vec<PageEntry> {
        let pages = self.0.pages.read().unwrap_or_else(PoisonError::into_inner);
        pages.values().map(|stored| stored.header.entry).collect()
    }

    /// The content of a page; `None` if it does not exist or is damaged.
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

    /// The number of lines on pages that exist and cannot be read.
    #[must_use]
    pub fn unread_lines(&self) -> u64 {
        let unread = self.unread().into_iter();
        unread.map(|page| u64::from(page.header.entry.lines)).sum()
    }

    /// Pages that exist and cannot be read.
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

    /// Gives up the damaged pages, after copying the file to the quarantine, so that their damage is not reported
    /// again. `dir` is where the pane is now. Returns what to report, if pages were damaged.
    ///
    /// # Errors
    /// When the copy or the history cannot be written.
    pub fn give_up_unread(&self, dir: &PaneDir) -> Result<Option<Damage>, StoreError> {
        let rewriting = self.0.rewriting.lock();
        let _rewriting = rewriting.unwrap_or_else(PoisonError::into_inner);
        let mut unread = self.unread();
        // A page that the system cannot read now may be good.
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
            scan::give_up(&file, &page.span()).map_err(StoreError::io("write", path))?;
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

    /// The end of the history, which a checkpoint has to name.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.0
            .tail
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .end
    }
}

/// The sentence about lines that cannot be read.
pub(crate) fn unread_sentence(lines: u64) -> String {
    format!("{lines} lines of it cannot be read")
}

/// Pages that are written after the end of a history. Dropping this before they are taken up cuts them off again.
#[derive(Debug)]
pub struct AppendedPages {
    history: History,
    before: HistoryTail,
    tail: HistoryTail,
    added: Vec<Stored>,
    is_taken_up: bool,
}

impl AppendedPages {
    /// Waits until they are on the disk.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        let shared = &self.history.0;
        let Some(file) = self.history.opened_for(Mode::Write) else {
            return Err(StoreError::LookOnly);
        };
        file.sync_data()
            .map_err(StoreError::io("write", &shared.path))
    }

    /// Makes the pages part of the history.
    pub(crate) fn take_up(mut self) {
        self.is_taken_up = true;
        let shared = &self.history.0;
        let mut tail = shared.tail.lock().unwrap_or_else(PoisonError::into_inner);
        *tail = self.tail;
        drop(tail);
        let mut known = shared.pages.write().unwrap_or_else(PoisonError::into_inner);
        for stored in self.added.drain(..) {
            known.insert(stored.header.entry.number, stored);
        }
    }
}

impl Drop for AppendedPages {
    fn drop(&mut self) {
        if !self.is_taken_up
            && let Some(file) = self.history.opened_for(Mode::Write)
        {
            let _ = file.set_end(self.before.end);
        }
        let tail = self.history.0.tail.lock();
        tail.unwrap_or_else(PoisonError::into_inner).is_growing = false;
    }
}

/// How pages are packed.
enum Packing {
    /// With an earlier page as base, which the packer has been given; `None` while there is no base.
    Alike(Option<Packer>),
    /// Each on its own.
    Plain,
}

/// Pages that are being written.
struct Batch {
    bytes: Vec<u8>,
    start: u64,
    tail: HistoryTail,
    packing: Packing,
    plain_packer: Packer,
    added: Vec<Stored>,
}

impl Batch {
    fn new(tail: HistoryTail, packing: Packing) -> io::Result<Self> {
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

    /// Packs a page with its base, if it is to have one.
    fn pack_alike(&mut self, page: &Page) -> Option<PackedPage> {
        let Packing::Alike(Some(packer)) = &mut self.packing else {
            return None;
        };
        // A page whose bytes look like a trained dictionary cannot be a base; that shows here.
        let packed = PackedPage::new(page, packer, self.tail.base?).ok()?;
        self.tail.used += 1;
        if self.tail.used >= PAGES_PER_BASE {
            self.packing = Packing::Alike(None);
        }
        Some(packed)
    }

    /// A page was packed without a base. It becomes the base of the next one if its plain bytes are available.
    fn stands_for_itself(&mut self, at: u64, page: Option<&Page>) {
        let mut base = None;
        if let Packing::Alike(packer) = &mut self.packing {
            base = page.filter(|page| page.data.len() <= MAX_BASE);
            *packer = base.and_then(|page| Packer::new(&page.data).ok());
        }
        (self.tail.base, self.tail.used) = (base.map(|_| at), 0);
    }
}

/// For what a file was opened. Writing includes reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Read,
    Write,
}

/// Opens the file for writing, or else for reading.
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
    // It is always made, so that it can be missing only together with its directory.
    disk::open_as(path, Access::Make, ANY_SIZE)?
        .ok_or_else(|| StoreError::io("open", path)(io::ErrorKind::NotFound.into()))
}

/// The end of a pane's history according to the file alone; 0 if there is none.
pub(crate) fn end_of_file(dir: &PaneDir) -> u64 {
    let path = dir.file(HISTORY);
    let file = disk::open(&path).ok().flatten();
    let opened = file.and_then(|file| HistoryFile::of(file, &path).ok());
    opened.map_or(0, |(file, _)| file.end().unwrap_or(0))
}
