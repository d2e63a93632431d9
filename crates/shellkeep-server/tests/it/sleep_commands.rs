//! Which panes `hibernate` and `restore` mean, where nothing can sleep: every pane meant is refused by its place.

use shellkeep_testkit::virtual_rig::Rig;

fn refusal(rig: &Rig, argv: &[&str]) -> String {
    let finished = rig.run(argv);
    assert_eq!((finished.status, &*finished.stdout), (Some(1), ""));
    finished.stderr
}

#[test]
fn session_of_that_very_name_is_meant_and_no_window_whose_name_begins_so() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "ba"]);
    // Whoever names no place is in the session used last.
    rig.run(&["new", "-d", "-s", "hub", "-n", "bash"]);
    let meant = |argv: &[&str]| refusal(&rig, argv);
    let private = ":0.0: stays as it is: is private, and nothing of it may be on disk";
    for (target, session) in [("ba", "ba"), ("=ba", "ba"), ("bas", "hub")] {
        let told = meant(&["hibernate", "--dry-run", "-t", target]);
        assert!(told.contains(&format!("{session}{private}")), "{told}");
        let told = meant(&["restore", "-t", target]);
        let awake = format!("{session}:0.0: stays as it is: is awake");
        assert!(told.contains(&awake), "{told}");
    }
}

#[test]
fn time_chooses_what_was_left_alone_for_so_long() {
    let rig = Rig::new();
    rig.attach((24, 80), &["new", "-s", "old"]).keys("C-b d");
    for argv in [
        &["hibernate", "--idle", "1h"][..],
        &["hibernate", "-a", "--idle", "1h"],
    ] {
        let finished = rig.run(argv);
        assert_eq!((finished.status, &*finished.stdout), (Some(0), ""));
        assert_eq!(finished.stderr, "");
    }
    let refused = refusal(&rig, &["hibernate", "--idle", "1h", "-t", "old"]);
    assert!(refused.contains("was used just now"), "{refused}");
    let bad = refusal(&rig, &["hibernate", "--idle", "soon"]);
    assert!(bad.contains("bad time: soon"), "{bad}");
}
