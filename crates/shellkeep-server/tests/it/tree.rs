use expect_test::expect;
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
fn tree_click_selects_and_chooses() {
    let rig = Rig::new();
    let ann = two_sessions(&rig, (12, 40));
    rig.run(&["choose-tree", "-s", "-t", "%0", "set -g @x '%%'"]);
    ann.sends("\x1b[<0;5;2M\x1b[<0;5;2m");
    assert_eq!(mode(&rig), "tree-mode");
    ann.sends("\x1b[<0;5;2M\x1b[<0;5;2m");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "=other:\n");
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
