//! Who sleeps, and who is archived, without being asked to; and what it costs.

use std::time::Duration;

use shellkeep_testkit::real::{Process, Rig, nothing_happens_for};

use crate::hibernate::{
    begin, enter, hibernate, is_asleep, rig_with_config, wait_for_command, wait_for_prompt,
    wait_for_text,
};

/// A world in which nobody sleeps for a reason that is not under test.
fn rig_of_the_wakeful() -> Option<Rig> {
    rig_with_config("bash", "set -g hibernate-after 0\nset -s max-active 0\n")
}

fn states(rig: &Rig) -> String {
    rig.ok(&["ls", "-a", "-F", "#{session_name} #{session_state}"])
}

#[track_caller]
fn wait_for_states(rig: &Rig, wanted: &str) {
    let mut seen = String::new();
    let what = format!("the states {wanted:?}");
    rig.wait_until(&what, || {
        seen = states(rig);
        seen == wanted
    });
}

/// Has the server look who may sleep, and waits until it has: somebody whose time is up sleeps with that look.
fn look(rig: &Rig) {
    begin(rig, "marker");
    rig.ok(&["set", "-t", "marker", "hibernate-after", "1s"]);
    rig.wait_until("a look", || is_asleep(rig, "marker"));
    forget(rig, "marker");
}

fn forget(rig: &Rig, name: &str) {
    rig.ok(&["forget", "-y", "-t", name]);
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
fn sleeper_is_archived_after_the_time_set_by_the_server_that_runs_or_the_next() {
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
    wait_for_states(&rig, "awake active\npinned hibernated\nsleeps archived\n");

    // Nobody does anything but this: the time is over when the next server is there.
    rig.ok(&["set", "-s", "archive-after", "0"]);
    begin(&rig, "later");
    hibernate(&rig, "later");
    for name in ["awake", "pinned", "sleeps"] {
        forget(&rig, name);
    }
    let server = rig.server();
    rig.ok(&["set", "-s", "exit-empty", "off"]);
    let mut config = rig.read("config/shellkeep/shellkeep.conf");
    config.push_str("set -s archive-after 1s\nset -s exit-empty off\n");
    rig.write("config/shellkeep/shellkeep.conf", &config);
    server.kill_9();
    wait_for_states(&rig, "later archived\n");
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
    wait_for_states(&rig, "second hibernated\nthird active\nfirst archived\n");
    Some(rig)
}

#[test]
fn sessions_beyond_the_number_are_archived_but_for_new_ones() {
    let Some(rig) = rig_with_one_too_many() else {
        return;
    };
    // Those of the last hour are not archived for their number.
    for name in ["new", "newer"] {
        begin(&rig, name);
        hibernate(&rig, name);
    }
    rig.ok(&["set", "-s", "max-total", "1"]);
    rig.wait_until("the old one in the archive", || {
        let states = states(&rig);
        states.starts_with("new hibernated\nnewer hibernated\nthird active\n")
            && states.contains("second archived")
    });
    // What runs is not archived, whatever the limits are.
    rig.ok(&["set", "-s", "max-active", "1"]);
    for name in ["fourth", "fifth"] {
        begin(&rig, name);
        enter(&rig, name, "sleep 1000");
    }
    let all_are_there = || {
        look(&rig);
        let left = states(&rig);
        let there = "fifth active\nfourth active\nnew hibernated\nnewer hibernated\n";
        assert!(left.starts_with(there), "{left}");
    };
    all_are_there();
    // Whoever made them is not known to the next server, either.
    rig.server().kill_9();
    all_are_there();
}

#[test]
fn reopened_session_does_not_go_back_into_the_archive_at_once() {
    let Some(rig) = rig_with_one_too_many() else {
        return;
    };
    rig.ok(&["reopen", "first"]);
    // Another in its place.
    wait_for_states(&rig, "first hibernated\nthird active\nsecond archived\n");
    // Also if there is no other, whoever looks.
    rig.ok(&["set", "-s", "max-total", "1"]);
    look(&rig);
    let left = states(&rig);
    assert!(left.contains("first hibernated"), "{left}");
    let terminal = rig.attach(&["attach", "-t", "first"], (24, 80));
    terminal.wait_for_prompt();
}

/// Memory pressure puts to sleep what nobody needs.
fn memory_is_short(rig: &Rig) {
    let pressure = |some: &str| {
        let text = format!("some avg10={some} avg60=0.00 avg300=0.00 total=0\n");
        rig.write("run/shellkeep/default.pressure", &text);
    };
    pressure("9.99");
    look(rig);
    assert!(!states(rig).contains("hibernated"), "{}", states(rig));
    pressure("50.00");
    look(rig);
    rig.wait_until("it to sleep", || is_asleep(rig, "idle"));
    assert_eq!(
        states(rig),
        "busy active\nidle hibernated\noff active\npinned active\nseen active\n"
    );
    pressure("0.00");
    rig.ok(&["restore", "-t", "idle"]);
    wait_for_prompt(rig, "idle");
}

/// More sessions than may be active sleep, and none is refused.
fn there_are_too_many(rig: &Rig) {
    for name in ["busy", "off"] {
        rig.ok(&["kill-session", "-t", name]);
    }
    rig.ok(&["set", "-s", "max-active", "3"]);
    for number in 0..6 {
        begin(rig, &format!("s{number}"));
    }
    rig.wait_until("three at most", || {
        let states = rig.ok(&["ls", "-F", "#{session_state}"]);
        states.matches("active").count() <= 3
    });
}

#[test]
fn idle_sessions_and_no_others_sleep_for_memory_time_and_number() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    let terminal = rig.attach(&["new", "-s", "seen"], (24, 80));
    terminal.wait_for_prompt();
    for name in ["busy", "pinned", "off", "idle"] {
        begin(&rig, name);
    }
    enter(&rig, "busy", "sleep 1000");
    wait_for_command(&rig, "busy", "sleep");
    rig.ok(&["pin", "-t", "pinned"]);
    rig.ok(&["set", "-t", "off", "hibernate", "off"]);
    if cfg!(debug_assertions) {
        memory_is_short(&rig);
    }
    rig.ok(&["set", "-g", "hibernate-after", "1s"]);
    rig.wait_until("it to sleep", || is_asleep(&rig, "idle"));
    // Whoever comes later sleeps, too; meanwhile all the others had time enough.
    begin(&rig, "later");
    rig.wait_until("it to sleep", || is_asleep(&rig, "later"));
    assert_eq!(
        states(&rig),
        "busy active\nidle hibernated\nlater hibernated\noff active\npinned active\nseen active\n"
    );
    drop(terminal);
    rig.wait_until("it to sleep once nobody looks", || is_asleep(&rig, "seen"));
    rig.ok(&["pin", "-u", "-t", "pinned"]);
    rig.wait_until("it to sleep once it is free", || is_asleep(&rig, "pinned"));
    rig.ok(&["set", "-g", "hibernate-after", "0"]);
    there_are_too_many(&rig);
}

/// Output that nobody has seen is spared if that is wanted.
fn unread_is_spared(rig: &Rig) {
    begin(rig, "unread");
    rig.ok(&["set", "-g", "spare-unread", "on"]);
    let terminal = rig.attach(&["new", "-s", "read"], (24, 80));
    terminal.wait_for_prompt();
    terminal.keys("C-b d");
    let refused = rig.run(&["hibernate", "-t", "unread"]).fails();
    assert!(refused.contains("nobody has seen its output"), "{refused}");
    rig.ok(&["set", "-g", "hibernate-after", "1s"]);
    rig.wait_until("it to sleep", || is_asleep(rig, "read"));
    assert!(!is_asleep(rig, "unread"));
    rig.ok(&["set", "-g", "spare-unread", "off"]);
    rig.wait_until("it to sleep", || is_asleep(rig, "unread"));
}

#[test]
fn time_chooses_what_was_left_alone_for_so_long_and_read() {
    let Some(rig) = rig_of_the_wakeful() else {
        return;
    };
    rig.ok(&["start-server"]);
    let terminal = rig.attach(&["new", "-s", "seen"], (24, 80));
    terminal.wait_for_prompt();
    begin(&rig, "old");
    rig.wait_until("a second to be over", || {
        terminal.keys("Enter");
        let told = rig.ok(&["hibernate", "--idle", "1s"]);
        assert!(!told.contains("seen"), "{told}");
        told.starts_with("old:0.0: asleep")
    });
    assert_eq!(states(&rig), "old hibernated\nseen active\n");
    unread_is_spared(&rig);
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
    rig.wait_until("as many descriptors as before", || descriptors() == one);
    // Those that are awake have a time each, and there is one timer, for the first of them: far off, it wakes nobody before.
    for name in ["one", "two"] {
        begin(&rig, name);
    }
    rig.ok(&["set", "-g", "hibernate-after", "1h"]);
    rig.ok(&["set", "-t", "two", "hibernate-after", "2h"]);
    quiet(&rig, both);
}
