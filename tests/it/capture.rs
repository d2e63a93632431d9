//! A capture of a long history is whole, and holds up nobody.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Stdio};

use shellkeep_testkit::real::Rig;

use crate::rig;

/// More lines than are captured while everybody waits.
const LINES: usize = 40_000;

/// Prints numbered lines, each of some length, and stays.
fn print_lines(rig: &Rig, session: &str, length: usize) {
    let filler = "x".repeat(length);
    let script = format!("seq -f '%.0f {filler}' 1 {LINES}; echo; echo all there; cat");
    rig.open(session, &script);
    rig.wait_for_pane("the last line", session, |text| text.contains("all there"));
}

/// The numbers at the beginnings of lines.
fn numbers<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let words = lines.filter_map(|line| line.split(' ').next());
    words.filter_map(|word| word.parse().ok()).collect()
}

fn all_of_them() -> Vec<usize> {
    (1..=LINES).collect()
}

/// A capture whose first line has been read, and nothing else.
fn begin_capture(rig: &Rig, session: &str) -> (Child, BufReader<ChildStdout>) {
    let mut command = rig.command(&["capture-pane", "-p", "-J", "-S", "-", "-t", session]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::with_capacity(100, child.stdout.take().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    assert!(first.starts_with("1 x"), "{first}");
    (child, reader)
}

#[test]
fn long_capture_or_selection_is_whole_and_what_follows_comes_after_it() {
    let rig = rig();
    print_lines(&rig, "work", 30);
    let printed = rig.ok(&[
        "capture-pane",
        "-p",
        "-S",
        "-",
        "-t",
        "work",
        ";",
        "display",
        "-p",
        "after",
    ]);
    assert_eq!(numbers(printed.lines()), all_of_them());
    assert_eq!(printed.lines().next_back(), Some("after"));
    rig.ok(&["capture-pane", "-b", "kept", "-S", "-", "-t", "work"]);
    let kept = rig.ok(&["show-buffer", "-b", "kept"]);
    assert_eq!(printed.strip_suffix("after\n"), Some(&kept[..]));
    // From where the history is counted down, and to the middle of it.
    let some = rig.ok(&[
        "capture-pane",
        "-p",
        "-S",
        "-39000",
        "-E",
        "-20000",
        "-t",
        "work",
    ]);
    let some = numbers(some.lines());
    assert_eq!(some.len(), 19_001);
    assert!(some.is_sorted());
    // Each is longer than a row.
    print_lines(&rig, "wide", 120);
    rig.ok(&["copy-mode", "-t", "wide"]);
    for command in ["history-top", "begin-selection", "history-bottom"] {
        rig.ok(&["send-keys", "-t", "wide", "-X", command]);
    }
    let copied = rig.path("copied");
    let pipe = format!("cat > {}", copied.display());
    rig.ok(&[
        "send-keys",
        "-t",
        "wide",
        "-X",
        "copy-pipe-and-cancel",
        &pipe,
    ]);
    let kept = rig.ok(&["show-buffer"]);
    assert_eq!(numbers(kept.lines()), all_of_them());
    rig.wait_until("the command", || {
        std::fs::read_to_string(&copied).is_ok_and(|text| text == kept)
    });
    let mode = rig.ok(&["display", "-p", "-t", "wide", "#{pane_in_mode}"]);
    assert_eq!(mode.trim(), "0");
}

#[test]
fn capture_costs_little_holds_up_nobody_and_goes_on_when_its_pane_is_gone() {
    let rig = rig();
    // Twenty megabytes.
    print_lines(&rig, "work", 500);
    let before = rig.server().status_number("RssAnon");
    let (mut child, reader) = begin_capture(&rig, "work");
    let mut peak = 0;
    for _ in 0..20 {
        assert!(rig.ok(&["ls"]).contains("work"));
        peak = peak.max(rig.server().status_number("RssAnon"));
    }
    let grown = peak.saturating_sub(before);
    assert!(grown < 12 << 10, "{grown} KiB");
    child.kill().unwrap();
    child.wait().unwrap();
    drop(reader);
    // The next one gets all of it, also when its program prints and its pane goes meanwhile.
    rig.ok(&["new", "-d", "-s", "other"]);
    let (mut child, mut reader) = begin_capture(&rig, "work");
    rig.enter("work", "too late");
    rig.wait_for_pane("what is typed", "work", |text| text.contains("too late"));
    rig.ok(&["kill-session", "-t", "work"]);
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(numbers(rest.lines()), all_of_them()[1..]);
    assert!(rest.contains("all there") && !rest.contains("too late"));
}
