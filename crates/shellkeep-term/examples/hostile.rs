//! Feeds inputs that are designed to be slow, and prints the cost of a byte at the start and at the end of each. If the
//! second is not much larger than the first, the time is linear in the input.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use std::fmt::Write;
use std::time::Instant;

use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

const SIZE: usize = 1 << 20;

fn repeated(unit: &str) -> String {
    unit.repeat(SIZE / unit.len())
}

/// Units that differ from each other by a number.
fn numbered(unit: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for n in 0.. {
        let _ = out.write_str(&unit(n));
        if out.len() >= SIZE {
            break;
        }
    }
    out
}

fn inputs() -> Vec<(&'static str, String)> {
    vec![
        ("plain text", repeated("plain text that goes on and on\r\n")),
        ("huge REP", repeated("x\x1b[65535b")),
        (
            "huge ECH, ICH, DCH",
            repeated("\x1b[65535X\x1b[65535@\x1b[65535P"),
        ),
        (
            "huge IL, DL, SU, SD",
            repeated("\x1b[65535L\x1b[65535M\x1b[65535S\x1b[65535T"),
        ),
        ("huge tabs", repeated("\x1b[3g\x1b[65535I\x1b[65535Z")),
        ("huge CUB, wrapping", repeated("\x1b[?1045h\x1b[65535D")),
        ("coloured ED", repeated("\x1b[44m\x1b[2J")),
        ("combining marks", format!("e{}", repeated("\u{301}"))),
        ("clusters", repeated("👩‍🔧🏳️‍🌈")),
        ("one OSC", format!("\x1b]2;{}", repeated("title"))),
        ("one DCS", format!("\x1bPq{}", repeated("~~~~"))),
        (
            "a colour a cell",
            numbered(|n| format!("\x1b[38;2;{};{};{}mx", n % 256, n / 256 % 256, n / 65536)),
        ),
        (
            "a link a cell",
            numbered(|n| format!("\x1b]8;;http://h/{n}\x07x")),
        ),
        (
            "rectangles",
            repeated("\x1b[1;1;99;99;1$r\x1b[65;1;1;99;99$x\x1b[1;1;99;99;1;2;2;1$v"),
        ),
        ("one line", repeated("x")),
        ("palette", repeated("\x1b]4;1;?;2;?;3;?\x07")),
        ("resets", repeated("\x1bc\x1b[!p\x1b#8")),
    ]
}

fn main() {
    println!("| input | ns a byte, first eighth | last eighth | memory after |");
    println!("|---|---|---|---|");
    for (name, input) in inputs() {
        let mut emulator = Emulator::new(Size::new(24, 80), Config::default());
        let mut effects = Vec::new();
        let mut costs = Vec::new();
        for part in input.as_bytes().chunks(input.len() / 8) {
            let start = Instant::now();
            emulator.feed(part, &mut effects);
            costs.push(start.elapsed().as_nanos() as f64 / part.len() as f64);
            effects.clear();
        }
        let memory = emulator.memory() as f64 / 1024.0;
        println!(
            "| {name} | {:.0} | {:.0} | {memory:.0} KB |",
            costs[0], costs[7]
        );
    }
}
