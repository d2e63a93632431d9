use shellkeep_testkit::virtual_rig::Rig;

fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a"]);
    rig
}

fn value(rig: &Rig, option: &str) -> String {
    let shown = rig.run(&["show", "-gqv", option]).stdout;
    shown.trim_end().to_owned()
}

#[test]
fn hook_after_a_command_knows_what_it_was_given() {
    let rig = rig();
    rig.run(&[
        "set-hook",
        "-g",
        "after-list-sessions",
        "display -p '#{hook} [#{hook_arguments}] #{hook_flag_F}'",
    ]);
    let listed = rig.run(&["ls", "-F", "#S"]);
    assert_eq!(listed.stdout, "a\nafter-list-sessions [-F \"#S\"] #S\n");
    rig.run(&[
        "set-hook",
        "-g",
        "after-set-option",
        "set -gF @last '#{hook_argument_0}=#{hook_argument_1} #{hook_flag_g}'",
    ]);
    rig.run(&["set", "-g", "@q", "1 2"]);
    assert_eq!(value(&rig, "@last"), "@q=1 2 1");
}

#[test]
fn hook_runs_before_the_rest_of_the_line_and_fails_alone() {
    let rig = rig();
    rig.run(&[
        "set-hook",
        "-g",
        "after-list-sessions",
        "display -p hooked ; has -t x ; display -p no",
    ]);
    let line = rig.run(&["ls", "-F", "x", ";", "display", "-p", "next"]);
    assert_eq!(line.stdout, "x\nhooked\nnext\n");
    assert_eq!(line.stderr, "can't find session: x\n");
    assert_eq!(line.status, Some(1));
}

#[test]
fn commands_of_a_hook_run_no_hooks() {
    let rig = rig();
    rig.run(&["set-hook", "-g", "after-rename-session", "rename again"]);
    rig.run(&[
        "set-hook",
        "-g",
        "session-renamed",
        "set -ga @seen '#{hook} ' ; rename thrice",
    ]);
    rig.run(&["rename", "once"]);
    let names = rig.run(&["ls", "-F", "#S"]).stdout;
    assert_eq!(names, "thrice\n");
    rig.run(&["set", "-g", "@loop", "set-hook -R @loop"]);
    assert_eq!(
        rig.run(&["set-hook", "-R", "@loop"]).status,
        Some(1),
        "it ends"
    );
}

#[test]
fn hooks_of_sessions_and_windows_know_what_they_are_about() {
    let rig = rig();
    for hook in ["session-created", "session-closed", "session-renamed"] {
        let set =
            format!("set -gF @{hook} '#{{hook}} #{{hook_session}} #{{hook_session_name}} #S'");
        rig.run(&["set-hook", "-g", hook, &set]);
    }
    for hook in ["window-linked", "window-unlinked"] {
        let set = format!("set -gF @{hook} '#{{hook}} #{{hook_session_name}} #{{hook_window}}'");
        rig.run(&["set-hook", "-g", hook, &set]);
    }
    rig.run(&["new", "-d", "-s", "b"]);
    assert_eq!(value(&rig, "@session-created"), "session-created $1 b b");
    assert_eq!(value(&rig, "@window-linked"), "window-linked b @1");
    rig.run(&["kill-session", "-t", "b"]);
    assert_eq!(value(&rig, "@session-closed"), "session-closed $1 b a");
    assert!(value(&rig, "@window-unlinked").ends_with("@1"));
}

#[test]
fn hooks_of_clients_and_panes_run() {
    let rig = rig();
    rig.run(&[
        "set-hook",
        "-g",
        "client-attached",
        "set -gF @in '#{hook_client}'",
    ]);
    rig.run(&[
        "set-hook",
        "-g",
        "client-detached",
        "set -gF @out '#{hook_client}'",
    ]);
    rig.run(&["set-hook", "-g", "client-resized", "set -g @resized yes"]);
    rig.run(&[
        "set-hook",
        "-gw",
        "window-resized",
        "set -gF @size '#{window_width}x#{window_height}'",
    ]);
    rig.run(&[
        "set-hook",
        "-g",
        "pane-exited",
        "set -gF @pane '#{hook_pane}'",
    ]);
    rig.run(&["new", "-d", "-s", "b"]);
    let ann = rig.attach((30, 100), &["attach", "-t", "a"]);
    assert_eq!(value(&rig, "@in"), "/dev/pts/99");
    ann.resizes(20, 60);
    assert_eq!(value(&rig, "@resized"), "yes");
    assert!(
        value(&rig, "@size").starts_with("60x"),
        "{}",
        value(&rig, "@size")
    );
    ann.keys("C-b d");
    assert_eq!(value(&rig, "@out"), "/dev/pts/99");
    rig.pty(1).exits(0);
    rig.settle();
    assert_eq!(value(&rig, "@pane"), "%1");
}

#[test]
fn hooks_are_set_appended_shown_and_taken_back() {
    let rig = rig();
    let shown = |argv: &[&str]| rig.run(argv).stdout;
    rig.run(&[
        "set-hook",
        "-g",
        "after-new-window",
        "neww -d ; splitw -h -t 1",
    ]);
    rig.run(&["set-hook", "-ga", "after-new-window", "display hi"]);
    assert_eq!(
        shown(&["show-hooks", "-g", "after-new-window"]),
        "after-new-window[0] new-window -d ; split-window -h -t 1\nafter-new-window[1] display-message hi\n"
    );
    rig.run(&["set-hook", "-gu", "after-new-window[0]"]);
    assert_eq!(
        shown(&["show", "-gv", "after-new-window"]),
        "display-message hi\n"
    );
    rig.run(&["set-hook", "-gu", "after-new-window"]);
    assert_eq!(
        shown(&["show-hooks", "-g", "after-new-window"]),
        "after-new-window\n"
    );
    rig.run(&["set-hook", "pane-died", "display x"]);
    assert_eq!(
        shown(&["show-hooks", "-w"]),
        "pane-died[0] display-message x\n"
    );
    let wrong = rig.run(&["set-hook", "-g", "after-new-window", "frobnicate"]);
    assert!(
        wrong.stderr.starts_with("unknown command: frobnicate"),
        "{wrong:?}"
    );
    let wrong = rig.run(&["set-hook", "-g", "after-frobnicate", "display"]);
    assert!(
        wrong.stderr.starts_with("invalid option: after-frobnicate"),
        "{wrong:?}"
    );
}

#[test]
fn hook_is_run_on_request() {
    let rig = rig();
    rig.run(&["set-hook", "-g", "@mine", "display -p 'mine #{hook}'"]);
    assert_eq!(rig.run(&["set-hook", "-R", "@mine"]).stdout, "mine @mine\n");
    rig.run(&["set-hook", "-g", "alert-bell", "display -p ding"]);
    assert_eq!(rig.run(&["set-hook", "-R", "alert-bell"]).stdout, "ding\n");
    assert_eq!(
        rig.run(&["set-hook", "-R", "nope"]).status,
        Some(0),
        "as in tmux"
    );
}

/// What a hook about a window saw: what it is about, and what is current for it.
const SEEN: &str =
    "[#{hook_session_name}|#{hook_window}|#{hook_window_name}|#{session_name}:#{window_index}]";

#[test]
fn hook_knows_the_name_of_a_window_that_is_new() {
    let rig = rig();
    let hook = format!("set -gF @n '{SEEN}'");
    rig.run(&["set-hook", "-g", "window-linked", &hook]);
    rig.run(&["new-window", "-d", "-n", "two"]);
    assert_eq!(value(&rig, "@n"), "[a|@1|two|a:1]");
    rig.run(&["new-window", "-d", "vi"]);
    assert_eq!(value(&rig, "@n"), "[a|@2|vi|a:2]");
    rig.run(&["new-session", "-d", "-s", "c", "-n", "cc"]);
    assert_eq!(value(&rig, "@n"), "[c|@3|cc|c:0]");
    rig.run(&["split-window", "-d", "-t", "c:0"]);
    rig.run(&["break-pane", "-d", "-s", "c:0.1", "-n", "out"]);
    assert_eq!(value(&rig, "@n"), "[c|@4|out|c:1]");
}

#[test]
fn hook_knows_where_a_window_was_and_sees_where_it_is() {
    let rig = rig();
    let hook = format!("set -gF @n '{SEEN}'");
    for name in ["b", "c"] {
        rig.run(&["new", "-d", "-s", name, "-n", "first"]);
        rig.run(&["new-window", "-d", "-t", name, "-n", "two"]);
    }
    rig.run(&["set-hook", "-g", "window-unlinked", &hook]);
    rig.run(&["move-window", "-s", "b:1", "-t", "c:7"]);
    assert_eq!(value(&rig, "@n"), "[b|@2|two|c:7]");
    rig.run(&["kill-window", "-t", "c:7"]);
    assert_eq!(value(&rig, "@n"), "[c|@2|two|c:0]");
    rig.run(&["kill-session", "-t", "b"]);
    assert_eq!(value(&rig, "@n"), "[b|@1|first|c:0]");
}
