//! What was copied is there again: after the server's death, after the death of server and keeper, after an orderly end.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::keeping::{kill_both, state_contains};
use crate::rig;

const LIST: &[&str] = &[
    "list-buffers",
    "-F",
    "#{buffer_name} #{buffer_size} #{buffer_sample}",
];

/// A session, and buffers of several kinds; how they are listed.
fn with_buffers(rig: &Rig) -> String {
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    rig.ok(&["set-buffer", "first-4711"]);
    rig.ok(&["set-buffer", "-b", "named", "by hand"]);
    rig.ok(&["set-buffer", "second-4712"]);
    rig.ok(&["set-buffer", "-a", "-b", "named", ", and more"]);
    rig.write("home/bytes", "a\nb\u{1}c\n");
    rig.ok(&["load-buffer", "bytes"]);
    let listed = rig.ok(LIST);
    assert_eq!(listed.lines().count(), 4, "{listed}");
    assert!(listed.starts_with("buffer2 6 "), "{listed}");
    listed
}

/// A way in which a server ends, and its name.
type End = (&'static str, fn(&Rig));

/// The ways in which a server ends without being told to forget.
const ENDS: [End; 5] = [
    ("kill -9 of the server", |rig| rig.server().kill_9()),
    ("kill -9 of both", kill_both),
    ("restart-server", |rig| drop(rig.ok(&["restart-server"]))),
    ("SIGTERM", |rig| {
        let server = rig.server();
        server.signal(Signal::SIGTERM);
        server.wait_gone();
    }),
    ("kill-server --keep", |rig| {
        rig.ok(&["kill-server", "--keep"]);
    }),
];

#[test]
fn buffers_are_there_again_however_the_server_ends() {
    let rig = rig();
    let listed = with_buffers(&rig);
    for (what, end) in ENDS {
        end(&rig);
        assert_eq!(rig.ok(LIST), listed, "{what}");
        assert_eq!(rig.ok(&["show-buffer"]), "a\nb\u{1}c\n", "{what}");
    }
    // What is deleted, renamed or pushed out is so on disk, too.
    rig.ok(&["delete-buffer", "-b", "buffer1"]);
    rig.ok(&["set-buffer", "-b", "named", "-n", "other"]);
    rig.ok(&["set", "-s", "buffer-limit", "2"]);
    rig.ok(&["set-buffer", "third"]);
    let listed = rig.ok(LIST);
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(names, ["buffer3", "buffer2", "other"]);
    kill_both(&rig);
    assert_eq!(rig.ok(LIST), listed);
    assert!(
        !state_contains(&rig, "second-4712"),
        "a deleted buffer is on disk"
    );
    assert!(
        !state_contains(&rig, "first-4711"),
        "a buffer beyond the limit is on disk"
    );
    // Each is kept as soon as it is set.
    for number in 4..20 {
        rig.ok(&["set-buffer", &format!("text {number}")]);
        rig.server().kill_9();
        let newest = rig.ok(&["list-buffers", "-F", "#{buffer_name} #{buffer_sample}"]);
        let newest = newest.lines().next().unwrap().to_owned();
        assert_eq!(newest, format!("buffer{number} text {number}"));
    }
    // One that is told to end leaves none behind.
    rig.ok(&["set-buffer", "copied-4713"]);
    assert!(state_contains(&rig, "copied-4713"));
    rig.ok(&["kill-server"]);
    for marker in ["copied-4713", "text 19"] {
        assert!(!state_contains(&rig, marker), "{marker} is on disk");
    }
    rig.ok(&["new", "-d", "-s", "again", "cat"]);
    assert_eq!(rig.ok(LIST), "");
}

#[test]
fn copied_in_a_private_session_is_never_on_disk() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "open", "cat"]);
    rig.ok(&["new", "-d", "--private", "-s", "secret", "cat"]);
    rig.enter("secret", "hidden-4711");
    rig.wait_for_pane("its echo", "secret", |text| {
        text.matches("hidden-4711").count() == 2
    });
    rig.ok(&["capture-pane", "-t", "secret", "-b", "captured"]);
    rig.ok(&["copy-mode", "-t", "secret"]);
    for command in ["history-top", "select-line", "copy-selection-no-clear"] {
        rig.ok(&["send-keys", "-t", "secret", "-X", command]);
    }
    let copied = rig.ok(&["show-buffer"]);
    assert!(copied.contains("hidden-4711"), "{copied}");
    // Added to, it is still a secret.
    rig.ok(&["set-buffer", "-a", "-b", "captured", "more-4712"]);
    rig.ok(&["set-buffer", "-b", "plain", "seen-4713"]);
    for marker in ["hidden-4711", "more-4712"] {
        assert!(!state_contains(&rig, marker), "{marker} is on disk");
    }
    rig.server().kill_9();
    assert_eq!(rig.ok(&["list-buffers", "-F", "#{buffer_name}"]), "plain\n");
    assert!(!state_contains(&rig, "hidden-4711"));
    assert!(state_contains(&rig, "seen-4713"));
}
