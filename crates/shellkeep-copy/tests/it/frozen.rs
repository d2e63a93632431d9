//! The view does not change, whatever happens to the pane.

use shellkeep_copy::{Frozen, Text};
use shellkeep_core::Size;

use crate::kit::{Kit, lines};

#[test]
fn view_while_the_program_writes_stays() {
    let mut kit = Kit::new(4, 20, &lines(50));
    kit.run(&["scroll-up"]);
    let before = kit.shown();
    assert_eq!(before, ["line 46", "line 47", "line 48", "line 49"]);
    kit.feed(&lines(700));
    assert_eq!(kit.shown(), before);
    kit.run(&["history-bottom"]);
    assert_eq!(kit.shown(), ["line 47", "line 48", "line 49", ""]);
    kit.run(&["history-top"]);
    assert_eq!(kit.shown()[0], "line 0");
    assert_eq!(kit.mode.scroll_position(), 47);
}

#[test]
fn line_open_at_the_top_of_the_screen_grows_unseen() {
    // Three rows of one line: one in history, the rest on the screen.
    let mut kit = Kit::new(2, 10, "aaaaaaaaaabbbbbbbbbbcccc");
    kit.feed("\r\nmore\r\nand more\r\n");
    kit.run(&["history-top"]);
    assert_eq!(kit.shown(), ["aaaaaaaaaa", "bbbbbbbbbb"]);
    kit.run(&["begin-selection"]);
    kit.run(&["history-bottom"]);
    assert_eq!(kit.shown(), ["bbbbbbbbbb", "cccc"]);
    assert_eq!(kit.copied().as_deref(), Some("aaaaaaaaaabbbbbbbbbbcccc\n"));
}

#[test]
fn screen_overwritten_shows_the_old_one_until_refreshed() {
    let mut kit = Kit::new(3, 10, "old");
    kit.feed("\x1b[H\x1b[2Knew");
    assert_eq!(kit.shown()[0], "old");
    let before = kit.frozen.text(&kit.emulator).history_rows() as i64;
    kit.frozen = Frozen::new(&kit.emulator);
    let text = kit.frozen.text(&kit.emulator);
    let added = text.history_rows() as i64 - before;
    kit.mode.refresh(added, &text, &kit.options);
    assert_eq!(kit.shown()[0], "new");
}

#[test]
fn old_lines_dropped_while_looked_at_are_clamped_away() {
    let mut kit = Kit::with_limit(4, 20, &lines(3000), 2000);
    kit.run(&["history-top"]);
    kit.run(&["begin-selection"]);
    kit.feed(&lines(4000));
    kit.run(&["cursor-down"]);
    assert_eq!(kit.mode.scroll_position(), 0);
    assert!(kit.copied().is_some());
    assert_eq!(kit.shown()[3], "");
}

#[test]
fn history_cleared_leaves_the_screen() {
    let mut kit = Kit::new(4, 20, &lines(1000));
    kit.run(&["history-top"]);
    kit.emulator.clear_history();
    kit.run(&["cursor-up"]);
    assert_eq!(kit.shown()[0], "line 997");
    assert_eq!(kit.mode.scroll_position(), 0);
}

#[test]
fn resize_keeps_the_cursor_on_its_character() {
    let bytes = format!("{}{}\r\nend", lines(600), "0123456789".repeat(9));
    let mut kit = Kit::new(4, 40, &bytes);
    for target in ["line 20", "789012345678901234567", "end"] {
        kit.run(&["search-backward-text", target]);
        let spot = kit.frozen.spot(&kit.emulator, kit.mode.cursor());
        let here = kit.mode.cursor();
        let mut before = String::new();
        let text = kit.frozen.text(&kit.emulator);
        text.with_row(here.row, &mut |row| {
            row.cell(here.col as u16).push_to(&mut before)
        });
        for cols in [13, 25, 40] {
            kit.emulator.resize(Size::new(5, cols));
            kit.frozen = Frozen::new(&kit.emulator);
            let place = kit.frozen.place(&kit.emulator, spot);
            let text = kit.frozen.text(&kit.emulator);
            kit.mode.resize(place, &text, &kit.options);
            let mut after = String::new();
            text.with_row(place.row, &mut |row| {
                row.cell(place.col as u16).push_to(&mut after)
            });
            assert_eq!(kit.mode.cursor(), place);
            assert_eq!(after, before, "{target} at {cols}");
        }
        kit.emulator.resize(Size::new(4, 40));
        kit.frozen = Frozen::new(&kit.emulator);
    }
}

#[test]
fn long_history_with_long_lines_is_counted_when_reached() {
    let long = "x".repeat(95);
    let bytes: String = (0..20_000).map(|n| format!("{n} {long}\r\n")).collect();
    let mut kit = Kit::new(4, 40, &bytes);
    kit.run(&["history-top"]);
    assert_eq!(kit.shown()[0], format!("0 {}", "x".repeat(38)));
    let text = kit.frozen.text(&kit.emulator);
    // Three rows each, without the rows of the last line that are on the screen.
    assert_eq!(text.history_rows(), 20_000 * 3 - 3);
    kit.run(&["search-forward-text", "12345 x"]);
    assert!(kit.line().starts_with("12345 x"));
}
