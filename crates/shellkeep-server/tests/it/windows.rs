//! Sessions, windows and panes: how they come, go, move, and what a crash leaves of them.

use shellkeep_keeper::Program;
use shellkeep_testkit::virtual_rig::{Finished, Rig};

fn ok(rig: &Rig, line: &str) -> String {
    let argv: Vec<&str> = line.split(' ').collect();
    let finished = rig.run(&argv);
    assert_eq!(
        (finished.status, finished.stderr.as_str()),
        (Some(0), ""),
        "{line}"
    );
    finished.stdout
}

fn fails(rig: &Rig, line: &str, message: &str) {
    let argv: Vec<&str> = line.split(' ').collect();
    let expected = Finished {
        stderr: format!("{message}\n"),
        status: Some(1),
        ..Finished::default()
    };
    assert_eq!(rig.run(&argv), expected, "{line}");
}

/// A format for every window of a session, joined.
fn windows(rig: &Rig, session: &str, format: &str) -> String {
    let listed = rig.run(&["list-windows", "-t", session, "-F", format]);
    assert_eq!(listed.stderr, "");
    listed.stdout.lines().collect::<Vec<_>>().join(" ")
}

/// A format for every pane of a window, joined.
fn panes(rig: &Rig, window: &str, format: &str) -> String {
    let listed = rig.run(&["list-panes", "-t", window, "-F", format]);
    assert_eq!(listed.stderr, "");
    listed.stdout.lines().collect::<Vec<_>>().join(" ")
}

const INDEX: &str = "#{window_index}:#{window_id}#{window_flags}";

#[test]
fn new_windows_get_the_lowest_number_and_the_name_of_their_program() {
    let rig = Rig::new();
    ok(
        &rig,
        "new -d -s a ; new-window -d ; new-window -d -t 7 vim x",
    );
    assert_eq!(windows(&rig, "a", INDEX), "0:@0* 1:@1 7:@2");
    assert_eq!(windows(&rig, "a", "#{window_name}"), "sh sh vim");
    assert_eq!(ok(&rig, "new-window -dP"), "a:2.0\n");
    assert_eq!(ok(&rig, "new-window -dP -F #{pane_id}"), "%4\n");
    fails(
        &rig,
        "new-window -t 7",
        "create window failed: index 7 in use",
    );
    ok(
        &rig,
        "new-window -kd -t 7 ; new-window -a -t 0 ; new-window -b -t 0",
    );
    assert_eq!(
        windows(&rig, "a", INDEX),
        "0:@7* 1:@0 2:@6- 3:@1 4:@3 5:@4 7:@5"
    );
}

#[test]
fn base_index_and_renumbering_hold() {
    let rig = Rig::with_config(
        "set -g base-index 3\nset -g pane-base-index 1\nset -g renumber-windows on\n",
    );
    ok(&rig, "new -d -s a ; new-window ; new-window ; split-window");
    assert_eq!(windows(&rig, "a", INDEX), "3:@0 4:@1- 5:@2*");
    assert_eq!(panes(&rig, "a:5", "#{pane_index}"), "1 2");
    ok(&rig, "kill-window -t 3");
    assert_eq!(windows(&rig, "a", INDEX), "3:@1- 4:@2*");
    ok(&rig, "move-window -s 3 -t 9");
    assert_eq!(windows(&rig, "a", INDEX), "4:@2- 9:@1*");
    ok(&rig, "move-window -r");
    assert_eq!(windows(&rig, "a", INDEX), "3:@2- 4:@1*");
}

#[test]
fn program_that_ends_takes_pane_window_and_session_along() {
    let rig = Rig::new();
    ok(
        &rig,
        "new -d -s a ; split-window ; new-window ; new -d -s b",
    );
    rig.pty(0).exits(0);
    assert_eq!(panes(&rig, "a:0", "#{pane_id}"), "%1");
    rig.pty(1).exits(0);
    assert_eq!(windows(&rig, "a", INDEX), "1:@1*");
    rig.pty(2).exits(0);
    assert_eq!(ok(&rig, "ls -F #S"), "b\n");
    rig.pty(3).exits(0);
    assert_eq!(rig.ending(), Some(shellkeep_server::Ending::Empty));
}

#[test]
fn dead_panes_stay_if_they_are_to() {
    let rig = Rig::with_config("set -g remain-on-exit failed\n");
    ok(
        &rig,
        "new -d -s a -x 60 -y 5 ; split-window ; split-window -h",
    );
    rig.pty(0).says("one\r\ntwo");
    rig.pty(0).exits(3);
    rig.pty(1).exits(0);
    assert_eq!(
        panes(&rig, "a", "#{pane_id}#{pane_dead}#{pane_dead_status}"),
        "%013 %20"
    );
    let shown = rig.run(&["capture-pane", "-p", "-t", "%0"]).stdout;
    assert!(shown.contains("Pane is dead (status 3, "), "{shown}");
    assert_eq!(windows(&rig, "a", "#{window_panes}"), "2");
    fails(
        &rig,
        "respawn-pane -t %2",
        "respawn pane failed: pane a:0.1 still active",
    );
    ok(&rig, "respawn-pane -t %0 top");
    assert_eq!(panes(&rig, "a", "#{pane_id}#{pane_dead}"), "%00 %20");
    rig.pty(0).says("again");
    assert_eq!(
        rig.run(&["capture-pane", "-p", "-t", "%0"]).stdout.trim(),
        "again"
    );
    let spawned = rig.spawned().pop().unwrap();
    let words = vec![b"/bin/sh".to_vec(), b"-c".to_vec(), b"top".to_vec()];
    assert_eq!((spawned.pane.0, spawned.program), (0, Program::Argv(words)));
    assert!(spawned.environ.contains(&b"SHELLKEEP_PANE=%0".to_vec()));
}

#[test]
fn respawned_pane_runs_what_ran_there_and_outlives_the_news_of_its_end() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a", "-c", "/tmp", "sleep", "9 9"]);
    assert_eq!(panes(&rig, "a", "#{pane_start_command}"), "sleep \"9 9\"");
    ok(&rig, "respawn-pane -k");
    let spawned = rig.spawned().pop().unwrap();
    let words = vec![b"sleep".to_vec(), b"9 9".to_vec()];
    assert_eq!(spawned.program, Program::Argv(words));
    assert_eq!(spawned.cwd, b"/tmp");
    ok(&rig, "split-window ; split-window ; respawn-window -k");
    assert_eq!(panes(&rig, "a", "#{pane_id} #{pane_height}"), "%0 24");
}

#[test]
fn windows_are_named_after_what_runs_until_somebody_names_them() {
    let rig = Rig::with_config("set -g automatic-rename-format 'is #{pane_id}'\n");
    ok(&rig, "new -d -s a");
    assert_eq!(windows(&rig, "a", "#{window_name}"), "sh");
    rig.pty(0).says("$ ");
    assert_eq!(windows(&rig, "a", "#{window_name}"), "is %0");
    ok(&rig, "split-window");
    assert_eq!(windows(&rig, "a", "#{window_name}"), "is %1");
    ok(&rig, "rename-window x#{session_name} ; select-pane -t 0");
    rig.pty(0).says("more");
    assert_eq!(windows(&rig, "a", "#{window_name}"), "xa");
}

#[test]
fn program_may_name_its_window_only_if_it_is_allowed_to() {
    let rig = Rig::new();
    ok(&rig, "new -d -s a");
    rig.pty(0).says("\x1bkmail\x1b\\.");
    assert_ne!(windows(&rig, "a", "#{window_name}"), "mail");
    ok(&rig, "set -g allow-rename on");
    rig.pty(0).says("\x1bkmail\x1b\\.");
    assert_eq!(windows(&rig, "a", "#{window_name}"), "mail");
    assert_eq!(rig.run(&["capture-pane", "-p"]).stdout.trim(), "..");
}

#[test]
fn typing_reaches_all_panes_that_are_synchronized() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "a"]);
    ok(&rig, "split-window ; split-window");
    rig.run(&["set", "-g", "synchronize-panes", "on"]);
    ok(&rig, "select-pane -d -t 1");
    ann.keys("l s");
    assert_eq!(rig.pty(0).was_typed(), "ls");
    assert_eq!(rig.pty(1).was_typed(), "", "its input is off");
    assert_eq!(rig.pty(2).was_typed(), "ls");
    ok(&rig, "resize-pane -Z ; select-pane -e -t 1");
    ann.keys("x");
    assert_eq!(rig.pty(0).was_typed(), "", "nobody sees it");
    assert_eq!(rig.pty(2).was_typed(), "x");
}

#[test]
fn window_has_the_size_of_the_client_used_last_or_as_set() {
    let rig = Rig::with_config("set -g status off\n");
    let ann = rig.attach((24, 80), &["new", "-s", "a"]);
    let bob = rig.attach((30, 60), &["attach", "-t", "a"]);
    let size = || {
        let size = rig.pty(0).size();
        (size.rows(), size.cols())
    };
    assert_eq!(size(), (30, 60));
    ann.keys("x");
    assert_eq!(size(), (24, 80));
    for (choice, expected) in [("smallest", (24, 60)), ("largest", (30, 80))] {
        ok(&rig, &format!("set -g window-size {choice}"));
        bob.resizes(30, 60);
        ann.resizes(24, 81);
        ann.resizes(24, 80);
        assert_eq!(size(), expected, "{choice}");
    }
    ok(&rig, "resize-window -x 100 -y 10");
    assert_eq!(size(), (10, 100));
    ann.keys("x");
    bob.resizes(31, 61);
    assert_eq!(size(), (10, 100));
    ok(&rig, "resize-window -a");
    assert_eq!(size(), (24, 61));
    fails(&rig, "resize-window -x 0", "width too small");
}

#[test]
fn backslash_in_the_name_of_a_new_window_stays_one() {
    let rig = Rig::with_config("set -g automatic-rename off\n");
    rig.run(&["new", "-d", "-s", "a", "A=\"x y\" cat"]);
    rig.run(&["new-window", "-d", "-n", "a\\b"]);
    rig.run(&["new-window", "-d", "-n", "tab\tname"]);
    assert_eq!(windows(&rig, "a", "#W"), "A=\\ a\\b tab\\tname");
    rig.run(&["rename-window", "-t", "a:0", "c\\d"]);
    assert_eq!(windows(&rig, "a:0", "#W"), "c\\\\d a\\b tab\\tname");
}

#[test]
fn sessions_nobody_shows_have_the_default_size() {
    let rig = Rig::with_config("set -g default-size 90x20\n");
    ok(
        &rig,
        "new -d -s a ; new -d -s b -x 50 ; new-window -d -t b:",
    );
    assert_eq!(
        windows(&rig, "a", "#{window_width}x#{window_height}"),
        "90x20"
    );
    assert_eq!(
        windows(&rig, "b", "#{window_width}x#{window_height}"),
        "50x20 50x20"
    );
}

#[test]
fn sessions_of_a_group_have_the_same_windows_and_end_alone() {
    let rig = Rig::new();
    ok(&rig, "new -d -s a ; new-window ; new -d -t a -s b");
    assert_eq!(ok(&rig, "ls -F #S:#{session_group}"), "a:a\nb:a\n");
    assert_eq!(windows(&rig, "b", INDEX), "0:@0* 1:@1");
    ok(&rig, "new-window -d -t b: ; select-window -t b:1");
    assert_eq!(windows(&rig, "a", INDEX), "0:@0- 1:@1* 2:@3");
    assert_eq!(windows(&rig, "b", INDEX), "0:@0- 1:@1* 2:@3");
    ok(&rig, "kill-window -t a:1");
    assert_eq!(windows(&rig, "b", INDEX), "0:@0* 2:@3");
    fails(&rig, "link-window -s a:0 -t b:9", "sessions are grouped");
    fails(
        &rig,
        "unlink-window -t a:0",
        "window only linked to one session",
    );
    ok(&rig, "new -d -t a");
    assert_eq!(ok(&rig, "ls -F #S"), "a\na-2\nb\n");
    ok(&rig, "kill-session -t a");
    assert_eq!(windows(&rig, "b", "#{window_id}"), "@0 @3");
    rig.pty(0).exits(0);
    rig.pty(3).exits(0);
    assert_eq!(rig.ending(), Some(shellkeep_server::Ending::Empty));
}

#[test]
fn clients_of_an_ended_session_go_where_they_are_to() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "a"]);
    ok(&rig, "new -d -s b");
    ok(&rig, "set -g detach-on-destroy off ; kill-session -t a");
    assert_eq!(ok(&rig, "ls -F #S:#{session_attached}"), "b:1\n");
    ok(
        &rig,
        "new -d -s c ; set -g detach-on-destroy no-detached ; kill-session -t b",
    );
    assert_eq!(ok(&rig, "ls -F #S:#{session_attached}"), "c:1\n");
    ok(
        &rig,
        "new -d -s d ; set -g detach-on-destroy on ; kill-session -t c",
    );
    assert_eq!(ann.farewell().as_deref(), Some("exited"));
}

#[test]
fn session_ends_with_its_last_client_if_it_is_to() {
    let rig = Rig::new();
    ok(&rig, "new -d -s keep");
    let ann = rig.attach((24, 80), &["new", "-s", "a"]);
    ok(&rig, "set -t a destroy-unattached on ; detach-client -s a");
    assert_eq!(ann.farewell().as_deref(), Some("detached (from session a)"));
    assert_eq!(ok(&rig, "ls -F #S"), "keep\n");
}

#[test]
fn clients_switch_between_sessions() {
    let rig = Rig::new();
    ok(&rig, "new -d -s a ; new -d -s b ; new -d -s c");
    fails(&rig, "switch-client -t b", "no current client");
    let ann = rig.attach((24, 80), &["attach", "-t", "a"]);
    let shown = || ok(&rig, "list-clients -F #{client_session}");
    ok(&rig, "switch-client -n");
    assert_eq!(shown(), "b\n");
    ok(&rig, "switch-client -n ; switch-client -n");
    assert_eq!(shown(), "a\n");
    ok(&rig, "switch-client -p ; switch-client -l");
    assert_eq!(shown(), "a\n");
    ok(&rig, "split-window -t b:0 ; switch-client -t b:0.0");
    assert_eq!(panes(&rig, "b:0", "#{pane_active}"), "1 0");
    assert_eq!(ann.session().map(|id| id.0), Some(1));
    fails(&rig, "switch-client -T nope", "table nope doesn't exist");
    ok(&rig, "switch-client -r");
    ann.keys("x");
    assert_eq!(rig.pty(1).was_typed(), "");
}

#[test]
fn panes_are_joined_broken_off_and_swapped() {
    let rig = Rig::new();
    ok(
        &rig,
        "new -d -s a ; split-window ; split-window -h ; new-window",
    );
    fails(&rig, "break-pane -s 0.1 -t 0", "index in use: 0");
    assert_eq!(ok(&rig, "break-pane -d -P -s 0.1"), "a:2.0\n");
    assert_eq!(panes(&rig, "a:0", "#{pane_id}"), "%0 %2");
    ok(&rig, "join-pane -h -s 2.0 -t 0.0");
    assert_eq!(
        panes(&rig, "a:0", "#{pane_id}@#{pane_left},#{pane_top}"),
        "%0@0,0 %1@41,0 %2@0,13"
    );
    assert_eq!(windows(&rig, "a", INDEX), "0:@0* 1:@1-");
    ok(&rig, "swap-pane -s 0.0 -t 1.0");
    assert_eq!(panes(&rig, "a:0", "#{pane_id}"), "%3 %1 %2");
    assert_eq!(panes(&rig, "a:1", "#{pane_id}"), "%0");
    ok(&rig, "rotate-window ; swap-pane -d -s 0.0 -t 0.1");
    assert_eq!(panes(&rig, "a:0", "#{pane_id}"), "%2 %1 %3");
    fails(
        &rig,
        "join-pane -s 0.1 -t 0.1",
        "source and target panes must be different",
    );
    rig.pty(0).says("alive");
    assert_eq!(
        rig.run(&["capture-pane", "-p", "-t", "a:1"]).stdout.trim(),
        "alive"
    );
}

#[test]
fn pane_zoomed_is_shown_alone_and_alone_told_its_size() {
    let rig = Rig::with_config("set -g status off\n");
    let ann = rig.attach((24, 80), &["new", "-s", "a"]);
    ok(&rig, "split-window -h");
    rig.pty(0).says("left");
    rig.pty(1).says("right");
    assert!(ann.text().contains("left") && ann.text().contains("right"));
    ok(&rig, "resize-pane -Z -t 0");
    assert_eq!(ann.text(), "left");
    assert_eq!(
        (rig.pty(0).size().cols(), rig.pty(1).size().cols()),
        (80, 39)
    );
    ok(&rig, "select-pane -Z -t 1");
    assert_eq!(ann.text(), "right");
    ok(&rig, "select-pane -L");
    assert!(ann.text().contains("left") && ann.text().contains("right"));
    ok(&rig, "resize-pane -x 20");
    assert_eq!(
        (rig.pty(0).size().cols(), rig.pty(1).size().cols()),
        (20, 59)
    );
    ok(&rig, "resize-pane -x 50%");
    assert_eq!(rig.pty(0).size().cols(), 40);
}

#[test]
fn rows_below_the_cursor_are_trimmed() {
    let rig = Rig::new();
    ok(&rig, "new -d -s a -x 20 -y 4");
    rig.pty(0).says("1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[2;1H");
    ok(&rig, "resize-pane -T");
    let shown = rig.run(&["capture-pane", "-p"]).stdout;
    assert_eq!(shown, "1\n2\n3\n4\n");
    let cursor = rig.run(&["display-message", "-p", "#{cursor_y}"]).stdout;
    assert_eq!(cursor, "3\n");
}

#[test]
fn layouts_are_chosen_turned_and_taken_back() {
    let rig = Rig::new();
    ok(&rig, "new -d -s a ; split-window ; split-window");
    let layout = || windows(&rig, "a", "#{window_layout}");
    let first = layout();
    ok(&rig, "select-layout even-horizontal");
    let even = layout();
    assert_ne!(first, even);
    ok(&rig, "select-layout -o");
    assert_eq!(layout(), first);
    ok(&rig, "next-layout");
    ok(&rig, "previous-layout");
    assert_eq!(layout(), even);
    ok(&rig, &format!("select-layout {first}"));
    assert_eq!(layout(), first);
    fails(&rig, "select-layout nope", "invalid layout: nope");
}

#[test]
fn layout_that_is_none_is_refused_and_changes_nothing() {
    let rig = Rig::new();
    ok(&rig, "new -d -s a ; split-window");
    let before = windows(&rig, "a", "#{window_layout}");
    ok(
        &rig,
        "select-layout even-horizontal ; select-layout even-vertical",
    );
    fails(&rig, "select-layout main", "invalid layout: main");
    ok(&rig, "select-layout -o");
    assert_ne!(windows(&rig, "a", "#{window_layout}"), before);
}

#[test]
fn empty_pane_shows_nothing_and_needs_no_program() {
    let rig = Rig::new();
    ok(&rig, "new -d -s a");
    assert_eq!(rig.run(&["split-window", ""]).status, Some(0));
    assert_eq!(panes(&rig, "a", "#{pane_id}#{pane_dead}"), "%00 %11");
    assert!(!rig.has_pty(1));
    ok(&rig, "kill-pane");
    assert_eq!(panes(&rig, "a", "#{pane_id}"), "%0");
}

#[test]
fn crash_keeps_windows_panes_and_groups_as_they_were() {
    let rig = Rig::with_config("set -g base-index 1\n");
    ok(
        &rig,
        "new -d -s a -x 90 -y 30 ; split-window -h ; split-window ; new-window -n two",
    );
    ok(
        &rig,
        "new-window -t 9 ; select-window -t 1 ; select-pane -t 0 ; select-pane -t 1",
    );
    ok(
        &rig,
        "select-layout main-vertical ; resize-pane -Z ; new -d -t a -s b ; select-window -t b:9",
    );
    ok(
        &rig,
        "new -d -s c ; link-window -d -s a:two -t c:5 ; resize-window -t c:1 -x 70 -y 20",
    );
    ok(
        &rig,
        "select-pane -t a:1.2 -T hello ; select-pane -d -t a:9 ; set -t c base-index 7",
    );
    let seen = || {
        let windows = "#S:#{window_index} #{window_id} #{window_name} #{window_flags} #{window_layout} \
            #{window_visible_layout} #{session_group} #{session_stack} #{automatic-rename} #{base-index}";
        let panes = "#{pane_id} #{pane_width}x#{pane_height} #{pane_active}#{pane_last} #{pane_title} \
            #{pane_input_off} #{pane_start_command}";
        let windows = rig.run(&["list-windows", "-a", "-F", windows]).stdout;
        windows + &rig.run(&["list-panes", "-a", "-F", panes]).stdout
    };
    let before = seen();
    assert!(
        before.contains("*Z") && before.contains("hello"),
        "{before}"
    );
    rig.crash_server();
    assert_eq!(seen(), before);
    ok(&rig, "select-layout -t a:1 -o ; resize-window -t c:1 -R 5");
    assert_eq!(windows(&rig, "c", "#{window_width}"), "75 90");
    ok(&rig, "new-window -dP -t b:");
    assert_eq!(windows(&rig, "a", "#{window_index}"), "1 2 3 9");
}

#[test]
fn dead_pane_is_still_dead_after_a_crash() {
    let rig = Rig::with_config("set -g remain-on-exit on\n");
    ok(&rig, "new -d -s a ; split-window");
    rig.pty(0).exits(1);
    ok(&rig, "rename-window x");
    rig.crash_server();
    rig.pty(0).exits(1);
    assert_eq!(panes(&rig, "a", "#{pane_id}#{pane_dead}"), "%01 %10");
}

#[test]
fn history_of_a_new_pane_is_as_long_as_the_option_says() {
    let rig = Rig::with_config("set -g history-limit 100");
    ok(&rig, "new -d -s work");
    let lines: String = (0..20_000).map(|line| format!("{line}\r\n")).collect();
    rig.pty(0).says(&lines);
    let kept: usize = ok(&rig, "display -p -t work #{history_size}")
        .trim()
        .parse()
        .unwrap();
    // A tenth is dropped at once, as with tmux.
    assert!((90..=100).contains(&kept), "{kept}");
}

#[test]
fn window_that_nobody_looks_at_keeps_its_panes_while_the_terminal_is_small() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    rig.run(&["split-window", "-h", "-l", "20"]);
    rig.run(&["new-window"]);
    let layout = |target| {
        let told = rig.run(&["display-message", "-p", "-t", target, "#{window_layout}"]);
        told.stdout
    };
    let before = layout("work:0");
    ann.resizes(5, 10);
    assert!(layout("work:1").contains(",10x"), "{}", layout("work:1"));
    assert_eq!(layout("work:0"), before, "nobody sees it");
    ann.resizes(24, 80);
    ann.keys("C-b p");
    assert_eq!(layout("work:0"), before);
    ann.resizes(24, 60);
    assert!(layout("work:0").contains(",60x"), "{}", layout("work:0"));
}

#[test]
fn pane_that_lives_again_is_not_called_dead() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work", "sleep 9"]);
    rig.run(&["set", "-g", "remain-on-exit", "on"]);
    rig.pty(0).says("x");
    rig.pty(0).exits(3);
    let name = || rig.run(&["list-windows", "-F", "#W #{pane_dead}"]).stdout;
    rig.run(&["set", "-w", "automatic-rename", "on"]);
    let dead = name();
    assert!(dead.ends_with("[dead] 1\n"), "{dead}");
    rig.run(&["respawn-pane", "-k", "sleep 50"]);
    let alive = name();
    assert!(
        alive.ends_with(" 0\n") && !alive.contains("dead"),
        "{alive}"
    );
}

#[test]
fn mark_is_gone_when_the_pane_moves() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    rig.run(&["split-window", ";", "select-pane", "-m"]);
    rig.run(&["split-window", "-d"]);
    let moved = rig.run(&["move-pane", "-h", "-t", ":.0"]);
    assert_eq!(moved.stderr, "");
    let marks = rig.run(&["list-panes", "-F", "#P #{pane_marked}"]).stdout;
    assert_eq!(marks, "0 0\n1 0\n2 0\n");
}

#[test]
fn window_sized_by_hand_has_the_size_it_was_made_with_until_it_is_given_another() {
    let rig = Rig::new();
    let ann = rig.attach((10, 50), &["new", "-s", "work"]);
    rig.run(&["set", "-g", "window-size", "largest"]);
    let size = || {
        let shown = rig.run(&["display", "-p", "#{window_width}x#{window_height}"]);
        shown.stdout
    };
    let made = size();
    ann.resizes(12, 70);
    assert_ne!(size(), made);
    rig.run(&["set", "-g", "window-size", "manual"]);
    assert_eq!(size(), made);
    rig.run(&["resize-window", "-x", "40", "-y", "8"]);
    rig.run(&["set", "-g", "window-size", "largest"]);
    rig.run(&["set", "-wu", "window-size"]);
    rig.run(&["set", "-g", "window-size", "manual"]);
    assert_eq!(size(), "40x8\n");
}
