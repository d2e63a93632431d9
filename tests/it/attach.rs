//! Sessions on terminals: attaching, detaching, several at once, sizes.

use crate::{is_installed, rig, skip};

#[test]
fn sizes_of_terminals_that_change_and_go_reach_the_program() {
    let rig = rig();
    let terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal
        .wait_for_prompt()
        // A script and its `sleep` are one process group, so it gets the signal. Not `wait`: a shell misses a signal that comes
        // just before it waits.
        .enter(
            r#"clear; sh -c 'trap "stty size" WINCH; echo arm""ed; while :; do sleep 0.05; done'"#,
        );
    terminal.wait_for_text("armed");
    terminal.resize(31, 97);
    terminal.wait_for_text("31 97");
    terminal.keys("C-c").resize(3, 20).enter("clear; stty size");
    terminal.wait_until("a tiny size", |screen| screen.has("3 20"));
    // A client that is killed lets the session grow back.
    terminal.resize(30, 100).enter("clear");
    terminal.wait_for_prompt();
    let small = rig.attach(&["attach", "-t", "work"], (10, 40));
    small.wait_for_prompt().enter("clear; stty size");
    small.wait_until("its own size", |screen| screen.row(0) == "10 40");
    small.process().kill_9();
    rig.wait_until("its end to be noticed", || {
        terminal.screen(|screen| !screen.has("·"))
    });
    terminal.enter("clear; stty size");
    terminal.wait_until("its own size", |screen| screen.row(0) == "30 100");
}

#[test]
fn attach_inside_is_refused_unless_forced() {
    let rig = rig();
    let mut terminal = rig.attach(&["new", "-s", "outer"], (24, 80));
    terminal
        .wait_for_prompt()
        .enter("shellkeep new -s inner; echo $?");
    terminal.wait_for_text("sessions should be nested with care, unset $SHELLKEEP to force");
    terminal.enter("clear; shellkeep attach -t outer; echo status $?");
    terminal.wait_for_text("status 1");
    // Everything else works in a pane, and means the session it is in.
    terminal.enter("clear; shellkeep rename renamed; shellkeep new -d -s inner; shellkeep ls");
    terminal.wait_until("two sessions", |screen| {
        let rows = screen.rows();
        ["inner: ", "renamed: "]
            .iter()
            .all(|name| rows.iter().any(|row| row.starts_with(name)))
    });
    terminal.enter("clear; unset SHELLKEEP; shellkeep attach -t inner");
    terminal.wait_until("a session in a session", |screen| screen.text() == "$");
    terminal.enter("echo $SHELLKEEP_PANE");
    terminal.wait_for_text("%1");
    // The inner one has its prefix behind the outer one's.
    terminal.keys("C-b C-b d");
    terminal.wait_for_text("[detached (from session inner)]");
    terminal.keys("C-b d");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(
        terminal
            .text()
            .contains("[detached (from session renamed)]")
    );
}

#[test]
fn attach_without_a_terminal_is_refused_in_a_sentence() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    for args in [&["attach", "-t", "work"][..], &["new", "-s", "x"], &[]] {
        let said = rig.run(args).fails();
        assert_eq!(said, "open terminal failed: not a terminal", "{args:?}");
    }
    let said = rig.run(&["-CC", "attach", "-t", "work"]).fails();
    assert_eq!(said, "tcgetattr failed: Inappropriate ioctl for device");
    assert_eq!(rig.ok(&["ls"]).lines().count(), 1);
    let line = "shellkeep attach -t work < /dev/null; echo status-$?; cat";
    let elsewhere = rig.start(&["sh", "-c", line], &[], (24, 80));
    elsewhere.wait_for_text("status-1");
    elsewhere.wait_for_text("open terminal failed: not a terminal");
    elsewhere.screen(|screen| assert!(!screen.alternate_screen()));
    let mut dumb = rig.start(
        &[env!("CARGO_BIN_EXE_shellkeep"), "attach"],
        &[("TERM", "dumb")],
        (24, 80),
    );
    assert_eq!(dumb.wait_exit(), 1);
    assert!(
        dumb.text().contains("a terminal of type 'dumb'"),
        "{}",
        dumb.text()
    );
    dumb.assert_given_back();
}

#[test]
fn paste_of_a_megabyte_arrives_whole() {
    let rig = rig();
    let program = "stty raw -echo; echo ready; head -c 1000000 | cksum; cat";
    let terminal = rig.attach(&["new", program], (24, 80));
    terminal.wait_for_text("ready");
    let lines = (0..).map(|number: u32| format!("line {number} of a long paste\r"));
    let text: String = lines.take(40_000).collect();
    let text = &text[..1_000_000];
    terminal.type_text(&format!("\x1b[200~{text}\x1b[201~"));
    let copy = rig.write("home/copy", text);
    let mut command = rig.other_command("cksum");
    command.stdin(std::fs::File::open(copy).unwrap());
    let sum = rig.finish(command).ok();
    terminal.wait_for_text(sum.trim_end());
}

/// The words that run a command as somebody else, whose terminals are not theirs to open; and a copy of
/// the program which they may run. `None` where that cannot be done.
pub(crate) fn as_nobody(rig: &shellkeep_testkit::real::Rig) -> Option<Vec<String>> {
    if !nix::unistd::getuid().is_root() {
        skip("only root can be somebody else");
        return None;
    }
    is_installed("setpriv").then_some(())?;
    let program = rig.path("program");
    std::fs::copy(env!("CARGO_BIN_EXE_shellkeep"), &program).unwrap();
    for name in [
        "",
        "program",
        "home",
        "run",
        "state",
        "config",
        "home/.profile",
    ] {
        std::os::unix::fs::chown(rig.path(name), Some(65534), Some(65534)).unwrap();
    }
    let flags = [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
    ];
    let mut words = flags.map(str::to_owned).to_vec();
    words.push(program.to_str().unwrap().to_owned());
    Some(words)
}

#[test]
fn terminal_that_the_server_may_not_open_is_served_through_the_client() {
    let rig = rig();
    let Some(words) = as_nobody(&rig) else { return };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let argv = [&words[..], &["new", "-s", "work"]].concat();
    let mut terminal = rig.start(&argv, &[], (24, 80));
    terminal.wait_for_prompt().enter("id -u");
    terminal.wait_for_text("65534");
    assert!(rig.log().contains("it passes the bytes"), "{}", rig.log());
    terminal.resize(31, 97).enter("clear; stty size");
    terminal.wait_until("its size", |screen| screen.row(0) == "31 97");
    rig.server().kill_9();
    terminal.enter("clear; echo back-$((40+2))");
    terminal.wait_for_text("back-42");
    terminal.keys("C-b d");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn client_in_a_container_does_not_have_a_strangers_terminal_taken() {
    if !nix::unistd::getuid().is_root() {
        return skip("only root makes containers without further ado");
    }
    if !is_installed("unshare") {
        return;
    }
    let rig = rig();
    let stranger = rig.start(
        &["sh", "-c", "stty -echo; echo mine; exec cat"],
        &[],
        (24, 80),
    );
    stranger.wait_for_text("mine");
    rig.ok(&["new", "-d", "-s", "work"]);
    // There, the client has the number that the stranger has here.
    let number = stranger.process().pid;
    let script = format!(
        "echo {} > /proc/sys/kernel/ns_last_pid; shellkeep attach -t work; :",
        number - 1
    );
    let argv = [
        "unshare",
        "--pid",
        "--fork",
        "--mount-proc",
        "sh",
        "-c",
        &script,
    ];
    let terminal = rig.start(&argv, &[], (24, 80));
    terminal.wait_until("a session or a refusal", |screen| !screen.text().is_empty());
    if !terminal.screen(|screen| screen.alternate_screen()) {
        return skip(&format!("no container to be had here: {}", terminal.text()));
    }
    terminal.wait_for_prompt().enter("echo in-$((40+2))");
    terminal.wait_for_text("in-42");
    assert_eq!(stranger.text(), "mine");
    stranger.enter("still");
    stranger.wait_until("its own line", |screen| screen.row(1) == "still");
}
