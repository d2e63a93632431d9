use shellkeep_keeper::Program;
use shellkeep_testkit::virtual_rig::{Finished, Rig};

fn failed(message: &str) -> Finished {
    Finished {
        stderr: format!("{message}\n"),
        status: Some(1),
        ..Finished::default()
    }
}

fn done(stdout: &str) -> Finished {
    Finished {
        stdout: stdout.to_owned(),
        status: Some(0),
        ..Finished::default()
    }
}

#[test]
fn sessions_are_listed_as_tmux_lists_them() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "b", ";", "new", "-d", "-s", "a"]);
    let _ann = rig.attach((24, 80), &["attach", "-t", "b"]);
    let listed = rig.run(&["ls"]).stdout;
    let lines: Vec<&str> = listed.lines().collect();
    assert!(
        lines[0].starts_with("a: 1 windows (created ") && lines[0].ends_with("2001)"),
        "{listed}"
    );
    assert!(lines[1].starts_with("b: 1 windows (created ") && lines[1].ends_with(") (attached)"));
}

#[test]
fn session_names_are_unique_and_clean() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a.b:c"]);
    assert_eq!(rig.run(&["has", "-t", "=a_b_c"]).status, Some(0));
    assert_eq!(
        rig.run(&["new", "-d", "-s", "a.b.c"]),
        failed("duplicate session: a_b_c")
    );
    assert_eq!(
        rig.run(&["new", "-d", "-s", ""]),
        failed("invalid session: ")
    );
    assert_eq!(
        rig.run(&["rename", "-t", "a_b_c", ""]),
        failed("invalid session: ")
    );
}

#[test]
fn sessions_without_a_name_are_numbered() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    rig.run(&["new", "-d", "-s", "2"]);
    rig.run(&["new", "-d"]);
    assert_eq!(rig.run(&["ls", "-F", "#S"]), done("0\n2\n3\n"));
}

#[test]
fn targets_that_mean_nothing_are_named() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    assert_eq!(
        rig.run(&["has", "-t", "=wor"]),
        failed("can't find session: wor")
    );
    assert_eq!(rig.run(&["has", "-t", "wor"]).status, Some(0));
    assert_eq!(
        rig.run(&["kill-session", "-t", "$7"]),
        failed("can't find session: $7")
    );
    assert_eq!(
        rig.run(&["send", "-t", "%9", "x"]),
        failed("can't find pane: %9")
    );
    assert_eq!(
        rig.run(&["send", "-t", "work:3", "x"]),
        failed("can't find window: 3")
    );
    assert_eq!(
        rig.run(&["send", "-t", "work:0.4", "x"]),
        failed("can't find pane: 4")
    );
}

#[test]
fn renamed_session_answers_to_its_new_name_only() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "old", ";", "new", "-d", "-s", "taken"]);
    assert_eq!(
        rig.run(&["rename", "-t", "old", "taken"]),
        failed("duplicate session: taken")
    );
    assert_eq!(rig.run(&["rename", "-t", "old", "new"]), done(""));
    assert_eq!(rig.run(&["has", "-t", "old"]).status, Some(1));
    assert_eq!(rig.run(&["has", "-t", "new"]).status, Some(0));
}

#[test]
fn killed_session_takes_its_terminal_along() {
    let rig = Rig::new();
    rig.run(&[
        "new", "-d", "-s", "a", ";", "new", "-d", "-s", "b", ";", "new", "-d", "-s", "c",
    ]);
    rig.run(&["kill-session", "-t", "a"]);
    assert!(!rig.has_pty(0) && rig.has_pty(1));
    rig.run(&["kill-session", "-a", "-t", "c"]);
    assert!(!rig.has_pty(1) && rig.has_pty(2));
    assert_eq!(rig.run(&["ls", "-F", "#S"]), done("c\n"));
}

#[test]
fn keys_are_sent_by_name_literally_and_as_bytes() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    let typed = |argv: &[&str]| {
        assert_eq!(rig.run(argv).status, Some(0));
        rig.pty(0).was_typed()
    };
    assert_eq!(
        typed(&["send", "ls -l", "Enter", "C-c", "Up"]),
        "ls -l\r\x03\x1b[A"
    );
    assert_eq!(typed(&["send", "-l", "Enter"]), "Enter");
    assert_eq!(typed(&["send", "-H", "41", "1b"]), "A\x1b");
    assert_eq!(typed(&["send", "-N", "3", "x"]), "xxx");
    // What is no byte is passed over, as in tmux.
    assert_eq!(typed(&["send", "-H", "xyz", "0x42"]), "B");
}

#[test]
fn capture_reaches_the_first_line_of_a_history_that_wraps() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-x", "90", "-y", "24"]);
    let lines: Vec<String> = (1..=1000).map(|n| format!("{n:07} {:0120}", 0)).collect();
    rig.pty(0).says(format!("{}\r\n", lines.join("\r\n")));
    let all = format!("{}\n", lines.join("\n"));
    let size = ["display", "-p", "#{history_size}"];
    let captured = |start: &str| rig.run(&["capturep", "-p", "-J", "-S", start]).stdout;
    let first = |width: &str| {
        rig.run(&["resize-window", "-x", width]);
        rig.run(&["capturep", "-p", "-S", "-", "-E", "-1000000"])
            .stdout
    };
    // Two rows each, of which 23 are on the screen, above the cursor.
    assert_eq!(rig.run(&size).stdout, "1977\n");
    assert_eq!(captured("-").trim_end(), all.trim_end());
    assert_eq!(captured("-1000000").trim_end(), all.trim_end());
    assert_eq!(first("50"), format!("{}\n", &lines[0][..50]));
    assert_eq!(captured("-").trim_end(), all.trim_end());
    assert_eq!(rig.run(&size).stdout, "2977\n");
    assert_eq!(first("200"), format!("{}\n", lines[0]));
    assert_eq!(rig.run(&size).stdout, "977\n");
}

#[test]
fn pane_is_captured_with_its_history() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-x", "5", "-y", "3"]);
    rig.pty(0)
        .says("one\r\ntwo\r\nthree\r\nlonger than five\r\n$ ");
    assert_eq!(rig.run(&["capture-pane", "-p"]).stdout, "n fiv\ne\n$\n");
    let all = "one\ntwo\nthree\nlonge\nr tha\nn fiv\ne\n$\n";
    assert_eq!(rig.run(&["capture-pane", "-p", "-S", "-"]).stdout, all);
    assert_eq!(
        rig.run(&["capturep", "-p", "-S", "-2", "-E", "-1"]).stdout,
        "longe\nr tha\n"
    );
    assert_eq!(
        rig.run(&["capturep", "-p", "-J", "-S", "-"]).stdout,
        "one\ntwo\nthree\nlonger than five\n$ \n"
    );
    assert_eq!(
        rig.run(&["capturep", "-p", "-S", "0", "-E", "0"]).stdout,
        "n fiv\n"
    );
    // What is no number is as if it had not been said, as in tmux.
    assert_eq!(
        rig.run(&["capturep", "-p", "-S", "x"]).stdout,
        "n fiv\ne\n$\n"
    );
}

#[test]
fn program_gets_its_environment_directory_size_and_mask() {
    let rig = Rig::new();
    rig.run(&[
        "new", "-d", "-s", "w", "-x", "100", "-y", "40", "-c", "tmp", "-e", "A=b", "--", "prog",
        "-x",
    ]);
    let spawn = rig.spawned().remove(0);
    assert_eq!(
        spawn.program,
        Program::Argv(vec![b"prog".to_vec(), b"-x".to_vec()])
    );
    assert_eq!((spawn.size.cols(), spawn.size.rows()), (100, 40));
    assert_eq!(spawn.cwd, b"/tmp");
    assert_eq!(spawn.umask, 0o22);
    let has = |entry: &str| spawn.environ.iter().any(|have| have == entry.as_bytes());
    assert!(has("A=b") && has("SHELLKEEP_PANE=%0") && has("TERM_PROGRAM=shellkeep"));
    let refused = rig.run(&["new", "-d", "-e", "novalue"]);
    assert_eq!((refused.status, &refused.stdout[..]), (Some(1), ""));
    assert!(refused.stderr.contains("-e NAME=VALUE"), "{refused:?}");
}

#[test]
fn program_is_the_login_shell_unless_one_is_given() {
    let rig = Rig::new();
    rig.run(&[
        "new",
        "-d",
        ";",
        "new",
        "-d",
        "top -b",
        ";",
        "set",
        "-g",
        "default-command",
        "mc",
    ]);
    rig.run(&["new", "-d"]);
    let programs: Vec<Program> = rig
        .spawned()
        .into_iter()
        .map(|spawn| spawn.program)
        .collect();
    let sh = |line: &str| Program::Argv(vec![b"/bin/sh".to_vec(), b"-c".to_vec(), line.into()]);
    assert_eq!(
        programs,
        [
            Program::LoginShell(b"/bin/sh".to_vec()),
            sh("top -b"),
            sh("mc")
        ]
    );
}

#[test]
fn commands_stand_one_behind_the_other_until_one_fails() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a"]);
    let result = rig.run(&["rename", "b;", "has", "-t", "nope", ";", "rename", "c"]);
    assert_eq!(result, failed("can't find session: nope"));
    assert_eq!(rig.run(&["has", "-t", "=b"]).status, Some(0));
    let new = ["new", "-d", "-s", "x;", "new", "-d", "-s", "y"];
    let listed = rig.run(&[&new[..], &[";", "ls", "-F", "#S"]].concat());
    assert_eq!(listed, done("b\nx\ny\n"));
    let ended = rig.run(&[
        "rename",
        "-t",
        "x",
        "c",
        ";",
        "has",
        "-t",
        "x",
        ";",
        "kill-server",
    ]);
    assert_eq!(ended, failed("can't find session: x"));
    assert_eq!(
        rig.run(&["has", "-t", "=c"]).status,
        Some(0),
        "the last was not run"
    );
}

#[test]
fn options_are_set_shown_and_checked() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    assert_eq!(rig.run(&["show", "-gv", "prefix"]), done("C-b\n"));
    assert_eq!(rig.run(&["set", "-g", "prefix", "C-a"]), done(""));
    assert_eq!(rig.run(&["show", "-g", "prefix"]), done("prefix C-a\n"));
    assert_eq!(rig.run(&["set", "prefix", "C-x"]), done(""));
    assert_eq!(rig.run(&["show", "prefix"]), done("prefix C-x\n"));
    assert_eq!(rig.run(&["set", "-u", "prefix"]), done(""));
    assert_eq!(rig.run(&["show", "prefix"]), done(""));
    assert_eq!(
        rig.run(&["set", "nope", "1"]),
        failed("invalid option: nope")
    );
    assert_eq!(rig.run(&["set", "-q", "nope", "1"]), done(""));
    assert_eq!(
        rig.run(&["set", "-s", "escape-time", "soon"]).status,
        Some(1)
    );
}

#[test]
fn prefix_that_was_changed_is_the_one_that_works() {
    let rig = Rig::with_config("set -g prefix C-a");
    let ann = rig.attach((24, 80), &["new"]);
    ann.keys("C-b x");
    assert_eq!(rig.pty(0).was_typed(), "\x02x");
    ann.keys("C-a d");
    assert!(ann.farewell().is_some());
}

#[test]
fn options_set_are_shown_inherited_and_taken_back() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a", ";", "new", "-d", "-s", "b"]);
    let prints = |args: &[&str], printed: &str| assert_eq!(rig.run(args), done(printed));
    prints(&["set", "-g", "prefix", "C-a"], "");
    prints(&["set", "-t", "a", "prefix", "C-x"], "");
    prints(&["show", "-gv", "prefix"], "C-a\n");
    prints(&["show", "-t", "a", "prefix"], "prefix C-x\n");
    prints(&["show", "-t", "b", "prefix"], "");
    prints(&["show", "-Av", "-t", "b", "prefix"], "C-a\n");
    prints(&["set", "-u", "-t", "a", "prefix"], "");
    prints(&["show", "-t", "a"], "");
    prints(&["set", "exit-empty"], "");
    prints(&["show", "-s", "exit-empty"], "exit-empty off\n");
    for (args, said) in [
        (&["set", "-g", "nope", "1"][..], "invalid option: nope"),
        (&["set", "-g", "default", "1"], "ambiguous option: default"),
        (
            &["set", "-s", "escape-time", "-1"],
            "value is too small: -1",
        ),
    ] {
        let refused = rig.run(args);
        assert!(refused.stderr.starts_with(said), "{refused:?}");
        assert_eq!((&refused.stdout[..], refused.status), ("", Some(1)));
    }
    prints(&["set", "-gq", "nope", "1"], "");
}

#[test]
fn name_at_the_beginning_of_a_message_is_left_as_it_is() {
    let rig = Rig::with_status("set -g display-time 0");
    rig.run(&["new", "-d", "-s", "other", "cat"]);
    let ann = rig.attach((6, 100), &["new", "-s", "work", "cat"]);
    for (typed, shown) in [
        ("hibernate -t other\r", "other:0.0: "),
        ("no-such-command\r", "Unknown command"),
    ] {
        ann.keys("C-b :").sends(typed);
        assert!(ann.text().contains(shown), "{}", ann.text());
        ann.keys("Escape");
    }
}

#[test]
fn session_that_was_picked_is_named() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "keep", ";", "new", "-d", "-s", "last"]);
    assert_eq!(rig.run(&["pin"]), done("session last is pinned\n"));
    assert_eq!(
        rig.run(&["pin", "-u"]),
        done("session last is no longer pinned\n")
    );
    assert_eq!(rig.run(&["tag"]), done("session last has no tags\n"));
    assert_eq!(
        rig.run(&["tag", "a", "b"]),
        done("session last has the tags a, b\n")
    );
    // Where the caller knows which one it is, nothing is said.
    assert_eq!(rig.run(&["pin", "-t", "keep"]), done(""));
    assert_eq!(rig.run(&["tag", "-t", "last"]), done("a\nb\n"));
    assert_eq!(rig.run_inside("%0", &["pin"]), done(""));
}

#[test]
fn private_session_with_the_windows_of_one_that_is_kept_is_refused() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let said = rig.run(&["new", "-d", "--private", "-s", "secret", "-t", "work"]);
    assert_eq!((said.status, &said.stdout[..]), (Some(1), ""));
    assert!(said.stderr.contains("which are kept"), "{said:?}");
    assert_eq!(rig.run(&["ls", "-F", "#S"]), done("work\n"));
}

#[test]
fn doctor_inside_of_a_server_says_where_it_belongs() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    assert_eq!(
        rig.run(&["run-shell", "-C", "doctor"]),
        failed("doctor is for a shell: shellkeep doctor")
    );
}
