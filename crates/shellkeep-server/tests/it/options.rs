use shellkeep_testkit::virtual_rig::{Finished, Rig};

fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a"]);
    rig
}

/// What a command prints, which must succeed.
#[track_caller]
fn ok(rig: &Rig, argv: &[&str]) -> String {
    let Finished {
        stdout,
        stderr,
        status,
    } = rig.run(argv);
    assert_eq!((stderr.as_str(), status), ("", Some(0)), "{argv:?}");
    stdout.trim_end().to_owned()
}

/// What a command complains of, which must fail; without the hint.
#[track_caller]
fn fails(rig: &Rig, argv: &[&str]) -> String {
    let finished = rig.run(argv);
    assert_eq!(finished.status, Some(1), "{argv:?} {finished:?}");
    let text = finished.stderr.trim_end();
    text.split(" (").next().unwrap_or_default().to_owned()
}

#[test]
fn user_options_of_every_scope_are_kept_apart() {
    let rig = rig();
    for (flags, value) in [
        ("-s", "server"),
        ("-g", "sessions"),
        ("-gw", "windows"),
        ("-q", "session"),
        ("-w", "window"),
        ("-p", "pane"),
    ] {
        ok(&rig, &["set", flags, "@u", value]);
    }
    for (flags, value) in [
        ("-sv", "server"),
        ("-gv", "sessions"),
        ("-gwv", "windows"),
        ("-v", "session"),
        ("-wv", "window"),
        ("-pv", "pane"),
    ] {
        assert_eq!(ok(&rig, &["show", flags, "@u"]), value, "{flags}");
    }
    ok(&rig, &["set", "-pu", "@u"]);
    assert_eq!(fails(&rig, &["show", "-p", "@u"]), "invalid option: @u");
    assert_eq!(ok(&rig, &["show", "-pA", "@u"]), "@u* window");
    assert_eq!(ok(&rig, &["show", "-pq", "@u"]), "");
}

#[test]
fn options_go_to_the_set_they_belong_to() {
    let rig = rig();
    ok(&rig, &["set", "escape-time", "7"]);
    assert_eq!(ok(&rig, &["show", "-sv", "escape-time"]), "7");
    ok(&rig, &["set", "mode-keys", "vi"]);
    assert_eq!(ok(&rig, &["show", "-w"]), "mode-keys vi");
    assert_eq!(ok(&rig, &["showw", "-v", "mode-keys"]), "vi");
    assert_eq!(ok(&rig, &["showw", "-gv", "mode-keys"]), "emacs");
    ok(&rig, &["set", "-p", "remain-on-exit", "on"]);
    ok(&rig, &["set", "-w", "remain-on-exit", "off"]);
    assert_eq!(ok(&rig, &["show", "-pv", "remain-on-exit"]), "on");
    ok(&rig, &["set", "-wU", "remain-on-exit"]);
    assert_eq!(ok(&rig, &["show", "-pv", "remain-on-exit"]), "");
    assert_eq!(
        ok(&rig, &["show", "-pA", "remain-on-exit"]),
        "remain-on-exit* off"
    );
}

#[test]
fn targets_that_are_not_there_are_named_by_what_was_looked_for() {
    let rig = rig();
    assert_eq!(
        fails(&rig, &["set", "-t", "x", "status", "off"]),
        "no such session: x"
    );
    assert_eq!(
        fails(&rig, &["set", "-t", "x", "mode-keys", "vi"]),
        "no such window: x"
    );
    assert_eq!(
        fails(&rig, &["set", "-p", "-t", "x", "@u", "1"]),
        "no such pane: x"
    );
    assert_eq!(
        fails(&rig, &["setw", "-t", "x", "@u", "1"]),
        "no such window: x"
    );
    assert_eq!(fails(&rig, &["show", "-t", "x"]), "no such session: x");
    assert_eq!(ok(&rig, &["show", "-q", "-t", "x"]), "");
    let empty = Rig::new();
    assert_eq!(
        fails(&empty, &["set", "status", "off"]),
        "no current session"
    );
    assert_eq!(
        fails(&empty, &["setw", "mode-keys", "vi"]),
        "no current window"
    );
    assert_eq!(fails(&empty, &["show", "-p"]), "no current pane");
    assert_eq!(ok(&empty, &["set", "-g", "status", "off"]), "");
}

#[test]
fn options_are_appended_expanded_and_set_once() {
    let rig = rig();
    ok(&rig, &["set", "-g", "status-left", "a"]);
    ok(&rig, &["set", "-ga", "status-left", "b"]);
    assert_eq!(ok(&rig, &["show", "-gv", "status-left"]), "ab");
    ok(&rig, &["set", "-F", "@n", "#{session_name}"]);
    assert_eq!(ok(&rig, &["show", "-v", "@n"]), "a");
    ok(&rig, &["set", "@#{session_name}", "1"]);
    assert_eq!(ok(&rig, &["show", "-v", "@a"]), "1");
    assert_eq!(fails(&rig, &["set", "-o", "@n", "x"]), "already set: @n");
    ok(&rig, &["set", "-oq", "@n", "x"]);
    assert_eq!(ok(&rig, &["show", "-v", "@n"]), "a");
    ok(&rig, &["set", "-as", "terminal-overrides", ",xterm*:Tc"]);
    assert_eq!(
        ok(&rig, &["show", "-s", "terminal-overrides"]),
        "terminal-overrides[0] xterm*:Tc"
    );
    assert_eq!(
        fails(&rig, &["set", "-g", "status[1]", "on"]),
        "not an array: status[1]"
    );
    assert_eq!(fails(&rig, &["set", "@n"]), "empty value");
}

#[test]
fn shell_that_is_none_is_refused() {
    let rig = rig();
    for path in ["/nowhere/sh", "/etc/passwd", "sh"] {
        assert_eq!(
            fails(&rig, &["set", "-g", "default-shell", path]),
            format!("not a suitable shell: {path}")
        );
    }
    ok(&rig, &["set", "-g", "default-shell", "/bin/sh"]);
}

#[test]
fn options_are_shown_as_json() {
    let rig = rig();
    ok(&rig, &["set", "@u", "1"]);
    assert_eq!(
        ok(&rig, &["show", "--json"]),
        "[\n{\"inherited\":false,\"name\":\"@u\",\"value\":\"1\"}\n]"
    );
    assert_eq!(
        ok(&rig, &["show", "-A", "--json", "base-index"]),
        "[\n{\"inherited\":true,\"name\":\"base-index\",\"value\":0}\n]"
    );
}

#[test]
fn environment_is_set_hidden_removed_and_shown() {
    let rig = rig();
    ok(&rig, &["setenv", "A", "1"]);
    assert_eq!(ok(&rig, &["showenv", "A"]), "A=1");
    ok(&rig, &["setenv", "-r", "A"]);
    assert_eq!(ok(&rig, &["showenv", "A"]), "-A");
    ok(&rig, &["setenv", "-u", "A"]);
    assert_eq!(fails(&rig, &["showenv", "A"]), "unknown variable: A");
    ok(&rig, &["setenv", "-gh", "H", "2"]);
    assert_eq!(ok(&rig, &["showenv", "-g", "H"]), "");
    assert_eq!(ok(&rig, &["showenv", "-gh"]), "H=2");
    ok(&rig, &["setenv", "-gF", "F", "#{session_name}$"]);
    assert_eq!(ok(&rig, &["showenv", "-gs", "F"]), "F=\"a\\$\"; export F;");
    for (argv, error) in [
        (&["setenv", "A"][..], "no value specified"),
        (&["setenv", "", "1"], "empty variable name"),
        (&["setenv", "A=", "1"], "variable name contains ="),
        (&["setenv", "-u", "A", "1"], "can't specify a value with -u"),
        (&["setenv", "-r", "A", "1"], "can't specify a value with -r"),
        (&["setenv", "-t", "x", "A", "1"], "no such session: x"),
    ] {
        assert_eq!(fails(&rig, argv), error);
    }
    rig.run(&["setenv", "NEW", "yes", ";", "setenv", "-h", "SECRET", "1"]);
    rig.run(&["new", "-d", "-s", "b"]);
    let environ = rig.spawned().pop().unwrap().environ;
    assert!(environ.contains(&b"F=a$".to_vec()) && !environ.contains(&b"H=2".to_vec()));
}

#[test]
fn keys_are_bound_noted_listed_and_unbound() {
    let rig = rig();
    ok(
        &rig,
        &[
            "bind", "-N", "say it", "y", "display", "hi", "\\;", "display", "ho",
        ],
    );
    assert_eq!(
        ok(&rig, &["list-keys", "-T", "prefix", "y"]),
        "bind-key -T prefix y display-message hi \\; display-message ho"
    );
    assert_eq!(ok(&rig, &["list-keys", "-N", "y"]), "C-b y say it");
    assert_eq!(
        ok(&rig, &["list-keys", "-N", "-T", "prefix", "y"]),
        "y say it"
    );
    assert_eq!(
        ok(&rig, &["list-keys", "-N", "-P", "> ", "y"]),
        "> y say it"
    );
    ok(
        &rig,
        &["bind", "-T", "own", "-r", "a", "if -F 1 { display yo }"],
    );
    assert_eq!(
        ok(&rig, &["list-keys", "-T", "own"]),
        "bind-key -r -T own a if-shell -F 1 { display-message yo }"
    );
    let json = ok(&rig, &["list-keys", "--json", "-T", "own"]);
    assert_eq!(
        json.replace('\n', ""),
        r#"[{"command":"if-shell -F 1 { display-message yo }","key":"a","note":null,"repeat":true,"table":"own"}]"#
    );
    ok(&rig, &["unbind", "-T", "own", "a"]);
    assert_eq!(
        fails(&rig, &["list-keys", "-T", "own"]),
        "table own doesn't exist"
    );
    assert_eq!(
        fails(&rig, &["unbind", "-T", "own", "a"]),
        "table own doesn't exist"
    );
    ok(&rig, &["unbind", "-q", "-T", "own", "a"]);
    ok(&rig, &["unbind", "y"]);
    assert_eq!(fails(&rig, &["list-keys", "y"]), "unknown key: y");
    assert_eq!(fails(&rig, &["bind", "Foo", "display"]), "unknown key: Foo");
    assert!(fails(&rig, &["bind", "y", "frobnicate"]).starts_with("unknown command: frobnicate"));
    ok(&rig, &["unbind", "-a"]);
    assert_eq!(ok(&rig, &["list-keys", "-N"]), "");
}

#[test]
fn keys_and_options_outlive_a_crash() {
    let rig = rig();
    ok(&rig, &["bind", "-n", "F5", "set -g @pressed yes"]);
    ok(&rig, &["unbind", "d"]);
    ok(
        &rig,
        &[
            "set-hook",
            "-g",
            "after-rename-session",
            "set -g @hooked yes",
        ],
    );
    ok(&rig, &["set", "-p", "@pane", "kept"]);
    rig.crash_server();
    assert_eq!(
        fails(&rig, &["list-keys", "-T", "prefix", "d"]),
        "unknown key: d"
    );
    assert_eq!(ok(&rig, &["show", "-pv", "@pane"]), "kept");
    ok(&rig, &["rename", "b"]);
    assert_eq!(ok(&rig, &["show", "-gv", "@hooked"]), "yes");
    let ann = rig.attach((24, 80), &["attach"]);
    ann.keys("F5");
    assert_eq!(ok(&rig, &["show", "-gv", "@pressed"]), "yes");
}

#[test]
fn variables_of_the_environment_win_over_the_configuration() {
    let rig = Rig::with_config_and_environment(
        "set -g base-index 1\nset -g status-left conf",
        &[
            "SHELLKEEP_BASE_INDEX=3",
            "SHELLKEEP_STATUS=nonsense",
            "SHELLKEEP_X=1",
        ],
    );
    let first = rig.run(&["show", "-gv", "base-index"]);
    assert_eq!(first.stdout, "3\n");
    assert!(
        first
            .stderr
            .starts_with("SHELLKEEP_STATUS: unknown value: nonsense"),
        "{first:?}"
    );
    assert_eq!(ok(&rig, &["show", "-gv", "status-left"]), "conf");
    let _ann = rig.attach((24, 80), &["new"]);
    assert!(ok(&rig, &["show-messages"]).contains("SHELLKEEP_X: invalid option: x"));
}

#[test]
fn editor_decides_which_keys_are_used() {
    for (variables, editor, keys) in [
        (&["EDITOR=/usr/bin/vim"][..], "/usr/bin/vim", "vi"),
        (&["VISUAL=emacs", "EDITOR=vi"], "emacs", "emacs"),
        (&[], "/usr/bin/vi", "emacs"),
    ] {
        let rig = Rig::with_config_and_environment("", variables);
        assert_eq!(ok(&rig, &["show", "-sv", "editor"]), editor);
        assert_eq!(ok(&rig, &["show", "-gv", "status-keys"]), keys);
        assert_eq!(ok(&rig, &["show", "-gwv", "mode-keys"]), keys);
    }
}

#[test]
fn line_with_an_unknown_command_is_not_run_at_all() {
    let rig = rig();
    let error = fails(&rig, &["set", "-g", "@x", "1", ";", "frobnicate"]);
    assert!(error.starts_with("unknown command: frobnicate"), "{error}");
    assert_eq!(ok(&rig, &["show", "-gqv", "@x"]), "");
}
