//! What is meant, and how large it is, while somebody is attached to something else.

use shellkeep_testkit::virtual_rig::Rig;

fn shown(rig: &Rig, target: &str, format: &str) -> String {
    let shown = rig.run(&["display", "-p", "-t", target, format]);
    assert_eq!(shown.stderr, "");
    shown.stdout.trim_end().to_owned()
}

const SIZE: &str = "#{window_width}x#{window_height}";

#[test]
fn session_used_last_within_one_second_is_current() {
    let rig = Rig::new();
    let ann = rig.attach((20, 90), &["new", "-s", "a"]);
    rig.run(&["new", "-d", "-s", "b"]);
    let current = || rig.run(&["display", "-p", "#S"]).stdout;
    assert_eq!(current(), "b\n", "it is new");
    rig.run(&["switch-client", "-t", "b"]);
    rig.run(&["switch-client", "-t", "a"]);
    assert_eq!(current(), "a\n");
    rig.run(&["new", "-d", "-s", "c"]);
    assert_eq!(current(), "c\n");
    ann.keys("x");
    assert_eq!(current(), "a\n", "somebody types there");
}

#[test]
fn session_nobody_looks_at_is_as_large_as_those_that_are() {
    let rig = Rig::with_status("");
    rig.run(&["new", "-d", "-s", "early"]);
    assert_eq!(shown(&rig, "early", SIZE), "80x24");
    let ann = rig.attach((20, 90), &["new", "-s", "a"]);
    let default = |session: &str| rig.run(&["show", "-t", session, "default-size"]).stdout;
    for (name, flags, own) in [
        ("plain", &[][..], ""),
        ("sized", &["-x", "70", "-y", "22"], "default-size 70x22\n"),
        ("asked", &["-x", "-", "-y", "-"], "default-size 80x24\n"),
        ("wide", &["-x", "70"], "default-size 70x24\n"),
    ] {
        let mut argv = vec!["new", "-d", "-s", name];
        argv.extend(flags);
        rig.run(&argv);
        assert_eq!(shown(&rig, name, SIZE), "90x19", "{name}");
        assert_eq!(default(name), own, "{name}");
    }
    let _bob = rig.attach((30, 60), &["attach", "-t", "plain"]);
    rig.run(&["new", "-d", "-s", "two"]);
    assert_eq!(shown(&rig, "two", SIZE), "60x19", "it fits into both");
    ann.keys("C-b : n e w Space - d Space - s Space m i n e Enter");
    assert_eq!(shown(&rig, "mine", SIZE), "90x19", "who asks decides");
}

#[test]
fn session_nobody_looks_at_has_its_own_size_where_others_do_not_decide() {
    let rig = Rig::with_status("");
    let _ann = rig.attach((20, 90), &["new", "-s", "a"]);
    for rule in ["largest", "smallest", "manual"] {
        rig.run(&["set", "-g", "window-size", rule]);
        rig.run(&["new", "-d", "-s", rule]);
        assert_eq!(shown(&rig, rule, SIZE), "80x24", "{rule}");
        let sized = format!("{rule}-sized");
        rig.run(&["new", "-d", "-s", &sized, "-x", "70", "-y", "22"]);
        assert_eq!(shown(&rig, &sized, SIZE), "70x22", "{rule}");
        rig.run(&["new-window", "-d", "-t", &format!("{rule}:")]);
        let later = if rule == "manual" { "80x24" } else { "90x19" };
        assert_eq!(shown(&rig, &format!("{rule}:1"), SIZE), later, "{rule}");
    }
}

#[test]
fn client_of_another_session_is_seen_where_there_is_none() {
    let rig = Rig::new();
    let _ann = rig.attach((20, 90), &["new", "-s", "a"]);
    rig.run(&["new", "-d", "-s", "b"]);
    let shows = rig.run(&["display", "-p", "[#{client_session}]"]);
    assert_eq!(shows.stdout, "[a]\n");
    assert_eq!(
        shown(&rig, "b", "#{client_session} #{client_width}"),
        "a 90"
    );
}
