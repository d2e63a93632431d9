//! What is kept may not be read or written by the user it belongs to. Root may everything, so that this runs as somebody else if it
//! can.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use shellkeep_testkit::real::Rig;
use tempfile::TempDir;

use crate::faults::{assert_no_panic, directory_of, file_below, names};
use crate::faults_disk::{wait_for_peace, wait_for_red, watch};
use crate::keeping::{everything, kill_both};
use crate::{rig, skip};

/// A user who owns nothing else.
const NOBODY: u32 = 65534;

/// A world whose user is not root; `None`, with a word why, where there is none to be.
pub(crate) fn ordinary() -> Option<(TempDir, Rig)> {
    let dir = tempfile::tempdir().unwrap();
    if !nix::unistd::geteuid().is_root() {
        return Some((dir, rig()));
    }
    let open = || Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path(), open()).unwrap();
    let (real, wrapper) = (dir.path().join("real"), dir.path().join("shellkeep"));
    // Where it is built others may not even look.
    std::fs::copy(crate::program(), &real).unwrap();
    let become_nobody = format!("setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups");
    let script = format!(
        "#!/bin/sh\nexec {become_nobody} {} \"$@\"\n",
        real.display()
    );
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, open()).unwrap();
    let works = Command::new(&wrapper).arg("-V").output();
    if !works.is_ok_and(|output| output.status.success()) {
        skip("nobody else can be become here");
        return None;
    }
    let rig = Rig::new(&wrapper);
    let mut chown = Command::new("chown");
    let chown = chown.arg("-R").arg(NOBODY.to_string()).arg(rig.path(""));
    assert!(chown.status().unwrap().success());
    Some((dir, rig))
}

fn permit(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Two sessions with checkpoints, histories and journals, and a copied text; what they show.
fn some_work(rig: &Rig) -> [String; 2] {
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g status off\nset -s exit-empty off\n",
    );
    for name in ["work", "other"] {
        let print = format!("seq 1 500; echo from-{name}; exec cat");
        rig.ok(&[
            "new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "sh", "-c", &print,
        ]);
        rig.wait_for_pane("its text", name, |text| {
            text.contains(&format!("from-{name}"))
        });
    }
    rig.ok(&["set-buffer", "copied"]);
    let server = rig.server();
    server.signal(nix::sys::signal::Signal::SIGTERM);
    server.wait_gone();
    rig.enter("work", "journalled");
    rig.wait_for_pane("its echo", "work", |text| {
        text.matches("journalled").count() == 2
    });
    shown(rig)
}

fn shown(rig: &Rig) -> [String; 2] {
    ["work", "other"].map(|name| everything(rig, name))
}

/// What the doctor says to type against missing permissions; the first that it says.
#[track_caller]
fn fix(rig: &Rig, what: &str) -> String {
    let output = rig.run(&["doctor", "--json"]);
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let checks = json["checks"].as_array().unwrap();
    let problems = checks.iter().filter(|check| check["status"] == "problem");
    let mut fixes = problems.map(|check| check["fix"].as_str().unwrap_or_default().to_owned());
    let fix = fixes.find(|fix| fix.starts_with("chmod "));
    fix.unwrap_or_else(|| panic!("{what}: {checks:#?}"))
}

/// Everything that may be refused: a name, and where it is.
fn places(rig: &Rig) -> Vec<PathBuf> {
    let state = rig.path("state/shellkeep");
    let work = directory_of(&state, "work");
    let pane = file_below(&work, "screen").unwrap();
    let pane = pane.parent().unwrap().to_owned();
    let history = pane.join("history");
    vec![
        rig.path("state"),
        state.clone(),
        state.join("store.json"),
        state.join("sessions"),
        state.join("buffers"),
        state.join("servers"),
        work.clone(),
        work.join("session.json"),
        pane,
        history,
    ]
}

#[test]
fn nothing_that_may_not_be_read_at_the_start_is_lost() {
    let Some((_dir, rig)) = ordinary() else {
        return;
    };
    let before = some_work(&rig);
    kill_both(&rig);
    for place in places(&rig) {
        let what = place.display().to_string();
        let mode = std::fs::metadata(&place).unwrap().permissions().mode();
        permit(&place, 0);
        // Whatever can be had is there, and whoever asks hears of the rest.
        let output = rig.run(&["ls", "-F", "#{session_name}"]);
        let (listed, said) = (output.stdout, output.stderr);
        assert!(
            listed == "other\nwork\n" || said.contains("(shellkeep doctor explains)"),
            "{what}: {listed}{said}"
        );
        let fix = fix(&rig, &what);
        rig.sh(&fix).ok();
        let now = std::fs::metadata(&place).unwrap().permissions().mode();
        assert_eq!(now & 0o600, mode & 0o600, "{what}: {fix}");
        rig.wait_until("both", || names(&rig).len() == 2);
        if !place.starts_with(rig.path("state/shellkeep/sessions")) {
            rig.wait_until("what was copied", || {
                rig.run(&["show-buffer"]).stdout == "copied"
            });
        }
        assert_eq!(shown(&rig), before, "{what}");
        assert_no_panic(&rig);
        kill_both(&rig);
    }
}

#[test]
fn nothing_that_may_not_be_written_for_a_while_is_lost() {
    let Some((_dir, rig)) = ordinary() else {
        return;
    };
    some_work(&rig);
    let terminal = watch(&rig, "work");
    let state = rig.path("state/shellkeep");
    let mut there: BTreeSet<String> = names(&rig);
    let folders = [
        state.join("sessions"),
        directory_of(&state, "work"),
        state.join("buffers"),
    ];
    for (number, folder) in folders.iter().enumerate() {
        let what = folder.display().to_string();
        permit(folder, 0o500);
        // A pane's output goes on into the file that is open; this is what needs another.
        let (window, late) = (format!("renamed{number}"), format!("late{number}"));
        rig.ok(&["rename-window", "-t", "work", &window]);
        let print = format!("echo from-{late}; exec cat");
        rig.open(&late, &print);
        rig.wait_for_pane("its text", &late, |text| text.contains("from-"));
        let session = ["set-option", "-t", "work", "@told", &what];
        rig.ok(&session);
        rig.ok(&["set-buffer", &what]);
        wait_for_red(&terminal);
        let stats = rig.ok(&["stats"]);
        assert!(stats.contains("now not: "), "{what}: {stats}");
        rig.sh(&fix(&rig, &what)).ok();
        terminal.wait_until("the session again", |screen| screen.has("[work]"));
        wait_for_peace(&terminal);
        there.insert(late.clone());
        rig.wait_until("all to be kept", || !rig.ok(&["stats"]).contains("now not"));
        assert_eq!(names(&rig), there, "{what}");
    }
    drop(terminal);
    let before = shown(&rig);
    kill_both(&rig);
    assert_eq!(names(&rig), there);
    assert_eq!(shown(&rig), before);
    let window = rig.ok(&["display", "-p", "-t", "work", "#{window_name}"]);
    assert_eq!(window, "renamed2\n");
    assert!(everything(&rig, "late1").contains("from-late1"));
    assert_no_panic(&rig);
}
