//! Commands from a shell: what they print, and their exit statuses.

use crate::rig;

#[test]
fn new_session_detached_is_listed() {
    let rig = rig();
    assert_eq!(rig.ok(&["new", "-d", "-s", "work"]), "");
    let list = rig.ok(&["ls"]);
    assert!(list.starts_with("work: 1 windows (created "), "{list}");
}
