//! What a tmux user's fingers and scripts expect beyond the commands themselves.

use std::time::Duration;

use shellkeep_testkit::virtual_rig::Rig;

fn shown(rig: &Rig, args: &[&str]) -> String {
    rig.run(args).stdout.trim_end().to_owned()
}

#[test]
fn send_keys_without_words_in_a_binding_types_the_key() {
    let rig = Rig::new();
    let ann = rig.attach((10, 40), &["new", "-s", "work"]);
    rig.run(&["bind", "-n", "x", "send-keys"]);
    rig.run(&["bind", "Up", "send-keys"]);
    ann.keys("x");
    ann.keys("C-b Up");
    assert_eq!(rig.pty(0).was_typed(), "x\u{1b}[A");
    // Nobody pressed anything here.
    assert_eq!(rig.run(&["send-keys", "-t", "work"]).status, Some(0));
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn send_keys_without_words_in_a_mode_ends() {
    let rig = Rig::new();
    let ann = rig.attach((10, 40), &["new", "-s", "work"]);
    rig.run(&[
        "bind",
        "-T",
        "copy-mode",
        "x",
        "send-keys",
        "\\;",
        "set",
        "-ga",
        "@n",
        "+",
    ]);
    rig.run(&["copy-mode", "-t", "work"]);
    ann.keys("x");
    assert_eq!(shown(&rig, &["show", "-gv", "@n"]), "++");
}

#[test]
fn session_is_locked_when_nothing_was_typed_for_so_long() {
    let rig = Rig::new();
    let ann = rig.attach((10, 40), &["new", "-s", "work"]);
    rig.run(&["set", "-g", "lock-after-time", "10"]);
    rig.run(&["set", "-g", "lock-command", "lock it"]);
    rig.pass(Duration::from_secs(6));
    ann.keys("x");
    rig.pass(Duration::from_secs(6));
    assert_eq!(ann.locked_with(), None, "a key was pressed in between");
    rig.pass(Duration::from_secs(6));
    assert_eq!(ann.locked_with().as_deref(), Some("lock it"));
}

#[test]
fn binding_without_a_command_makes_the_table() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    assert_eq!(rig.run(&["list-keys", "-T", "mine"]).status, Some(1));
    assert_eq!(rig.run(&["bind", "-T", "mine", "x"]).stderr, "");
    let listed = rig.run(&["list-keys", "-T", "mine"]);
    assert_eq!((listed.status, listed.stdout.as_str()), (Some(0), ""));
}

#[test]
fn client_with_active_panes_of_its_own_leaves_the_others_theirs() {
    let rig = Rig::new();
    let ann = rig.attach((10, 40), &["new", "-s", "work"]);
    rig.run(&["split-window", "-t", "work"]);
    let bob = rig.attach((10, 40), &["attach", "-f", "active-pane", "-t", "work"]);
    bob.keys("C-b Up");
    bob.sends("from bob");
    ann.sends("from ann");
    assert_eq!(rig.pty(0).was_typed(), "from bob");
    assert_eq!(rig.pty(1).was_typed(), "from ann");
    assert_eq!(
        shown(&rig, &["display", "-p", "-t", "work", "#{pane_index}"]),
        "1"
    );
    let flags = shown(&rig, &["list-clients", "-F", "#{client_flags}"]);
    assert!(flags.contains("active-pane"), "{flags}");
    assert!(
        bob.with_terminal(|it| it.cursor().row) < 5,
        "its cursor is there"
    );
    // Its pane ends: it is with the others again.
    rig.run(&["kill-pane", "-t", "work:.0"]);
    bob.sends("again");
    assert_eq!(rig.pty(1).was_typed(), "again");
    rig.run(&["split-window", "-t", "work"]);
    bob.keys("C-b :");
    bob.sends("refresh-client -f !active-pane");
    bob.keys("Enter");
    let flags = shown(&rig, &["list-clients", "-F", "#{client_flags}"]);
    assert!(!flags.contains("active-pane"), "{flags}");
}

#[test]
fn flags_of_a_client_are_in_the_order_that_tmux_has() {
    let rig = Rig::new();
    let ann = rig.attach((10, 40), &["new", "-s", "work"]);
    let client = "#{client_flags} #{client_cell_width}x#{client_cell_height}";
    let shows = |format: &str| shown(&rig, &["display", "-p", "-t", "work", format]);
    assert_eq!(shows(client), "attached,focused,UTF-8 16x32");
    ann.sends("\x1b[O");
    assert_eq!(shows("#{client_flags}"), "attached,UTF-8");
    ann.sends("\x1b[I");
    let features = shows("#{client_termfeatures}");
    let names = ["256", "bpaste", "clipboard", "cstyle", "RGB", "title"];
    let places = names.map(|name| features.split(',').position(|it| it == name));
    assert!(places.iter().all(Option::is_some), "{features}");
    assert!(places.is_sorted(), "{features}");
    let all = "ignore-size,wait-exit,no-output,read-only,active-pane,pause-after=3";
    let bob = rig.control(&["attach", "-f", all, "-t", "work"]);
    let answer = bob.line("display -p '#{client_flags} [#{client_cell_width}]'");
    let flags = "attached,focused,control-mode,ignore-size,no-output,wait-exit,pause-after=3,read-only,active-pane,UTF-8 []";
    assert!(answer.contains(flags), "{answer}");
}

#[test]
fn terminal_can_what_the_options_say_of_its_name() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let attached = || {
        let _ann = rig.attach((10, 40), &["attach", "-t", "work"]);
        let shown = shown(
            &rig,
            &["display", "-p", "-t", "work", "#{client_termfeatures}"],
        );
        rig.run(&["detach-client", "-s", "work"]);
        shown
    };
    let has = |features: &str, name: &str| features.split(',').any(|it| it == name);
    let before = attached();
    assert!(has(&before, "RGB") && has(&before, "cstyle") && !has(&before, "overline"));
    rig.run(&[
        "set",
        "-as",
        "terminal-features",
        ",xterm*:overline:nonsense",
    ]);
    rig.run(&[
        "set",
        "-as",
        "terminal-overrides",
        ",xterm-256color:Tc@:Ss@",
    ]);
    rig.run(&["set", "-as", "terminal-overrides", ",other*:Ms@"]);
    let after = attached();
    assert!(
        has(&after, "overline") && has(&after, "clipboard"),
        "{after}"
    );
    assert!(!has(&after, "RGB") && !has(&after, "cstyle"), "{after}");
}

#[test]
fn older_spellings_of_flags_are_taken() {
    let rig = Rig::new();
    let ann = rig.attach((10, 40), &["new", "-s", "work"]);
    let ok = |argv: &[&str]| assert_eq!(rig.run(argv).status, Some(0), "{argv:?}");
    ok(&["refresh-client", "-F", "ignore-size"]);
    let flags = shown(&rig, &["list-clients", "-F", "#{client_flags}"]);
    assert!(flags.contains("ignore-size"), "{flags}");
    ok(&["switch-client", "-F", "-t", "work"]);
    // What is in the terminal's clipboard, for the program in a pane.
    ok(&["refresh-client", "-l%0"]);
    ann.sends("\x1b]52;;aGVsbG8=\x07");
    assert_eq!(rig.pty(0).was_typed(), "\x1b]52;;aGVsbG8=\x1b\\");
    assert_eq!(rig.run(&["list-buffers"]).stdout, "", "it is no buffer");
    assert_eq!(
        rig.run(&["refresh-client", "-l%9"]).stderr,
        "can't find pane: %9\n"
    );
    ok(&["refresh-client", "-l"]);
    ann.sends("\x1b]52;;aGVsbG8=\x07");
    assert_eq!(rig.run(&["show-buffer"]).stdout, "hello");
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn client_knows_how_much_it_was_given() {
    let rig = Rig::new();
    let ann = rig.attach((10, 40), &["new", "-s", "work"]);
    let written = || -> u64 {
        let text = shown(&rig, &["list-clients", "-F", "#{client_written}"]);
        text.parse().unwrap()
    };
    let before = written();
    assert!(before > 0);
    rig.pty(0).says("some words");
    assert!(ann.text().contains("some words"));
    assert!(written() >= before + 10);
    assert_eq!(
        shown(&rig, &["list-clients", "-F", "#{client_discarded}"]),
        "0"
    );
}

#[test]
fn hooks_run_in_the_order_of_tmux() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "base"]);
    rig.run(&["set", "-g", "automatic-rename", "off"]);
    for hook in [
        "after-new-session",
        "after-new-window",
        "after-select-pane",
        "after-select-window",
        "session-created",
        "session-closed",
        "session-window-changed",
        "window-linked",
        "window-unlinked",
        "pane-title-changed",
    ] {
        rig.run(&["set-hook", "-g", hook, &format!("set -ga @log '{hook} '")]);
    }
    for (command, hooks) in [
        (
            &["new", "-d", "-s", "one"][..],
            "after-new-session window-linked session-created",
        ),
        (
            &["new-window", "-t", "one"],
            "after-new-window session-window-changed window-linked",
        ),
        (
            &["new-window", "-d", "-t", "one"],
            "after-new-window window-linked",
        ),
        (
            &["next-window", "-t", "one"],
            "after-select-window session-window-changed",
        ),
        (
            &["last-window", "-t", "one"],
            "after-select-window session-window-changed",
        ),
        (&["select-window", "-t", "one:1"], "after-select-window"),
        (
            &["select-pane", "-t", "one", "-T", "title"],
            "pane-title-changed",
        ),
        (&["select-pane", "-t", "one:.0"], ""),
        (
            &["kill-window", "-t", "one:1"],
            "session-window-changed window-unlinked",
        ),
        (
            &["kill-session", "-t", "one"],
            "session-closed window-unlinked window-unlinked",
        ),
    ] {
        rig.run(&["set", "-g", "@log", ""]);
        assert_eq!(rig.run(command).stderr, "");
        assert_eq!(
            shown(&rig, &["show", "-gv", "@log"]).trim_end(),
            hooks,
            "{command:?}"
        );
    }
}

#[test]
fn respawned_pane_is_in_no_mode() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    rig.run(&["clock-mode", "-t", "work"]);
    rig.run(&["respawn-pane", "-k", "-t", "work"]);
    assert_eq!(
        shown(&rig, &["display", "-p", "-t", "work", "#{pane_in_mode}"]),
        "0"
    );
}

#[test]
fn control_client_hears_of_every_session_that_ends_with_the_server() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "one"]);
    let control = rig.control(&["new", "-s", "two"]);
    let _ = control.heard();
    rig.run(&["kill-server"]);
    let heard = control.heard();
    let changes = heard.lines().filter(|line| *line == "%sessions-changed");
    assert_eq!(changes.count(), 2, "{heard}");
    assert!(heard.trim_end().ends_with("%exit"), "{heard}");
}

#[test]
fn formats_know_the_file_they_are_read_from() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let text = "set -gF @file '#{current_file}'\n";
    rig.run_with_input(&["source-file", "-"], text);
    assert_eq!(shown(&rig, &["show", "-gv", "@file"]), "-");
    assert_eq!(shown(&rig, &["display", "-p", "<#{current_file}>"]), "<>");
}

#[test]
fn formats_know_what_was_found_in_copy_mode() {
    let rig = Rig::new();
    let _ann = rig.attach((10, 40), &["new", "-s", "work"]);
    rig.pty(0).says("some words here\r\n");
    rig.run(&["copy-mode", "-t", "work"]);
    rig.run(&["send-keys", "-t", "work", "-X", "search-backward", "wor.s"]);
    let format = "#{search_present} #{search_match}";
    assert_eq!(
        shown(&rig, &["display", "-p", "-t", "work", format]),
        "1 words"
    );
}
