//! Input of the benches, generated from fixed rules, so that every run and every engine gets the same bytes.

use std::fmt::Write;

/// About a megabyte of each.
const SIZE: usize = 1 << 20;

const WORDS: [&str; 16] = [
    "connect", "request", "from", "cache", "updated", "the", "index", "with", "error", "in",
    "worker", "at", "timeout", "while", "reading", "block",
];

/// A small random number generator with the same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

fn sentence(dice: &mut Dice, len: usize) -> String {
    let mut line = String::new();
    while line.len() < len {
        line.push_str(WORDS[dice.roll(16) as usize]);
        line.push(' ');
    }
    line.truncate(len);
    line
}

/// Log lines of up to 80 columns.
pub(crate) fn ascii_lines() -> Vec<u8> {
    let mut dice = Dice(0x5eed);
    let mut out = String::new();
    while out.len() < SIZE {
        let len = 40 + dice.roll(40) as usize;
        let line = sentence(&mut dice, len);
        let _ = write!(out, "{line}\r\n");
    }
    out.into_bytes()
}

/// The same lines inside a scroll region, as a pager or a chat program scrolls.
pub(crate) fn region() -> Vec<u8> {
    let mut out = b"\x1b[2;23r\x1b[23;1H".to_vec();
    out.extend(ascii_lines());
    out
}

/// Accents, Han, kana, box drawing and emoji.
pub(crate) fn unicode() -> Vec<u8> {
    const PARTS: [&str; 8] = [
        "déjà vu ",
        "漢字と仮名 ",
        "Привет ",
        "│├──┤ ",
        "🚀✨ ",
        "naïve ",
        "한국어 ",
        "żółć ",
    ];
    let mut dice = Dice(0xcafe);
    let mut out = String::new();
    while out.len() < SIZE {
        for _ in 0..6 {
            out.push_str(PARTS[dice.roll(8) as usize]);
        }
        out.push_str("\r\n");
    }
    out.into_bytes()
}

/// A full-screen program repainting: positions, colours, short texts, erases.
pub(crate) fn tui() -> Vec<u8> {
    let mut dice = Dice(0x70ad);
    let mut out = String::from("\x1b[?1049h");
    while out.len() < SIZE {
        for row in 1..=24 {
            let color = dice.roll(256);
            let _ = write!(out, "\x1b[{row};1H\x1b[38;5;{color}m");
            let text = sentence(&mut dice, 18);
            let _ = write!(out, "{text}\x1b[0m \x1b[1m{:>6}\x1b[22m", dice.roll(99_999));
            let text = sentence(&mut dice, 30);
            let _ = write!(out, "\x1b[{row};40H\x1b[7m{text}\x1b[27m\x1b[K");
        }
    }
    out.into_bytes()
}

/// A change of colour every few characters, as `lolcat`, `bat` and syntax highlighters write.
pub(crate) fn dense_sgr() -> Vec<u8> {
    let mut dice = Dice(0xc0de);
    let mut out = String::new();
    while out.len() < SIZE {
        for _ in 0..16 {
            let text = sentence(&mut dice, 4);
            match dice.roll(3) {
                0 => {
                    let _ = write!(out, "\x1b[3{}m{text}\x1b[0m", dice.roll(8));
                }
                1 => {
                    let _ = write!(out, "\x1b[38;5;{}m{text}", dice.roll(256));
                }
                _ => {
                    let (r, g, b) = (dice.roll(8) * 32, dice.roll(8) * 32, dice.roll(8) * 32);
                    let _ = write!(out, "\x1b[38;2;{r};{g};{b}m{text}");
                }
            }
        }
        out.push_str("\r\n");
    }
    out.into_bytes()
}

pub(crate) fn all() -> [(&'static str, Vec<u8>); 5] {
    [
        ("ascii lines", ascii_lines()),
        ("region scrolling", region()),
        ("unicode", unicode()),
        ("tui redraw", tui()),
        ("dense sgr", dense_sgr()),
    ]
}
