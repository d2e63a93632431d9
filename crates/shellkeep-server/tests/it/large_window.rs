//! Windows larger than the terminal: the mouse, menus and trees mean what is seen.

use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// A configuration whose status line tells where the part that is shown begins.
const PLAIN: &str = "set -g status-left '' ; set -g window-status-current-format '' ; set -g window-status-format '' ; \
    set -g status-right '#{?window_bigger,#{window_offset_x} #{window_offset_y},all}'";

/// An event in SGR encoding, rows and columns from 0.
fn event(bits: u8, row: u16, col: u16, end: char) -> String {
    format!("\x1b[<{bits};{};{}{end}", col + 1, row + 1)
}

/// A window of 20 rows and 60 columns with two panes side by side, on a terminal of 10 rows and 30 columns.
fn large(config: &str) -> (Rig, VirtualClient) {
    let rig = Rig::with_status(&format!("{PLAIN}\n{config}"));
    let ann = rig.attach((10, 30), &["new", "-s", "work"]);
    rig.run(&["resize-window", "-t", "work", "-x", "60", "-y", "20"]);
    rig.run(&["split-window", "-h", "-t", "work"]);
    (rig, ann)
}

fn last_row(client: &VirtualClient) -> String {
    let text = client.text();
    text.lines().last().unwrap_or_default().trim().to_owned()
}

fn value(rig: &Rig, format: &str) -> String {
    let told = rig.run(&["display-message", "-p", "-t", "work", format]);
    told.stdout.trim_end().to_owned()
}

#[test]
fn status_line_tells_the_part_that_follows_the_cursor() {
    let (rig, ann) = large("");
    assert_eq!(last_row(&ann), "30 0");
    rig.pty(1).says("\x1b[15;1H");
    assert_eq!(last_row(&ann), "30 11", "the program alone has moved it");
    rig.run(&["select-pane", "-L"]);
    assert_eq!(last_row(&ann), "0 0");
}

#[test]
fn part_is_moved_by_command_until_another_window_is_shown() {
    let (rig, ann) = large("");
    rig.run(&["select-pane", "-L"]);
    rig.run(&["refresh-client", "-R", "12"]);
    rig.run(&["refresh-client", "-D", "5"]);
    assert_eq!(last_row(&ann), "12 5");
    rig.run(&["refresh-client", "-R", "500"]);
    rig.run(&["refresh-client", "-U", "2"]);
    assert_eq!(last_row(&ann), "30 3");
    rig.run(&["refresh-client", "-c"]);
    assert_eq!(last_row(&ann), "0 0");
    rig.run(&["refresh-client", "-L", "-D", "3"]);
    assert_eq!(last_row(&ann), "0 0", "one direction at a time");
    rig.run(&["refresh-client", "-D", "3"]);
    rig.run(&["new-window", "-t", "work:"]);
    assert_eq!(last_row(&ann), "all");
    rig.run(&["last-window", "-t", "work"]);
    assert_eq!(last_row(&ann), "0 0", "it follows the cursor again");
}

#[test]
fn click_selects_the_pane_that_is_seen_below_it() {
    let (rig, ann) = large("");
    let active = || value(&rig, "#{pane_id}");
    assert_eq!(active(), "%1");
    ann.sends(event(0, 2, 0, 'M') + &event(0, 2, 0, 'm'));
    assert_eq!(active(), "%1", "the border's column is at the left edge");
    rig.run(&["refresh-client", "-L", "10"]);
    ann.sends(event(0, 2, 0, 'M') + &event(0, 2, 0, 'm'));
    assert_eq!(active(), "%0");
}

#[test]
fn program_is_told_its_own_rows_and_columns() {
    let (rig, ann) = large("");
    rig.pty(1).says("\x1b[?1002h\x1b[?1006h\x1b[15;20H");
    assert_eq!(last_row(&ann), "30 11");
    ann.sends(event(0, 2, 4, 'M'));
    // Column 30 + 4 of the window, whose second pane begins at column 31.
    assert_eq!(rig.pty(1).was_typed(), "\x1b[<0;4;14M");
}

#[test]
fn border_is_dragged_by_what_is_seen_of_it() {
    let (rig, ann) = large("");
    assert_eq!(value(&rig, "#{pane_left}"), "31");
    // The border is column 30 of the window, the first that is seen.
    ann.sends(event(0, 2, 0, 'M') + &event(32, 2, 10, 'M'));
    ann.sends(event(0, 2, 10, 'm'));
    assert_eq!(value(&rig, "#{pane_left}"), "41");
}

#[test]
fn selection_is_dragged_over_what_is_seen() {
    let (rig, ann) = large("");
    rig.pty(1).says("\x1b[15;1Habc def\x1b[H\x1b[15;3H");
    rig.run(&["refresh-client", "-D", "0"]);
    rig.run(&["refresh-client", "-U"]);
    rig.run(&["refresh-client", "-D"]);
    assert_eq!(last_row(&ann), "30 11");
    rig.run(&["copy-mode", "-t", "work"]);
    // Row 14 of the pane, and its columns 4 to 6.
    ann.sends(event(0, 3, 5, 'M') + &event(32, 3, 6, 'M'));
    ann.sends(event(32, 3, 8, 'M'));
    ann.sends(event(0, 3, 8, 'm'));
    assert_eq!(rig.run(&["show-buffer"]).stdout, "def");
}

#[test]
fn part_follows_the_cursor_of_copy_mode() {
    let (rig, ann) = large("");
    rig.pty(1).says("\x1b[15;1Habc");
    rig.run(&["copy-mode", "-t", "work"]);
    rig.run(&["send-keys", "-t", "work", "-X", "top-line"]);
    assert_eq!(last_row(&ann), "30 0");
    assert_eq!(
        ann.with_terminal(|terminal| terminal.cursor().row),
        0,
        "it is seen"
    );
}

#[test]
fn menu_of_a_pane_opens_where_the_pane_is_seen() {
    let (rig, ann) = large("");
    let cli = rig.attach((5, 5), &["has"]);
    cli.start(&[
        "display-menu",
        "-x",
        "P",
        "-y",
        "#{popup_pane_top}",
        "first",
        "f",
        "set-buffer x",
    ]);
    let text = ann.text();
    let first = text.lines().next().unwrap_or_default().to_owned();
    assert!(first.starts_with("│┌"), "{text}");
}

#[test]
fn menu_of_the_mouse_chooses_what_is_below_it() {
    let (rig, ann) = large(
        "bind -n MouseDown3Pane display-menu -x M -y M -t = \
         'one' 1 'set-buffer #{mouse_x}-#{mouse_y}' 'two' 2 'set-buffer two'",
    );
    rig.pty(1).says("\x1b[15;20H");
    assert_eq!(last_row(&ann), "30 11");
    ann.sends(event(2, 1, 15, 'M'));
    let text = ann.text();
    let row = text.lines().position(|line| line.contains("one"));
    let row = u16::try_from(row.unwrap_or_else(|| panic!("{text}"))).unwrap_or(0);
    ann.sends(event(34, row, 15, 'M') + &event(2, row, 15, 'm'));
    assert_eq!(rig.run(&["show-buffer"]).stdout, "14-12");
}

#[test]
fn tree_is_clicked_where_it_is_seen() {
    let (rig, ann) = large("");
    for number in 0..14 {
        rig.run(&["new", "-d", "-s", &format!("s{number}")]);
    }
    rig.run(&["choose-tree", "-sN", "-O", "name", "-t", "work"]);
    rig.run(&["refresh-client", "-D", "4"]);
    assert_eq!(last_row(&ann), "30 4");
    // Its pane begins at column 31, and row 0 of the terminal is its row 4: s12 after s0, s1, s10, s11.
    ann.sends(event(0, 0, 5, 'M') + &event(0, 0, 5, 'm'));
    ann.keys("Enter");
    let shown = rig.run(&["list-clients", "-F", "#{session_name}"]).stdout;
    assert!(shown.contains("s12"), "{shown}");
}

#[test]
fn window_that_is_wider_but_lower_is_marked_off_below() {
    let rig = Rig::with_status(PLAIN);
    let ann = rig.attach((8, 10), &["new", "-s", "work"]);
    rig.run(&["resize-window", "-t", "work", "-x", "30", "-y", "4"]);
    rig.pty(0).says("text");
    assert_eq!(
        ann.text(),
        "text\n\n\n\n──────────\n··········\n··········\n       0 0"
    );
    rig.run(&["resize-window", "-t", "work", "-x", "6", "-y", "20"]);
    assert_eq!(
        ann.text().lines().next(),
        Some("text  │···"),
        "and to the right"
    );
}
