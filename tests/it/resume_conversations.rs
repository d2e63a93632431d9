//! Conversations with an agent come back, each in the pane it was had in, and none that might be another's.

use shellkeep_testkit::real::Rig;

use crate::hibernate::{begin, enter, is_asleep, wait_for_text};
use crate::resume::{
    ID, attach, calls, force, restore_json, rig_with_programs, run, wait_for_call, wait_for_note,
};

const OTHER: &str = "0198f1a2-0000-7000-8000-00000000ffff";

/// A conversation comes back at the first key, and the key is its own.
fn conversation_comes_back_at_the_first_key(rig: &Rig) {
    rig.write("home/next-id", ID);
    begin(rig, "work");
    enter(rig, "work", "cd proj; claude --verbose 'do it'");
    wait_for_text(rig, "work", "\n[claude --verbose do it]");
    force(rig, "work");
    let terminal = attach(rig, "work");
    terminal.wait_for_text("asleep: a key runs: claude");
    assert!(terminal.text().contains("[claude --verbose do it]"));
    // Everything else that happens meanwhile leaves it asleep.
    terminal.resize(20, 70);
    rig.ok(&["capture-pane", "-p", "-t", "work"]);
    rig.ok(&["refresh-client"]);
    assert!(is_asleep(rig, "work"), "being looked at woke it");
    terminal.type_text("x");
    wait_for_call(rig, &format!("claude --resume {ID} --verbose"));
    terminal.keys("y Enter");
    terminal.wait_for_text("got xy");
    terminal.wait_until("no hint", |screen| !screen.has("a key runs"));
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
    assert!(
        text.contains("and the state of its shell with it]"),
        "{text}"
    );
    assert_eq!(calls(rig).len(), 2);
}

/// Those of panes that share a directory are not mistaken for each other.
fn conversations_are_not_mistaken(rig: &Rig) {
    std::fs::create_dir(rig.path("home/shared")).unwrap();
    for (name, id) in [("one", ID), ("two", OTHER)] {
        rig.write("home/next-id", id);
        begin(rig, name);
        enter(rig, name, "cd shared; claude --continue");
        wait_for_text(rig, name, "\n[claude --continue]");
    }
    run(rig, "named", &format!("cd shared; claude --resume {ID}"));
    // What the server knows of programs it is told once a second.
    for text in ["claude --continue", &format!("claude --resume {ID}")] {
        wait_for_note(rig, text);
    }
    rig.ok(&["hibernate", "-a", "--force"]);
    for name in ["one", "two"] {
        let report = restore_json(rig, name);
        assert_eq!(report["program"], "claude --resume", "{name}");
        assert_eq!(report["sent"], false, "{name}");
    }
    let report = restore_json(rig, "named");
    assert_eq!(report["program"], format!("claude --resume {ID}"));
    assert_eq!(report["sent"], true);
}

#[test]
fn conversations_come_back_each_in_its_own_pane() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    conversation_comes_back_at_the_first_key(&rig);
    rig.ok(&["kill-session", "-t", "work"]);
    conversations_are_not_mistaken(&rig);
}
