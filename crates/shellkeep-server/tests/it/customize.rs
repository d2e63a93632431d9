//! `customize-mode`: options and key bindings as a tree.

use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// A client that looks at the tree, in a session of one pane.
fn tree(rig: &Rig, args: &[&str]) -> VirtualClient {
    let ann = rig.attach((60, 90), &["new", "-s", "work"]);
    rig.run(&["set", "-g", "status", "off"]);
    rig.run(&["set", "-g", "display-time", "60000"]);
    let words = [&["customize-mode", "-t", "%0"], args].concat();
    assert_eq!(rig.run(&words).stderr, "");
    ann
}

fn lines(client: &VirtualClient, count: usize) -> Vec<String> {
    let text = client.text();
    let lines = text.lines().take(count);
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// What is told of the current line.
fn told(client: &VirtualClient) -> Vec<String> {
    let text = client.text();
    let lines = text.lines().filter_map(|line| line.strip_prefix("│ "));
    let lines = lines.map(|line| line.trim_end_matches('│').trim_end().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

fn search(client: &VirtualClient, name: &str) {
    client.keys("C-s");
    client.sends(name);
    client.keys("Enter");
}

fn shown(rig: &Rig, args: &[&str]) -> String {
    rig.run(args).stdout.trim_end().to_owned()
}

#[test]
fn tree_of_options_has_tmux_headings() {
    let rig = Rig::new();
    let ann = tree(&rig, &[]);
    assert_eq!(
        lines(&ann, 8),
        [
            "(0) + Server Options",
            "(1) + Session Options",
            "(2) + Window & Pane Options",
            "(3) + Key Table - copy-mode",
            "(4) + Key Table - copy-mode-vi",
            "(5) + Key Table - prefix",
            "(6) + Key Table - root",
            "",
        ]
    );
    assert!(ann.text().contains("┌ Server Options ─"), "{}", ann.text());
    let text = ann.text();
    let above = text.lines().take_while(|line| !line.starts_with('┌'));
    assert_eq!(
        above.count(),
        60 - 12,
        "the box has 12 rows, whatever there is above"
    );
    assert_eq!(
        shown(&rig, &["display", "-p", "-t", "%0", "#{pane_mode}"]),
        "options-mode"
    );
    ann.keys("q");
    assert_eq!(
        shown(&rig, &["display", "-p", "-t", "%0", "#{pane_mode}"]),
        ""
    );
}

#[test]
fn flag_is_turned_over_where_its_key_says() {
    let rig = Rig::new();
    let ann = tree(&rig, &[]);
    search(&ann, "mouse");
    ann.keys("Enter");
    assert!(
        ann.text().contains("mouse: (session work) off"),
        "{}",
        ann.text()
    );
    assert_eq!(shown(&rig, &["show", "-v", "-t", "work", "mouse"]), "off");
    let about = told(&ann);
    assert_eq!(
        about[1..],
        [
            "This is a session option.",
            "Option value: off",
            "The default is: on",
            "Global value: on",
        ]
    );
    ann.keys("S");
    assert_eq!(shown(&rig, &["show", "-gv", "mouse"]), "on");
    // As in tmux, the next value is the one after what counts here.
    search(&ann, "visual-activity");
    ann.keys("s");
    ann.keys("s");
    assert_eq!(
        shown(&rig, &["show", "-v", "-t", "work", "visual-activity"]),
        "both"
    );
    ann.keys("s");
    assert_eq!(
        shown(&rig, &["show", "-v", "-t", "work", "visual-activity"]),
        "off"
    );
}

#[test]
fn value_is_asked_for_and_set() {
    let rig = Rig::new();
    let ann = tree(&rig, &[]);
    search(&ann, "status-left-length");
    ann.keys("s");
    assert!(
        ann.text()
            .contains("(status-left-length, for session work) 10"),
        "{}",
        ann.text()
    );
    ann.sends("7");
    ann.keys("Enter");
    assert_eq!(
        shown(&rig, &["show", "-v", "-t", "work", "status-left-length"]),
        "107"
    );
    ann.keys("S");
    ann.keys("C-u");
    ann.sends("nonsense");
    ann.keys("Enter");
    assert!(
        ann.text().contains("Value is invalid: nonsense"),
        "{}",
        ann.text()
    );
    assert_eq!(shown(&rig, &["show", "-gv", "status-left-length"]), "10");
}

#[test]
fn option_of_panes_is_set_for_pane_or_window() {
    let rig = Rig::new();
    let ann = tree(&rig, &[]);
    search(&ann, "remain-on-exit-format");
    for (key, whom, flags) in [("s", "for pane 0", "-pv"), ("w", "for window 0", "-wv")] {
        ann.keys(key);
        let question = format!("(remain-on-exit-format, {whom}) ");
        assert!(ann.text().contains(&question), "{}", ann.text());
        ann.keys("C-u");
        ann.sends(format!("it's {key}"));
        ann.keys("Enter");
        let args = ["show", flags, "-t", "%0", "remain-on-exit-format"];
        assert_eq!(shown(&rig, &args), format!("it's {key}"));
    }
    assert!(told(&ann).contains(&"Window value (from window 0): it's w".to_owned()));
}

#[test]
fn option_is_unset_and_reset_after_a_question() {
    let rig = Rig::new();
    let ann = tree(&rig, &[]);
    rig.run(&["set", "-t", "work", "status-left", "mine"]);
    rig.run(&["set", "-g", "status-left", "ours"]);
    search(&ann, "status-left");
    assert!(ann.text().contains("status-left: (session work) mine"));
    ann.keys("u");
    assert!(ann.text().contains("Unset status-left?"), "{}", ann.text());
    ann.keys("n");
    assert_eq!(
        shown(&rig, &["show", "-v", "-t", "work", "status-left"]),
        "mine"
    );
    ann.keys("u");
    ann.keys("y");
    assert_eq!(
        shown(&rig, &["show", "-v", "-t", "work", "status-left"]),
        ""
    );
    ann.keys("d");
    assert!(
        ann.text().contains("Reset status-left to default?"),
        "{}",
        ann.text()
    );
    ann.keys("y");
    assert_eq!(
        shown(&rig, &["show", "-gv", "status-left"]),
        "[#{session_name}]"
    );
}

#[test]
fn array_gets_another_item_and_loses_one() {
    let rig = Rig::new();
    let ann = tree(&rig, &[]);
    search(&ann, "command-alias");
    ann.keys("s");
    assert!(ann.text().contains("(command-alias[+])"), "{}", ann.text());
    ann.sends("foo=display bar");
    ann.keys("Enter");
    assert_eq!(
        shown(&rig, &["show", "-sv", "command-alias[6]"]),
        "foo=display bar"
    );
    ann.keys("l");
    ann.keys("j");
    assert!(told(&ann).contains(&"This is an array option, index 0.".to_owned()));
    ann.keys("u");
    assert!(
        ann.text().contains("Unset command-alias[0]?"),
        "{}",
        ann.text()
    );
    ann.keys("y");
    assert_eq!(shown(&rig, &["show", "-sv", "command-alias[0]"]), "");
    assert_eq!(
        shown(&rig, &["show", "-sv", "command-alias[1]"]),
        "splitp=split-window"
    );
}

#[test]
fn binding_is_changed_part_by_part_and_taken_back() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "first"]);
    rig.run(&[
        "bind", "-T", "new", "-r", "-N", "a note", "C-y", "display", "hi",
    ]);
    let ann = rig.attach((60, 90), &["new", "-s", "work"]);
    rig.run(&["set", "-g", "status", "off"]);
    rig.run(&["customize-mode", "-t", "work:"]);
    search(&ann, "C-y");
    // The first is the one in the table that comes first.
    ann.keys("n");
    ann.keys("g");
    for _ in 0..5 {
        ann.keys("M--");
    }
    for _ in 0..5 {
        ann.keys("j");
    }
    ann.keys("l");
    ann.keys("j");
    assert_eq!(
        told(&ann),
        [
            "a note.",
            "This key is in the new table.",
            "This key does repeat.",
            "Command: display-message hi",
        ]
    );
    ann.keys("l");
    ann.keys("j");
    assert_eq!(
        lines(&ann, 10)[5..],
        [
            "(5)   - Key Table - new",
            "(6)   └─> - C-y",
            "(7)       ├─> Command: display-message hi",
            "(8)       ├─> Note: a note",
            "(9)       └─> Repeat: on",
        ]
    );
    ann.keys("s");
    assert!(
        ann.text().contains("(C-y) display-message hi"),
        "{}",
        ann.text()
    );
    ann.sends(" ; display ho");
    ann.keys("Enter");
    ann.keys("j");
    ann.keys("s");
    ann.sends("!");
    ann.keys("Enter");
    ann.keys("j");
    ann.keys("s");
    assert_eq!(
        shown(&rig, &["list-keys", "-T", "new"]),
        "bind-key -T new C-y display-message hi \\; display-message ho"
    );
    assert_eq!(told(&ann)[0], "a note!.");
    ann.keys("u");
    assert!(ann.text().contains("Unset C-y?"), "{}", ann.text());
    ann.keys("y");
    assert!(!ann.text().contains("Key Table - new"), "{}", ann.text());
}

#[test]
fn binding_is_reset_to_what_it_was_from_the_start() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "first"]);
    let before = shown(&rig, &["list-keys", "-T", "prefix", "c"]);
    rig.run(&["bind", "c", "display", "no"]);
    let ann = rig.attach((60, 90), &["new", "-s", "work"]);
    rig.run(&["customize-mode", "-t", "work:", "-f", "#{==:#{key},c}"]);
    ann.keys("g");
    ann.keys("M-+");
    search(&ann, "c");
    while !ann.text().contains("Command: display-message no") {
        ann.keys("n");
    }
    ann.keys("d");
    assert!(ann.text().contains("Reset c to default?"), "{}", ann.text());
    ann.keys("y");
    assert_eq!(shown(&rig, &["list-keys", "-T", "prefix", "c"]), before);
}

#[test]
fn tagged_options_are_unset_together() {
    let rig = Rig::new();
    let ann = tree(&rig, &["-N"]);
    for name in ["@one", "@two"] {
        rig.run(&["set", "-t", "work", name, "x"]);
    }
    ann.keys("j");
    // A heading cannot be tagged.
    ann.keys("t");
    ann.keys("l");
    ann.keys("j");
    ann.keys("t");
    ann.keys("t");
    assert_eq!(
        lines(&ann, 4)[2..],
        [
            "(2)   ├─>   @one*: (session work) x",
            "(3)   ├─>   @two*: (session work) x"
        ]
    );
    ann.keys("U");
    assert!(ann.text().contains("Unset 2 tagged?"), "{}", ann.text());
    ann.keys("y");
    assert_eq!(shown(&rig, &["show", "-t", "work"]), "");
}

#[test]
fn filter_leaves_what_it_is_true_for() {
    let rig = Rig::new();
    let ann = tree(&rig, &["-f", "#{m:*mouse*,#{option_name}}"]);
    ann.keys("M-+");
    assert_eq!(
        lines(&ann, 3),
        ["(0) - Session Options", "(1) └─> mouse: on", ""]
    );
}
