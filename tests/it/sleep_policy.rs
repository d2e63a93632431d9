//! Who sleeps, and who is archived, without being asked to; and what it costs.

use std::time::Duration;

use shellkeep_testkit::real::{Process, Rig, nothing_happens_for};

use crate::hibernate::{
    ask, begin, enter, hibernate, is_asleep, rig_with, wait_for_prompt, wait_for_text,
};

/// A world in which nobody sleeps for a reason that is not under test.
fn rig_of_the_wakeful() -> Option<Rig> {
    let rig = rig_with("bash")?;
    let config = rig.read("config/shellkeep/shellkeep.conf");
    let config = format!("{config}set -g hibernate-after 0\nset -s max-active 0\n");
    rig.write("config/shellkeep/shellkeep.conf", &config);
    Some(rig)
}

fn states(rig: &Rig) -> String {
    rig.ok(&["ls", "-a", "-F", "#{session_name} #{session_state}"])
}

/// Has the server look who may sleep, and waits until it has: somebody whose time is up sleeps with that look.
fn look(rig: &Rig) {
    begin(rig, "marker");
    rig.ok(&["set", "-t", "marker", "hibernate-after", "1s"]);
    rig.wait_until("a look", || is_asleep(rig, "marker"));
    rig.ok(&["forget", "-y", "-t", "marker"]);
}

/// Waits until nothing wakes server and keeper for three seconds: whatever is done once after something happened is over by then
/// and whatever is done again and again is not.
fn quiet(rig: &Rig, both: [Process; 2]) {
    let wakeups = || both.map(|process| process.wakeups());
    rig.wait_until("three seconds without a wakeup", || {
        let before = wakeups();
        nothing_happens_for(Duration::from_secs(3));
        wakeups() == before
    });
}

#[test]
fn sleeper_is_archived_after_the_time_set() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    for name in ["awake", "pinned", "sleeps"] {
        begin(&rig, name);
    }
    rig.ok(&["pin", "-t", "pinned"]);
    hibernate(&rig, "pinned");
    hibernate(&rig, "sleeps");
    rig.ok(&["set", "-s", "archive-after", "1s"]);
    rig.wait_until("it in the archive", || {
        states(&rig) == "awake active\npinned hibernated\nsleeps archived\n"
    });
}

#[test]
fn sleeper_is_archived_by_the_server_that_comes_after_its_time() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    begin(&rig, "sleeps");
    hibernate(&rig, "sleeps");
    let server = rig.server();
    rig.ok(&["set", "-s", "exit-empty", "off"]);
    // Nobody does anything but this: the time is over when the next server is there.
    let mut config = rig.read("config/shellkeep/shellkeep.conf");
    config.push_str("set -s archive-after 1s\nset -s exit-empty off\n");
    rig.write("config/shellkeep/shellkeep.conf", &config);
    server.kill_9();
    rig.wait_until("it in the archive", || states(&rig) == "sleeps archived\n");
}

/// A world in which these sessions have slept for two hours.
fn rig_with_sleepers(names: &[&str]) -> Option<Rig> {
    let rig = rig_of_the_wakeful()?;
    for name in names {
        begin(&rig, name);
        hibernate(&rig, name);
    }
    rig.write("run/shellkeep/default.clock", "7200000");
    // A server that saw them awake knows better than the clock on the wall.
    rig.server().kill_9();
    Some(rig)
}

/// A world with one session more than there may be: the oldest has gone into the archive.
fn rig_with_one_too_many() -> Option<Rig> {
    let rig = rig_with_sleepers(&["first", "second"])?;
    begin(&rig, "third");
    rig.ok(&["set", "-s", "max-total", "2"]);
    rig.wait_until("the oldest in the archive", || {
        states(&rig) == "second hibernated\nthird active\nfirst archived\n"
    });
    Some(rig)
}

#[test]
fn sessions_beyond_the_number_are_archived_and_new_ones_never_refused() {
    let Some(rig) = rig_with_one_too_many() else {
        return;
    };
    // What runs is not archived, whatever the limits are.
    rig.ok(&["set", "-s", "max-active", "1"]);
    for name in ["fourth", "fifth"] {
        begin(&rig, name);
        enter(&rig, name, "sleep 1000");
    }
    rig.wait_until("all that sleep in the archive", || {
        states(&rig).contains("second archived")
    });
    let names = rig.ok(&["ls", "-F", "#{session_name}"]);
    assert!(
        names.contains("fourth") && names.contains("fifth"),
        "{names}"
    );
}

#[test]
fn sessions_of_the_last_hour_are_not_archived_for_their_number() {
    let Some(rig) = rig_with_sleepers(&["old"]) else {
        return;
    };
    for name in ["new", "newer"] {
        begin(&rig, name);
        hibernate(&rig, name);
    }
    rig.ok(&["set", "-s", "max-total", "1"]);
    rig.wait_until("the old one in the archive", || {
        states(&rig) == "new hibernated\nnewer hibernated\nold archived\n"
    });
    // Whoever made them is not known to the next server, either.
    rig.server().kill_9();
    look(&rig);
    let left = states(&rig);
    assert!(
        left.starts_with("new hibernated\nnewer hibernated\n"),
        "{left}"
    );
}

#[test]
fn reopened_session_does_not_go_back_into_the_archive_at_once() {
    let Some(rig) = rig_with_one_too_many() else {
        return;
    };
    rig.ok(&["reopen", "first"]);
    rig.wait_until("another in its place", || {
        states(&rig) == "first hibernated\nthird active\nsecond archived\n"
    });
    // Also if there is no other, whoever looks.
    rig.ok(&["set", "-s", "max-total", "1"]);
    look(&rig);
    assert!(
        states(&rig).contains("first hibernated"),
        "{}",
        states(&rig)
    );
    let terminal = rig.attach(&["attach", "-t", "first"], (24, 80));
    terminal.wait_for_prompt();
}

#[test]
fn memory_pressure_puts_to_sleep_what_nobody_needs() {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    let terminal = rig.attach(&["new", "-s", "seen"], (24, 80));
    terminal.wait_for_prompt();
    for name in ["busy", "idle", "pinned"] {
        begin(&rig, name);
    }
    enter(&rig, "busy", "sleep 1000");
    rig.wait_until("a program", || {
        ask(&rig, "busy", "#{pane_current_command}") == "sleep"
    });
    rig.ok(&["pin", "-t", "pinned"]);
    let pressure = |some: &str| {
        let text = format!("some avg10={some} avg60=0.00 avg300=0.00 total=0\n");
        rig.write("run/shellkeep/default.pressure", &text);
    };
    pressure("9.99");
    look(&rig);
    assert!(!states(&rig).contains("hibernated"), "{}", states(&rig));
    pressure("50.00");
    look(&rig);
    rig.wait_until("it to sleep", || is_asleep(&rig, "idle"));
    assert_eq!(
        states(&rig),
        "busy active\nidle hibernated\npinned active\nseen active\n"
    );
}

#[test]
fn output_that_nobody_has_seen_is_spared_if_that_is_wanted() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    rig.ok(&["start-server"]);
    begin(&rig, "unread");
    rig.ok(&["set", "-g", "spare-unread", "on"]);
    let terminal = rig.attach(&["new", "-s", "read"], (24, 80));
    terminal.wait_for_prompt();
    terminal.keys("C-b d");
    let refused = rig.run(&["hibernate", "-t", "unread"]).fails();
    assert!(refused.contains("nobody has seen its output"), "{refused}");
    rig.ok(&["set", "-g", "hibernate-after", "1s"]);
    rig.wait_until("it to sleep", || is_asleep(&rig, "read"));
    assert!(!is_asleep(&rig, "unread"));
    rig.ok(&["set", "-g", "spare-unread", "off"]);
    rig.wait_until("it to sleep", || is_asleep(&rig, "unread"));
}

#[test]
fn idle_time_chooses_what_was_left_alone_for_so_long() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    rig.ok(&["start-server"]);
    let terminal = rig.attach(&["new", "-s", "seen"], (24, 80));
    terminal.wait_for_prompt();
    begin(&rig, "old");
    assert_eq!(rig.ok(&["hibernate", "--idle", "1h"]), "");
    assert_eq!(rig.ok(&["hibernate", "-a", "--idle", "1h"]), "");
    let refused = rig.run(&["hibernate", "--idle", "1h", "-t", "old"]).fails();
    assert!(refused.contains("was used just now"), "{refused}");
    rig.wait_until("a second to be over", || {
        terminal.keys("Enter");
        let told = rig.ok(&["hibernate", "--idle", "1s"]);
        assert!(!told.contains("seen"), "{told}");
        told.starts_with("old:0.0: asleep")
    });
    assert_eq!(states(&rig), "old hibernated\nseen active\n");
    let bad = rig.run(&["hibernate", "--idle", "soon"]).fails();
    assert!(bad.contains("bad time: soon"), "{bad}");
}

#[test]
fn fifty_sleeping_sessions_take_no_terminal_no_descriptor_and_no_wakeup() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    let sleeping = |count: usize| {
        rig.wait_until("all of them to sleep", || {
            rig.ok(&["hibernate", "-a"]);
            states(&rig).matches("hibernated").count() == count
        });
    };
    begin(&rig, "s0");
    // What the server opens once for all panes, when the first of them echoes something.
    enter(&rig, "s0", "echo warm");
    wait_for_text(&rig, "s0", "\nwarm\n$");
    sleeping(1);
    let both = [rig.server(), rig.keeper()];
    let descriptors = || both.map(|process| process.descriptors().len());
    quiet(&rig, both);
    let one = descriptors();
    let names: Vec<String> = (1..50).map(|number| format!("s{number}")).collect();
    let mut argv = Vec::new();
    for name in &names {
        argv.extend(["new", "-d", "-s", name, ";"]);
    }
    rig.ok(&argv);
    sleeping(50);
    quiet(&rig, both);
    let open = both.map(|process| process.descriptors());
    assert_eq!(descriptors(), one, "server and keeper: {open:?}");
    for process in both {
        let mut paths = process.descriptors().into_iter().map(|(_, path)| path);
        assert!(
            !paths.any(|path| path.to_string_lossy().contains("pt")
                && path.starts_with("/dev")
                && !path.ends_with("null")),
            "{process} holds a terminal"
        );
    }
    // A list and a status line read them, and wake nobody.
    assert_eq!(rig.ok(&["ls"]).matches("(hibernated)").count(), 50);
    rig.ok(&["ls", "--json"]);
    quiet(&rig, both);
    assert_eq!(descriptors(), one);
}

#[test]
fn timer_far_off_wakes_nobody_before() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    rig.ok(&["start-server"]);
    for name in ["one", "two", "asleep"] {
        begin(&rig, name);
    }
    hibernate(&rig, "asleep");
    // Each has a time of its own, and there is one timer, for the first of them.
    rig.ok(&["set", "-g", "hibernate-after", "1h"]);
    rig.ok(&["set", "-t", "two", "hibernate-after", "2h"]);
    let both = [rig.server(), rig.keeper()];
    quiet(&rig, both);
}

#[test]
fn agent_is_reached_through_a_link_that_follows_who_attaches() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    let link = rig.path("run/shellkeep/default.agents/0");
    let points_at = || std::fs::read_link(&link).unwrap_or_default();
    let attach = |env: &[(&str, &str)]| {
        let program = rig.command(&[]).get_program().to_owned();
        let program = program.to_string_lossy().into_owned();
        let terminal = rig.start(&[&program, "attach", "-t", "work"], env, (24, 80));
        terminal.wait_for_prompt();
        terminal
    };
    let mut command = rig.command(&["new", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    command
        .env("SSH_AUTH_SOCK", "/tmp/agent-one")
        .env("DISPLAY", ":1");
    rig.finish(command).ok();
    wait_for_prompt(&rig, "work");
    assert_eq!(points_at().to_str(), Some("/tmp/agent-one"));
    let seen = format!("\nsees {} :1\n", link.display());
    enter(&rig, "work", "echo sees $SSH_AUTH_SOCK $DISPLAY");
    wait_for_text(&rig, "work", &seen);
    // What is told of the session is the agent itself, as in tmux.
    let shown = rig.ok(&["show-environment", "-t", "work", "SSH_AUTH_SOCK"]);
    assert_eq!(shown, "SSH_AUTH_SOCK=/tmp/agent-one\n");

    let terminal = attach(&[("SSH_AUTH_SOCK", "/tmp/agent-two"), ("DISPLAY", ":2")]);
    rig.wait_until("the other agent", || {
        points_at().to_str() == Some("/tmp/agent-two")
    });
    rig.ok(&["new-window", "-t", "work"]);
    wait_for_prompt(&rig, "work");
    enter(&rig, "work", "echo sees $SSH_AUTH_SOCK $DISPLAY");
    wait_for_text(&rig, "work", &seen.replace(":1", ":2"));
    drop(terminal);

    // Somebody without an agent leaves the one that is there to those who run.
    let terminal = attach(&[]);
    let shown = rig.ok(&["show-environment", "-t", "work", "DISPLAY"]);
    assert_eq!(shown, "-DISPLAY\n");
    assert_eq!(points_at().to_str(), Some("/tmp/agent-two"));
    drop(terminal);

    // From within, the link is all that is known: it must not point at itself.
    let path = link.to_string_lossy().into_owned();
    let terminal = attach(&[("SSH_AUTH_SOCK", &path)]);
    assert_eq!(points_at().to_str(), Some("/tmp/agent-two"));
    drop(terminal);
    let shown = rig.ok(&["show-environment", "-t", "work", "SSH_AUTH_SOCK"]);
    assert_eq!(shown, "SSH_AUTH_SOCK=/tmp/agent-two\n");

    hibernate(&rig, "work:1");
    rig.ok(&["restore", "-t", "work:1"]);
    enter(&rig, "work:1", "echo woken with $SSH_AUTH_SOCK");
    wait_for_text(&rig, "work:1", &format!("\nwoken with {path}\n"));

    rig.ok(&["new", "-d", "-s", "other"]);
    rig.ok(&["kill-session", "-t", "work"]);
    assert!(!link.is_symlink());
}

#[test]
fn private_directories_of_panes_go_with_them() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    let shells = rig.path("run/shellkeep/default.shells");
    let there = |name: &str| shells.join(name).is_dir();
    for name in ["first", "second", "third"] {
        begin(&rig, name);
    }
    assert!(there("0") && there("1") && there("2"));
    rig.ok(&["kill-session", "-t", "first"]);
    assert!(!there("0"));
    enter(&rig, "second", "exit");
    rig.wait_until("the second's end", || !there("1"));
    // Whatever a server that died has left.
    std::fs::create_dir_all(shells.join("77/revive")).unwrap();
    std::fs::create_dir_all(shells.join("mine")).unwrap();
    rig.server().kill_9();
    rig.ok(&["ls"]);
    assert!(!there("77") && there("mine") && there("scripts") && there("2"));
    hibernate(&rig, "third");
    rig.ok(&["restore", "-t", "third"]);
    rig.ok(&["kill-session", "-t", "third"]);
    assert!(!there("2"));
}
