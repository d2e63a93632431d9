//! A window larger than the terminal, menus and modes over modes look as in tmux.

use super::pair::Pair;

/// The status line tells which part is shown.
const CONFIG: &str = "set -g default-command 'stty -echo; exec cat'\nset -g status-right \
    '#{?window_bigger,[#{window_offset_x}#,#{window_offset_y}],whole}'\nset -g mouse on";

/// An event of the mouse, rows and columns from 0.
fn event(bits: u8, row: u16, col: u16, end: char) -> String {
    format!("\x1b[<{bits};{};{}{end}", col + 1, row + 1)
}

#[test]
fn part_of_a_larger_window_is_shown_as_in_tmux() {
    let pair = Pair::start("large_window", CONFIG);
    pair.run(&["resize-window", "-t", "work", "-x", "100", "-y", "30"]);
    pair.same("[0,0]");
    let lines: Vec<String> = (0..25)
        .map(|n| format!("{n} {}", "text ".repeat(14)))
        .collect();
    pair.types(&(lines.join("\n") + "\n"));
    pair.same("[0,19]");
    pair.run(&["refresh-client", "-R", "15"]).same("[15,19]");
    pair.run(&["refresh-client", "-U", "7"]).same("[15,12]");
    pair.run(&["refresh-client", "-R", "500"]).same("[40,12]");
    pair.run(&["refresh-client", "-L", "5"]).same("[35,12]");
    pair.run(&["refresh-client", "-D", "500"]).same("[35,19]");
    pair.run(&["refresh-client", "-c"]).same("[0,19]");
    pair.run(&["split-window", "-h", "-l", "20", "-t", "work"])
        .same("[40,0]");
    pair.run(&["refresh-client", "-L", "5"]).same("[35,0]");
    pair.run(&["new-window", "-n", "other"]).same("whole");
    pair.run(&["last-window"]).same("[40,0]");
    pair.run(&["copy-mode", "-t", "work:0.0"]);
    pair.run(&["select-pane", "-t", "work:0.0"]).same("[0,19]");
    pair.run(&["send-keys", "-t", "work:0.0", "-X", "top-line"]);
    pair.same("[0,0]");
}

#[test]
fn menu_over_a_larger_window_opens_where_it_does_in_tmux() {
    let pair = Pair::start("large_window_menu", CONFIG);
    pair.run(&["resize-window", "-t", "work", "-x", "100", "-y", "30"]);
    pair.run(&["split-window", "-h", "-l", "20", "-t", "work"])
        .same("[40,0]");
    for (key, x, y) in [
        ("A", "P", "P"),
        ("B", "R", "S"),
        ("C", "C", "C"),
        ("D", "M", "M"),
    ] {
        pair.run(&[
            "bind",
            key,
            "display-menu",
            "-x",
            x,
            "-y",
            y,
            "first",
            "f",
            "set-buffer x",
            "second",
            "s",
            "set-buffer y",
        ]);
        pair.keys(&format!("C-b {key}"));
        pair.same("second").keys("q");
        pair.same_when("no menu", |screen| !screen.has("second"));
    }
    pair.run(&[
        "bind",
        "-n",
        "MouseDown3Pane",
        "display-menu",
        "-t",
        "=",
        "-x",
        "M",
        "-y",
        "M",
        "#{pane_index}",
        "f",
        "set-buffer x",
        "second",
        "s",
        "set-buffer y",
    ]);
    pair.types(&event(2, 3, 20, 'M')).same("second");
    pair.types(&event(2, 0, 50, 'm'));
    pair.same_when("no menu", |screen| !screen.has("second"));
}

#[test]
fn menus_of_trees_and_the_prompt_look_as_in_tmux() {
    let pair = Pair::start("menus", CONFIG);
    pair.run(&["set", "-g", "status-left", ""]);
    pair.run(&["new", "-d", "-s", "other", "stty -echo; exec cat"]);
    pair.run(&["choose-tree", "-sN", "-t", "work", "-F", "x"])
        .same("other");
    pair.types(&event(2, 1, 30, 'M'));
    pair.same_when("no menu where there is no room", |screen| {
        screen.has("other")
    });
    pair.types(&event(2, 1, 30, 'm')).keys("q");
    pair.same_when("no tree", |screen| !screen.has("other: x"));
    pair.keys("C-b :");
    pair.same_when("the prompt", |screen| screen.row(11).starts_with(':'));
    pair.types("set -g status-left");
    pair.same("status-left")
        .types("\t")
        .same("status-left-style");
    pair.types("\t").same("status-left-style").keys("Enter");
    pair.same(":set -g status-left-length").keys("C-c");
}

#[test]
fn modes_over_modes_are_left_as_in_tmux() {
    let pair = Pair::start("modes_over_modes", CONFIG);
    let modes = "<#{pane_mode} #{pane_in_mode}>";
    pair.run(&["set", "-g", "status-left-length", "40"]);
    pair.run(&["set", "-g", "status-left", modes]).same("< 0>");
    let lines: Vec<String> = (0..25).map(|n| format!("line {n}")).collect();
    pair.types(&(lines.join("\n") + "\n")).same("line 24");
    pair.run(&["copy-mode", "-t", "work"]).same("<copy-mode 1>");
    pair.run(&["choose-tree", "-sN", "-t", "work", "-F", "x"]);
    pair.same("<tree-mode 2>").keys("q");
    pair.same("<copy-mode 1>");
    pair.run(&["choose-tree", "-sN", "-t", "work", "-F", "x"]);
    pair.run(&["copy-mode", "-t", "work"]).same("<copy-mode 2>");
    pair.run(&["copy-mode", "-q", "-t", "work"]).same("< 0>");
}
