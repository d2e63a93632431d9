//! `forget` where nothing can be written: what can be deleted is, at once, and what cannot is said not to be.

use shellkeep_testkit::real::Rig;

use crate::faults::{assert_no_panic, names};
use crate::faults_disk::{fill_disk, print_much, read_only, small_disk};
use crate::keeping::{everything, kill_both, state_contains};
use crate::rig;

/// A session in which `cat` runs.
fn open(rig: &Rig, name: &str) {
    rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "cat"]);
}

/// A session that takes a good part of a small disk.
fn open_large(rig: &Rig, name: &str) {
    let flood = "seq -f '%.0f of many and many lines' 1 60000; echo large-over; exec cat";
    let new = ["new", "-d", "-s", name, "-x", "80", "-y", "24"];
    rig.ok(&[new.as_slice(), &["--", "sh", "-c", flood]].concat());
    rig.wait_for_pane("its end", name, |text| text.contains("large-over"));
}

fn is_all_saved(rig: &Rig) -> bool {
    !rig.ok(&["stats"]).contains("now not")
}

/// How many sessions have a directory, whatever it is called.
fn dirs(rig: &Rig) -> usize {
    let entries = std::fs::read_dir(rig.path("state/shellkeep/sessions"));
    entries.unwrap().count()
}

#[test]
fn open_session_forgotten_on_a_full_disk_makes_room_at_once_and_leaves_what_others_have() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    open(&rig, "work");
    open_large(&rig, "large");
    let filler = fill_disk(&rig);
    for name in ["large", "work"] {
        print_much(&rig, name);
    }
    rig.wait_until("the complaint", || !is_all_saved(&rig));
    rig.ok(&["forget", "-y", "large"]);
    assert_eq!(dirs(&rig), 1);
    rig.wait_until("what stays to be saved", || is_all_saved(&rig));
    let before = everything(&rig, "work");
    kill_both(&rig);
    assert_eq!(everything(&rig, "work"), before);
    assert!(!rig.ok(&["ls", "-a"]).contains("large"));
    // A window that is in another session, too, is not forgotten.
    std::fs::remove_file(&filler).unwrap();
    rig.ok(&["forget", "-y", "work"]);
    for name in ["work", "other", "closed"] {
        open(&rig, name);
    }
    rig.ok(&["link-window", "-s", "work:0", "-t", "other:7"]);
    let marker = ["send-keys", "-t", "other:7", "marker-both", "Enter"];
    rig.ok(&marker);
    rig.wait_for_pane("its text", "other:7", |text| {
        text.matches("marker-both").count() == 2
    });
    let filler = fill_disk(&rig);
    print_much(&rig, "closed");
    rig.ok(&["kill-session", "-t", "closed"]);
    rig.ok(&["forget", "-y", "work"]);
    rig.ok(&marker);
    rig.wait_for_pane("more", "other:7", |text| {
        text.matches("marker-both").count() == 4
    });
    std::fs::remove_file(&filler).unwrap();
    rig.wait_until("all to be saved", || is_all_saved(&rig));
    kill_both(&rig);
    let after = everything(&rig, "other:7");
    assert_eq!(after.matches("marker-both").count(), 4, "{after}");
    assert_no_panic(&rig);
}

#[test]
fn nothing_that_waits_for_room_holds_up_what_is_forgotten_or_brings_it_back() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    for name in ["work", "closed"] {
        open(&rig, name);
    }
    open_large(&rig, "large");
    rig.ok(&["split-window", "-d", "-t", "work", "--", "cat"]);
    rig.ok(&["kill-session", "-t", "large"]);
    rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("large"));
    let filler = fill_disk(&rig);
    // The last of these cannot be written, so that all behind it waits.
    for name in ["closed", "work:0.1"] {
        print_much(&rig, name);
    }
    rig.ok(&["kill-session", "-t", "closed"]);
    rig.ok(&["kill-pane", "-t", "work:0.1"]);
    rig.ok(&["rename", "-t", "work", "still-to-be-written"]);
    open(&rig, "stays");
    rig.ok(&["forget", "-y", "still-to-be-written"]);
    assert_eq!(names(&rig).len(), 1);
    rig.ok(&["forget", "-y", "large"]);
    let listed = rig.ok(&["ls", "-a"]);
    assert!(!listed.contains("large"), "{listed}");
    std::fs::remove_file(&filler).unwrap();
    rig.wait_until("what was closed to be in the archive", || {
        rig.ok(&["ls", "-a"]).contains("closed: ")
    });
    rig.wait_until("all to be saved", || is_all_saved(&rig));
    kill_both(&rig);
    let listed = rig.ok(&["ls", "-a"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert_no_panic(&rig);
}

#[test]
fn what_cannot_be_forgotten_is_said_not_to_be_and_is_still_there() {
    let rig = rig();
    for name in ["work", "old"] {
        open(&rig, name);
        rig.ok(&["send-keys", "-t", name, "marker-", name, "Enter"]);
        let marker = format!("marker-{name}");
        rig.wait_for_pane("its text", name, |text| text.matches(&marker).count() == 2);
    }
    rig.ok(&["kill-session", "-t", "old"]);
    rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("old"));
    let check_refused = || {
        let Some(_bound) = read_only(&rig) else {
            return;
        };
        for name in ["work", "old"] {
            let said = rig.run(&["forget", "-y", name]).fails();
            assert_eq!(said.lines().count(), 1, "{said}");
            assert!(
                said.starts_with(&format!("session {name} is not deleted: cannot remove ")),
                "{said}"
            );
            assert!(said.contains("Read-only file system"), "{said}");
            assert!(rig.ok(&["ls", "-a"]).contains(name));
        }
        // What was never written can go.
        open(&rig, "young");
        rig.ok(&["forget", "-y", "young"]);
        assert!(!names(&rig).contains("young"));
    };
    check_refused();
    assert!(everything(&rig, "work").contains("marker-work"));
    // Nor by a server that could not even open the store.
    kill_both(&rig);
    check_refused();
    rig.server().kill_9();
    for name in ["work", "old"] {
        rig.ok(&["forget", "-y", name]);
        let marker = format!("marker-{name}");
        assert!(!state_contains(&rig, &marker));
    }
    assert_no_panic(&rig);
}
