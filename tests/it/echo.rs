//! A key's echo is shown before it is in the journal, and is never lost for that: whenever the server dies, it stands on the screen of the
//! next one, once.

use crate::rig;

#[test]
fn keys_are_shown_in_their_order_and_none_is_lost_with_a_server_that_shows_it() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "-x", "80", "-y", "24", "cat"]);
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
    let words: String = (0..150).map(|number| format!("{number:03} ")).collect();
    for piece in words.as_bytes().chunks(7) {
        terminal.send(piece);
    }
    terminal.wait_until("all that was typed", |screen| {
        let shown: String = (0..8)
            .map(|row| format!("{:<80}", screen.row(row)))
            .collect();
        shown.trim_end() == words.trim_end()
    });
    if !cfg!(debug_assertions) {
        return;
    }
    // It is killed at this step of showing a key.
    let size = ["new", "-d", "-s", "other", "-x", "80", "-y", "24", "cat"];
    rig.ok(&size);
    let terminal = rig.attach(&["attach", "-t", "other"], (24, 80));
    // The first key begins what is there for all others.
    terminal.type_text("a").wait_for_text("a");
    rig.write("run/shellkeep/default.stop-at", "echoed");
    let server = rig.server();
    terminal.type_text("b");
    rig.wait_until("the server to stop", || server.is_stopped());
    server.kill_9();
    rig.wait_until("another server", || rig.find_server().is_some());
    terminal
        .type_text("c")
        .wait_until("all that was typed, once", |screen| screen.row(0) == "abc");
    assert_eq!(rig.ok(&["capture-pane", "-p", "-t", "other"]).trim(), "abc");
}
