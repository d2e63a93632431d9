use shellkeep_server::{Ending, Rest};
use shellkeep_testkit::virtual_rig::Rig;

#[test]
fn crashed_server_is_replaced_by_one_that_knows_every_session() {
    let rig = Rig::new();
    rig.run(&[
        "new", "-d", "-s", "a", "-x", "90", "-y", "30", ";", "new", "-d", "-s", "b",
    ]);
    rig.run(&[
        "rename", "-t", "b", "c", ";", "set", "-t", "a", "prefix", "C-x", ";", "set", "-g",
        "prefix", "C-a",
    ]);
    rig.crash_server();
    let listed = rig.run(&["ls"]).stdout;
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(names, ["a", "c"]);
    assert_eq!(
        rig.run(&["show", "-v", "-t", "a", "prefix"]).stdout,
        "C-x\n"
    );
    assert_eq!(rig.run(&["show", "-gv", "prefix"]).stdout, "C-a\n");
    assert_eq!(
        (rig.pty(0).size().cols(), rig.pty(0).size().rows()),
        (90, 30)
    );
    assert!(
        rig.pty(0).was_told().len() >= 2,
        "the program was asked to paint itself anew"
    );
    rig.run(&["new", "-d"]);
    assert_eq!(
        rig.spawned().last().unwrap().pane.0,
        2,
        "ids are not given out twice"
    );
}

#[test]
fn output_printed_while_no_server_ran_is_not_missed() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    let pty = rig.pty(0);
    rig.crash_server();
    pty.says("after");
    assert_eq!(rig.run(&["capture-pane", "-p"]).stdout.trim_end(), "after");
}

#[test]
fn clients_of_a_crashed_server_are_cut_off_and_may_come_back() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new", "-s", "w"]);
    rig.crash_server();
    assert!(ann.is_closed());
    let ann = rig.attach((24, 80), &["attach", "-t", "$0"]);
    rig.pty(0).says("here");
    assert_eq!(ann.text(), "here");
}

#[test]
fn restarted_server_has_the_screens_too() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-y", "3"]);
    rig.pty(0).says("one\r\ntwo\r\nthree\r\n\x1b[1mfour");
    let before = rig.run(&["capture-pane", "-p", "-S", "-"]).stdout;
    let caller = rig.attach((24, 80), &["restart-server"]);
    assert!(matches!(rig.ending(), Some(Ending::Restart(_))));
    drop(caller);
    rig.crash_server();
    assert_eq!(rig.run(&["capture-pane", "-p", "-S", "-"]).stdout, before);
}

#[test]
fn kill_server_lets_everybody_go() {
    let rig = Rig::new();
    let ann = rig.attach((24, 80), &["new"]);
    rig.run(&["kill-server"]);
    assert_eq!(ann.farewell().as_deref(), Some("server exited"));
    assert_eq!(rig.ending(), Some(Ending::Killed(Rest::Archived)));
    assert!(!rig.has_pty(0));
}

/// Every pane with its place, window by window.
fn places(rig: &Rig) -> String {
    let format = "#{session_name} #{window_index} #{window_layout} #{pane_id} #{pane_left},#{pane_top} #{pane_active}";
    rig.run(&["list-panes", "-a", "-F", format]).stdout
}

#[test]
fn window_of_many_panes_is_taken_over_as_it_was() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a", "-x", "240", "-y", "60"]);
    for _ in 0..60 {
        rig.run(&["split-window", "-d", "-t", "a"]);
        rig.run(&["select-layout", "-t", "a", "tiled"]);
    }
    // A pane that is joined across the window is counted elsewhere than it lies.
    rig.run(&["join-pane", "-d", "-f", "-b", "-s", "a.40", "-t", "a.7"]);
    rig.run(&["resize-pane", "-t", "a.20", "-x", "2"]);
    let before = places(&rig);
    assert_eq!(before.lines().count(), 61);
    rig.crash_server();
    assert_eq!(places(&rig), before);
}

#[test]
fn shell_that_an_earlier_version_has_started_ahead_is_ended() {
    const SPARE: u32 = u32::MAX;
    let rig = Rig::new();
    rig.run(&["new-session", "-d"]);
    rig.keeper_holds(SPARE, None);
    rig.crash_server();
    assert_eq!((rig.has_pty(SPARE), rig.has_pty(0)), (false, true));
    assert_eq!(rig.killed(), [SPARE]);
    // Its server died while it gave the shell to a pane.
    rig.keeper_holds(SPARE, Some(0));
    rig.crash_server();
    assert_eq!((rig.has_pty(SPARE), rig.has_pty(0)), (false, true));
    assert_eq!(rig.killed(), [SPARE]);
}
