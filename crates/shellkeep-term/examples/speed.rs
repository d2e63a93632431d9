//! Runs the input of the throughput benches through the three engines in turn, and prints the best of many rounds,
//! which is what can be compared on a busy machine.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../benches/input/mod.rs"]
mod input;

use std::num::NonZero;
use std::time::{Duration, Instant};

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::term::Config as AlacrittyConfig;
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::vte::ansi::Processor;
use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

const ROUNDS: usize = 30;
const PIECE: usize = 64 << 10;

fn best(best: &mut Duration, mut run: impl FnMut()) {
    let start = Instant::now();
    run();
    *best = (*best).min(start.elapsed());
}

fn run_one(engine: &str, bytes: &[u8]) {
    let mut engines = Engines::new();
    let mut effects = Vec::new();
    for piece in (0..ROUNDS).flat_map(|_| bytes.chunks(PIECE)) {
        match engine {
            "vt100" => engines.vt100.process(piece),
            "alacritty" => engines.processor.advance(&mut engines.term, piece),
            _ => engines.ours.feed(piece, &mut effects),
        }
    }
}

struct Engines {
    ours: Emulator,
    vt100: vt100::Parser,
    term: alacritty_terminal::Term<VoidListener>,
    processor: Processor,
}

impl Engines {
    fn new() -> Self {
        let rows = NonZero::new(24).expect("not zero");
        let cols = NonZero::new(80).expect("not zero");
        let config = AlacrittyConfig {
            scrolling_history: 10_000,
            ..AlacrittyConfig::default()
        };
        Self {
            ours: Emulator::new(Size::new(24, 80), Config::default()),
            vt100: vt100::Parser::new(rows, cols, 10_000),
            term: alacritty_terminal::Term::new(config, &TermSize::new(80, 24), VoidListener),
            processor: Processor::new(),
        }
    }
}

fn main() {
    // `speed ENGINE INPUT` runs one engine on one input, for a profiler to watch.
    let mut args = std::env::args().skip(1);
    if let (Some(engine), Some(only)) = (args.next(), args.next()) {
        for (_, bytes) in input::all().iter().filter(|(name, _)| *name == only) {
            run_one(&engine, bytes);
        }
        return;
    }
    println!("| input | shellkeep | vt100 | alacritty | times the faster |");
    println!("|---|---|---|---|---|");
    for (name, bytes) in input::all() {
        let mut engines = Engines::new();
        let mut effects = Vec::new();
        let mut times = [Duration::MAX; 3];
        for _ in 0..ROUNDS {
            best(&mut times[0], || {
                bytes
                    .chunks(PIECE)
                    .for_each(|piece| engines.ours.feed(piece, &mut effects));
                effects.clear();
            });
            best(&mut times[1], || {
                bytes
                    .chunks(PIECE)
                    .for_each(|piece| engines.vt100.process(piece))
            });
            best(&mut times[2], || {
                bytes
                    .chunks(PIECE)
                    .for_each(|piece| engines.processor.advance(&mut engines.term, piece));
            });
        }
        let speed = times.map(|time| bytes.len() as f64 / time.as_secs_f64() / 1e6);
        println!(
            "| {name} | {:.0} MB/s | {:.0} | {:.0} | {:.2} |",
            speed[0],
            speed[1],
            speed[2],
            speed[0] / speed[1].max(speed[2])
        );
    }
}
