use shellkeep_core::Size;
use shellkeep_server::Ending;
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

#[test]
fn new_session_shows_what_its_program_prints() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    rig.pty(0).says("$ ls\r\nCargo.toml\r\n$ ");
    assert_eq!(ann.text(), "$ ls\nCargo.toml\n$");
    assert_eq!(
        ann.with_terminal(|t| (t.cursor().row, t.cursor().col)),
        (2, 2)
    );
}

#[test]
fn keys_reach_the_program_in_its_own_encoding() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    ann.keys("a Enter Up C-c M-x");
    assert_eq!(rig.pty(0).was_typed(), "a\r\x1b[A\x03\x1bx");
    rig.pty(0).says("\x1b[?1h");
    ann.keys("Up");
    assert_eq!(rig.pty(0).was_typed(), "\x1bOA", "application cursor keys");
}

#[test]
fn escape_alone_is_typed_after_escape_time() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    ann.sends("\x1b");
    assert_eq!(rig.pty(0).was_typed(), "\x1b");
}

#[test]
fn paste_is_bracketed_only_for_a_program_that_asked() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    ann.sends("\x1b[200~one\x1b[201~");
    assert_eq!(rig.pty(0).was_typed(), "one");
    rig.pty(0).says("\x1b[?2004h");
    ann.sends("\x1b[200~two\x1b[201~");
    assert_eq!(rig.pty(0).was_typed(), "\x1b[200~two\x1b[201~");
}

/// The level of modifyOtherKeys that a client's terminal was asked for.
fn other_keys(client: &VirtualClient) -> u8 {
    client.with_terminal(|terminal| terminal.modes().modify_other_keys)
}

#[test]
fn extended_keys_are_asked_of_a_terminal_that_has_them_while_the_option_is_on() {
    let rig = Rig::with_config("set -s extended-keys on\n");
    let ann = rig.attach((24, 80), &["new"]);
    assert_eq!(other_keys(&ann), 0, "it may not know them");
    ann.sends("\x1bP>|XTerm(390)\x1b\\");
    assert_eq!(other_keys(&ann), 1);
    rig.pty(0).says("\x1b[>4;1m");
    ann.sends("\x1b[27;5;13~");
    assert_eq!(rig.pty(0).was_typed(), "\x1b[27;5;13~");
    rig.run(&["set", "-s", "extended-keys", "off"]);
    assert_eq!(other_keys(&ann), 0);
    rig.run(&["set", "-s", "extended-keys", "always"]);
    assert_eq!(other_keys(&ann), 1);
}

#[test]
fn extended_keys_are_not_asked_for_by_default() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    ann.sends("\x1bP>|XTerm(390)\x1b\\");
    rig.pty(0).says("\x1b[>4;1m");
    assert_eq!(other_keys(&ann), 0);
}

#[test]
fn prefix_d_detaches_and_the_session_goes_on() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    ann.keys("C-b d");
    assert_eq!(
        ann.farewell().as_deref(),
        Some("detached (from session work)")
    );
    assert_eq!(rig.run(&["has", "-t", "work"]).status, Some(0));
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn prefix_twice_types_the_prefix() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    ann.keys("C-b C-b");
    assert_eq!(rig.pty(0).was_typed(), "\x02");
    ann.keys("C-b y a");
    assert_eq!(
        rig.pty(0).was_typed(),
        "a",
        "an unbound key behind the prefix does nothing"
    );
    rig.run(&["set", "prefix", "C-a"]);
    ann.keys("C-b C-a d");
    assert_eq!(rig.pty(0).was_typed(), "\x02");
    assert!(ann.farewell().is_some());
}

#[test]
fn read_only_client_looks_and_leaves_but_does_not_type() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let bob = rig.attach((24, 80), &["attach", "-r", "-t", "work"]);
    rig.pty(0).says("hello");
    assert_eq!(bob.text(), "hello");
    bob.keys("x C-b C-b").sends("\x1b[200~paste\x1b[201~");
    assert_eq!(rig.pty(0).was_typed(), "");
    let typist = rig.attach((24, 80), &["attach", "-t", "work"]);
    typist.keys("y");
    assert_eq!(rig.pty(0).was_typed(), "y");
    bob.keys("C-b d");
    assert_eq!(
        bob.farewell().as_deref(),
        Some("detached (from session work)")
    );
    assert!(typist.session().is_some());
}

#[test]
fn smallest_of_several_terminals_decides_the_size() {
    let rig = Rig::with_config("set -g window-size smallest");
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    assert_eq!(rig.pty(0).size(), Size::new(24, 80));
    let bob = rig.attach((30, 60), &["attach"]);
    assert_eq!(rig.pty(0).size(), Size::new(24, 60));
    ann.resizes(10, 100);
    assert_eq!(rig.pty(0).size(), Size::new(10, 60));
    bob.keys("C-b d");
    assert_eq!(rig.pty(0).size(), Size::new(10, 100));
}

#[test]
fn terminal_larger_than_the_pane_shows_it_in_its_corner() {
    let rig = Rig::new();
    let ann = rig.attach((4, 10), &["new"]);
    let _bob = rig.attach((3, 6), &["attach"]);
    rig.pty(0).says("123456");
    let rows = ann.text();
    assert!(rows.starts_with("123456"), "{rows}");
    assert_eq!(rows.lines().count(), 4, "the rest is filled: {rows}");
    assert!(rows.lines().next().unwrap().contains('·'), "{rows}");
}

#[test]
fn attach_d_sends_the_others_away() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "work"]);
    let other = rig.attach((24, 80), &["new", "-s", "else"]);
    let bob = rig.attach((24, 80), &["attach", "-d", "-t", "work"]);
    assert_eq!(
        ann.farewell().as_deref(),
        Some("detached (from session work)")
    );
    assert_eq!(other.farewell(), None, "a client of another session");
    rig.run(&["detach", "-s", "else"]);
    assert_eq!(
        other.farewell().as_deref(),
        Some("detached (from session else)")
    );
    assert!(bob.session().is_some());
}

#[test]
fn program_that_ends_takes_its_session_and_the_last_one_the_server() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    rig.run(&["new", "-d", "-s", "other"]);
    rig.pty(0).begins_to_say("last words").exits(0);
    assert_eq!(ann.farewell().as_deref(), Some("exited"));
    assert_eq!(rig.ending(), None);
    rig.pty(1).exits(3);
    assert_eq!(rig.ending(), Some(Ending::Empty));
}

#[test]
fn exit_empty_off_keeps_the_server() {
    let rig = Rig::new();
    rig.run(&["new", "-d", ";", "set", "-s", "exit-empty", "off"]);
    rig.pty(0).exits(0);
    assert_eq!(rig.ending(), None);
    assert_eq!(rig.run(&["ls"]).stdout, "");
    // And it remembers to do so beyond its death.
    rig.crash_server();
    assert_eq!(rig.run(&["ls"]).stdout, "");
    assert_eq!(rig.ending(), None);
    rig.run(&["new", "-d"]);
    assert_eq!(rig.run(&["ls"]).stdout.lines().count(), 1);
}

#[test]
fn program_that_cannot_start_is_named_and_leaves_nothing() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "keep"]);
    rig.refuse_to_spawn("nope: not found");
    let failed = rig.run(&["new", "-d", "-s", "bad", "nope", "-x"]);
    assert_eq!(
        (failed.stderr.as_str(), failed.status),
        ("nope: not found\n", Some(1))
    );
    assert_eq!(rig.run(&["has", "-t", "bad"]).status, Some(1));
}

#[test]
fn input_that_a_program_does_not_read_waits_for_it_whole() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    rig.pty(0).reads_only(3);
    rig.run(&["send", "-l", "0123456789"]);
    assert_eq!(rig.pty(0).was_typed(), "012");
    rig.pty(0).reads_only(usize::MAX);
    assert_eq!(rig.pty(0).was_typed(), "3456789");
}

#[test]
fn bare_call_goes_on_with_the_session_used_last_or_opens_one() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &[]);
    assert!(ann.session().is_some());
    ann.keys("C-b d");
    let bob = rig.attach((24, 80), &[]);
    assert!(bob.session().is_some());
    assert_eq!(rig.spawned().len(), 1);
    assert!(rig.run(&["ls"]).stdout.ends_with("(attached)\n"));
}

#[test]
fn new_session_with_a_capital_a_attaches_where_there_is_one() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-A", "-s", "work"]);
    rig.pty(0).says("one-2");
    assert_eq!(ann.text(), "one-2");
    let bob = rig.attach((24, 80), &["new", "-A", "-s", "work"]);
    assert_eq!(bob.text(), "one-2");
    assert_eq!(rig.run(&["ls"]).stdout.lines().count(), 1);
}

#[test]
fn session_is_named_without_a_flag() {
    let rig = Rig::new();
    rig.run(&[
        "new", "-d", "-s", "one", ";", "new", "-d", "-s", "two", ";", "new", "-d", "-s", "three",
    ]);
    let ann = rig.attach((24, 80), &["attach", "two"]);
    ann.keys("C-b d");
    let detached = "detached (from session two)";
    assert_eq!(ann.farewell().as_deref(), Some(detached));
    // It was used last.
    let ann = rig.attach((24, 80), &["attach"]);
    ann.keys("C-b d");
    assert_eq!(ann.farewell().as_deref(), Some(detached));
}

#[test]
fn attach_without_a_terminal_is_refused() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    let refused = rig.run(&["attach"]);
    assert_eq!(refused.stderr, "open terminal failed: not a terminal\n");
    assert_eq!(refused.status, Some(1));
}

/// A client that may only look, at a session of which another is shown as well.
fn reader(rig: &Rig) -> VirtualClient {
    rig.run(&["new", "-d", "-s", "other"]);
    rig.run(&["new", "-d", "-s", "work"]);
    rig.attach((6, 40), &["attach", "-r", "-t", "work"])
}

#[test]
fn keys_of_a_read_only_client_run_what_tmux_lets_them_run() {
    let rig = Rig::with_status("set -g display-time 0");
    let bob = reader(&rig);
    for command in [
        "list-keys",
        "list-sessions",
        "display-message hi",
        "capture-pane",
        "refresh-client",
        "new-window",
        "copy-mode",
        "command-prompt",
        "suspend-client",
        "select-pane",
        "show-options",
        "new-session -d",
        // None of it, though the first could be.
        "switch-client -n ; new-window",
    ] {
        rig.run(&["refresh-client", "-S"]);
        rig.run(&["bind", "-n", "F1", command]);
        bob.keys("F1");
        let text = bob.text();
        assert!(text.contains("Client is read-only"), "{command}: {text}");
        assert_eq!(
            rig.run(&["lsw", "-a"]).stdout.lines().count(),
            2,
            "{command}"
        );
    }
    rig.run(&["bind", "-n", "F1", "switch-client -n"]);
    bob.keys("F1");
    let shown = rig.run(&["lsc", "-F", "#{session_name}"]).stdout;
    assert_eq!(shown, "other\n");
    bob.keys("C-b d");
    assert!(bob.farewell().is_some());
}

#[test]
fn hooks_that_a_read_only_client_sets_off_run_all_the_same() {
    let rig = Rig::with_config("set-hook -g client-attached 'set -g @seen yes'");
    let _bob = reader(&rig);
    assert_eq!(rig.run(&["show", "-gv", "@seen"]).stdout, "yes\n");
}

#[test]
fn popup_and_prompt_of_a_read_only_client_get_none_of_its_keys() {
    let rig = Rig::with_status("");
    let bob = reader(&rig);
    let name = rig.run(&["lsc", "-F", "#{client_name}"]).stdout;
    let cli = rig.attach((5, 5), &["has"]);
    cli.start(&["display-popup", "-c", name.trim(), "sh"]);
    rig.pty(2).says("boxed");
    assert!(bob.text().contains("boxed"), "{}", bob.text());
    bob.keys("x y");
    assert_eq!(rig.pty(2).was_typed(), "");
    bob.keys("C-b d");
    assert!(bob.farewell().is_some());
}

#[test]
fn tree_and_clock_that_others_opened_are_not_for_a_reader_to_use() {
    let rig = Rig::with_status("");
    let bob = reader(&rig);
    for (command, mode) in [("choose-tree", "tree-mode"), ("clock-mode", "clock-mode")] {
        rig.run(&[command, "-t", "work"]);
        bob.keys("q x Enter");
        let shown = rig
            .run(&["display", "-p", "-t", "work", "#{pane_mode}"])
            .stdout;
        assert_eq!(shown.trim(), mode);
    }
}
