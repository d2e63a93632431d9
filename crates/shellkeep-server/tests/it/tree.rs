use expect_test::expect;
use shellkeep_core::Color;
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// Two sessions, and a client that shows the first.
fn two_sessions(rig: &Rig, size: (u16, u16)) -> VirtualClient {
    let ann = rig.attach(size, &["new", "-s", "work"]);
    rig.run(&["new", "-d", "-s", "other"]);
    rig.run(&["set", "-g", "status-right", ""]);
    rig.pty(0).says("in work");
    rig.pty(1).says("in other");
    ann
}

fn screen(client: &VirtualClient) -> String {
    let text = client.text();
    let rows: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", rows.join("\n"))
}

/// The first rows.
fn rows(client: &VirtualClient, count: usize) -> String {
    let all = screen(client);
    let rows: Vec<&str> = all.lines().take(count).collect();
    format!("{}\n", rows.join("\n"))
}

fn mode(rig: &Rig) -> String {
    let shown = rig.run(&["display-message", "-p", "-t", "%0", "#{pane_mode}"]);
    shown.stdout.trim_end().to_owned()
}

const FORMAT: &str = "#{?window_format,a window,#{session_windows} windows}";

#[test]
fn tree_shows_sessions_and_a_preview_as_tmux_does() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (24, 60));
    rig.run(&["choose-tree", "-s", "-t", "%0", "-F", FORMAT]);
    rig.run(&["set", "-g", "status", "off"]);
    assert_eq!(mode(&rig), "tree-mode");
    let picture = screen(&ann);
    assert!(
        picture.starts_with("(0) + work: 1 windows\n(1) + other: 1 windows\n\n"),
        "{picture}"
    );
    let below: Vec<&str> = picture.lines().skip(12).collect();
    assert_eq!(
        below[0],
        "┌ work (sort: index) ──────────────────────────────────────┐"
    );
    assert!(below[1].starts_with("│ in work"), "{picture}");
    assert!(picture.contains(" 0:"), "the window has a label: {picture}");
    rig.pty(0).says("!");
    assert!(screen(&ann).contains("in work!"), "the preview lives");
}

#[test]
fn tree_opens_and_folds() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-N", "-w", "-t", "%0", "-F", FORMAT]);
    let lines = |count: usize| {
        let picture = screen(&ann);
        picture
            .lines()
            .take(count)
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    expect![[r#"
        (0) - work: 1 windows
        (1) └─> 0: a window
        (2) - other: 1 windows
        (3) └─> 0: a window
    "#]]
    .assert_eq(&lines(4));
    ann.keys("Left");
    expect![[r#"
        (0) + work: 1 windows
        (1) - other: 1 windows
        (2) └─> 0: a window
    "#]]
    .assert_eq(&lines(3));
    ann.keys("M-- ");
    expect![[r#"
        (0) + work: 1 windows
        (1) + other: 1 windows
    "#]]
    .assert_eq(&lines(2));
    ann.keys("Right Down t");
    expect![[r#"
        (0) - work: 1 windows
        (1) └─> 0*: a window
        (2) + other: 1 windows
    "#]]
    .assert_eq(&lines(3));
    ann.keys("q");
    assert_eq!(mode(&rig), "");
    assert!(ann.text().starts_with("in work"), "{}", ann.text());
}

#[test]
fn tree_runs_its_template_for_what_is_chosen() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    let chosen = || rig.run(&["show", "-gqv", "@x"]).stdout;
    rig.run(&["choose-tree", "-s", "-t", "%0", "set -g @x '%%'"]);
    ann.keys("Down Enter");
    assert_eq!(chosen(), "=other:\n");
    assert_eq!(mode(&rig), "");
    rig.run(&["choose-tree", "-w", "-t", "%0", "set -g @x '%%'"]);
    ann.keys("3");
    assert_eq!(chosen(), "=other:0.\n");
}

#[test]
fn tree_sorts_filters_and_searches() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0", "-O", "name", "-F", FORMAT]);
    assert!(screen(&ann).starts_with("(0) + other"), "{}", screen(&ann));
    ann.keys("r");
    assert!(screen(&ann).starts_with("(0) + work"));
    ann.keys("f").sends("#{==:#S,other}").keys("Enter");
    let picture = screen(&ann);
    assert!(
        picture.starts_with("(0) + other") && !picture.contains("(1)"),
        "{picture}"
    );
    ann.keys("f C-u Enter");
    assert!(screen(&ann).contains("(1) + other"));
    ann.keys("g C-s").sends("oth").keys("Enter Right");
    assert!(screen(&ann).contains("(1) - other"), "{}", screen(&ann));
}

#[test]
fn tree_kills_after_a_question() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    ann.keys("Down x");
    assert!(
        screen(&ann).contains("Kill session other?"),
        "{}",
        screen(&ann)
    );
    ann.keys("n");
    assert_eq!(rig.run(&["has", "-t", "=other"]).status, Some(0));
    ann.keys("x y");
    assert_eq!(rig.run(&["has", "-t", "=other"]).status, Some(1));
    assert!(!screen(&ann).contains("other"));
}

#[test]
fn tree_runs_a_command_for_each_tagged() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    ann.keys("C-t :")
        .sends("set -t '%%' @tagged yes")
        .keys("Enter");
    for session in ["work", "other"] {
        let set = rig.run(&["show", "-qv", "-t", session, "@tagged"]);
        assert_eq!(set.stdout, "yes\n", "{session}");
    }
    assert_eq!(mode(&rig), "tree-mode", "it stays");
}

#[test]
fn tree_click_selects_and_double_click_chooses() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0", "set -g @x '%%'"]);
    let click = "\x1b[<0;5;2M\x1b[<0;5;2m";
    ann.sends(click).sends(click);
    assert_eq!(mode(&rig), "tree-mode", "clicks one by one only select");
    ann.sends(click.repeat(2));
    assert_eq!(mode(&rig), "");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "=other:\n");
}

#[test]
fn tree_wheel_moves_through_the_lines() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0", "set -g @x '%%'"]);
    ann.sends("\x1b[<65;5;2M").keys("Enter");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "=other:\n");
}

#[test]
fn tree_right_click_opens_a_menu_of_what_keys_do() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (24, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    ann.sends("\x1b[<2;12;2M");
    expect![[r#"
        (0) + work: 1 windows (attached)
        (1┌──────other──────┐s
          │ Select  (Enter) │
          │ Expand  (Right) │
          │ Mark        (m) │
          ├─────────────────┤
          │ Sleep       (z) │
          │ Wake        (w) │
          ├─────────────────┤
          │ Tag         (t) │
          │ Tag All   (C-t) │
          │ Tag None    (T) │
        ┌ ├─────────────────┤ ─────────────────┐
        │ │ Kill        (x) │                  │
        │ │ Kill Tagged (X) │                  │
        │ ├─────────────────┤                  │
        │ │ Cancel      (q) │                  │
        │ └─────────────────┘──┐               │
    "#]]
    .assert_eq(&rows(&ann, 18));
    // Let go over Kill: the question is asked as for the key.
    ann.sends("\x1b[<34;12;14M\x1b[<2;12;14m");
    assert!(
        screen(&ann).contains("Kill session other?"),
        "{}",
        screen(&ann)
    );
    ann.keys("y");
    assert_eq!(rig.run(&["ls", "-F", "#S"]).stdout, "work\n");
}

#[test]
fn tree_right_click_on_the_preview_opens_the_menu_that_scrolls_it() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (24, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    ann.sends("\x1b[<2;20;18M");
    let picture = screen(&ann);
    assert!(picture.contains("│ Scroll Left  (<) │"), "{picture}");
    assert!(picture.contains("│ Cancel       (q) │"), "{picture}");
    ann.keys("Escape");
    assert_eq!(mode(&rig), "tree-mode", "the menu alone is gone");
    ann.sends("\x1b[<2;20;18M").keys("q");
    assert_eq!(mode(&rig), "", "it cancels the tree");
}

#[test]
fn tree_click_on_a_preview_chooses_what_is_seen_there() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (24, 80));
    rig.run(&["new-window", "-d", "-t", "work:5"]);
    rig.run(&["choose-tree", "-s", "-t", "%0", "set -g @x '%%'"]);
    ann.sends("\x1b[<0;60;18M\x1b[<0;60;18m");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "=work:5.\n");
    rig.run(&["split-window", "-d", "-t", "work:0"]);
    rig.run(&["choose-tree", "-wZ", "-t", "%0", "set -g @x '%%'"]);
    ann.sends("\x1b[<0;60;20M\x1b[<0;60;20m");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "=work:0.%3\n");
}

#[test]
fn tree_of_whole_groups_and_with_keys_of_its_own() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["new", "-d", "-s", "twin", "-t", "work"]);
    let names = |flags: &[&str]| {
        let mut argv = vec!["choose-tree", "-sN", "-O", "name", "-t", "%0", "-F", "x"];
        argv.extend(flags);
        rig.run(&argv);
        let picture = screen(&ann);
        ann.keys("q");
        picture.trim_end().to_owned()
    };
    assert_eq!(names(&[]), "(0) + other: x\n(1) + work: x");
    assert_eq!(
        names(&["-G"]),
        "(0) + other: x\n(1) + twin: x\n(2) + work: x"
    );
    let keys = "#{?#{==:#{line},0},F5,M-#{line}}";
    assert_eq!(names(&["-K", keys]), "(F5)  + other: x\n(M-1) + work: x");
}

#[test]
fn modes_lie_over_each_other_and_are_left_one_by_one() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    let lines: String = (0..30).map(|number| format!("\r\nline {number}")).collect();
    rig.pty(0).says(lines);
    rig.run(&["copy-mode", "-t", "%0"]);
    rig.run(&["send", "-t", "%0", "-X", "page-up"]);
    let shown = ann.text();
    let count = || {
        let told = rig.run(&["display-message", "-p", "-t", "%0", "#{pane_in_mode}"]);
        told.stdout.trim_end().to_owned()
    };
    assert_eq!((mode(&rig).as_str(), count().as_str()), ("copy-mode", "1"));
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    rig.run(&["clock-mode", "-t", "%0"]);
    assert_eq!((mode(&rig).as_str(), count().as_str()), ("clock-mode", "3"));
    rig.pty(0).says("\r\nmore");
    ann.keys("x");
    assert_eq!(mode(&rig), "tree-mode");
    ann.keys("q");
    assert_eq!((mode(&rig).as_str(), count().as_str()), ("copy-mode", "1"));
    assert_eq!(ann.text(), shown, "as it was left");
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    rig.run(&["copy-mode", "-t", "%0"]);
    assert_eq!(
        (mode(&rig).as_str(), count().as_str()),
        ("copy-mode", "2"),
        "it is raised"
    );
    assert_eq!(ann.text(), shown);
    ann.resizes(20, 50);
    ann.keys("q");
    assert_eq!(mode(&rig), "tree-mode");
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    rig.run(&["copy-mode", "-q", "-t", "%0"]);
    assert_eq!((mode(&rig).as_str(), count().as_str()), ("", "0"));
}

#[test]
fn copy_mode_below_a_tree_follows_another_size() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    let lines: String = (0..30).map(|number| format!("\r\nline {number}")).collect();
    rig.pty(0).says(lines);
    rig.run(&["copy-mode", "-t", "%0"]);
    rig.run(&["send", "-t", "%0", "-X", "search-backward", "line 7"]);
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    ann.resizes(8, 30);
    ann.keys("q");
    let cursor = ann.with_terminal(|terminal| terminal.row(terminal.cursor().row).text());
    assert!(cursor.starts_with("line 7 "), "{cursor}");
}

#[test]
fn buffers_are_chosen_from_with_their_text_below() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (26, 40));
    assert_eq!(rig.run(&["choose-buffer", "-t", "%0"]).status, Some(0));
    assert_eq!(mode(&rig), "", "there is nothing to choose from");
    rig.run(&["set-buffer", "hello", ";", "set-buffer", "two\nlines"]);
    rig.run(&[
        "choose-buffer",
        "-t",
        "%0",
        "-F",
        "#{buffer_sample}",
        "set -g @x '%%'",
    ]);
    let picture = screen(&ann);
    assert!(
        picture.starts_with("(0) buffer1: two\\nlines\n(1) buffer0: hello\n"),
        "{picture}"
    );
    assert!(picture.contains("│ lines "), "{picture}");
    ann.keys("Down d");
    assert!(!screen(&ann).contains("buffer0"), "{}", screen(&ann));
    ann.keys("Enter");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "buffer1\n");
}

#[test]
fn clients_are_chosen_from_with_their_screen_below() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (26, 40));
    rig.run(&["choose-client", "-t", "%0"]);
    let picture = screen(&ann);
    assert!(picture.contains("session work"), "{picture}");
    assert!(picture.contains("│ in work"), "{picture}");
    assert!(picture.contains("(sort: name)"), "{picture}");
    ann.keys("d");
    assert!(ann.farewell().is_some());
}

#[test]
fn window_looked_for_is_the_only_one_in_the_tree() {
    let rig = Rig::new();
    let ann = rig.attach((24, 60), &["new", "-s", "work", "-n", "alpha"]);
    rig.run(&["new-window", "-d", "-n", "beta"]);
    let found = rig.run(&["find-window", "-N", "-t", "%0", "beta"]);
    assert_eq!((found.status, found.stderr.as_str()), (Some(0), ""));
    assert_eq!(mode(&rig), "tree-mode");
    let picture = screen(&ann);
    let listed: Vec<&str> = picture
        .lines()
        .take_while(|line| !line.is_empty())
        .collect();
    let names = |name: &str| listed.iter().any(|line| line.contains(name));
    assert!(names("beta") && !names("alpha"), "{picture}");
}

#[test]
fn tagged_are_counted_in_the_question_also_if_it_is_one() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (24, 60));
    rig.run(&["choose-tree", "-s", "-t", "%0"]);
    ann.keys("t X");
    let last =
        |client: &VirtualClient| screen(client).lines().last().unwrap_or_default().to_owned();
    assert_eq!(last(&ann), "Kill 1 tagged?");
    ann.keys("n x");
    assert!(last(&ann).starts_with("Kill session "), "{}", last(&ann));
}

#[test]
fn left_on_what_is_folded_at_the_top_goes_a_line_up() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-N", "-s", "-t", "%0", "-F", FORMAT]);
    ann.keys("End Left t");
    assert_eq!(
        rows(&ann, 2),
        "(0) + work*: 1 windows\n(1) + other: 1 windows\n"
    );
    ann.keys("Home h - T t");
    assert_eq!(
        rows(&ann, 2),
        "(0) + work*: 1 windows\n(1) + other: 1 windows\n",
        "and no further"
    );
}

#[test]
fn filter_without_a_match_is_lit() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (24, 60));
    rig.run(&["choose-tree", "-s", "-t", "%0", "-F", FORMAT]);
    ann.keys("f").sends("0").keys("Enter");
    let picture = screen(&ann);
    let row = picture.lines().position(|line| line.contains("no matches"));
    let row = row.unwrap_or_else(|| panic!("{picture}"));
    let lit: String = ann.with_terminal(|terminal| {
        let row = terminal.row(row as u16);
        let lit = row
            .cells()
            .filter(|cell| cell.style().bg == Color::Palette(3));
        lit.map(|cell| cell.text().to_string()).collect()
    });
    assert_eq!(lit, "no matches");
}

#[test]
fn text_of_a_buffer_is_shown_with_what_cannot_be_seen_written_out() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (26, 40));
    rig.run(&["set-buffer", "a\tb\u{1}c\\ é#[x]\nlast"]);
    rig.run(&["choose-buffer", "-t", "%0"]);
    let picture = screen(&ann);
    assert!(picture.contains("│ a\\tb\\001c\\\\ é#[x] "), "{picture}");
    assert!(picture.contains("│ last "), "{picture}");
}
