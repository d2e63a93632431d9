//! Measures the memory of panes with a counting allocator, and the time of a resize with a long history.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::alloc::System;
use std::fmt::Write;
use std::time::{Duration, Instant};

use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator, Keep};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SIZE: Size = Size::new(24, 80);

/// Bytes of the terminal that `make` returns, on the heap and in the value itself.
fn cost(name: &str, make: impl FnOnce() -> Emulator) {
    let region = Region::new(ALLOCATOR);
    let emulator = make();
    let change = region.change();
    let heap = change.bytes_allocated as isize - change.bytes_deallocated as isize;
    let total = heap as usize + size_of::<Emulator>();
    println!(
        "| {name} | {:.1} KB | {:.1} KB |",
        total as f64 / 1024.0,
        emulator.memory() as f64 / 1024.0
    );
}

/// A terminal with 10,000 lines of history, whose sealed pages are taken as they appear.
fn with_history(keep: Keep, line: impl Fn(usize) -> String) -> Emulator {
    let config = Config {
        keep,
        ..Config::default()
    };
    let mut emulator = Emulator::new(SIZE, config);
    let mut effects = Vec::new();
    for n in 0..10_024 {
        emulator.feed(line(n).as_bytes(), &mut effects);
        drop(emulator.take_sealed());
    }
    emulator
}

fn typical(n: usize) -> String {
    let mut line = format!(
        "{n:06} Nov 16 03:12:{:02} host service[{}]: ",
        n % 60,
        n * 7 % 32768
    );
    while line.len() < 80 {
        let _ = write!(line, "request {} took {} ms ", n * 31 % 1000, n * 17 % 97);
    }
    line.truncate(80);
    line + "\r\n"
}

fn coloured(n: usize) -> String {
    let mut line = String::new();
    for part in 0..20 {
        let _ = write!(
            line,
            "\x1b[38;5;{}m{:04}",
            (n * 7 + part * 13) % 256,
            (n * 31 + part) % 10_000
        );
    }
    line + "\x1b[0m\r\n"
}

fn main() {
    println!("| 80x24 pane | counted | by its own account |");
    println!("|---|---|---|");
    cost("fresh", || Emulator::new(SIZE, Config::default()));
    cost("a screen full of text", || {
        let mut emulator = Emulator::new(SIZE, Config::default());
        emulator.feed("x".repeat(80 * 24).as_bytes(), &mut Vec::new());
        emulator
    });
    cost("a screen full of 256 colours", || {
        let mut emulator = Emulator::new(SIZE, Config::default());
        for n in 0..23 {
            emulator.feed(coloured(n).as_bytes(), &mut Vec::new());
        }
        emulator
    });
    cost("10,000 lines, pages with a store", || {
        with_history(Keep::Store, typical)
    });
    cost("10,000 lines, pages in memory", || {
        with_history(Keep::Memory, typical)
    });
    cost("10,000 coloured lines, pages with a store", || {
        with_history(Keep::Store, coloured)
    });
    cost("10,000 coloured lines, pages in memory", || {
        with_history(Keep::Memory, coloured)
    });
    resize_long_history();
}

fn resize_long_history() {
    let config = Config {
        history_limit: usize::MAX,
        ..Config::default()
    };
    let mut emulator = Emulator::new(SIZE, config);
    let mut effects = Vec::new();
    for n in 0..1_000_024 {
        emulator.feed(typical(n).as_bytes(), &mut effects);
    }
    let mut worst = Duration::ZERO;
    for cols in [40, 132, 79, 200, 80] {
        let start = Instant::now();
        emulator.resize(Size::new(24, cols));
        worst = worst.max(start.elapsed());
    }
    println!(
        "\nresize with {} history lines: {worst:?} at worst",
        emulator.history_lines()
    );
}
