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

#[test]
fn server_killed_right_after_a_buffer_was_set_has_it_again() {
    let rig = rig();
    let listed = with_buffers(&rig);
    rig.server().kill_9();
    assert_eq!(rig.ok(LIST), listed);
    assert_eq!(rig.ok(&["show-buffer"]), "a\nb\u{1}c\n");
    for number in 3..20 {
        rig.ok(&["set-buffer", &format!("text {number}")]);
        rig.server().kill_9();
        let newest = rig.ok(&["list-buffers", "-F", "#{buffer_name} #{buffer_sample}"]);
        let newest = newest.lines().next().unwrap().to_owned();
        assert_eq!(newest, format!("buffer{number} text {number}"));
    }
}

#[test]
fn both_killed_gives_back_buffers_in_order_and_with_names() {
    let rig = rig();
    let listed = with_buffers(&rig);
    kill_both(&rig);
    assert_eq!(rig.ok(LIST), listed);
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
}

#[test]
fn server_that_is_restarted_has_its_buffers() {
    let rig = rig();
    let listed = with_buffers(&rig);
    rig.ok(&["restart-server"]);
    assert_eq!(rig.ok(LIST), listed);
    let server = rig.server();
    server.signal(Signal::SIGTERM);
    server.wait_gone();
    assert_eq!(rig.ok(LIST), listed);
    rig.ok(&["kill-server", "--keep"]);
    assert_eq!(rig.ok(LIST), listed);
}

#[test]
fn server_ended_by_hand_leaves_no_buffer_behind() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    rig.ok(&["set-buffer", "copied-4711"]);
    assert!(state_contains(&rig, "copied-4711"));
    rig.ok(&["kill-server"]);
    assert!(!state_contains(&rig, "copied-4711"));
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

#[test]
fn broken_file_of_a_buffer_is_set_aside_and_the_others_are_there() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    rig.ok(&["set-buffer", "-b", "good", "good text"]);
    let dir = rig.path("state/shellkeep/buffers");
    let good: Vec<_> = std::fs::read_dir(&dir).unwrap().collect();
    assert_eq!(good.len(), 1);
    rig.ok(&["set-buffer", "-b", "bad", "bad text"]);
    let good = good.into_iter().next().unwrap().unwrap().path();
    let all = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let bad = all.into_iter().find(|path| *path != good).unwrap();
    kill_both(&rig);
    let mut bytes = std::fs::read(&bad).unwrap();
    let at = bytes.len() - 2;
    bytes[at] ^= 0x55;
    std::fs::write(&bad, bytes).unwrap();
    assert_eq!(rig.ok(&["list-buffers", "-F", "#{buffer_name}"]), "good\n");
    assert!(!bad.exists());
    let aside = rig.path("state/shellkeep/quarantine/buffers");
    assert_eq!(std::fs::read_dir(aside).unwrap().count(), 1);
}
