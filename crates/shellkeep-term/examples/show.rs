//! Shows the screen that bytes produce: `show ROWS COLS < recording`.
//!
//! Prints the rows between bars, then the cursor and the replies.
#![expect(clippy::print_stdout, reason = "a program that prints a screen")]

use std::io::Read;

use shellkeep_core::Size;
use shellkeep_term::{Config, Effect, Emulator};

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let (rows, cols) = (args.next().unwrap_or(24), args.next().unwrap_or(80));
    let mut emulator = Emulator::new(Size::new(rows, cols), Config::default());
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let mut effects = Vec::new();
    emulator.feed(&bytes, &mut effects);
    for row in emulator.rows() {
        println!("|{}|", row.text());
    }
    let cursor = emulator.cursor();
    println!("{};{}", cursor.row + 1, cursor.col + 1);
    for effect in effects {
        if let Effect::Reply(bytes) = effect {
            println!("{}", bytes.escape_ascii());
        }
    }
    Ok(())
}
