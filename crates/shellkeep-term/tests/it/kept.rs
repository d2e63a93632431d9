//! The main property of storing: a terminal that is dumped at any point, restored with the pages that its store had
//! then, and fed the rest is equal to one that was never interrupted, and to one that kept everything in memory.

use std::sync::Arc;

use proptest::prelude::*;
use shellkeep_core::{Size, Style};
use shellkeep_term::{Config, Effect, Emulator, Keep, RowView};

use crate::memory_store::{MemoryStore, kept};
use crate::property::piece;

#[derive(Clone, Debug)]
enum Step {
    Feed(Vec<u8>),
    /// So many lines of this kind.
    Flood(u16, u8),
    Resize(Size),
    Clear,
    Title(String),
    Reset,
    Trim,
    /// What is printed from now on is printed at this time.
    Time(u32),
    /// Sealed pages go to the store.
    Take,
    /// The server dies: the other engine continues from a dump.
    Cut,
}

fn step() -> impl Strategy<Value = Step> {
    let half = prop::sample::select(vec![
        &b"\x1b"[..],
        b"\x1b[3",
        b"\x1b[?104",
        b"\x1b]2;ti",
        b"\x1bP$q",
        b"\xe6\xbc",
    ]);
    let screens = prop::sample::select(vec!["\x1b[?1049h", "\x1b[?1049l", "\x1b[3J", "\x1b[5S"]);
    let small = (1u16..9, 1u16..40);
    let tall = (100u16..900, 5u16..60);
    let resize = |(rows, cols)| Step::Resize(Size::new(rows, cols));
    prop_oneof![
        6 => prop::collection::vec(piece(), 1..30).prop_map(|pieces| Step::Feed(pieces.concat())),
        1 => half.prop_map(|bytes| Step::Feed(bytes.to_vec())),
        1 => screens.prop_map(|text: &str| Step::Feed(text.as_bytes().to_vec())),
        6 => (1u16..700, 0u8..4).prop_map(|(lines, kind)| Step::Flood(lines, kind)),
        3 => small.prop_map(resize),
        2 => tall.prop_map(resize),
        1 => Just(Step::Clear),
        1 => "[a-z漢]{0,5}".prop_map(Step::Title),
        1 => Just(Step::Reset),
        1 => Just(Step::Trim),
        4 => (0u32..4).prop_map(Step::Time),
        5 => Just(Step::Take),
        3 => Just(Step::Cut),
    ]
}

fn flood(lines: u16, kind: u8) -> Vec<u8> {
    let mut out = String::from("\x1b[?1049l\x1b[r");
    for n in 0..lines {
        match kind {
            0 => out.push_str(&format!("{n}\r\n")),
            1 => out.push_str(&format!(
                "\x1b[3{}m{n} 漢字{}\x1b[0m e\u{301}\r\n",
                n % 8,
                "語".repeat(n.into())
            )),
            2 => out.push_str(&format!(
                "\x1b]8;;http://{n}\x07{}\x1b]8;;\x07\x1b[44m\x1b[K\x1b[0m\r\n",
                n % 9
            )),
            _ => out.push_str(&"long ".repeat(usize::from(n % 50))),
        }
    }
    // One line of a flood may be long, but not all. A character may be split, as by any read.
    let mut out = out.into_bytes();
    out.truncate(60_000);
    out
}

/// A row as it is visible.
#[derive(PartialEq)]
struct Seen {
    text: String,
    wrapped: bool,
    time: Option<u32>,
    looks: Vec<(Style, Option<String>)>,
}

impl Seen {
    /// A row, with the looks of its first cells.
    fn of(row: RowView<'_>, cols: u16) -> Self {
        let cells = (0..cols).map(|col| row.cell(col));
        let looks = cells.map(|cell| (cell.style(), cell.link().map(str::to_owned)));
        Self {
            text: row.text(),
            wrapped: row.is_wrapped(),
            time: row.time(),
            looks: looks.collect(),
        }
    }
}

/// An engine, the store of its pages, and its effects.
struct Pane {
    emulator: Emulator,
    memory_store: Arc<MemoryStore>,
    effects: Vec<Effect>,
}

impl Pane {
    fn new(size: Size, config: Config) -> Self {
        let memory_store = Arc::new(MemoryStore::default());
        let mut emulator = Emulator::new(size, config);
        emulator.set_page_store(memory_store.clone());
        Self {
            emulator,
            memory_store,
            effects: Vec::new(),
        }
    }

    /// What the next server restores from this one's dump and pages.
    fn again(&self, config: Config) -> Self {
        let (dump, memory_store) = (self.emulator.dump(), self.memory_store.copy());
        let emulator =
            Emulator::restore_kept(&dump, config, &memory_store.taken(), memory_store.clone());
        let emulator = emulator.expect("a dump is sound");
        assert!(emulator.dump() == dump, "restore is the inverse of dump");
        Self {
            emulator,
            memory_store,
            effects: self.effects.clone(),
        }
    }

    fn run(&mut self, step: &Step) {
        let emulator = &mut self.emulator;
        match step {
            Step::Feed(bytes) => emulator.feed(bytes, &mut self.effects),
            Step::Flood(lines, kind) => emulator.feed(&flood(*lines, *kind), &mut self.effects),
            Step::Resize(size) => emulator.resize(*size),
            Step::Clear => emulator.clear_history(),
            Step::Title(title) => emulator.set_title(title),
            Step::Reset => emulator.reset(),
            Step::Trim => emulator.trim_below_cursor(),
            Step::Time(seconds) => emulator.set_time(*seconds),
            Step::Take => self.memory_store.put(emulator.take_sealed()),
            Step::Cut => {}
        }
    }

    /// Everything visible: history, then the screen, cell by cell.
    fn seen(&self) -> Vec<Seen> {
        let history = self.emulator.history_rows(0, usize::MAX);
        assert_eq!(history.missing(), None, "every page is there");
        let rows = history.iter().chain(self.emulator.rows());
        rows.map(|row| Seen::of(row, row.cols())).collect()
    }

    /// All logical lines, cell by cell.
    fn lines_seen(&self) -> Vec<Seen> {
        let numbers = self.emulator.line_numbers();
        let lines = self.emulator.lines(numbers, 70);
        assert_eq!(lines.missing(), None, "every page is there");
        let rows = lines.iter();
        rows.map(|row| Seen::of(row, row.used())).collect()
    }
}

fn check(size: Size, steps: &[Step], uncompressed_budget: usize) {
    let store = Config {
        uncompressed_budget,
        ..kept()
    };
    let memory = Config {
        keep: Keep::Memory,
        ..store.clone()
    };
    let mut whole = Pane::new(size, store.clone());
    let mut plain = Pane::new(size, memory);
    let mut again = whole.again(store.clone());
    for step in steps {
        if matches!(step, Step::Cut) {
            assert!(again.emulator.dump() == whole.emulator.dump());
            again = whole.again(store.clone());
        }
        for pane in [&mut whole, &mut plain, &mut again] {
            pane.run(step);
        }
    }
    assert!(again.emulator.dump() == whole.emulator.dump());
    assert_eq!(again.effects, whole.effects);
    assert_eq!(plain.effects, whole.effects);
    let seen = whole.seen();
    assert!(again.seen() == seen, "a restored terminal shows the same");
    assert!(
        plain.seen() == seen,
        "a terminal without a store shows the same"
    );
    assert!(plain.lines_seen() == whole.lines_seen());
    for n in [0, 3, 500] {
        let line = whole.emulator.first_history_line() + n;
        assert_eq!(
            whole.emulator.history_text(line),
            plain.emulator.history_text(line)
        );
    }
    // When the engine without a store gives its pages to one, the dumps are equal byte by byte.
    let mut plain = plain.again(store);
    whole.run(&Step::Take);
    plain.run(&Step::Take);
    assert!(plain.emulator.dump() == whole.emulator.dump());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn restored_anywhere_is_never_interrupted(
        rows in 1u16..30,
        cols in 1u16..40,
        steps in prop::collection::vec(step(), 1..40),
        budget in prop::sample::select(vec![0, 100_000, usize::MAX]),
    ) {
        check(Size::new(rows, cols), &steps, budget);
    }
}
