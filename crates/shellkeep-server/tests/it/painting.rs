use std::time::Duration;

use shellkeep_testkit::virtual_rig::Rig;

#[test]
fn one_key_costs_a_few_bytes() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    rig.pty(0).says("$ ");
    let _ = ann.painted();
    rig.pty(0).says("x");
    let (frames, bytes) = ann.painted();
    assert_eq!(frames, 1);
    assert!(bytes < 60, "{bytes} bytes");
}

#[test]
fn answer_to_every_key_is_painted_at_once_and_other_output_by_the_frame_clock() {
    const STEP: Duration = Duration::from_millis(1);
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    let bob = rig.attach((24, 80), &["attach"]);
    // Asked for once: asking for it lets time pass.
    let pty = rig.pty(0);
    pty.says("$ ");
    let _ = (ann.painted(), bob.painted());
    for _ in 0..100 {
        for answer in ["\rx y", "\ry x"] {
            ann.begins_to_send("x");
            ann.reads_for(STEP);
            pty.begins_to_say(answer);
            ann.reads_for(STEP);
            bob.reads_for(STEP);
        }
    }
    assert_eq!((ann.painted().0, bob.painted().0), (200, 200));
    rig.settle();
    let _ = ann.painted();
    for number in 0..400 {
        pty.begins_to_say(format!("\r{number}"));
        ann.reads_for(STEP);
    }
    let (frames, _) = ann.painted();
    assert!((40..=60).contains(&frames), "{frames} frames");
}

#[test]
fn every_key_in_copy_mode_is_painted_at_once() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    for number in 0..200 {
        rig.pty(0).says(format!("line {number}\r\n"));
    }
    rig.run(&["copy-mode"]);
    let _ = ann.painted();
    for _ in 0..100 {
        ann.begins_to_send("\x1b[A");
        ann.reads_for(Duration::from_millis(1));
    }
    assert_eq!(ann.painted().0, 100);
}

#[test]
fn stopped_client_gets_the_newest_screen_and_nothing_in_between() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    let bob = rig.attach((24, 80), &["attach"]);
    let _ = (ann.painted(), bob.painted());
    ann.stops();
    for number in 0..1000 {
        rig.pty(0).begins_to_say(format!("line {number}\r\n"));
        rig.pass(Duration::from_millis(10));
    }
    assert!(bob.text().ends_with("line 999"), "{}", bob.text());
    ann.continues();
    assert!(ann.text().ends_with("line 999"), "{}", ann.text());
    let (frames, _) = ann.painted();
    assert!(frames <= 2, "{frames} frames for what was missed");
}

#[test]
fn synchronized_output_is_painted_whole_and_not_held_for_ever() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    rig.pty(0).says("old");
    assert_eq!(ann.text(), "old");
    let _ = ann.painted();
    rig.pty(0).begins_to_say("\x1b[?2026h\r\x1b[Knew");
    rig.pass(Duration::from_millis(50));
    rig.pty(0).says(" and whole\x1b[?2026l");
    assert_eq!(ann.text(), "new and whole");
    rig.pty(0).says("\x1b[?2026h!");
    assert_eq!(
        ann.text(),
        "new and whole!",
        "a program that never ends its update is shown anyway"
    );
}

#[test]
fn resized_terminal_is_painted_whole() {
    let rig = Rig::new();
    let ann = rig.attach((5, 20), &["new"]);
    rig.pty(0).says("hello\r\nworld");
    ann.resizes(3, 12);
    assert_eq!(ann.text(), "hello\nworld");
    ann.resizes(8, 40);
    assert_eq!(ann.text(), "hello\nworld");
}

#[test]
fn answers_go_to_the_program_with_nobody_attached() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    rig.pty(0).says("\x1b[6n");
    assert_eq!(rig.pty(0).was_typed(), "\x1b[1;1R");
}

/// A line as `ls -l` prints it, as wide as `cols` allow.
fn listed(number: u32, cols: usize) -> String {
    let line = format!(
        "-rw-r--r-- 1 ann ann {:7} Nov 16 file-{number}.txt",
        number * 7919 % 99_999
    );
    line.chars().take(cols - 1).collect()
}

/// A client of 24 rows and 80 columns with the status line as users have it, one pane divided by these commands, and the
/// last pane full of lines.
fn full(splits: &[&[&str]]) -> (Rig, shellkeep_testkit::virtual_rig::VirtualClient, usize) {
    let rig = Rig::with_status("");
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    for split in splits {
        rig.run(split);
    }
    let last = u32::try_from(splits.len()).unwrap_or(0);
    for pane in 0..=last {
        let cols = usize::from(rig.pty(pane).size().cols());
        let lines: Vec<String> = (1..=30).map(|it| listed(it * (pane + 1), cols)).collect();
        rig.pty(pane).says(lines.join("\r\n") + "\r\n$ ");
    }
    rig.settle();
    let _ = ann.painted();
    let cols = usize::from(rig.pty(last).size().cols());
    (rig, ann, cols)
}

const QUARTERS: &[&[&str]] = &[
    &["split-window", "-h", "-t", "work"],
    &["split-window", "-v", "-t", "work:.0"],
    &["split-window", "-v", "-t", "work:.2"],
];

/// The bytes that a key and a scrolled line in the last pane cost.
fn check_bytes(splits: &[&[&str]]) {
    let (rig, ann, cols) = full(splits);
    let last = u32::try_from(splits.len()).unwrap_or(0);
    ann.keys("x");
    rig.pty(last).says("x");
    let (_, bytes) = ann.painted();
    assert!(bytes < 60, "a key: {bytes} bytes");
    rig.pty(last).says("\r");
    let _ = ann.painted();
    rig.pty(last).says(listed(99, cols) + "\r\n$ ");
    let (_, bytes) = ann.painted();
    assert!(bytes < 200, "a line: {bytes} bytes");
}

#[test]
fn key_and_scrolled_line_above_a_status_line_cost_a_few_bytes() {
    check_bytes(&[]);
}

#[test]
fn key_and_scrolled_line_below_another_pane_cost_a_few_bytes() {
    check_bytes(&[&["split-window", "-v", "-t", "work"]]);
}

#[test]
fn key_and_scrolled_line_beside_another_pane_cost_a_few_bytes() {
    check_bytes(&[&["split-window", "-h", "-t", "work"]]);
}

#[test]
fn key_and_scrolled_line_in_a_quarter_cost_a_few_bytes() {
    check_bytes(QUARTERS);
}

#[test]
fn terminal_that_tells_late_what_it_can_do_is_painted_anew() {
    let rig = Rig::new();
    let ann = rig.attach((5, 20), &["new"]);
    rig.pty(0).says("\x1b[9;38;2;1;2;3mstyled");
    ann.sends("\x1bP>|kitty(0.32.2)\x1b\\");
    rig.settle();
    ann.with_terminal(|terminal| {
        let style = terminal.row(0).cell(0).style();
        assert_eq!(style.fg, shellkeep_core::Color::Rgb(1, 2, 3));
        assert!(style.attrs.contains(shellkeep_core::Attrs::STRIKE));
    });
}
