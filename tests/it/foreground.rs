//! `-D` and `-v`: the server where one sees it, and what it logs.

use crate::rig;

#[test]
fn server_in_the_foreground_waits_for_sessions_and_ends_with_kill_server() {
    let rig = rig();
    let refusal = rig.run(&["-D", "ls"]).fails();
    assert!(refusal.contains("takes no command"), "{refusal}");
    let mut child = rig.command(&["-v", "-D"]).spawn().unwrap();
    rig.wait_until("the server", || rig.run(&["ls"]).status == 0);
    let server = rig.server();
    assert_eq!(
        u32::try_from(server.status_number("Pid")).unwrap(),
        child.id(),
        "it is the process that was started"
    );
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    rig.ok(&["kill-session", "-t", "work"]);
    // It stays without sessions, and is the only one.
    assert_eq!(rig.ok(&["ls"]), "");
    assert!(rig.run(&["-D"]).fails().contains("running already"));
    rig.ok(&["kill-server"]);
    assert!(child.wait().unwrap().success());
    assert!(rig.log().contains("DEBUG"), "{}", rig.log());
}
