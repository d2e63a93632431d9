//! The sealed pages of a pane's history: those on disk, and those that still have to be written.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use shellkeep_store::{
    Damage, History, NewPage, PackedPage, Page, PagePacker, PaneDir, StoreError, Unsynced,
};
use shellkeep_term::{PageStore, SealedPage, TakenPage};

/// How much memory pages may take that cannot be written. Beyond it the oldest are dropped.
const MAX_WAITING_BYTES: usize = 16 << 20;

/// The sealed pages of a pane.
pub(crate) struct HistoryPages {
    place: Mutex<HistoryDir>,
    history: OnceLock<History>,
    /// Pages that are not on disk yet.
    waiting: Mutex<BTreeMap<u64, Arc<WaitingPage>>>,
    /// A page on disk was found damaged and could not be set aside.
    is_damaged: AtomicBool,
    /// The damage that was not shown in the pane yet.
    damage: Mutex<Option<Damage>>,
    /// Called when damage is found.
    damage_listener: Mutex<Option<Box<dyn Fn() + Send>>>,
}

/// The directory of the history.
struct HistoryDir {
    dir: PaneDir,
    /// The record may have opened the history anew, so this one must not replace its file any more.
    is_retired: bool,
}

impl fmt::Debug for HistoryPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut history_pages = f.debug_struct("Shelf");
        history_pages
            .field("history", &self.history)
            .finish_non_exhaustive()
    }
}

impl HistoryPages {
    pub(crate) fn new(dir: PaneDir) -> Self {
        let is_retired = false;
        Self {
            place: Mutex::new(HistoryDir { dir, is_retired }),
            history: OnceLock::new(),
            waiting: Mutex::default(),
            is_damaged: AtomicBool::new(false),
            damage: Mutex::default(),
            damage_listener: Mutex::default(),
        }
    }

    pub(crate) fn with_history(dir: PaneDir, history: History) -> Self {
        let history_pages = Self::new(dir);
        let _ = history_pages.history.set(history);
        history_pages
    }

    /// The same pages in a new directory.
    pub(crate) fn copied_to(&self, dir: &PaneDir) -> Result<Self, StoreError> {
        let history_pages = Self::new(dir.clone());
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = waiting.values().map(|waiting| waiting.page.clone());
        history_pages.add_waiting(pages.collect());
        drop(waiting);
        let Some(old) = self.history.get() else {
            return Ok(history_pages);
        };
        for entry in old.index() {
            if let Some(data) = old.page(entry.number) {
                history_pages.history()?.append([Page {
                    number: entry.number,
                    first_line: entry.first_line,
                    lines: entry.lines,
                    cells: entry.cells,
                    longest: entry.longest,
                    data,
                }])?;
            }
        }
        Ok(history_pages)
    }

    /// Sets what is called when pages on disk are found damaged.
    pub(crate) fn on_damage(&self, damage_listener: impl Fn() + Send + 'static) {
        let mut listener = self
            .damage_listener
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *listener = Some(Box::new(damage_listener));
    }

    /// Sets a copy of unreadable pages aside; their lines are blank from now on. If that fails it is not tried again.
    fn found_damage(&self, history: &History) {
        if self.is_damaged.swap(true, Ordering::Relaxed) {
            return;
        }
        let place = self.place();
        let found = history.give_up_unread(&place.dir);
        drop(place);
        match found {
            Ok(None) => {}
            Ok(Some(damage)) => {
                tracing::error!(%damage, "pages of history are damaged and were set aside");
                self.is_damaged.store(false, Ordering::Relaxed);
                *self.damage.lock().unwrap_or_else(PoisonError::into_inner) = Some(damage);
                let damage_listener = self
                    .damage_listener
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                if let Some(tell) = &*damage_listener {
                    tell();
                }
            }
            Err(error) => {
                tracing::error!(%error, "pages of history are damaged and cannot be set aside")
            }
        }
    }

    /// The damage found since the last call.
    pub(crate) fn take_damage(&self) -> Option<Damage> {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage.take()
    }

    /// Drops the oldest waiting pages beyond [`MAX_WAITING_BYTES`], since memory is limited too.
    pub(crate) fn trim(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory: usize = waiting.values().map(|each| each.memory()).sum();
        while memory > MAX_WAITING_BYTES
            && let Some((_, given_up)) = waiting.pop_first()
        {
            memory -= given_up.memory();
            tracing::warn!(
                lines = given_up.page.lines,
                "lines of history were dropped: they cannot be written"
            );
        }
    }

    fn place(&self) -> MutexGuard<'_, HistoryDir> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn moved(&self, dir: PaneDir) {
        self.place().dir = dir;
    }

    /// The record uses other pages now. These can still be read.
    pub(crate) fn retire(&self) {
        self.place().is_retired = true;
    }

    fn history(&self) -> Result<&History, StoreError> {
        if let Some(history) = self.history.get() {
            return Ok(history);
        }
        let history = History::open(&self.place().dir, 0)?;
        Ok(self.history.get_or_init(|| history))
    }

    /// The pages on disk, if they were opened.
    pub(crate) fn on_disk(&self) -> Option<History> {
        self.history.get().cloned()
    }

    pub(crate) fn index(&self) -> Vec<TakenPage> {
        let pages = self.history.get().map(History::index).unwrap_or_default();
        let pages = pages.into_iter().map(|page| TakenPage {
            number: page.number,
            first_line: page.first_line,
            lines: page.lines,
            cells: page.cells,
            longest: page.longest,
        });
        pages.collect()
    }

    pub(crate) fn add_waiting(&self, pages: Vec<SealedPage>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = pages.into_iter();
        waiting.extend(pages.map(|page| (page.number, Arc::new(WaitingPage::new(page)))));
    }

    /// The pages that are not on disk, to be packed before they are written.
    pub(crate) fn waiting(&self) -> Vec<Arc<WaitingPage>> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.values().cloned().collect()
    }

    /// Appends the waiting pages without waiting for the disk. Returns the length of the history with them.
    pub(crate) fn lay_out(&self) -> Result<LaidOut, StoreError> {
        let pages = self.waiting();
        if pages.is_empty() && self.history.get().is_none() {
            return Ok(LaidOut::default());
        }
        let history = self.history()?;
        let (appended, end) = history.append_unsynced(pages.iter().map(|page| page.to_write()))?;
        let unsynced = appended.map(Unsynced::from);
        Ok(LaidOut {
            end,
            unsynced,
            pages: pages.iter().map(|waiting| waiting.page.number).collect(),
        })
    }

    /// Frees the disk space of pages before this one. The lock is held meanwhile, so that the record does not open the
    /// history anew.
    pub(crate) fn release_before(&self, number: u64) -> Result<(), StoreError> {
        let place = self.place();
        match self.history.get() {
            Some(history) if !place.is_retired => history.release_before(number, &place.dir),
            _ => Ok(()),
        }
    }

    /// These pages are on disk now.
    pub(crate) fn were_written(&self, pages: &[u64]) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let pages: Vec<_> = pages.iter().map(|page| waiting.remove(page)).collect();
        // Release the lock first: freeing pages takes a while, and readers may wait for it.
        drop(waiting);
        drop(pages);
    }
}

/// A page that is not on disk yet.
#[derive(Debug)]
pub(crate) struct WaitingPage {
    page: SealedPage,
    /// The packed page, once a thread has packed it.
    packed: OnceLock<Arc<PackedPage>>,
}

impl WaitingPage {
    fn new(page: SealedPage) -> Self {
        Self {
            page,
            packed: OnceLock::new(),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        self.page.memory()
    }

    pub(crate) fn is_packed(&self) -> bool {
        self.packed.get().is_some()
    }

    /// Packs it, so that the writer need not. On failure the writer tries again and handles the error.
    pub(crate) fn pack(&self, packer: &mut PagePacker) {
        if let Ok(packed) = packer.pack(&page_of(&self.page)) {
            let _ = self.packed.set(Arc::new(packed));
        }
    }

    fn to_write(&self) -> NewPage {
        match self.packed.get() {
            Some(packed) => NewPage::Packed(packed.clone()),
            None => NewPage::Plain(page_of(&self.page)),
        }
    }
}

/// Pages that are written and not yet synced.
#[derive(Debug, Default)]
pub(crate) struct LaidOut {
    /// The length of the history with them.
    pub(crate) end: u64,
    pub(crate) unsynced: Option<Unsynced>,
    pub(crate) pages: Vec<u64>,
}

fn page_of(page: &SealedPage) -> Page {
    Page {
        number: page.number,
        first_line: page.first_line,
        lines: page.lines,
        cells: page.cells,
        longest: page.longest,
        data: page.bytes(),
    }
}

impl PageStore for HistoryPages {
    fn page(&self, number: u64) -> Option<Vec<u8>> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = waiting.get(&number) {
            return Some(waiting.page.bytes());
        }
        drop(waiting);
        let history = self.history.get()?;
        let page = history.page(number);
        if page.is_none() && history.index().iter().any(|entry| entry.number == number) {
            self.found_damage(history);
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_core::Size;
    use shellkeep_store::{Store, StoreId};
    use shellkeep_term::{Config, Effects, Emulator, Keep};

    use super::*;

    /// An emulator that has printed this many lines that compress badly.
    fn printed(lines: u32) -> Emulator {
        let config = Config {
            keep: Keep::Store,
            history_limit: usize::MAX,
            ..Config::default()
        };
        let mut emulator = Emulator::new(Size::new(24, 400), config);
        let mut noise = 88_172_645_463_325_252_u64;
        for _ in 0..lines {
            let mut line = String::new();
            while line.len() < 360 {
                noise ^= noise << 13;
                noise ^= noise >> 7;
                noise ^= noise << 17;
                line.push_str(&format!("{noise:x}"));
            }
            emulator.feed(format!("{line}\r\n").as_bytes(), &mut Effects::new());
        }
        emulator
    }

    fn place() -> (tempfile::TempDir, PaneDir) {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::open(temp.path(), "default").unwrap();
        let dir = store.pane(StoreId::new(1), StoreId::new(2));
        dir.create().unwrap();
        (temp, dir)
    }

    #[test]
    fn pages_that_cannot_be_written_take_no_more_than_their_share_of_memory() {
        let (_temp, dir) = place();
        let history_pages = HistoryPages::new(dir);
        let mut emulator = printed(60_000);
        let pages = emulator.take_sealed();
        let last = pages.last().unwrap().number;
        history_pages.add_waiting(pages);
        history_pages.trim();
        let waiting = history_pages.waiting.lock().unwrap();
        let memory: usize = waiting.values().map(|each| each.memory()).sum();
        assert!(
            memory <= MAX_WAITING_BYTES && memory > MAX_WAITING_BYTES / 2,
            "{memory}"
        );
        drop(waiting);
        // The newest pages are there; the dropped ones are known to be missing.
        assert!(history_pages.page(last).is_some());
        assert!(history_pages.page(0).is_none());
    }

    #[test]
    fn history_whose_file_is_gone_is_read_and_written_elsewhere() {
        let (_temp, dir) = place();
        let history_pages = HistoryPages::new(dir.clone());
        let mut emulator = printed(3000);
        history_pages.add_waiting(emulator.take_sealed());
        let laid_out = history_pages.lay_out().unwrap();
        laid_out.unsynced.unwrap().finish().unwrap();
        history_pages.were_written(&laid_out.pages);
        let index = history_pages.index();
        std::fs::remove_dir_all(dir.path()).unwrap();
        dir.create().unwrap();
        let anew = history_pages.copied_to(&dir).unwrap();
        assert_eq!(anew.index(), index);
        assert!(index.len() > 5);
        for page in index {
            assert_eq!(anew.page(page.number), history_pages.page(page.number));
        }
    }
}
