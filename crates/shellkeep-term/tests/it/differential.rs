//! Compares with two other engines on random valid streams, in the part of the language that all know.
//!
//! Each operation starts from a position of its own, because the engines disagree on what preserves a pending wrap.
//! That is compared with xterm (`xterm.rs`).

use std::num::NonZero;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::index::{Column, Line, Point};
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::vte::ansi::{Color as AnsiColor, NamedColor, Processor};
use proptest::prelude::*;
use shellkeep_core::{Attrs, Color, Style, Underline};

use crate::kit::{Term, term};

const ROWS: u16 = 8;
const COLS: u16 = 24;

fn operation() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec![
        "a",
        "hello",
        "the quick brown fox jumps over it",
        "é",
        "x y z",
        "0123456789",
    ]);
    let edit = (
        0u16..9,
        prop::sample::select(vec!["@", "P", "X", "L", "M", "S", "T", "J", "K"]),
    )
        .prop_map(|(n, last)| {
            match last {
                "J" | "K" => format!("\x1b[{}{last}", n % 3),
                // alacritty is wrong when more is deleted than there is to the right.
                "P" => "\x1b[P".to_owned(),
                // A count of 0 scrolls by one line here, and means something else in the other engine.
                _ => format!("\x1b[{}{last}", n.max(1)),
            }
        });
    let sgr = prop::sample::select(vec![
        "0",
        "1",
        "3",
        "4",
        "7",
        "22",
        "23",
        "24",
        "27",
        "31",
        "42",
        "97",
        "38;5;200",
        "48;2;1;2;3",
        "39",
        "49",
        "1;31;44",
    ])
    .prop_map(|sgr| format!("\x1b[{sgr}m"));
    let region = (1u16..=ROWS, 1u16..=ROWS).prop_filter_map("a region", |(top, bottom)| {
        (top < bottom).then(|| format!("\x1b[{top};{bottom}r"))
    });
    let feed = prop::sample::select(vec!["\n", "\r\n", "\x1bM", "\r"]).prop_map(str::to_owned);
    prop_oneof![6 => text.prop_map(str::to_owned), 4 => edit, 4 => sgr, 1 => region, 3 => feed]
}

fn stream() -> impl Strategy<Value = String> {
    let step = (1..=ROWS, 1..=COLS, operation());
    prop::collection::vec(step, 1..40).prop_map(|steps| {
        let step = |(row, col, op): (u16, u16, String)| format!("\x1b[{row};{col}H{op}");
        steps.into_iter().map(step).collect()
    })
}

fn ours(input: &str) -> Term {
    // vt100 and alacritty do not know that ED and EL treat the attributes of blanks differently, so only text and the
    // look of written cells are compared.
    term(ROWS, COLS, input)
}

fn vt100_color(color: vt100::Color) -> Color {
    match color {
        vt100::Color::Default => Color::Default,
        vt100::Color::Idx(index) => Color::Palette(index),
        vt100::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

fn alacritty_color(color: AnsiColor) -> Color {
    match color {
        AnsiColor::Named(NamedColor::Foreground | NamedColor::Background) => Color::Default,
        AnsiColor::Named(name) => Color::Palette(name as u8),
        AnsiColor::Indexed(index) => Color::Palette(index),
        AnsiColor::Spec(rgb) => Color::Rgb(rgb.r, rgb.g, rgb.b),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vt100_shows_the_same(input in stream()) {
        // vt100 scrolls on RI above the region, where xterm does nothing.
        let input = input.replace("\x1bM", "");
        let ours = ours(&input);
        let size = |n| NonZero::new(n).expect("not zero");
        let mut theirs = vt100::Parser::new(size(ROWS), size(COLS), 0);
        theirs.process(input.as_bytes());
        let screen = theirs.screen();
        for row in 0..ROWS {
            let view = ours.emulator.row(row);
            for col in 0..COLS {
                let cell = screen.cell(row, col).expect("on the screen");
                let text = view.cell(col).text();
                let shown = if cell.contents().is_empty() { " " } else { cell.contents() };
                prop_assert_eq!(text.as_str(), shown, "{},{} of {:?}", row, col, input);
                if text.as_str() != " " {
                    let style = view.cell(col).style();
                    prop_assert_eq!(style.fg, vt100_color(cell.fgcolor()));
                    prop_assert_eq!(style.bg, vt100_color(cell.bgcolor()));
                    prop_assert_eq!(style.attrs.contains(Attrs::BOLD), cell.bold());
                    prop_assert_eq!(style.attrs.contains(Attrs::ITALIC), cell.italic());
                    prop_assert_eq!(style.attrs.contains(Attrs::REVERSE), cell.inverse());
                    prop_assert_eq!(style.underline != Underline::None, cell.underline());
                }
            }
        }
    }

    #[test]
    fn alacritty_shows_the_same(input in stream()) {
        // From the second row on, alacritty does not erase the first.
        let input = input.replace("\x1b[1J", "");
        let ours = ours(&input);
        let size = TermSize::new(usize::from(COLS), usize::from(ROWS));
        let mut theirs = alacritty_terminal::Term::new(alacritty_terminal::term::Config::default(), &size, VoidListener);
        let mut processor: Processor = Processor::new();
        processor.advance(&mut theirs, input.as_bytes());
        for row in 0..ROWS {
            let view = ours.emulator.row(row);
            for col in 0..COLS {
                let cell = &theirs.grid()[Point::new(Line(i32::from(row)), Column(usize::from(col)))];
                let text = view.cell(col).text();
                prop_assert_eq!(text.as_str(), cell.c.to_string(), "{},{} of {:?}", row, col, input);
                let style = view.cell(col).style();
                // Of blanks only the background is visible, and there the engines agree.
                prop_assert_eq!(style.bg, alacritty_color(cell.bg), "{},{} of {:?}", row, col, input);
                if text.as_str() != " " {
                    let attrs = [(Attrs::BOLD, Flags::BOLD), (Attrs::ITALIC, Flags::ITALIC), (Attrs::REVERSE, Flags::INVERSE)];
                    for (ours, theirs) in attrs {
                        prop_assert_eq!(style.attrs.contains(ours), cell.flags.contains(theirs));
                    }
                    prop_assert_eq!(style.fg, alacritty_color(cell.fg));
                }
            }
        }
        // In alacritty, IL and DL do not change the column.
        if !input.ends_with(['L', 'M']) {
            let cursor = theirs.grid().cursor.point;
            let place = (cursor.line.0 as u16 + 1, cursor.column.0 as u16 + 1);
            prop_assert_eq!(ours.at(), place, "{:?}", input);
        }
    }
}

/// Compares complete styles once, so that the comparison above is not vacuous.
#[test]
fn default_style_is_default() {
    assert_eq!(
        term(2, 4, "x").emulator.row(0).cell(0).style(),
        Style::default()
    );
}
