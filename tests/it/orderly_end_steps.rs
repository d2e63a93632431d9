//! Server and keeper are killed at every step of an orderly end. Every session is there afterwards with all that it has shown, and every shell as it
//! was when the end began, or as it was captured before.

use std::process::Child;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig};

use crate::hibernate::{ask, assignment, begin, enter, rig_with, stopped_server, wait_for_text};
use crate::keeping::everything;
use crate::side_by_side;

/// In the order in which an end comes to them.
const STEPS: [&str; 9] = [
    "capture-asked",
    "capture-told",
    "end-captured",
    "capture-written",
    "end-saved",
    "end-begun",
    "leaving",
    "end-written",
    "end-told",
];

/// From this step on a shell is as it was when the end began.
const CAPTURED: &str = "capture-written";

/// How the end begins; the client that asks for it, if one does.
type Begin = fn(&Rig, step: &str) -> (Process, Option<Child>);

fn terminate(rig: &Rig, step: &str) -> (Process, Option<Child>) {
    rig.write("run/shellkeep/default.stop-at", step);
    let server = rig.server();
    server.signal(Signal::SIGTERM);
    rig.wait_until(&format!("the server to stop at {step:?}"), || {
        server.is_stopped()
    });
    (server, None)
}

fn keep(rig: &Rig, step: &str) -> (Process, Option<Child>) {
    let (server, client) = stopped_server(rig, step, &["kill-server", "--keep"]);
    (server, Some(client))
}

fn archive(rig: &Rig, step: &str) -> (Process, Option<Child>) {
    let (server, client) = stopped_server(rig, step, &["kill-server"]);
    (server, Some(client))
}

fn close(rig: &Rig, step: &str) -> (Process, Option<Child>) {
    let (server, client) = stopped_server(rig, step, &["kill-session", "-t", "work"]);
    (server, Some(client))
}

/// Has a session again that an end may have archived.
fn have_again(rig: &Rig, name: &str, case: &str) {
    let listed = rig.ok(&["ls", "-a", "-F", "<#{session_name}|#{session_state}>"]);
    let states = listed.matches(&format!("<{name}|")).count();
    assert_eq!(states, 1, "{case}: {listed}");
    if listed.contains(&format!("<{name}|archived>")) {
        rig.ok(&["reopen", name]);
    }
}

/// A way to end: in which shell it is looked at, the steps that it comes to, and what begins it.
type Row = (&'static str, &'static [&'static str], Begin);

fn both_die_at_every_step(how: &str, (shell, steps, end): &Row) {
    let Some(rig) = rig_with(shell) else {
        return;
    };
    begin(&rig, "work");
    rig.open_saying("other", "text-of-other");
    let mut shown = Vec::new();
    for step in *steps {
        let before = ask(&rig, "work", "#{pane_captured}");
        rig.ok(&["set", "-g", "capture-after", "1s"]);
        enter(
            &rig,
            "work",
            &assignment(shell, "mine", &format!("before-{step}")),
        );
        rig.wait_until("a capture", || {
            ask(&rig, "work", "#{pane_captured}") != before
        });
        rig.ok(&["set", "-g", "capture-after", "1h"]);
        let line = format!(
            "{}; echo shown-$mine",
            assignment(shell, "mine", &format!("after-{step}"))
        );
        enter(&rig, "work", &line);
        shown.push(format!("shown-after-{step}"));
        wait_for_text(&rig, "work", &format!("\nshown-after-{step}\n$"));
        let keeper = rig.keeper();
        let (server, client) = end(&rig, step);
        // The client first: it would ask the next server again.
        if let Some(mut client) = client {
            let _ = client.kill();
            client.wait().unwrap();
        }
        keeper.signal(Signal::SIGKILL);
        server.signal(Signal::SIGKILL);
        server.wait_gone();
        keeper.wait_gone();
        for name in ["work", "other"] {
            have_again(&rig, name, step);
        }
        assert!(
            everything(&rig, "other").contains("text-of-other"),
            "{step}"
        );
        let text = everything(&rig, "work");
        // A fish colours what is typed, up to the line behind it.
        let is_there = |line: &String| text.contains(line);
        assert!(shown.iter().all(is_there), "{step}: {text}");
        rig.ok(&["restore", "-t", "work"]);
        enter(&rig, "work", "echo then-$mine-$mine");
        let [old, new] =
            ["before", "after"].map(|when| format!("\nthen-{when}-{step}-{when}-{step}\n"));
        let has_been =
            STEPS.iter().position(|it| it == step) >= STEPS.iter().position(|it| *it == CAPTURED);
        let what = format!("{shell} as it was when the server was killed at {step} of {how}");
        rig.wait_for_pane(&what, "work", |text| {
            text.contains(&new) || !has_been && text.contains(&old)
        });
    }
}

#[test]
fn both_killed_at_every_step_of_an_orderly_end_keep_every_shell() {
    if !cfg!(debug_assertions) {
        return;
    }
    let rows: [(&str, Row); 6] = [
        ("SIGTERM to bash", ("bash", &STEPS, terminate)),
        ("SIGTERM to zsh", ("zsh", &STEPS, terminate)),
        ("SIGTERM to fish", ("fish", &STEPS, terminate)),
        ("kill-server --keep", ("bash", &STEPS, keep)),
        ("kill-server", ("bash", &STEPS, archive)),
        ("kill-session", ("bash", &STEPS[..4], close)),
    ];
    side_by_side(&rows, both_die_at_every_step);
}
