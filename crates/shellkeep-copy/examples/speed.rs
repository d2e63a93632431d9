//! Measures copy mode in a long history: `cargo run --release -p shellkeep-copy --example speed`.
#![expect(clippy::print_stdout, reason = "the report is the point")]

use std::time::Instant;

use shellkeep_copy::{CopyCommand, CopyMode, CopyOptions, EnterOptions, Frozen};
use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

const LINES: usize = 1_000_000;

fn main() {
    let config = Config {
        history_limit: usize::MAX,
        ..Config::default()
    };
    let mut emulator = Emulator::new(Size::new(50, 80), config);
    for n in 0..LINES {
        let tail = "and some more of it ".repeat(n % 7);
        let line = format!("line {n} of a log that goes on {tail}\r\n");
        emulator.feed(line.as_bytes(), &mut Vec::new());
    }
    let start = Instant::now();
    let frozen = Frozen::new(&emulator);
    let text = frozen.text(&emulator);
    let mut mode = CopyMode::enter(frozen.cursor(), &text, EnterOptions::default());
    println!("enter: {:?}", start.elapsed());
    let options = CopyOptions::default();
    for words in [
        &["page-up"][..],
        &["search-backward-text", "line 999 of"],
        &["history-bottom"],
        &["search-backward", "line 99[0-9] of"],
        &["history-bottom"],
        &["history-top"],
        &["search-forward-text", "no such thing"],
    ] {
        let Ok(command) = CopyCommand::parse(words) else {
            continue;
        };
        let start = Instant::now();
        mode.run(&command, 1, &text, &options);
        println!("{words:?}: {:?}", start.elapsed());
    }
}
