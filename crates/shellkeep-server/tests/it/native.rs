use shellkeep_core::Size;
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// All that the terminal holds: its own scrollback and its screen.
fn scrolled(client: &VirtualClient) -> String {
    client.with_terminal(|terminal| {
        let count = terminal.history_row_count();
        let history = terminal.history_rows(0, count);
        let mut rows: Vec<String> = history.iter().map(|row| row.text()).collect();
        rows.extend(terminal.rows().map(|row| row.text()));
        rows.join("\n").trim().to_owned()
    })
}

#[test]
fn history_and_output_are_in_the_terminals_own_scrollback() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work", "-x", "20", "-y", "4"]);
    let lines: Vec<String> = (0..10).map(|number| format!("line {number}")).collect();
    rig.pty(0).says(lines.join("\r\n"));
    let ann = rig.attach((4, 20), &["attach", "--native", "-t", "work"]);
    assert_eq!(scrolled(&ann), lines.join("\n"));
    assert!(!ann.with_terminal(|terminal| terminal.is_alternate()));
    rig.pty(0).says("\r\nmore\r\n\x1b[1mand more");
    assert_eq!(
        scrolled(&ann),
        format!("{}\nmore\nand more", lines.join("\n"))
    );
}

#[test]
fn keys_reach_the_program_and_the_prefix_detaches() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let ann = rig.attach((24, 80), &["attach", "--native", "-t", "work"]);
    ann.keys("l s Enter");
    assert_eq!(rig.pty(0).was_typed(), "ls\r");
    ann.keys("C-b d");
    assert_eq!(
        ann.farewell().as_deref(),
        Some("detached (from session work)")
    );
    rig.pty(0).says("unseen");
    assert!(!scrolled(&ann).contains("unseen"));
}

#[test]
fn size_is_the_whole_terminals_and_follows_it() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let ann = rig.attach((10, 40), &["attach", "--native", "-t", "work"]);
    assert_eq!(rig.pty(0).size(), Size::new(10, 40));
    ann.resizes(12, 50);
    assert_eq!(rig.pty(0).size(), Size::new(12, 50));
}

#[test]
fn program_with_a_full_screen_is_shown_on_the_other_screen() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work", "-x", "20", "-y", "4"]);
    rig.pty(0).says("\x1b[?1049h\x1b[2;3Hvim");
    let ann = rig.attach((4, 20), &["attach", "--native", "-t", "work"]);
    assert!(ann.with_terminal(|terminal| terminal.is_alternate()));
    assert_eq!(ann.text(), "\n  vim");
    rig.pty(0).says("\x1b[?1049l");
    assert!(!ann.with_terminal(|terminal| terminal.is_alternate()));
}

#[test]
fn answers_of_the_terminal_are_not_typed() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let ann = rig.attach((24, 80), &["attach", "--native", "-t", "work"]);
    rig.pty(0).says("\x1b[c");
    let _ = ann.text();
    let typed = rig.pty(0).was_typed();
    assert_eq!(typed.matches("\x1b[?").count(), 1, "{typed:?}: once, by us");
    let bob = rig.attach((24, 80), &["attach", "-t", "work"]);
    bob.sends("\x1b[?62;22c\x1bP>|foot(1.16)\x1b\\\x1b[?2026;2$y");
    assert_eq!(rig.pty(0).was_typed(), "", "late answers, either");
}

#[test]
fn copy_mode_and_prompts_are_painted_and_the_terminal_scrolls_natively_again_afterwards() {
    let rig = Rig::with_status("set -g display-time 0");
    rig.run(&["new", "-d", "-s", "work", "-x", "80", "-y", "6"]);
    rig.pty(0).says("one\r\ntwo\r\n$ ");
    let bob = rig.attach((6, 80), &["attach", "--native", "-t", "work"]);
    assert!(!bob.with_terminal(|terminal| terminal.is_alternate()));
    bob.keys("C-b [");
    let text = bob.text();
    assert!(
        bob.with_terminal(|terminal| terminal.is_alternate()),
        "{text}"
    );
    assert!(text.contains("[0/0]") && text.contains("two"), "{text}");
    assert_eq!(
        rig.pty(0).size(),
        Size::new(6, 80),
        "its program notices nothing"
    );
    rig.pty(0).says("three\r\n4\r\n5\r\n6\r\n7\r\n8\r\n");
    bob.keys("q x");
    assert_eq!(rig.pty(0).was_typed(), "x");
    rig.pty(0).says("end");
    assert!(!bob.with_terminal(|terminal| terminal.is_alternate()));
    assert_eq!(scrolled(&bob), "one\ntwo\n$ three\n4\n5\n6\n7\n8\nend");
    bob.keys("C-b :");
    assert!(bob.text().contains(':'), "{}", bob.text());
    bob.sends("display-message hello").keys("Enter");
    assert!(bob.text().contains("hello"), "{}", bob.text());
    bob.keys("y");
    assert_eq!(rig.pty(0).was_typed(), "y");
    rig.pty(0).says("\r\nmore");
    assert_eq!(
        scrolled(&bob),
        "one\ntwo\n$ three\n4\n5\n6\n7\n8\nend\nmore"
    );
}

#[test]
fn second_pane_is_painted_and_the_one_that_remains_scrolls_natively() {
    let rig = Rig::with_status("set -g display-time 0");
    rig.run(&["new", "-d", "-s", "work", "-x", "40", "-y", "6"]);
    rig.pty(0).says("one");
    let bob = rig.attach((6, 40), &["attach", "--native", "-t", "work"]);
    rig.run(&["split-window", "-t", "work"]);
    rig.pty(1).says("other");
    let text = bob.text();
    assert!(text.contains("own scrolling is off"), "{text}");
    assert!(bob.with_terminal(|terminal| terminal.is_alternate()));
    bob.keys("Escape");
    assert!(bob.text().contains("[work]"), "{}", bob.text());
    rig.pty(1).exits(0);
    assert!(!bob.with_terminal(|terminal| terminal.is_alternate()));
    assert_eq!(rig.pty(0).size(), Size::new(6, 40));
    rig.pty(0).says(" two");
    assert!(scrolled(&bob).ends_with("one two"), "{}", scrolled(&bob));
    // Now the first one goes.
    rig.run(&["split-window", "-t", "work"]);
    rig.pty(2).says("second");
    bob.keys("Escape");
    rig.pty(0).exits(0);
    assert!(!bob.with_terminal(|terminal| terminal.is_alternate()));
    rig.pty(2).says(" pane");
    assert!(
        scrolled(&bob).ends_with("second pane"),
        "{}",
        scrolled(&bob)
    );
}

#[test]
fn second_pane_that_came_and_went_leaves_every_line_in_the_scrollback_once() {
    for split in ["-h", "-v"] {
        let rig = Rig::with_status("set -g display-time 0");
        rig.run(&["new", "-d", "-s", "work", "-x", "20", "-y", "6"]);
        let bob = rig.attach((6, 20), &["attach", "--native", "-t", "work"]);
        let mut lines: Vec<String> = (0..14).map(|number| format!("line {number}")).collect();
        rig.pty(0).says(lines.join("\r\n"));
        rig.run(&["split-window", split, "-t", "work"]);
        bob.keys("Escape");
        rig.pty(1).exits(0);
        assert!(!bob.with_terminal(|terminal| terminal.is_alternate()));
        assert_eq!(scrolled(&bob), lines.join("\n"), "{split}");
        // What is printed meanwhile comes to it.
        rig.run(&["split-window", split, "-t", "work"]);
        bob.keys("Escape");
        lines.extend(["meanwhile".to_owned(), "more".to_owned()]);
        rig.pty(0).says("\r\nmeanwhile\r\nmore");
        rig.run(&["kill-pane", "-t", "work:.1"]);
        assert_eq!(scrolled(&bob), lines.join("\n"), "{split}");
        rig.pty(0).says("\r\nend");
        assert!(scrolled(&bob).ends_with("\nmore\nend"), "{split}");
    }
}
