//! Recordings of real programs: `tests/rec/<name>/{bytes,size,screen}`.
//!
//! The screens were compared with xterm's for the same bytes. `SHELLKEEP_BLESS=1` writes them again.

use std::fmt::Write;
use std::path::PathBuf;

use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rec"))
}

/// Text, cursor and a legend of the looks, for a reviewer.
fn shown(emulator: &Emulator) -> String {
    let mut out = String::new();
    for row in emulator.rows() {
        let _ = writeln!(out, "|{}", row.text());
    }
    let cursor = emulator.cursor();
    let _ = writeln!(
        out,
        "cursor {};{}{}{}",
        cursor.row + 1,
        cursor.col + 1,
        if cursor.visible { "" } else { " hidden" },
        if emulator.is_alternate() {
            ", alternate screen"
        } else {
            ""
        },
    );
    let _ = writeln!(
        out,
        "title {:?}, history {}",
        emulator.title(),
        emulator.history_lines()
    );
    for (at, row) in emulator.rows().enumerate() {
        let mut runs = String::new();
        let mut last = None;
        for (col, cell) in row.cells().enumerate() {
            let style = cell.style();
            if last != Some(style) && (col > 0 || style != shellkeep_core::Style::default()) {
                let attrs = style.attrs.bits();
                let _ = write!(
                    runs,
                    " {col}:{:?}/{:?}/{attrs:x}/{:?}",
                    style.fg, style.bg, style.underline
                );
            }
            last = Some(style);
        }
        if !runs.is_empty() {
            let _ = writeln!(out, "looks {at}{runs}");
        }
    }
    out
}

struct Recording {
    name: String,
    bytes: Vec<u8>,
    size: Size,
    screen: PathBuf,
}

fn recordings() -> Vec<Recording> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("recordings are there") {
        let path = entry.expect("readable").path();
        let size = std::fs::read_to_string(path.join("size")).expect("has a size");
        let mut sides = size
            .split_whitespace()
            .map(|n| n.parse().expect("a number"));
        let (rows, cols) = (sides.next().expect("rows"), sides.next().expect("cols"));
        all.push(Recording {
            name: path
                .file_name()
                .expect("named")
                .to_string_lossy()
                .into_owned(),
            bytes: std::fs::read(path.join("bytes")).expect("has bytes"),
            size: Size::new(rows, cols),
            screen: path.join("screen"),
        });
    }
    all
}

#[test]
fn recordings_show_what_they_showed() {
    let all = recordings();
    assert!(all.len() >= 8, "recordings are whole");
    for recording in all {
        let mut emulator = Emulator::new(recording.size, Config::default());
        emulator.feed(&recording.bytes, &mut Vec::new());
        let shown = shown(&emulator);
        if std::env::var_os("SHELLKEEP_BLESS").is_some() {
            std::fs::write(&recording.screen, &shown).expect("writable");
        }
        let expected = std::fs::read_to_string(&recording.screen).expect("has a screen");
        assert_eq!(shown, expected, "{}", recording.name);
    }
}

#[test]
fn recordings_can_be_cut_anywhere() {
    for recording in recordings() {
        let mut whole = Emulator::new(recording.size, Config::default());
        whole.feed(&recording.bytes, &mut Vec::new());
        let expected = whole.dump();
        // Splits small recordings at every byte, and others at steps that share no factor with a buffer size.
        let step = recording.bytes.len() / 2500 * 41 + 1;
        let mut beginning = Emulator::new(recording.size, Config::default());
        for (at, byte) in recording.bytes.iter().enumerate() {
            if at % step == 0 {
                let mut rest = beginning.clone();
                rest.feed(&recording.bytes[at..], &mut Vec::new());
                assert!(rest.dump() == expected, "{} cut at {at}", recording.name);
            }
            beginning.feed(&[*byte], &mut Vec::new());
        }
    }
}

#[test]
fn recordings_survive_a_dump_now_and_then() {
    for recording in recordings() {
        let mut whole = Emulator::new(recording.size, Config::default());
        whole.feed(&recording.bytes, &mut Vec::new());
        let mut dumped = Emulator::new(recording.size, Config::default());
        for piece in recording.bytes.chunks(997) {
            dumped.feed(piece, &mut Vec::new());
            dumped = Emulator::restore(&dumped.dump(), Config::default()).expect("sound");
        }
        assert!(dumped.dump() == whole.dump(), "{}", recording.name);
    }
}
