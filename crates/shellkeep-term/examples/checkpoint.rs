//! Measures what a checkpoint of a stored pane costs, and reading its history back, with a short and a long history:
//! `cargo run --release -p shellkeep-term --example checkpoint`.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator, Keep, PageStore, TakenPage};

/// A page store in memory, so that only the engine is measured.
#[derive(Debug, Default)]
struct MemoryStore(Mutex<Vec<(TakenPage, Vec<u8>)>>);

impl PageStore for MemoryStore {
    fn page(&self, number: u64) -> Option<Vec<u8>> {
        let pages = self.0.lock().ok()?;
        Some(pages.get(number as usize)?.1.clone())
    }
}

impl MemoryStore {
    fn take(&self, emulator: &mut Emulator) {
        let mut pages = self.0.lock().expect("nobody panicked");
        let taken = emulator.take_sealed();
        pages.extend(taken.iter().map(|page| (page.taken(), page.bytes())));
    }
}

fn config() -> Config {
    Config {
        keep: Keep::Store,
        history_limit: usize::MAX,
        ..Config::default()
    }
}

/// The median and the longest of many runs.
fn time(mut what: impl FnMut()) -> String {
    let times = (0..101).map(|_| {
        let start = Instant::now();
        what();
        start.elapsed()
    });
    sum_up(times.collect())
}

fn sum_up(mut times: Vec<Duration>) -> String {
    times.sort();
    format!("{:?} (at worst {:?})", times[50], times[100])
}

fn line(n: usize) -> String {
    format!(
        "{n:07} \x1b[32mhost\x1b[0m service[{}]: request {} took {} ms\r\n",
        n * 7 % 32768,
        n * 31 % 1000,
        n * 17 % 97
    )
}

fn main() {
    for lines in [10_000, 1_000_000] {
        let memory_store = Arc::new(MemoryStore::default());
        let mut emulator = Emulator::new(Size::new(50, 200), config());
        emulator.set_page_store(memory_store.clone());
        let mut effects = Vec::new();
        for n in 0..lines {
            emulator.feed(line(n).as_bytes(), &mut effects);
            if n % 1000 == 0 {
                memory_store.take(&mut emulator);
            }
        }
        println!(
            "{} lines, {} KB in memory, dump of {} KB",
            emulator.history_lines(),
            emulator.memory() >> 10,
            emulator.dump().len() >> 10
        );
        let mut n = lines;
        let mut taken = Vec::new();
        let mut times = Vec::new();
        for _ in 0..101 {
            // A second of a busy program between checkpoints.
            for _ in 0..2000 {
                emulator.feed(line(n).as_bytes(), &mut effects);
                n += 1;
            }
            let start = Instant::now();
            taken.push(emulator.take_sealed());
            black_box(emulator.dump());
            times.push(start.elapsed());
        }
        let bytes = time(|| drop(black_box(taken[0][0].bytes())));
        for pages in taken {
            let mut memory_store = memory_store.0.lock().expect("nobody panicked");
            memory_store.extend(pages.iter().map(|page| (page.taken(), page.bytes())));
        }
        println!("  checkpoint with 2,000 new lines: {}", sum_up(times));
        println!("  bytes of a page, in another thread: {bytes}");
        println!("  dump: {}", time(|| drop(black_box(emulator.dump()))));
        println!(
            "  a page read: {}",
            time(|| drop(black_box(emulator.history_line_rows(500, 1, 200))))
        );
        println!(
            "  counting rows: {}",
            time(|| {
                black_box(emulator.history_row_count());
            })
        );
        let dump = emulator.dump();
        let known: Vec<TakenPage> = memory_store
            .0
            .lock()
            .expect("nobody panicked")
            .iter()
            .map(|(page, _)| *page)
            .collect();
        println!(
            "  restore: {}",
            time(|| drop(black_box(Emulator::restore_kept(
                &dump,
                config(),
                &known,
                memory_store.clone()
            ))))
        );
        let start = Instant::now();
        black_box(emulator.history_rows(0, usize::MAX));
        println!("  all rows: {:?}", start.elapsed());
    }
}
