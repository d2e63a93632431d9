//! Taking over a terminal and restoring it.

use shellkeep_core::{CursorShape, Size};
use shellkeep_render::{
    Caps, Environment, Frame, FrameCursor, LEAVE, MouseReports, OuterModes, diff, enter, leave,
    query, repaint,
};
use shellkeep_term::{Config, Emulator};

use crate::screen::readable;

fn caps(term: &str) -> Caps {
    Caps::detect(&Environment {
        term,
        ..Environment::default()
    })
}

fn bytes(write: fn(&Caps, &mut Vec<u8>), term: &str) -> String {
    let mut out = Vec::new();
    write(&caps(term), &mut out);
    readable(&out)
}

#[test]
fn enter_is_as_agreed() {
    let modes = "␛[?1l␛>␛[4l␛[?6l␛[?7h";
    assert_eq!(bytes(enter, "xterm"), format!("␛[22;0t␛[?1049h{modes}"));
    assert_eq!(bytes(enter, "screen"), format!("␛[?1049h{modes}"));
    assert_eq!(bytes(enter, "linux"), modes);
    assert_eq!(bytes(enter, "dumb"), "");
}

#[test]
fn leave_is_as_agreed() {
    let expected = "␛[?2026l␛[?1003l␛[?1002l␛[?1000l␛[?1006l␛[?1004l␛[?2004l␛[=0u␛[>4m␛[?1l␛>␛]8;;␛\\\
                    \x0f␛(B␛[4l␛[r␛[?7h␛[m␛[H␛[2J␛[0 q␛[?25h␛[?1049l␛[23;0t";
    assert_eq!(readable(LEAVE), expected);
    assert_eq!(bytes(leave, "xterm"), expected);
    assert_eq!(bytes(leave, "dumb"), "");
}

#[test]
fn query_ends_with_the_question_all_answer() {
    assert_eq!(bytes(query, "xterm"), "␛[>q␛[?2026$p␛[?69$p␛[?u␛[c");
    assert_eq!(bytes(query, "linux"), "␛[c");
    assert_eq!(bytes(query, "dumb"), "");
}

#[test]
fn dumb_terminal_gets_no_bytes() {
    let caps = caps("dumb");
    let mut out = Vec::new();
    repaint(&Frame::new(Size::default()), &caps, &mut out);
    let mut next = Frame::new(Size::default());
    next.fill(0, 0, 80, Default::default());
    next.set_title("title");
    diff(&Frame::new(Size::default()), &next, &caps, &mut out);
    assert_eq!(readable(&out), "");
}

/// A shell's terminal after it was taken over, with every state changed.
fn busy() -> Emulator {
    let caps = caps("foot");
    let size = Size::new(4, 20);
    let mut terminal = Emulator::new(size, Config::default());
    let mut out = b"\x1b]2;shell\x07$ shellkeep\r\n".to_vec();
    enter(&caps, &mut out);
    let mut frame = Frame::new(size);
    frame.modes = OuterModes {
        mouse: MouseReports::Motion,
        bracketed_paste: true,
        focus_events: true,
        extended_keys: true,
    };
    frame.set_title("inside");
    frame.set_cursor(FrameCursor {
        row: 3,
        col: 3,
        visible: false,
        shape: CursorShape::Bar,
    });
    repaint(&frame, &caps, &mut out);
    terminal.feed(&out, &mut Vec::new());
    assert!(terminal.is_alternate());
    assert_eq!(terminal.title(), "inside");
    assert_eq!(terminal.modes().modify_other_keys, 1);
    terminal
}

fn assert_restored(terminal: &mut Emulator) {
    assert!(!terminal.is_alternate());
    assert_eq!(terminal.title(), "shell");
    assert_eq!(terminal.row(0).text(), "$ shellkeep");
    let cursor = terminal.cursor();
    assert_eq!((cursor.row, cursor.col), (1, 0));
    assert!(cursor.visible);
    assert_eq!(cursor.shape, CursorShape::Default);
    let fresh = Emulator::new(terminal.size(), Config::default());
    assert_eq!(terminal.modes(), fresh.modes());
    // The shell's next output is plain.
    terminal.feed(b"x", &mut Vec::new());
    assert_eq!(terminal.row(1).cell(0).style(), Default::default());
    assert_eq!(terminal.row(1).cell(0).link(), None);
    assert_eq!(terminal.row(1).text(), "x");
}

#[test]
fn leave_restores_the_terminal() {
    let mut terminal = busy();
    terminal.feed(LEAVE, &mut Vec::new());
    assert_restored(&mut terminal);
}

#[test]
fn leave_restores_the_terminal_in_the_middle_of_a_frame() {
    let mut terminal = busy();
    let middle = "\x1b[?2026h\x1b[2;3r\x1b[1;41m\x1b[?7l\x1b]8;id=x;http://x\x1b\\half";
    terminal.feed(middle.as_bytes(), &mut Vec::new());
    terminal.feed(b"\x1b[>1u\x1b[?1h\x1b=", &mut Vec::new());
    terminal.feed(LEAVE, &mut Vec::new());
    assert_restored(&mut terminal);
}

#[test]
fn only_differing_modes_are_written() {
    let caps = caps("xterm");
    let with = |mouse| {
        let mut frame = Frame::new(Size::new(2, 2));
        frame.modes.mouse = mouse;
        frame
    };
    let change = |from, to| {
        let mut out = Vec::new();
        diff(&with(from), &with(to), &caps, &mut out);
        readable(&out)
    };
    use MouseReports::{Buttons, Drag, Motion, Off};
    assert_eq!(change(Off, Drag), "␛[?1006h␛[?1002h");
    assert_eq!(change(Drag, Motion), "␛[?1002l␛[?1003h");
    assert_eq!(change(Buttons, Off), "␛[?1000l␛[?1006l");
    assert_eq!(change(Drag, Drag), "");
}

#[test]
fn extended_keys_are_set_and_reset_only_when_requested() {
    let caps = caps("foot");
    let with = |extended_keys| {
        let mut frame = Frame::new(Size::new(2, 2));
        frame.modes.extended_keys = extended_keys;
        frame
    };
    let change = |from, to| {
        let mut out = Vec::new();
        diff(&with(from), &with(to), &caps, &mut out);
        readable(&out)
    };
    assert_eq!(change(false, true), "␛[>4;1m");
    assert_eq!(change(true, false), "␛[>4m");
    assert_eq!(change(true, true), "");
    let first = |on| {
        let mut out = Vec::new();
        repaint(&with(on), &caps, &mut out);
        readable(&out)
    };
    assert!(first(true).contains("␛[>4;1m"));
    assert!(!first(false).contains("␛[>4"));
}

#[test]
fn title_made_of_anything_stays_a_title() {
    let caps = caps("foot");
    let size = Size::new(2, 10);
    let mut frame = Frame::new(size);
    frame.set_title("a\u{7}\u{1b}[31mb\u{9c}c\nd");
    let mut out = Vec::new();
    repaint(&frame, &caps, &mut out);
    let mut terminal = Emulator::new(size, Config::default());
    terminal.feed(&out, &mut Vec::new());
    assert_eq!(terminal.title(), "a[31mbcd");
}
