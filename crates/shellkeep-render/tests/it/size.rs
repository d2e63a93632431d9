//! The size of differences.

use shellkeep_core::{Color, Size, Style};
use shellkeep_render::{Caps, Frame, FrameCursor, diff};

use crate::screen::{Terminal, plain_caps, readable};

const SIZE: Size = Size::new(24, 80);

fn write(frame: &mut Frame, row: u16, col: u16, text: &str, style: Style) {
    for (at, c) in text.chars().enumerate() {
        frame.put(row, col + at as u16, &c.to_string(), 1, style, None);
    }
}

fn cursor(frame: &mut Frame, row: u16, col: u16) {
    frame.set_cursor(FrameCursor {
        row,
        col,
        visible: true,
        ..FrameCursor::default()
    });
}

fn fg(index: u8) -> Style {
    Style {
        fg: Color::Palette(index),
        ..Style::default()
    }
}

/// A full screen as after `ls -l --color`, from a given line on.
fn listing(from: u32) -> Frame {
    let mut frame = Frame::new(SIZE);
    for row in 0..23 {
        let line = from + u32::from(row);
        write(
            &mut frame,
            row,
            0,
            "-rw-r--r-- 1 user user",
            Style::default(),
        );
        write(
            &mut frame,
            row,
            23,
            &format!("{:8} Nov 16 02:00", line * 7919 % 99_999),
            Style::default(),
        );
        write(
            &mut frame,
            row,
            46,
            &format!("file-number-{line}.txt"),
            fg((line % 14) as u8),
        );
    }
    write(&mut frame, 23, 0, "user@host:~$ ", fg(2));
    cursor(&mut frame, 23, 13);
    frame
}

/// Asserts that the difference has fewer bytes than this, with and without synchronized output.
fn check(prev: &Frame, next: &Frame, limit: usize) {
    let mut sync = plain_caps();
    sync.refine_mode(2026, 2);
    for caps in [plain_caps(), sync] {
        let mut terminal = Terminal::new(prev, caps);
        terminal.update(prev, next);
        let bytes = &terminal.last;
        assert!(bytes.len() < limit, "{}: {}", bytes.len(), readable(bytes));
    }
}

#[test]
fn key_typed_takes_few_bytes() {
    let prev = listing(1);
    let mut next = prev.clone();
    write(&mut next, 23, 13, "x", Style::default());
    cursor(&mut next, 23, 14);
    check(&prev, &next, 2);
}

#[test]
fn key_typed_with_suggestion_takes_less_than_60_bytes() {
    // As in fish: the whole word changes colour, and a grey suggestion follows.
    let mut prev = listing(1);
    write(&mut prev, 23, 13, "carg", fg(1));
    cursor(&mut prev, 23, 17);
    let mut next = prev.clone();
    write(&mut next, 23, 13, "cargo", fg(4));
    write(&mut next, 23, 18, " build --release", fg(8));
    cursor(&mut next, 23, 18);
    check(&prev, &next, 60);
}

#[test]
fn line_scrolled_takes_less_than_200_bytes() {
    check(&listing(1), &listing(2), 200);
}

#[test]
fn line_scrolled_back_takes_less_than_200_bytes() {
    check(&listing(2), &listing(1), 200);
}

#[test]
fn line_scrolled_above_a_status_line_takes_less_than_200_bytes() {
    let with_status = |from| {
        let mut frame = listing(from);
        let green = Style {
            fg: Color::Palette(0),
            bg: Color::Palette(2),
            ..Style::default()
        };
        frame.fill(23, 0, 80, green);
        write(&mut frame, 23, 0, "[0] 0:bash*", green);
        frame
    };
    check(&with_status(1), &with_status(2), 200);
}

#[test]
fn line_scrolled_beside_other_text_takes_less_than_200_bytes_where_there_are_margins() {
    let beside = |from| {
        let mut frame = listing(from);
        for row in 0..24 {
            frame.fill(row, 0, 30, Style::default());
            write(&mut frame, row, 0, &format!("other text {row} │"), fg(3));
        }
        frame
    };
    let (prev, next) = (beside(1), beside(2));
    let mut caps = plain_caps();
    let bytes = |caps: &Caps| {
        let mut bytes = Vec::new();
        diff(&prev, &next, caps, &mut bytes);
        bytes
    };
    let without = bytes(&caps);
    assert!(!without.windows(5).any(|it| it == b"\x1b[?69"));
    caps.refine_mode(69, 4);
    assert_eq!(bytes(&caps), without, "one that cannot be switched is none");
    caps.refine_mode(69, 2);
    let with = bytes(&caps);
    assert!(with.len() < 200, "{}: {}", with.len(), readable(&with));
}

#[test]
fn border_that_changes_its_colour_is_not_scrolled_within_margins_of_one_column() {
    // The first rows have one colour and the others another; then the reverse, as if it had scrolled.
    let border = |first, rest| {
        let mut frame = listing(1);
        for row in 0..24 {
            let color = if row < 12 { first } else { rest };
            write(&mut frame, row, 40, "│", fg(color));
        }
        frame
    };
    let mut caps = plain_caps();
    caps.refine_mode(69, 2);
    let mut bytes = Vec::new();
    diff(&border(2, 3), &border(3, 2), &caps, &mut bytes);
    let has_margins = bytes.windows(5).any(|it| it == b"\x1b[?69");
    assert!(!has_margins, "{}", readable(&bytes));
}

#[test]
fn screen_cleared_takes_few_bytes() {
    let mut next = Frame::new(SIZE);
    cursor(&mut next, 0, 0);
    check(&listing(1), &next, 40);
}

#[test]
fn nothing_changed_takes_nothing() {
    check(&listing(1), &listing(1), 1);
}

#[test]
fn cursor_moved_takes_few_bytes() {
    let prev = listing(1);
    let mut next = prev.clone();
    cursor(&mut next, 3, 40);
    check(&prev, &next, 10);
}
