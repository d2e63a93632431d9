//! Measures bytes per second through this engine, `vt100` and `alacritty_terminal`, with the same input in one run and
//! 10,000 lines of scrollback each.

mod input;

use std::hint::black_box;
use std::num::NonZero;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::term::Config as AlacrittyConfig;
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::vte::ansi::Processor;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

/// PTYs are read in pieces of at most this size.
const PIECE: usize = 64 << 10;

const ROWS: NonZero<u16> = NonZero::new(24).unwrap();
const COLS: NonZero<u16> = NonZero::new(80).unwrap();

/// A parser that drops everything it parses: the upper bound for every engine built on `vte`.
struct Nothing;
impl vte::Perform for Nothing {
    fn print(&mut self, c: char) {
        black_box(c);
    }
}

fn throughput(criterion: &mut Criterion) {
    for (name, bytes) in input::all() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.sample_size(20);
        group.bench_function("shellkeep", |bench| {
            let mut emulator = Emulator::new(Size::new(24, 80), Config::default());
            let mut effects = Vec::new();
            bench.iter(|| {
                for piece in bytes.chunks(PIECE) {
                    emulator.feed(black_box(piece), &mut effects);
                }
                effects.clear();
            });
        });
        group.bench_function("vt100", |bench| {
            let mut parser = vt100::Parser::new(ROWS, COLS, 10_000);
            bench.iter(|| {
                for piece in bytes.chunks(PIECE) {
                    parser.process(black_box(piece));
                }
            });
        });
        group.bench_function("alacritty", |bench| {
            let size = TermSize::new(80, 24);
            let config = AlacrittyConfig {
                scrolling_history: 10_000,
                ..AlacrittyConfig::default()
            };
            let mut term = alacritty_terminal::Term::new(config, &size, VoidListener);
            let mut processor: Processor = Processor::new();
            bench.iter(|| {
                for piece in bytes.chunks(PIECE) {
                    processor.advance(&mut term, black_box(piece));
                }
            });
        });
        group.bench_function("vte alone", |bench| {
            let mut parser = vte::Parser::new();
            bench.iter(|| {
                for piece in bytes.chunks(PIECE) {
                    parser.advance(&mut Nothing, black_box(piece));
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, throughput);
criterion_main!(benches);
