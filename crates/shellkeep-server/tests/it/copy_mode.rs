//! Copy mode: keys in, screen and buffers out.

use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// A rig, and a client that shows `text`.
fn showing(text: &str) -> (Rig, VirtualClient) {
    let rig = Rig::new();
    let ann = rig.attach((4, 20), &["new", "-s", "a"]);
    rig.pty(0).says(text);
    (rig, ann)
}

fn lines(count: u32) -> String {
    (1..=count).map(|n| format!("line {n}\r\n")).collect()
}

fn value(rig: &Rig, format: &str) -> String {
    let listed = rig.run(&["lsb", "-F", format]).stdout;
    listed.lines().next().unwrap_or_default().to_owned()
}

fn buffer(rig: &Rig) -> String {
    rig.run(&["showb"]).stdout
}

#[test]
fn copy_mode_shows_history_while_output_goes_on() {
    let (rig, ann) = showing(&lines(10));
    ann.keys("C-b PPage");
    assert_eq!(ann.text(), "line 6         [2/7]\nline 7\nline 8\nline 9");
    rig.pty(0).says(lines(50));
    assert_eq!(
        ann.text(),
        "line 6         [2/7]\nline 7\nline 8\nline 9",
        "it stands still"
    );
    ann.keys("Up Up M-<");
    assert_eq!(ann.text(), "line 1         [7/7]\nline 2\nline 3\nline 4");
    ann.keys("q");
    assert_eq!(ann.text(), "line 48\nline 49\nline 50");
}

#[test]
fn keys_of_copy_mode_do_not_reach_the_program() {
    let (rig, ann) = showing("one");
    ann.keys("C-b [ x y Enter");
    assert_eq!(rig.pty(0).was_typed(), "");
    ann.keys("q x");
    assert_eq!(rig.pty(0).was_typed(), "x");
}

#[test]
fn selection_with_emacs_keys_is_copied_and_lit() {
    let (rig, ann) = showing("one two three");
    ann.keys("C-b [ C-a M-f C-Space M-f");
    let lit = ann.with_terminal(|terminal| {
        let row = terminal.row(0);
        let lit: Vec<bool> = (0..10)
            .map(|col| row.cell(col).style().bg != shellkeep_core::Color::Default)
            .collect();
        lit
    });
    let expected = [
        false, false, false, true, true, true, true, false, false, false,
    ];
    assert_eq!(lit, expected, "the second word and the blank before it");
    ann.keys("M-w");
    assert_eq!(buffer(&rig), " two");
    assert_eq!(ann.clipboard().as_deref(), Some(" two"));
    ann.keys("C-b ]");
    assert_eq!(rig.pty(0).was_typed(), " two");
}

#[test]
fn selection_with_vi_keys_takes_the_character_under_the_cursor() {
    let (rig, ann) = showing("one two three");
    rig.run(&["setw", "-g", "mode-keys", "vi"]);
    ann.keys("C-b [ 0 w Space e Enter");
    assert_eq!(buffer(&rig), "two");
    ann.keys("C-b [ V");
    rig.run(&["send", "-X", "copy-selection-no-clear", "named"]);
    assert_eq!(value(&rig, "#{buffer_name}"), "named1");
}

#[test]
fn commands_of_copy_mode_come_from_outside_too() {
    let (rig, ann) = showing(&lines(10));
    assert_eq!(rig.run(&["send", "-X", "cancel"]).stderr, "not in a mode\n");
    rig.run(&["copy-mode"]);
    assert!(ann.text().ends_with("line 10"), "{}", ann.text());
    rig.run(&[
        "send",
        "-X",
        "-N",
        "3",
        "cursor-up",
        ";",
        "send",
        "-X",
        "search-backward",
        "line 2",
    ]);
    assert!(ann.text().contains("line 2"), "{}", ann.text());
    rig.run(&["send", "-X", "copy-line"]);
    assert_eq!(buffer(&rig), "line 2");
    rig.run(&["send", "-X", "append-selection"]);
    let unknown = rig.run(&["send", "-X", "fly"]).stderr;
    assert_eq!(unknown, "unknown copy mode command: fly\n");
    rig.run(&["copy-mode", "-q"]);
    assert_eq!(rig.run(&["send", "-X", "cancel"]).stderr, "not in a mode\n");
}

#[test]
fn copy_mode_after_a_resize_shows_the_same_text() {
    let (rig, ann) = showing(&lines(30));
    ann.keys("C-b [");
    rig.run(&["send", "-X", "search-backward", "line 7"]);
    ann.resizes(6, 30);
    assert!(ann.text().contains("line 7 "), "{}", ann.text());
    rig.run(&["send", "-X", "toggle-position"]);
    ann.resizes(3, 10);
    assert!(ann.text().contains("line 7"), "{}", ann.text());
    rig.run(&["send", "-X", "copy-line"]);
    assert_eq!(buffer(&rig), "line 7");
}

#[test]
fn position_is_hidden_where_that_was_asked_for() {
    let (rig, ann) = showing(&lines(10));
    rig.run(&["copy-mode", "-H"]);
    assert!(!ann.text().contains('['), "{}", ann.text());
    rig.run(&["send", "-X", "toggle-position"]);
    assert!(ann.text().contains("[0/7]"), "{}", ann.text());
}

#[test]
fn search_of_a_long_history_waits_without_holding_others_up() {
    let (rig, ann) = showing("");
    for start in 0..6 {
        let text: String = (0..5000)
            .map(|n| format!("{}\r\n", start * 5000 + n))
            .collect();
        rig.pty(0).says(text);
    }
    rig.run(&["copy-mode"]);
    let found = rig.run(&[
        "send",
        "-X",
        "search-backward",
        "7777$",
        ";",
        "send",
        "-X",
        "copy-line",
    ]);
    assert_eq!(found.status, Some(0), "{found:?}");
    assert_eq!(buffer(&rig), "27777");
    assert!(ann.text().contains("27777"), "{}", ann.text());
}

#[test]
fn another_panes_history_can_be_shown() {
    let (rig, ann) = showing(&lines(10));
    rig.run(&["new", "-d", "-s", "b"]);
    rig.pty(1).says("elsewhere");
    rig.run(&["copy-mode", "-s", "b:", "-t", "a:"]);
    assert!(ann.text().starts_with("elsewhere"), "{}", ann.text());
    ann.keys("q");
    assert!(ann.text().starts_with("line 8"), "{}", ann.text());
}

#[test]
fn copy_pipe_gives_the_text_to_a_command() {
    let (rig, _ann) = showing("one two three");
    let file = std::env::temp_dir().join(format!("shellkeep-pipe-{}", std::process::id()));
    let command = format!("cat > {}; echo ' #{{session_name}}' >> {0}", file.display());
    rig.run(&["copy-mode", ";", "send", "-X", "select-word"]);
    rig.run(&["send", "-X", "copy-pipe-and-cancel", &command]);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let written = loop {
        rig.settle();
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        if written.ends_with('\n') || std::time::Instant::now() > deadline {
            break written;
        }
        std::thread::yield_now();
    };
    let _ = std::fs::remove_file(&file);
    assert_eq!(written, "three a\n");
    assert_eq!(buffer(&rig), "three");
}

#[test]
fn formats_tell_of_cursor_selection_and_search() {
    let (rig, _ann) = showing(&lines(10));
    rig.run(&["copy-mode"]);
    rig.run(&[
        "send",
        "-X",
        "search-backward",
        "ne 3",
        ";",
        "send",
        "-X",
        "begin-selection",
    ]);
    rig.run(&["send", "-X", "-N", "2", "cursor-right"]);
    let told = rig.run(&[
        "display",
        "-p",
        "#{pane_mode} #{pane_in_mode} #{copy_cursor_x},#{copy_cursor_y} #{scroll_position} #{copy_cursor_word}|#{copy_cursor_line}|#{selection_present} #{selection_active} #{selection_start_x},#{selection_start_y} #{selection_end_x},#{selection_end_y} #{rectangle_toggle} #{pane_search_string}",
    ]);
    assert_eq!(
        told.stdout,
        "copy-mode 1 4,2 7 3|line 3|1 1 2,2 4,2 0 ne 3\n"
    );
}

#[test]
fn search_while_typing_moves_with_every_key() {
    let (rig, ann) = showing(&lines(30));
    ann.keys("C-b [ C-r l i n e Space 1");
    let line = || rig.run(&["display", "-p", "#{copy_cursor_line}"]).stdout;
    assert_eq!(line(), "line 19\n", "the last line that fits");
    ann.keys("2");
    assert_eq!(line(), "line 12\n");
    ann.keys("Enter");
    rig.run(&["send", "-X", "copy-line"]);
    assert_eq!(buffer(&rig), "line 12");
    ann.keys("q C-b [ C-r");
    assert!(ann.text().contains("(search up)"), "{}", ann.text());
}

#[test]
fn search_and_counts_with_vi_keys_ask_for_what_they_need() {
    let (rig, ann) = showing(&lines(30));
    rig.run(&["set", "-g", "mode-keys", "vi"]);
    ann.keys("C-b [ ? l i n e Space 7 Enter");
    assert!(ann.text().ends_with("line 7"), "{}", ann.text());
    ann.keys("3 j");
    rig.run(&["send", "-X", "copy-line"]);
    assert_eq!(buffer(&rig), "line 10\n");
    ann.keys("0 f 1");
    let told = rig.run(&["display", "-p", "#{copy_cursor_x}"]).stdout;
    assert_eq!(told, "5\n");
}

#[test]
fn window_is_named_after_the_mode_as_long_as_it_lasts() {
    let rig = Rig::with_status("");
    let ann = rig.attach((6, 40), &["new", "-s", "work"]);
    let name = || rig.run(&["display", "-p", "#W"]).stdout.trim().to_owned();
    let before = name();
    for keys in ["C-b [", "C-b t", "C-b w"] {
        ann.keys(keys);
        assert_eq!(name(), "[shellkeep]", "{keys}");
        ann.keys("q");
        assert_eq!(name(), before, "{keys}");
    }
}

#[test]
fn output_of_a_command_leaves_no_row_free_below_it() {
    let rig = Rig::with_config("bind -n F1 list-windows -F line");
    let ann = rig.attach((4, 20), &["new", "-s", "work"]);
    for _ in 0..4 {
        ann.keys("F1");
    }
    assert_eq!(ann.text(), "line           [0/0]\nline\nline\nline");
    ann.keys("F1");
    assert!(
        ann.text().contains("[1/1]") || ann.text().contains("[0/1]"),
        "{}",
        ann.text()
    );
}

#[test]
fn key_behind_the_prefix_that_is_bound_to_nothing_is_not_copy_modes() {
    let (rig, ann) = showing("one two three");
    ann.keys("C-b [ C-a C-b M-f C-b C-e");
    let at = |rig: &Rig| rig.run(&["display", "-p", "#{copy_cursor_x}"]).stdout;
    assert_eq!(at(&rig), "0\n");
    rig.run(&["bind", "-r", "k", "refresh-client"]);
    ann.keys("C-b k M-f");
    assert_eq!(at(&rig), "0\n", "nor one that ends a repetition");
    ann.keys("M-f");
    assert_eq!(at(&rig), "3\n");
}
