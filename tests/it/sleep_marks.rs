//! How sleep is shown: in lists, in the status line and in the chooser.

use shellkeep_testkit::real::{Rig, Terminal};

use crate::hibernate::{
    ask, begin, enter, hibernate, is_asleep, rig_with, wait_for_command, wait_for_prompt,
};

fn with_status() -> Option<Rig> {
    let rig = rig_with("bash")?;
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g default-shell /usr/bin/bash\nset -g status-right ''\nset -g automatic-rename off\n",
    );
    Some(rig)
}

/// `ls` as somebody at a terminal sees it.
fn list_on_a_terminal(rig: &Rig, args: &[&str]) -> String {
    let program = rig.command(&[]).get_program().to_owned();
    let program = program.to_string_lossy().into_owned();
    let mut terminal = rig.start(&[&[program.as_str()], args].concat(), &[], (24, 160));
    assert_eq!(terminal.wait_exit(), 0);
    terminal.text()
}

/// A session of each kind, of which the sizes are known.
fn all_kinds() -> Option<Rig> {
    let rig = rig_with("bash")?;
    for name in ["busy", "idle", "pinned", "asleep", "gone"] {
        begin(&rig, name);
    }
    enter(&rig, "busy", "sleep 1000");
    wait_for_command(&rig, "busy", "sleep");
    rig.ok(&["pin", "-t", "pinned"]);
    hibernate(&rig, "asleep");
    rig.ok(&["archive", "-t", "gone"]);
    // The disk is not looked at while somebody waits: sizes are known when they were measured.
    rig.wait_until("sizes", || {
        let sizes = rig.ok(&["ls", "-F", "#{session_disk_size}"]);
        sizes.lines().all(|size| size.parse().unwrap_or(0) > 0)
    });
    Some(rig)
}

/// People are told of age, use, size and why it is awake.
fn list_for_people(rig: &Rig) {
    let shown = list_on_a_terminal(rig, &["ls", "-a"]);
    let line = |name: &str| {
        let mut lines = shown.lines().filter(|line| line.starts_with(name));
        lines.next().unwrap_or_else(|| panic!("{shown}")).to_owned()
    };
    for name in ["busy", "idle", "pinned", "asleep", "gone"] {
        let line = line(name);
        assert!(line.starts_with(&format!("{name}: 1 windows")), "{line}");
        assert!(!line.contains("created"), "{line}");
        assert!(
            line.contains("s old, used ") && line.contains("s ago, "),
            "{line}"
        );
        assert!(line.contains(" KB"), "{line}");
    }
    assert!(line("busy").ends_with("; runs: sleep 1000]"), "{shown}");
    assert!(line("idle").ends_with(" KB]"), "{shown}");
    assert!(line("pinned").ends_with("; pinned]"), "{shown}");
    assert!(line("asleep").contains(" (hibernated) ["), "{shown}");
    assert!(line("gone").contains(" (archived "), "{shown}");

    // Scripts get tmux's line, and what is not awake behind it.
    let piped = rig.ok(&["ls"]);
    for line in piped.lines() {
        let is_tmux = line.ends_with(')') && !line.contains('[');
        assert!(is_tmux, "{line}");
    }
    assert!(piped.contains(" (hibernated)\n"), "{piped}");
}

/// The same facts for what runs, sleeps and is archived.
fn list_in_json(rig: &Rig) {
    let json = rig.ok(&["ls", "-a", "--json"]);
    let sessions: serde_json::Value = serde_json::from_str(&json).unwrap();
    let of = |name: &str| {
        let mut all = sessions.as_array().unwrap().iter();
        all.find(|one| one["session_name"] == name).unwrap().clone()
    };
    for (name, state, busy) in [
        ("busy", "active", "runs: sleep 1000"),
        ("idle", "active", ""),
        ("pinned", "active", "pinned"),
        ("asleep", "hibernated", ""),
    ] {
        assert_eq!(of(name)["session_state"], state, "{name}");
        assert_eq!(of(name)["session_busy"], busy, "{name}");
        assert!(of(name)["session_disk_size"].as_u64() > Some(0), "{name}");
        assert!(of(name)["session_age"].as_u64() < Some(600), "{name}");
        assert!(of(name)["session_idle"].as_u64() < Some(600), "{name}");
        assert_eq!(of(name)["session_attached"], 0, "{name}");
        assert_eq!(of(name)["session_pinned"], name == "pinned");
    }
    let gone = of("gone");
    assert_eq!(gone["session_state"], "archived");
    assert!(gone["session_archive_id"].is_string(), "{gone}");
    assert!(gone["session_disk_size"].as_u64() > Some(0), "{gone}");
    let fields = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(fields(&gone), fields(&of("idle")));
    let filtered = rig.ok(&[
        "ls",
        "-a",
        "--json",
        "-f",
        "#{==:#{session_state},archived}",
    ]);
    let filtered: serde_json::Value = serde_json::from_str(&filtered).unwrap();
    assert_eq!(filtered.as_array().map(Vec::len), Some(1));
}

#[test]
fn lists_have_the_facts_of_what_runs_sleeps_and_is_archived() {
    let Some(rig) = all_kinds() else {
        return;
    };
    list_for_people(&rig);
    list_in_json(&rig);
    // The next server knows sizes at once.
    rig.server().kill_9();
    let size = ask(&rig, "asleep", "#{session_disk_size}");
    assert!(size.parse().unwrap_or(0) > 0, "{size:?}");
}

fn flags(rig: &Rig) -> String {
    let flags = rig.ok(&["list-windows", "-t", "work", "-F", "#{window_flags}"]);
    flags.trim_end().replace('\n', " ")
}

#[test]
fn windows_that_sleep_and_that_came_back_are_marked() {
    let Some(rig) = with_status() else {
        return;
    };
    let terminal = rig.attach(&["new", "-s", "work", "-n", "one"], (24, 80));
    terminal.wait_for_text("0:one*");
    rig.ok(&["new-window", "-d", "-t", "work", "-n", "two"]);
    wait_for_prompt(&rig, "work:two");
    hibernate(&rig, "work:two");
    terminal.wait_for_text("0:one* 1:twoz");
    assert_eq!(flags(&rig), "* z");
    assert_eq!(
        ask(&rig, "work:two", "#{window_hibernated}#{window_revived}"),
        "10"
    );
    rig.ok(&["select-window", "-t", "work:two"]);
    terminal.wait_for_text("0:one- 1:two*r");
    assert_eq!(
        ask(&rig, "work:two", "#{pane_hibernated}#{pane_revived}"),
        "01"
    );
    // It fades with the first command.
    terminal.enter("true");
    terminal.wait_until("no mark", |screen| {
        screen.row(23).trim_end().ends_with("0:one- 1:two*")
    });
    assert_eq!(flags(&rig), "- *");
    // One that sleeps in a window that does not is marked by itself.
    rig.ok(&["split-window", "-d", "-t", "work:one"]);
    wait_for_prompt(&rig, "work:one.1");
    hibernate(&rig, "work:one.1");
    assert_eq!(flags(&rig), "- *");
    // A zoomed window that sleeps has both letters.
    rig.ok(&["resize-pane", "-Z", "-t", "work:one.0"]);
    hibernate(&rig, "work:one.0");
    assert_eq!(flags(&rig), "-Zz *");
}

fn open_chooser(terminal: &Terminal) {
    terminal.keys("C-b s");
    terminal.wait_for_text("(0)");
}

#[test]
fn chooser_puts_to_sleep_and_wakes_one_and_all_that_are_tagged() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    let terminal = rig.attach(&["new", "-s", "front"], (24, 80));
    terminal.wait_for_prompt();
    for name in ["idle", "other", "runs"] {
        begin(&rig, name);
    }
    enter(&rig, "runs", "sleep 1000");
    wait_for_command(&rig, "runs", "sleep");
    open_chooser(&terminal);
    terminal.keys("Down z");
    rig.wait_until("it to sleep", || is_asleep(&rig, "idle"));
    terminal.wait_for_text("idle: 1 windows (hibernated)");
    terminal.keys("w");
    rig.wait_until("it awake", || !is_asleep(&rig, "idle"));
    // What cannot sleep says why; what somebody looks at would be back at once.
    terminal.keys("G z");
    terminal.wait_for_text("Stays awake: runs:0.0: runs: sleep 1000");
    terminal.keys("g z");
    terminal.wait_for_text("Stays awake: front:0.0: somebody looks at it");
    terminal.keys("g Down t t Z");
    rig.wait_until("both to sleep", || {
        is_asleep(&rig, "idle") && is_asleep(&rig, "other")
    });
    terminal.keys("W");
    rig.wait_until("both awake", || {
        !is_asleep(&rig, "idle") && !is_asleep(&rig, "other")
    });
    assert!(!is_asleep(&rig, "front") && !is_asleep(&rig, "runs"));
}
