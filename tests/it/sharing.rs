//! The state directory is not one server's alone: an earlier version has written it, or another server writes beside this one.

use std::process::Command;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig, Role};

use crate::faults::{Dice, assert_no_panic, copy_tree, rounds};
use crate::keeping::{everything, kill_both};
use crate::{is_installed, rig};

#[test]
fn store_that_version_one_has_written_is_taken_up_whole() {
    if !is_installed("bash") {
        return;
    }
    let rig = rig();
    // It gets older every day.
    let config = "set -g status off\nset -s archive-after 0\nset -s archive-keep 0\n";
    rig.write("config/shellkeep/shellkeep.conf", config);
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/v1");
    let state = rig.path("state/shellkeep");
    copy_tree(kept.as_ref(), &state);
    let mut chmod = Command::new("chmod");
    let chmod = chmod.args(["-R", "go="]).arg(&state).status();
    assert!(chmod.unwrap().success());
    let listed = rig.ok(&["ls", "-a", "-F", "#{session_name} #{session_windows}"]);
    assert_eq!(listed, "agent 1\nwork 2\nclosed 1\n");
    let shape = "#{session_name} #{window_name} #{window_layout} #{pane_index}";
    assert_eq!(
        rig.ok(&["list-panes", "-a", "-F", shape]),
        "agent cat a4a0,90x30,0,0,3 0\n\
         work first 8205,80x24,0,0{40x24,0,0,0,39x24,41,0,1} 0\n\
         work first 8205,80x24,0,0{40x24,0,0,0,39x24,41,0,1} 1\n\
         work second b25f,80x24,0,0,2 0\n"
    );
    let option = |name: &str| rig.ok(&["show", "-v", "-t", "work", name]);
    assert_eq!(option("status-left") + &option("@note"), "mine\nkept\n");
    let text = everything(&rig, "work:first.0");
    let lines = (1..=100).map(|number| format!("\n{number}\n"));
    for line in lines.chain(["\u{1b}[35mviolet\u{1b}[39m teal".to_owned()]) {
        assert!(text.contains(&line), "{line:?} in {text}");
    }
    assert!(everything(&rig, "work:second").starts_with("in-second\n"));
    assert!(everything(&rig, "agent").starts_with("from-agent\ntyped\ntyped\n"));
    assert_eq!(rig.ok(&["show-buffer"]), "copied");
    assert_eq!(rig.ok(&["show-buffer", "-b", "named"]), "by hand");
    // Its shell comes back as it was.
    let pane = "work:first.0";
    rig.enter(pane, "say $PWD-$COLOUR");
    rig.wait_for_pane("its state", pane, |text| text.contains("whole-/usr-teal"));
    assert_eq!(rig.ok(&["reopen", "closed"]), "closed\n");
    assert!(everything(&rig, "closed").starts_with("from-closed\n"));
    // And what this version has written on top of it is read again.
    kill_both(&rig);
    assert!(everything(&rig, pane).contains("whole-/usr-teal"));
    let listed = rig.ok(&["ls", "-F", "#{session_name}"]);
    assert_eq!(listed, "agent\nclosed\nwork\n");
    assert_no_panic(&rig);
    assert!(!state.join("quarantine").read_dir().unwrap().any(|_| true));
}

const LABELS: [&str; 2] = ["left", "right"];

/// The keeper of this label's server.
fn keeper_of(rig: &Rig, label: &str) -> Process {
    let socket = rig.path(&format!("run/shellkeep/{label}.keeper"));
    rig.wait_for("its keeper", || {
        let stats = rig.ok(&["-L", label, "stats", "--json"]);
        let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
        let pid = stats["keeper"]["pid"].as_i64()?;
        assert!(socket.exists());
        Process::find(i32::try_from(pid).ok()?)
    })
}

#[test]
fn servers_of_two_labels_share_a_state_directory_and_lose_nothing_of_either() {
    let rig = rig();
    let list = |label: &str| rig.ok(&["-L", label, "ls", "-F", "#{session_name}"]);
    for label in LABELS {
        // The same name in both.
        let print = format!("echo from-{label}; exec cat");
        let new = ["-L", label, "new", "-d", "-s", "work", "--", "sh", "-c"];
        rig.ok(&[&new[..], &[&print]].concat());
        rig.ok(&["-L", label, "set-buffer", label]);
    }
    let mut dice = Dice::new(271);
    let mut made = [vec!["work".to_owned()], vec!["work".to_owned()]];
    for round in 0..rounds(8) {
        // Both write, and so does the catalogue of both.
        for (label, made) in LABELS.iter().zip(&mut made) {
            let name = format!("x{round}");
            rig.ok(&["-L", label, "new", "-d", "-s", &name, "--", "cat"]);
            made.push(name);
        }
        if round % 3 == 1 {
            let _ = std::fs::remove_file(rig.path("state/shellkeep/catalogue.db"));
        }
        // One of them dies, with its keeper or without; the other one works on.
        let (victim, other) = match dice.below(2) {
            0 => (0, 1),
            _ => (1, 0),
        };
        let server = rig.find_server_of(LABELS[victim]).unwrap();
        let lives = rig.find_server_of(LABELS[other]).unwrap();
        if dice.below(2) == 0 {
            keeper_of(&rig, LABELS[victim]).signal(Signal::SIGKILL);
        }
        server.kill_9();
        for (label, made) in LABELS.iter().zip(&mut made) {
            made.sort();
            let there = list(label);
            assert_eq!(there.lines().collect::<Vec<_>>(), *made, "{label} {round}");
            let text = rig.ok(&["-L", label, "capture-pane", "-p", "-t", "work"]);
            assert!(text.starts_with(&format!("from-{label}\n")), "{text}");
            let shown = rig.ok(&["-L", label, "show-buffer"]);
            assert_eq!(shown, *label);
        }
        assert!(lives.is_alive());
    }
    rig.wait_until("one keeper each", || {
        rig.processes_of(Role::Keeper).len() == 2
    });
    for label in LABELS {
        let log = rig.read(&format!("state/shellkeep/{label}.log"));
        assert!(!log.contains("panic"), "{log}");
    }
}
