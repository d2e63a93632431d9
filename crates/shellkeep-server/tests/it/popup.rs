use expect_test::expect;
use shellkeep_core::Size;
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// A session with a popup over it, and the client whose command opened that.
fn with_popup(rig: &Rig, flags: &[&str]) -> (VirtualClient, VirtualClient) {
    let ann = rig.attach((12, 40), &["new", "-s", "work"]);
    rig.pty(0).says("below");
    let cli = rig.attach((5, 5), &["has"]);
    let mut argv = vec!["display-popup", "-w", "20", "-h", "5", "-x", "2", "-y", "7"];
    argv.extend(flags);
    cli.start(&argv);
    (ann, cli)
}

fn rows(client: &VirtualClient, count: usize) -> String {
    let text = client.text();
    let rows: Vec<&str> = text.lines().take(count).map(str::trim_end).collect();
    format!("{}\n", rows.join("\n"))
}

#[test]
fn program_in_a_popup_finds_the_pane_below_and_no_pane_of_its_own() {
    let rig = Rig::new();
    let _ann = rig.attach((12, 40), &["new", "-s", "work"]);
    // As `tmux` leaves it there.
    rig.run(&["setenv", "-t", "work", "TMUX", "socket"]);
    let cli = rig.attach((5, 5), &["has"]);
    cli.start(&["display-popup", "top"]);
    let spawned = rig.spawned().pop().unwrap();
    let entries = spawned.environ.iter();
    let entries: Vec<_> = entries
        .map(|entry| String::from_utf8_lossy(entry))
        .collect();
    let is_of = |name: &str| entries.iter().any(|entry| entry.starts_with(name));
    assert!(is_of("TMUX=") && !is_of("TMUX_PANE="), "{entries:?}");
    assert!(is_of("SHELLKEEP_PANE=%0"), "{entries:?}");
}

#[test]
fn popup_runs_a_program_in_a_box() {
    let rig = Rig::new();
    let (ann, _cli) = with_popup(&rig, &["-T", "title", "top"]);
    rig.pty(1).says("hello");
    assert_eq!(rig.pty(1).size(), Size::new(3, 18));
    expect![[r#"
        below

          ┌─title────────────┐
          │hello             │
          │                  │
          │                  │
          └──────────────────┘
    "#]]
    .assert_eq(&rows(&ann, 7));
    ann.keys("x C-b");
    assert_eq!(rig.pty(1).was_typed(), "x\x02");
    assert_eq!(rig.pty(0).was_typed(), "");
    let listed = rig.run(&["capture-pane", "-p", "-t", "%1"]);
    assert_eq!(
        listed.stderr, "can't find pane: %1\n",
        "it is no session's pane"
    );
}

#[test]
fn popup_ends_with_its_program_and_its_status_is_the_command_s() {
    let rig = Rig::new();
    let (ann, cli) = with_popup(&rig, &["-E", "-B", "top"]);
    assert_eq!(rig.pty(1).size(), Size::new(5, 20));
    assert_eq!(cli.finished().status, Some(0), "of the command before");
    rig.pty(1).exits(4);
    assert_eq!(cli.finished().status, Some(4));
    assert_eq!(ann.text().lines().next(), Some("below"));
    assert!(!rig.has_pty(1));
    ann.keys("x");
    assert_eq!(rig.pty(0).was_typed(), "x");
}

#[test]
fn popup_that_failed_stays_until_escape_with_two_e() {
    let rig = Rig::new();
    let (ann, cli) = with_popup(&rig, &["-EE", "top"]);
    ann.keys("Escape");
    assert_eq!(
        rig.pty(1).was_typed(),
        "\x1b",
        "while it runs the key is its own"
    );
    rig.pty(1).begins_to_say("no").exits(3);
    assert!(ann.text().contains("no"), "{}", ann.text());
    ann.keys("Escape");
    assert!(!ann.text().contains("no"), "{}", ann.text());
    assert_eq!(cli.finished().status, Some(3));
}

#[test]
fn popup_without_e_is_closed_by_escape_and_its_program_hung_up() {
    let rig = Rig::new();
    let (ann, cli) = with_popup(&rig, &["top"]);
    ann.keys("Escape");
    assert!(!rig.has_pty(1));
    assert_eq!(cli.finished().status, Some(129));
}

#[test]
fn popup_is_closed_by_command_and_by_its_client_s_leave() {
    let rig = Rig::new();
    let (ann, _cli) = with_popup(&rig, &["top"]);
    assert!(rig.has_pty(1));
    rig.run(&["display-popup", "-C"]);
    assert!(!rig.has_pty(1));
    rig.attach((5, 5), &["has"])
        .start(&["display-popup", "top"]);
    assert!(rig.has_pty(2));
    rig.run(&["detach-client", "-s", "work"]);
    assert!(ann.farewell().is_some() && !rig.has_pty(2));
}

#[test]
fn popup_becomes_smaller_with_the_terminal_and_larger_again() {
    let rig = Rig::new();
    let (ann, _cli) = with_popup(&rig, &["top"]);
    ann.resizes(4, 10);
    assert_eq!(rig.pty(1).size(), Size::new(2, 8));
    ann.resizes(12, 40);
    assert_eq!(rig.pty(1).size(), Size::new(3, 18));
}

#[test]
fn popup_of_a_crashed_server_is_ended_and_no_session() {
    let rig = Rig::new();
    let (_ann, _cli) = with_popup(&rig, &["top"]);
    assert!(rig.has_pty(1));
    rig.crash_server();
    assert!(!rig.has_pty(1) && rig.has_pty(0));
    let listed = rig.run(&["ls"]).stdout;
    assert_eq!(listed.lines().count(), 1, "{listed}");
    rig.run(&["new", "-d"]);
    assert_eq!(
        rig.spawned().last().unwrap().pane.0,
        2,
        "its number is not given out again"
    );
}

#[test]
fn popup_flags_that_cannot_be_are_named() {
    let rig = Rig::new();
    let _ann = rig.attach((12, 40), &["new"]);
    let fails = |flags: &[&str]| {
        let mut argv = vec!["display-popup"];
        argv.extend(flags);
        rig.run(&argv).stderr
    };
    assert_eq!(
        fails(&["-b", "foo"]),
        "popup-border-lines unknown value: foo\n"
    );
    assert_eq!(fails(&["-h", "x"]), "height invalid\n");
    assert_eq!(fails(&["-w", "150%"]), "width too large\n");
}

/// Opens the popup's own menu by a right click at its corner, and presses a key there.
fn menu_key(client: &VirtualClient, key: &str) {
    client.sends("\x1b[<2;3;3M");
    let text = client.text();
    assert!(text.contains("To Horizontal Pane (h)"), "{text}");
    client.keys(key);
}

#[test]
fn popup_is_moved_by_its_border_and_resized_by_the_right_button() {
    let rig = Rig::new();
    let (ann, _cli) = with_popup(&rig, &["top"]);
    // By its upper border, three rows down and five columns right.
    ann.sends("\x1b[<0;6;3M\x1b[<32;7;4M\x1b[<32;11;6M\x1b[<0;11;6m");
    let top = ann.text();
    let at = top.lines().position(|row| row.starts_with("       ┌───"));
    assert_eq!(at, Some(5), "{top}");
    assert_eq!(rig.pty(1).size(), Size::new(3, 18));
    // By its lower border with the right button: the corner follows.
    ann.sends("\x1b[<2;20;10M\x1b[<34;21;10M\x1b[<34;31;12M\x1b[<2;31;12m");
    assert_eq!(rig.pty(1).size(), Size::new(4, 21));
}

#[test]
fn popup_menu_pastes_fills_centres_and_closes() {
    let rig = Rig::new();
    let (ann, _cli) = with_popup(&rig, &["top"]);
    rig.run(&["set-buffer", "-b", "mine", "pasted"]);
    ann.sends("\x1b[<2;3;3M");
    assert!(
        ann.text().contains("│ Paste mine         (p) │"),
        "{}",
        ann.text()
    );
    ann.keys("p");
    assert_eq!(rig.pty(1).was_typed(), "pasted");
    menu_key(&ann, "C");
    let text = ann.text();
    let at = text
        .lines()
        .position(|row| row.starts_with("          ┌──"));
    assert_eq!(at, Some(3), "{text}");
    ann.sends("\x1b[<2;1;1M").keys("F");
    assert_eq!(rig.pty(1).size(), Size::new(10, 38));
    ann.sends("\x1b[<2;1;1M").keys("q");
    assert!(!rig.has_pty(1));
}

#[test]
fn popup_becomes_a_pane_with_its_program_running() {
    for (key, size) in [("h", Size::new(12, 19)), ("v", Size::new(5, 40))] {
        let rig = Rig::new();
        let (ann, cli) = with_popup(&rig, &["top"]);
        rig.pty(1).says("alive");
        menu_key(&ann, key);
        assert_eq!(rig.pty(1).size(), size);
        let listed = rig.run(&[
            "list-panes",
            "-t",
            "work",
            "-F",
            "#{pane_id} #{pane_active}",
        ]);
        assert_eq!(listed.stdout, "%0 0\n%1 1\n");
        assert!(ann.text().contains("alive"), "{}", ann.text());
        assert_eq!(
            cli.finished().status,
            Some(0),
            "nobody waits for it any more"
        );
        ann.keys("x");
        assert_eq!(rig.pty(1).was_typed(), "x");
        rig.crash_server();
        assert!(rig.has_pty(1), "it is a session's now");
        rig.pty(1).exits(0);
        let listed = rig.run(&["list-panes", "-t", "work", "-F", "#{pane_id}"]);
        assert_eq!(listed.stdout, "%0\n");
    }
}
