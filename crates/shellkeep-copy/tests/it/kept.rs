//! A pane with its history in a store.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use shellkeep_copy::Frozen;
use shellkeep_term::{Config, Emulator, Keep, PageStore};

use crate::kit::{Kit, lines};

#[derive(Debug, Default)]
struct MemoryStore {
    pages: Mutex<BTreeMap<u64, Vec<u8>>>,
    asked: AtomicUsize,
}

impl PageStore for MemoryStore {
    fn page(&self, number: u64) -> Option<Vec<u8>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.pages
            .lock()
            .expect("nobody panicked")
            .get(&number)
            .cloned()
    }
}

/// A pane in copy mode after this output, and the store of its pages, except `lost`.
fn kit(bytes: &str, lost: &[u64]) -> (Kit, Arc<MemoryStore>) {
    let mut kit = Kit::new(10, 40, "");
    let config = Config {
        keep: Keep::Store,
        history_limit: usize::MAX,
        ..Config::default()
    };
    let store = Arc::new(MemoryStore::default());
    let mut emulator = Emulator::new(kit.emulator.size(), config);
    emulator.set_page_store(store.clone());
    emulator.feed(bytes.as_bytes(), &mut Vec::new());
    for page in emulator.take_sealed() {
        if !lost.contains(&page.number) {
            let mut pages = store.pages.lock().expect("nobody panicked");
            pages.insert(page.number, page.bytes());
        }
    }
    kit.frozen = Frozen::new(&emulator);
    let text = kit.frozen.text(&emulator);
    kit.mode.refresh(0, &text, &kit.options);
    kit.emulator = emulator;
    (kit, store)
}

#[test]
fn scrolling_through_pages_with_a_store_reads_each_once() {
    let long = "x".repeat(60);
    let bytes: String = (0..3000).map(|n| format!("{n} {long}\r\n")).collect();
    for bytes in [lines(3000), bytes] {
        let (mut kit, store) = kit(&bytes, &[]);
        let mut plain = Kit::new(10, 40, &bytes);
        for _ in 0..6100 {
            kit.run(&["scroll-up"]);
        }
        plain.run(&["history-top"]);
        assert_eq!(kit.shown(), plain.shown());
        let pages = store.pages.lock().expect("nobody panicked").len();
        let asked = store.asked.load(Ordering::Relaxed);
        // Counting reads some pages before they are shown.
        assert!(
            pages > 8 && asked <= 2 * pages,
            "{pages} pages, asked {asked} times"
        );
        assert_eq!(kit.frozen.missing(), None);
    }
}

#[test]
fn page_the_store_cannot_give_shows_as_empty_lines() {
    let (mut kit, _shelf) = kit(&lines(3000), &[1]);
    kit.run(&["history-top"]);
    assert_eq!(kit.shown()[0], "line 0");
    assert_eq!(kit.frozen.missing(), None, "nobody looked there");
    kit.run(&["search-forward-text", "line 255"]);
    kit.run(&["search-forward-text", "line 512"]);
    assert_eq!(kit.line(), "line 512");
    assert_eq!(kit.frozen.missing().map(|page| page.0), Some(1));
    kit.run(&["cursor-up"]);
    assert_eq!(kit.line(), "");
}
