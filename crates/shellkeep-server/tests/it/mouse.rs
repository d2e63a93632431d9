//! The mouse: events of the terminal in, what becomes of them out.

use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// A rig, and a client that shows `text`.
fn showing(text: &str) -> (Rig, VirtualClient) {
    let rig = Rig::new();
    let ann = rig.attach((5, 20), &["new", "-s", "a"]);
    rig.pty(0).says(text);
    (rig, ann)
}

fn lines(count: u32) -> String {
    (1..=count).map(|n| format!("line {n}\r\n")).collect()
}

/// An event in SGR encoding, rows and columns from 0.
fn event(bits: u8, row: u16, col: u16, end: char) -> String {
    format!("\x1b[<{bits};{};{}{end}", col + 1, row + 1)
}

fn press(row: u16, col: u16) -> String {
    event(0, row, col, 'M')
}

fn drag(row: u16, col: u16) -> String {
    event(32, row, col, 'M')
}

fn release(row: u16, col: u16) -> String {
    event(0, row, col, 'm')
}

#[test]
fn programs_that_want_the_mouse_get_it_and_others_do_not() {
    let (rig, ann) = showing("text");
    ann.sends(press(1, 2) + &release(1, 2));
    assert_eq!(rig.pty(0).was_typed(), "");
    rig.pty(0).says("\x1b[?1000h\x1b[?1006h");
    ann.sends(event(64, 3, 4, 'M'));
    assert_eq!(rig.pty(0).was_typed(), "\x1b[<64;5;4M");
}

#[test]
fn mouse_off_still_reaches_programs_that_want_it() {
    let (rig, ann) = showing("\x1b[?1002h\x1b[?1006h");
    rig.run(&["set", "-g", "mouse", "off"]);
    ann.sends(press(1, 2) + &drag(1, 3) + &release(1, 3));
    assert_eq!(
        rig.pty(0).was_typed(),
        "\x1b[<0;3;2M\x1b[<32;4;2M\x1b[<0;4;2m"
    );
}

#[test]
fn selection_dragged_in_copy_mode_is_copied_at_its_end() {
    let (rig, ann) = showing(&lines(10));
    rig.run(&["copy-mode", "-u"]);
    let top = ann.text();
    assert!(top.starts_with("line 4"), "{top}");
    ann.sends(press(1, 0) + &drag(1, 4));
    ann.sends(drag(2, 6));
    ann.sends(release(2, 6));
    assert_eq!(rig.run(&["showb"]).stdout, "line 5\nline 6");
    assert!(
        ann.text().starts_with("line 7"),
        "it has left: {}",
        ann.text()
    );
}

#[test]
fn selection_dragged_at_the_edge_scrolls_by_itself() {
    let (rig, ann) = showing(&lines(60));
    rig.run(&["copy-mode"]);
    ann.sends(press(2, 3) + &drag(1, 3));
    ann.sends(drag(0, 3));
    let shown = ann.text();
    assert!(
        shown.contains("[56/56]"),
        "the clock went on for long: {shown}"
    );
    ann.sends(release(0, 3));
    assert!(rig.run(&["showb"]).stdout.starts_with("e 1\nline 2\n"));
}

#[test]
fn wheel_in_copy_mode_scrolls_and_leaves_at_the_end() {
    let (rig, ann) = showing(&lines(30));
    rig.run(&["copy-mode", "-e"]);
    ann.sends(event(64, 1, 1, 'M'));
    assert!(ann.text().contains("[5/26]"), "{}", ann.text());
    ann.sends(event(65, 1, 1, 'M'));
    assert_eq!(rig.run(&["send", "-X", "cancel"]).stderr, "not in a mode\n");
}

#[test]
fn wheel_moves_a_program_on_the_alternate_screen() {
    let (rig, ann) = showing("\x1b[?1049h");
    ann.sends(event(65, 1, 1, 'M'));
    assert_eq!(rig.pty(0).was_typed(), "\x1b[B\x1b[B\x1b[B");
}

#[test]
fn clicks_soon_after_each_other_have_names_of_their_own() {
    let rig = Rig::with_config(
        "bind -n SecondClick1Pane set-buffer -a -b keys 2\n\
         bind -n DoubleClick1Pane set-buffer -a -b keys d\n\
         bind -n TripleClick1Pane set-buffer -a -b keys 3\n\
         bind -n MouseDown1Pane set-buffer -a -b keys 1\n\
         bind -n C-MouseDown1Pane set-buffer -a -b keys c\n",
    );
    let ann = rig.attach((5, 20), &["new", "-s", "a"]);
    let click = press(1, 1) + &release(1, 1);
    ann.sends(click.repeat(2));
    ann.sends(click.repeat(3));
    ann.sends(event(16, 1, 1, 'M') + &event(16, 1, 1, 'm'));
    assert_eq!(rig.run(&["showb", "-b", "keys"]).stdout, "12d123c");
}

#[test]
fn focus_is_told_to_programs_that_ask_where_the_option_is_on() {
    let (rig, ann) = showing("\x1b[?1004h");
    ann.sends("\x1b[O\x1b[I");
    assert_eq!(rig.pty(0).was_typed(), "");
    rig.run(&["set", "-s", "focus-events", "on"]);
    assert_eq!(rig.pty(0).was_typed(), "\x1b[I");
    ann.sends("\x1b[O");
    assert_eq!(rig.pty(0).was_typed(), "\x1b[O");
}

/// Two panes side by side, and a status line below.
fn two_panes() -> (Rig, VirtualClient) {
    let rig = Rig::with_status("set -g status-right ''\nset -g status-left ''\n");
    let ann = rig.attach((6, 21), &["new", "-s", "a", "-n", "first"]);
    rig.run(&["split-window", "-h", "-t", "a:"]);
    (rig, ann)
}

fn active(rig: &Rig) -> String {
    rig.run(&["display", "-p", "-t", "a:", "#{pane_id}"]).stdout
}

#[test]
fn click_selects_the_pane_below_it() {
    let (rig, ann) = two_panes();
    assert_eq!(active(&rig), "%1\n");
    ann.sends(press(2, 2) + &release(2, 2));
    assert_eq!(active(&rig), "%0\n");
    ann.sends(press(2, 15) + &release(2, 15));
    assert_eq!(active(&rig), "%1\n");
}

#[test]
fn events_are_translated_to_the_rows_and_columns_of_the_pane() {
    let (rig, ann) = two_panes();
    rig.pty(1).says("\x1b[?1002h\x1b[?1006h");
    ann.sends(press(2, 15) + &drag(3, 16) + &release(3, 16));
    assert_eq!(
        rig.pty(1).was_typed(),
        "\x1b[<0;5;3M\x1b[<32;6;4M\x1b[<0;6;4m"
    );
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn border_follows_the_mouse_that_drags_it() {
    let (rig, ann) = two_panes();
    assert_eq!(rig.pty(0).size().cols(), 10);
    ann.sends(press(2, 10) + &drag(2, 8));
    ann.sends(drag(2, 6));
    ann.sends(release(2, 6));
    assert_eq!(rig.pty(0).size().cols(), 6);
    assert_eq!(rig.pty(1).size().cols(), 14);
}

#[test]
fn click_on_a_window_in_the_status_line_shows_it() {
    let (rig, ann) = two_panes();
    rig.run(&["new-window", "-n", "second", "-t", "a:"]);
    assert!(ann.text().contains("1:second*"), "{}", ann.text());
    let status = ann.text().lines().last().unwrap_or_default().to_owned();
    let at = status.find("0:first").expect("it is there");
    ann.sends(press(5, at as u16) + &release(5, at as u16));
    assert!(ann.text().contains("0:first*"), "{}", ann.text());
    ann.sends(event(65, 5, at as u16, 'M'));
    assert!(ann.text().contains("1:second*"), "{}", ann.text());
}

#[test]
fn wheel_enters_copy_mode_where_nobody_else_wants_it() {
    let (rig, ann) = showing(&lines(30));
    ann.sends(event(64, 1, 1, 'M'));
    assert!(ann.text().contains("[0/26]"), "{}", ann.text());
    ann.sends(event(64, 1, 1, 'M'));
    assert!(ann.text().contains("[5/26]"), "{}", ann.text());
    ann.sends(event(65, 1, 1, 'M'));
    assert!(!ann.text().contains('['), "{}", ann.text());
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn wheel_up_moves_a_program_on_the_alternate_screen() {
    let (rig, ann) = showing("\x1b[?1049h");
    ann.sends(event(64, 1, 1, 'M'));
    assert_eq!(rig.pty(0).was_typed(), "\x1b[A\x1b[A\x1b[A");
}

#[test]
fn drag_in_a_pane_copies_what_it_passed_over() {
    let (rig, ann) = showing("one two three");
    ann.sends(press(0, 4) + &drag(0, 5));
    ann.sends(drag(0, 7));
    ann.sends(release(0, 7));
    assert_eq!(rig.run(&["showb"]).stdout, "two");
    assert_eq!(ann.clipboard().as_deref(), Some("two"));
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn double_click_copies_the_word_and_triple_click_the_line() {
    let (rig, ann) = showing("one two three");
    let click = press(0, 5) + &release(0, 5);
    ann.sends(click.repeat(2));
    assert_eq!(rig.run(&["showb"]).stdout, "two");
    ann.sends(click.repeat(3));
    assert_eq!(rig.run(&["showb"]).stdout, "one two three");
}

#[test]
fn formats_of_a_mouse_key_tell_what_is_below_it() {
    let told = "#{mouse_x}.#{mouse_y} #{mouse_word}|#{mouse_line}|#{mouse_pane}";
    let rig = Rig::with_config(&format!(
        "bind -n MouseDown2Pane if -F '#{{==:{told},5.0 two|one two three|%0}}' 'setb -b m yes'\n"
    ));
    let ann = rig.attach((5, 20), &["new", "-s", "a"]);
    rig.pty(0).says("one two three");
    ann.sends(event(1, 0, 5, 'M') + &event(1, 0, 5, 'm'));
    assert_eq!(rig.run(&["showb", "-b", "m"]).stdout, "yes");
    let after = rig.run(&["display", "-p", told]).stdout;
    assert_eq!(after, ". ||\n", "nobody else has a mouse");
}

#[test]
fn status_line_and_prefix_work_while_a_pane_is_in_copy_mode() {
    let (rig, ann) = two_panes();
    rig.run(&["copy-mode", "-t", "a:"]);
    ann.keys("C-b c");
    assert!(ann.text().contains("1:"), "{}", ann.text());
    ann.sends(event(64, 5, 1, 'M'));
    assert!(ann.text().contains("0:first*"), "{}", ann.text());
}
