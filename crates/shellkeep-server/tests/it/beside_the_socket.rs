//! What lies beside the server's socket for panes and sessions, and goes with them: private directories of shells, and links to ssh
//! agents.

use std::path::PathBuf;

use shellkeep_testkit::virtual_rig::Rig;

fn ok(rig: &Rig, argv: &[&str]) -> String {
    let finished = rig.run(argv);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    finished.stdout
}

fn beside(rig: &Rig, suffix: &str) -> PathBuf {
    let mut path = rig.socket().into_os_string();
    path.push(suffix);
    path.into()
}

#[test]
fn private_directories_of_panes_go_with_them() {
    let rig = Rig::with_shells("set -g default-shell /bin/bash");
    let shells = beside(&rig, ".shells");
    let there = |name: &str| shells.join(name).is_dir();
    for name in ["first", "second", "third"] {
        ok(&rig, &["new", "-d", "-s", name]);
    }
    assert!(there("0") && there("1") && there("2"));
    ok(&rig, &["kill-session", "-t", "first"]);
    assert!(!there("0"));
    rig.pty(1).exits(0);
    assert!(!there("1"));
    // Whatever a server that died has left.
    std::fs::create_dir_all(shells.join("77/revive")).unwrap();
    std::fs::create_dir_all(shells.join("mine")).unwrap();
    rig.crash_server();
    assert!(!there("77") && there("mine") && there("scripts") && there("2"));
}

/// A variable that the program started last has.
fn variable(rig: &Rig, name: &str) -> String {
    let spawned = rig.spawned().pop().expect("a program");
    let start = format!("{name}=");
    let mut values = spawned.environ.iter();
    let value = values.find_map(|entry| entry.strip_prefix(start.as_bytes()));
    String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
}

#[test]
fn agent_is_reached_through_a_link_that_follows_who_attaches() {
    let rig = Rig::with_shells("");
    let link = beside(&rig, ".agents").join("0");
    let path = link.to_string_lossy().into_owned();
    let points_at = || {
        let agent = std::fs::read_link(&link).unwrap_or_default();
        agent.to_string_lossy().into_owned()
    };
    let shown = |name: &str| ok(&rig, &["show-environment", "-t", "work", name]);
    let attach = |variables: &[&str]| {
        let variables = [&["TERM=xterm"], variables].concat();
        rig.attach_mute(&["attach", "-t", "work"], &variables)
    };
    let new = ["new", "-d", "-s", "work"];
    let one = ["SSH_AUTH_SOCK=/tmp/agent-one", "DISPLAY=:1"];
    assert_eq!(rig.run_with_variables(&new, &one).status, Some(0));
    assert_eq!(points_at(), "/tmp/agent-one");
    let seen = || ["SSH_AUTH_SOCK", "DISPLAY"].map(|name| variable(&rig, name));
    assert_eq!(seen(), [&path, ":1"]);
    // What is told of the session is the agent itself, as in tmux.
    let agent = "SSH_AUTH_SOCK=/tmp/agent-one\n";
    assert_eq!(shown("SSH_AUTH_SOCK"), agent);

    let ann = attach(&["SSH_AUTH_SOCK=/tmp/agent-two", "DISPLAY=:2"]);
    assert_eq!(points_at(), "/tmp/agent-two");
    ok(&rig, &["new-window", "-t", "work"]);
    assert_eq!(seen(), [&path, ":2"]);
    drop(ann);

    // Somebody without an agent leaves the one that is there to those who run.
    let ann = attach(&[]);
    assert_eq!(shown("DISPLAY"), "-DISPLAY\n");
    assert_eq!(points_at(), "/tmp/agent-two");
    drop(ann);

    // From within, the link is all that is known: it must not point at itself.
    let ann = attach(&[&format!("SSH_AUTH_SOCK={path}")]);
    assert_eq!(points_at(), "/tmp/agent-two");
    drop(ann);
    let agent = "SSH_AUTH_SOCK=/tmp/agent-two\n";
    assert_eq!(shown("SSH_AUTH_SOCK"), agent);

    ok(&rig, &["new", "-d", "-s", "other"]);
    ok(&rig, &["kill-session", "-t", "work"]);
    assert!(!link.is_symlink());
}
