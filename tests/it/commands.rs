//! Commands from a shell: what they print, and their exit statuses.

use crate::rig;

#[test]
fn new_session_with_size_and_directory_gives_them_to_the_program() {
    let rig = rig();
    let dir = rig.path("home/some where");
    std::fs::create_dir(&dir).unwrap();
    let program = "stty size > $HOME/size; pwd > $HOME/pwd; cat";
    rig.ok(&[
        "new",
        "-d",
        "-x",
        "33",
        "-y",
        "7",
        "-c",
        "some where",
        program,
    ]);
    rig.wait_until("the program's notes", || !rig.read("home/pwd").is_empty());
    assert_eq!(rig.read("home/size"), "7 33\n");
    assert_eq!(rig.read("home/pwd").trim_end(), dir.to_str().unwrap());
}

#[test]
fn new_session_with_variables_and_words_gives_them_to_the_program() {
    let rig = rig();
    let tell = r#"printf '%s|' "$0" "$@" "$A" "$B" "$TERM" > "$HOME/told"; cat"#;
    let given = ["-e", "A=1 2", "-e", "B=x=y"];
    let words = ["--", "sh", "-c", tell, "zero", "a b", "", "-x;y"];
    rig.ok(&[&["new", "-d"], &given[..], &words].concat());
    rig.wait_until("the program's note", || {
        rig.read("home/told").ends_with('|')
    });
    let told = rig.read("home/told");
    let (told, term) = told.trim_end_matches('|').rsplit_once('|').unwrap();
    assert_eq!(told, "zero|a b||-x;y|1 2|x=y");
    assert!(
        ["tmux-256color", "screen-256color"].contains(&term),
        "{term}"
    );

    let refused = rig.run(&["new", "-d", "-e", "A"]).fails();
    assert!(refused.contains("-e NAME=VALUE"), "{refused}");
}

#[test]
fn new_session_of_a_missing_program_says_why_and_leaves_nothing() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "stays"]);
    let refused = rig.run(&["new", "-d", "-s", "x", "--", "/no/such/program", "arg"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.stderr.contains("/no/such/program"), "{refused:?}");
    rig.wait_until("only the first session", || {
        rig.ok(&["ls"]).lines().count() == 1
    });
}

#[test]
fn kill_session_of_all_others_leaves_one_and_ends_their_programs() {
    let rig = rig();
    let programs = ["1001", "1002", "1003"].map(|seconds| {
        rig.ok(&["new", "-d", "-s", seconds, "--", "sleep", seconds]);
        rig.wait_for("the program", || rig.processes_with(seconds).pop())
    });
    rig.ok(&["kill-session", "-a", "-t", "1002"]);
    programs[0].wait_gone();
    programs[2].wait_gone();
    assert!(programs[1].is_alive());
    assert!(rig.ok(&["ls"]).starts_with("1002: "));
    rig.ok(&["kill-session", "-t", "1002"]);
    programs[1].wait_gone();
}

#[test]
fn kill_server_ends_programs_keeper_and_socket() {
    let rig = rig();
    rig.ok(&["new", "-d", "--", "sleep", "1001"]);
    let program = rig.wait_for("the program", || rig.processes_with("1001").pop());
    let (server, keeper) = (rig.server(), rig.keeper());
    rig.ok(&["kill-server"]);
    for process in [program, server, keeper] {
        process.wait_gone();
    }
    assert!(!rig.socket().exists());
    let said = rig.run(&["ls"]).fails();
    assert_eq!(
        said,
        format!("no server running on {}", rig.socket().display())
    );
}

#[test]
fn labels_and_paths_are_servers_of_their_own() {
    let rig = rig();
    let path = rig.path("elsewhere");
    let path = path.to_str().unwrap();
    rig.ok(&["new", "-d", "-s", "plain"]);
    rig.ok(&["-L", "other", "new", "-d", "-s", "labelled"]);
    rig.ok(&["-S", path, "new", "-d", "-s", "placed"]);
    for (flags, name) in [
        (&[][..], "plain"),
        (&["-L", "other"], "labelled"),
        (&["-S", path], "placed"),
    ] {
        let list = rig.ok(&[flags, &["ls"]].concat());
        assert_eq!(list.lines().count(), 1, "{list}");
        assert!(list.starts_with(name), "{list}");
    }
    let pids = ["default", "other"].map(|label| rig.find_server_of(label).unwrap().pid);
    assert_ne!(pids[0], pids[1]);
    let refused = rig.run(&["-L", "a/b", "ls"]).fails();
    assert!(refused.starts_with("bad label"), "{refused}");
}

#[test]
fn version_and_help_start_no_server() {
    let rig = rig();
    let version = rig.ok(&["-V"]);
    assert_eq!(
        version,
        format!("shellkeep {}\n", env!("CARGO_PKG_VERSION"))
    );
    let help = rig.ok(&["--help"]);
    for name in [
        "new-session",
        "attach-session",
        "list-sessions",
        "restart-server",
    ] {
        assert!(help.contains(name), "{help}");
    }
    let help = rig.ok(&["new", "--help"]);
    assert!(help.contains("Name of the session"), "{help}");
    assert!(rig.find_server().is_none());
    assert!(!rig.socket().exists());
}

#[test]
fn unknown_command_is_answered_with_the_nearest_and_starts_no_server() {
    let rig = rig();
    let said = rig.run(&["kill-sesion"]).fails();
    assert_eq!(
        said,
        "unknown command: kill-sesion; did you mean kill-session?"
    );
    let said = rig.run(&["new", "--no-such-flag"]).fails();
    assert!(said.starts_with("command new-session: "), "{said}");
    let said = rig.run(&["-Z"]).fails();
    assert!(said.contains("--help"), "{said}");
    assert!(rig.find_server().is_none());
}

#[test]
fn no_server_is_said_with_its_socket() {
    let rig = rig();
    for args in [
        &["ls"][..],
        &["has", "-t", "x"],
        &["kill-server"],
        &["kill-session", "-t", "x"],
        &["send-keys", "x"],
        &["capture-pane", "-p"],
        &["detach"],
        &["rename", "x"],
        &["restart-server"],
    ] {
        let said = rig.run(args).fails();
        let expected = format!("no server running on {}", rig.socket().display());
        assert_eq!(said, expected, "{args:?}");
    }
    assert!(rig.processes().is_empty());
}

#[test]
fn configuration_with_errors_is_read_to_its_end() {
    let rig = rig();
    let text = "set -g prefix C-a\nset -g nope 1\nfrobnicate\nset 'x\nset -s escape-time 77 # ok\n";
    let usual = rig.write("config/shellkeep/shellkeep.conf", text);
    let first = rig.run(&["new", "-d"]);
    assert_eq!(first.status, 0);
    let said: Vec<&str> = first.stderr.lines().collect();
    let file = usual.display();
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(said[0], format!("{file}:2: invalid option: nope"));
    assert!(
        said[1].starts_with(&format!("{file}:3: unknown command: frobnicate")),
        "{said:?}"
    );
    assert!(said[2].starts_with(&format!("{file}:4: ")), "{said:?}");
    assert_eq!(rig.ok(&["show", "-gv", "prefix"]), "C-a\n");
    assert_eq!(rig.ok(&["show", "-sv", "escape-time"]), "77\n");
}

#[test]
fn configuration_named_is_read_in_place_of_the_usual_one() {
    let rig = rig();
    rig.write("config/shellkeep/shellkeep.conf", "set -g prefix C-a\n");
    let named = rig.write("home/my.conf", "set -s escape-time 5\n");
    rig.ok(&["-f", named.to_str().unwrap(), "new", "-d"]);
    assert_eq!(rig.ok(&["show", "-gv", "prefix"]), "C-b\n");
    assert_eq!(rig.ok(&["show", "-sv", "escape-time"]), "5\n");
    // One that was named and is not there is worth a word; the session is opened all the same.
    let missing = rig.run(&["-L", "second", "-f", "/no/such.conf", "new", "-d"]);
    assert_eq!(missing.status, 0);
    let sentence = "/no/such.conf: No such file or directory\n";
    assert_eq!(missing.stderr, sentence);
    assert_eq!(rig.ok(&["-L", "second", "ls"]).lines().count(), 1);
}

#[test]
fn help_and_version_answer_to_all_their_names() {
    let rig = rig();
    let version = rig.ok(&["-V"]);
    assert!(version.starts_with("shellkeep "), "{version}");
    let help = rig.ok(&["--help"]);
    assert!(help.contains("\nCommands ("), "{help}");
    for word in ["version", "--version"] {
        assert_eq!(rig.ok(&[word]), version, "{word}");
    }
    for word in ["help", "-h"] {
        assert_eq!(rig.ok(&[word]), help, "{word}");
    }
    assert_eq!(rig.ok(&["help", "ls"]), rig.ok(&["ls", "--help"]));
    assert!(rig.find_server().is_none(), "none is needed for it");
}
