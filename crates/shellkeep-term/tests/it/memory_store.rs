//! A page store in memory, in place of a server's store on disk.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator, Keep, PageStore, SealedPage, TakenPage};

use crate::kit::Term;

#[derive(Debug, Default)]
pub(crate) struct MemoryStore {
    pages: Mutex<BTreeMap<u64, (TakenPage, Vec<u8>)>>,
    asked: AtomicUsize,
}

impl MemoryStore {
    pub(crate) fn put(&self, pages: Vec<SealedPage>) {
        let mut here = self.pages.lock().expect("nobody panicked");
        here.extend(
            pages
                .iter()
                .map(|page| (page.number, (page.taken(), page.bytes()))),
        );
    }

    pub(crate) fn taken(&self) -> Vec<TakenPage> {
        let here = self.pages.lock().expect("nobody panicked");
        here.values().map(|(page, _)| *page).collect()
    }

    /// Replaces the bytes of a page.
    pub(crate) fn spoil(&self, number: u64, bytes: &[u8]) {
        let mut here = self.pages.lock().expect("nobody panicked");
        here.get_mut(&number).expect("was taken").1 = bytes.to_vec();
    }

    /// A copy of the present content, for another engine.
    pub(crate) fn copy(&self) -> Arc<Self> {
        let pages = self.pages.lock().expect("nobody panicked").clone();
        Arc::new(Self {
            pages: Mutex::new(pages),
            asked: AtomicUsize::new(0),
        })
    }

    /// How many pages were read since the last call.
    pub(crate) fn asked(&self) -> usize {
        self.asked.swap(0, Ordering::Relaxed)
    }
}

impl PageStore for MemoryStore {
    fn page(&self, number: u64) -> Option<Vec<u8>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let here = self.pages.lock().expect("nobody panicked");
        here.get(&number).map(|(_, bytes)| bytes.clone())
    }
}

pub(crate) fn kept() -> Config {
    Config {
        keep: Keep::Store,
        history_limit: usize::MAX,
        ..Config::default()
    }
}

/// A terminal with a store in memory, and the store.
pub(crate) fn with_memory_store(rows: u16, cols: u16, config: Config) -> (Term, Arc<MemoryStore>) {
    let memory_store = Arc::new(MemoryStore::default());
    let mut emulator = Emulator::new(Size::new(rows, cols), config);
    emulator.set_page_store(memory_store.clone());
    let term = Term {
        emulator,
        effects: Vec::new(),
    };
    (term, memory_store)
}
