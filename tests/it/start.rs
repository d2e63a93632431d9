//! Starting: one server however many ask for it, and its socket stays where it is.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Output, Process, Rig, Role};

use crate::hibernate::{begin, hibernate, is_asleep, rig_with, wait_for_text};
use crate::{rig, skip};

/// Runs eight commands at the same time; what they print.
fn eight_at_once(run: impl Fn(usize) -> Output + Sync) -> Vec<String> {
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..8)
            .map(|number| scope.spawn(move || run(number)))
            .collect();
        let join = threads
            .into_iter()
            .map(|thread| thread.join().unwrap().ok());
        join.collect()
    })
}

#[test]
fn commands_at_the_same_time_start_one_server_at_first_and_after_a_crash() {
    let rig = rig();
    let wait_for_one = || {
        // Some were started, found the lock taken, and are about to end.
        rig.wait_until("one server alone", || {
            rig.processes_of(Role::Server).len() == 1
        });
        assert_eq!(rig.keepers().len(), 1);
    };
    let said = eight_at_once(|number| rig.run(&["new", "-d", "-s", &format!("s{number}")]));
    assert_eq!(said, [""; 8]);
    assert_eq!(rig.ok(&["ls"]).lines().count(), 8);
    wait_for_one();
    for _ in 0..3 {
        rig.server().kill_9();
        for list in eight_at_once(|_| rig.run(&["ls"])) {
            assert!(list.starts_with("s0: "), "{list:?}");
            assert_eq!(list.lines().count(), 8, "{list}");
        }
        wait_for_one();
    }
}

/// Moves a directory away before it is removed: at one stroke, or the server makes it anew before all of it is deleted.
fn remove_at_once(rig: &Rig, dir: &str) {
    std::fs::rename(rig.path(dir), rig.path("gone")).unwrap();
    std::fs::remove_dir_all(rig.path("gone")).unwrap();
}

#[test]
fn socket_or_runtime_directory_removed_is_made_anew() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let server = rig.server();
    let is_back = |what: &str| {
        rig.wait_until(what, || rig.socket().exists());
        assert!(rig.ok(&["ls"]).starts_with("work: "), "{what}");
    };
    for _ in 0..3 {
        std::fs::remove_file(rig.socket()).unwrap();
        is_back("the socket that was removed");
    }
    std::fs::rename(rig.socket(), rig.path("moved")).unwrap();
    server.signal(Signal::SIGUSR1);
    is_back("the socket that was moved");
    remove_at_once(&rig, "run/shellkeep");
    is_back("the socket in the directory that was removed");
    assert!(server.is_alive());
    assert_eq!(rig.server(), server);
    assert_eq!(rig.processes_of(Role::Server), [server]);
}

#[test]
fn keeper_of_a_dead_server_is_found_whatever_became_of_its_directory() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "sleep", "1001"]);
    let program = rig.wait_for("the program", || rig.processes_with("1001").pop());
    let keeper = rig.keeper();
    let socket = rig.path("run/shellkeep/default.keeper");
    let is_found = |what: &str| {
        rig.wait_until(what, || rig.run(&["ls"]).stdout.starts_with("work: "));
        assert!(!rig.ok(&["ls"]).contains("ended"), "{what}");
        assert_eq!(rig.keepers(), [keeper], "{what}");
        // Server, keeper and program: nobody else waits for anything.
        rig.wait_until("three processes", || rig.processes().len() == 3);
        assert!(program.is_alive(), "{what}");
    };
    for _ in 0..3 {
        rig.server().kill_9();
        assert!(rig.ok(&["ls"]).starts_with("work: "));
        is_found("the directory is as it was");
    }
    // The server must not have the time to repair it.
    let server = rig.server();
    server.signal(Signal::SIGSTOP);
    rig.wait_until("the stop", || server.is_stopped());
    remove_at_once(&rig, "run/shellkeep");
    server.kill_9();
    is_found("the directory went before the server");
    rig.server().kill_9();
    for _ in 0..3 {
        // The keeper may be so fast that there is something in it again.
        rig.wait_until("the directory to go", || {
            std::fs::remove_dir_all(rig.path("run/shellkeep")).is_ok()
        });
        rig.wait_until("the keeper's socket", || socket.exists());
    }
    // Not even the place for it is there for a while.
    std::fs::rename(rig.path("run/shellkeep"), rig.path("gone")).unwrap();
    rig.write("run/shellkeep", "in the way");
    std::fs::remove_file(rig.path("run/shellkeep")).unwrap();
    std::fs::create_dir(rig.path("run/shellkeep")).unwrap();
    rig.wait_until("the keeper's socket", || socket.exists());
    is_found("the directory went after the server");
    // Its socket is still the one that the next server needs.
    rig.ok(&["kill-server"]);
    keeper.wait_gone();
}

/// Puts another runtime directory in the place of the one there is, as a logout and a login do it: what is there is not removed, but
/// out of reach.
fn replace_runtime_directory(rig: &Rig, aside: &str) {
    std::fs::rename(rig.path("run"), rig.path(aside)).unwrap();
    std::fs::create_dir(rig.path("run")).unwrap();
}

#[test]
fn server_whose_runtime_directory_was_replaced_unseen_is_found_and_ended() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "sleep", "1003"]);
    let program = rig.wait_for("the program", || rig.processes_with("1003").pop());
    let (server, keeper) = (rig.server(), rig.keeper());
    let names = |flags: &[&str]| rig.ok(&[flags, &["ls", "-F", "#{session_name}"]].concat());
    for round in 0..2 {
        replace_runtime_directory(&rig, &format!("gone{round}"));
        assert!(rig.ok(&["ls"]).starts_with("work: "));
        assert_eq!(rig.processes_of(Role::Server), [server]);
        assert_eq!(rig.find_server(), Some(server));
        rig.wait_until("the keeper's socket", || {
            rig.path("run/shellkeep/default.keeper").exists()
        });
    }
    // It is found by the next server, too, however that comes.
    rig.ok(&["restart-server"]);
    assert_eq!(names(&[]), "work\n");
    rig.server().kill_9();
    assert_eq!(names(&[]), "work\n");
    assert_eq!(rig.keepers(), [keeper]);
    assert!(program.is_alive());
    // One of the same name elsewhere is no other.
    let other = rig.path("default");
    let other = ["-S", other.to_str().unwrap()];
    rig.ok(&[&other[..], &["new", "-d", "-s", "other"]].concat());
    assert_eq!(rig.processes_of(Role::Server).len(), 2);
    assert_eq!(names(&[]), "work\n");
    replace_runtime_directory(&rig, "gone2");
    assert_eq!(names(&[]), "work\n");
    assert_eq!(names(&other), "other\n");
    rig.ok(&[&other[..], &["kill-server"]].concat());
    // One that is out of reach is ended, and not passed over.
    let server = rig.server();
    replace_runtime_directory(&rig, "gone3");
    rig.ok(&["kill-server"]);
    server.wait_gone();
    rig.wait_until("no process", || rig.processes().is_empty());
}

#[test]
fn shell_sleeps_and_wakes_though_the_runtime_directory_was_replaced() {
    let Some(rig) = rig_with("bash") else { return };
    begin(&rig, "work");
    replace_runtime_directory(&rig, "gone");
    hibernate(&rig, "work");
    assert!(is_asleep(&rig, "work"));
    rig.enter("work", "echo a''wake");
    wait_for_text(&rig, "work", "awake");
}

#[test]
fn what_lies_beside_the_socket_is_passed_over_or_named() {
    let stale = rig();
    std::fs::create_dir(stale.path("run/shellkeep")).unwrap();
    // A socket that nobody listens on, a lock with a number that is somebody else's, and junk.
    drop(std::os::unix::net::UnixListener::bind(stale.socket()).unwrap());
    stale.write(
        "run/shellkeep/default.lock",
        &std::process::id().to_string(),
    );
    stale.write("run/shellkeep/default.start", "junk");
    stale.write("run/shellkeep/default.keeper", "not even a socket");
    assert_eq!(stale.ok(&["new", "-d", "-s", "work"]), "");
    assert!(stale.ok(&["ls"]).starts_with("work: "));
    for name in ["default", "default.keeper"] {
        let rig = rig();
        let dir = rig.path("run/shellkeep").join(name);
        std::fs::create_dir_all(&dir).unwrap();
        permit(&rig.path("run/shellkeep"), 0o700);
        let said = rig.run(&["new", "-d", "-s", "work"]);
        let dir = dir.display();
        let sentence = format!("cannot start the server: {dir}: Is a directory (os error 21)");
        assert_eq!(said.fails(), sentence);
        rig.wait_until("nobody", || rig.processes().is_empty());
    }
}

fn permit(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn give_to(path: &Path, user: u32) {
    std::os::unix::fs::chown(path, Some(user), Some(user)).unwrap();
}

#[test]
fn directory_that_is_not_ours_alone_is_refused() {
    let rig = rig();
    let dir = rig.path("shared");
    std::fs::create_dir(&dir).unwrap();
    let socket = dir.join("s");
    let socket = socket.to_str().unwrap();
    let new = || rig.run(&["-S", socket, "new", "-d"]);
    let refused = |said: &str| {
        let said = said.strip_prefix(&format!("{}: ", dir.display())).unwrap();
        let sentence = "others may write to the directory, and could replace what shells read beside the socket; \
            chmod go-w it, or name one elsewhere";
        assert_eq!(said, sentence);
        assert!(rig.processes().is_empty());
    };
    permit(&dir, 0o777);
    refused(&new().fails());
    // Another's, or with something of another's in it.
    if nix::unistd::getuid().is_root() {
        permit(&dir, 0o755);
        give_to(&dir, 65534);
        let said = new().fails();
        let words =
            "the directory is another user's, who could replace what shells read beside the socket";
        assert!(said.contains(words), "{said}");
        // As in /tmp: everybody may make files there, and nobody take away another's.
        give_to(&dir, 0);
        permit(&dir, 0o1777);
        let shells = dir.join("s.shells");
        std::fs::create_dir(&shells).unwrap();
        give_to(&shells, 65534);
        let said = new().fails();
        assert!(
            said.ends_with("s.shells is another user's; name another socket"),
            "{said}"
        );
        assert!(rig.processes().is_empty());
        std::fs::remove_dir(&shells).unwrap();
        assert_eq!(new().ok(), "");
        rig.ok(&["-S", socket, "kill-server"]);
        rig.wait_until("nobody", || rig.processes().is_empty());
    } else {
        skip("only root can be somebody else");
    }
    // What is refused in a directory of the user's own choice is what is dangerous there, and no more.
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).unwrap();
    let group = nix::unistd::Group::from_gid(nix::unistd::getgid()).unwrap();
    let is_own = |group: &nix::unistd::Group| user.is_some_and(|user| user.name == group.name);
    permit(&dir, 0o775);
    match group.filter(is_own) {
        Some(_) => {
            assert_eq!(new().ok(), "");
            rig.ok(&["-S", socket, "kill-server"]);
            rig.wait_until("nobody", || rig.processes().is_empty());
        }
        None => refused(&new().fails()),
    }
    // Where everybody may make one, it must be ours alone.
    let shim = rig.path("shim");
    rig.ok(&["tmux-shim", shim.to_str().unwrap()]);
    let shim = shim.join("tmux").to_string_lossy().into_owned();
    let new = || {
        let mut command = rig.other_command(&shim);
        command.env("TMUX_TMPDIR", rig.path("home"));
        command.args(["new", "-d"]);
        rig.finish(command)
    };
    let dir = rig.path(&format!("home/shellkeep-{}", nix::unistd::getuid()));
    std::fs::create_dir(&dir).unwrap();
    for mode in [0o755, 0o701, 0o720] {
        permit(&dir, mode);
        let said = new().fails();
        assert!(said.contains("unsafe permissions"), "{mode:o}: {said}");
    }
    std::fs::remove_dir(&dir).unwrap();
    std::os::unix::fs::symlink(rig.path("run"), &dir).unwrap();
    let said = new().fails();
    assert!(said.ends_with("is not a directory"), "{said}");
    assert!(rig.processes().is_empty());
    std::fs::remove_file(&dir).unwrap();
    assert_eq!(new().ok(), "");
}

#[test]
fn server_that_ends_takes_programs_and_keeper_along_and_leaves_its_lock() {
    let rig = rig();
    let dir = rig.path("sockets");
    std::fs::create_dir(&dir).unwrap();
    let socket = dir.join("s");
    let call = ["-S", socket.to_str().unwrap()];
    let program = crate::program().into_string().unwrap();
    let new = [&[&program[..]], &call[..], &["new"]].concat();
    let agent = rig.path("agent").to_string_lossy().into_owned();
    let variables = [("SHELL", "/usr/bin/bash"), ("SSH_AUTH_SOCK", &agent[..])];
    // What the shell exits for, and what ends the session or the server.
    for end in [
        &[][..],
        &["kill-server"],
        &["kill-session"],
        &["kill-server", "--keep"],
    ] {
        let mut terminal = rig.start(&new, &variables, (24, 80));
        terminal.wait_for_prompt();
        assert!(dir.join("s.shells").exists() && dir.join("s.start").exists());
        if end.is_empty() {
            terminal.enter("exit");
            assert_eq!(terminal.wait_exit(), 0);
        } else {
            rig.ok(&[&call[..], &["new-window", "-d", "sleep", "1001"]].concat());
            let program = rig.wait_for("the program", || rig.processes_with("1001").pop());
            rig.ok(&[&call[..], end].concat());
            program.wait_gone();
        }
        rig.wait_until("nobody", || rig.processes().is_empty());
        let left = std::fs::read_dir(&dir).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["s.lock"], "{end:?}");
        // The keeper has had nothing to complain of.
        assert_eq!(rig.read("state/shellkeep/s.keeper.log"), "", "{end:?}");
        assert!(rig.path("state/shellkeep/s.keeper.log").exists());
        if !end.contains(&"--keep") {
            let said = rig.run(&[&call[..], &["ls"]].concat()).fails();
            let expected = format!("no server running on {}", socket.display());
            assert_eq!(said, expected, "{end:?}");
        }
    }
}

#[test]
fn what_a_start_under_way_has_put_beside_the_socket_stays() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let path = rig.path("run/shellkeep/default.start");
    let turn = std::fs::File::open(&path).unwrap();
    turn.lock().unwrap();
    let script = rig.write("run/shellkeep/default.shells/scripts/new", "");
    let server = rig.server();
    rig.ok(&["kill-server"]);
    server.wait_gone();
    assert!(path.exists() && script.exists());
    // Who waits for a turn that is taken away gets another.
    let mut client = rig.command(&["new", "-d", "-s", "next"]).spawn().unwrap();
    rig.wait_until("the client to wait", || {
        std::fs::read_to_string("/proc/locks").is_ok_and(|locks| {
            let waits =
                |line: &str| line.contains("->") && line.contains(&format!(" {} ", client.id()));
            locks.lines().any(waits)
        })
    });
    std::fs::remove_file(&path).unwrap();
    turn.unlock().unwrap();
    assert!(client.wait().unwrap().success());
    assert!(path.exists());
}

#[test]
fn servers_that_were_not_needed_leave_nothing() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "before"]);
    rig.ok(&["kill-server"]);
    let lock = std::fs::File::open(rig.path("run/shellkeep/default.lock")).unwrap();
    lock.lock().unwrap();
    let mut client = rig.command(&["new", "-d", "-s", "first"]).spawn().unwrap();
    // Each server that it starts finds the lock taken, and ends.
    let mut seen = std::collections::BTreeSet::new();
    rig.wait_until("some servers", || {
        seen.extend(rig.processes().iter().map(|process| process.pid));
        seen.len() > 5
    });
    lock.unlock().unwrap();
    assert!(client.wait().unwrap().success());
    rig.ok(&["kill-server"]);
    rig.wait_until("nobody", || rig.processes().is_empty());
}

/// What a process has started and not let go of, dead or alive.
fn children(process: &Process) -> Vec<i32> {
    let pid = process.pid;
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let list = list.unwrap_or_default();
    list.split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect()
}

#[test]
fn processes_that_have_ended_are_let_go() {
    let rig = rig();
    let program = crate::program().into_string().unwrap();
    let terminal = rig.start(&[&program, "new", "-s", "work"], &[], (24, 80));
    terminal.wait_for_prompt();
    // The server is not the client's child, which would list it when it has ended.
    assert!(children(&terminal.process()).is_empty());
    // A server lists the dead keeper that it has started no longer, also one that it has started as another program.
    for is_restarted in [false, true] {
        if is_restarted {
            rig.ok(&["restart-server"]);
        }
        let keeper = rig.keeper();
        keeper.kill_9();
        rig.wait_until("the new keeper to be the only child", || {
            let keepers = rig.keepers();
            let pids: Vec<i32> = keepers.iter().map(|keeper| keeper.pid).collect();
            pids != [keeper.pid] && children(&rig.server()) == pids
        });
    }
    terminal
        .enter("echo still her''e")
        .wait_for_text("still here");
}

#[test]
fn keeper_that_cannot_be_started_is_tried_now_and_then_and_told_of() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let socket = rig.path("run/shellkeep/default.keeper");
    let (server, keeper) = (rig.server(), rig.keeper());
    server.signal(Signal::SIGSTOP);
    rig.wait_until("the stop", || server.is_stopped());
    keeper.kill_9();
    std::fs::remove_file(&socket).unwrap();
    std::fs::create_dir(&socket).unwrap();
    server.signal(Signal::SIGCONT);
    let said = rig.run(&["new", "-d", "-s", "other"]);
    let sentence = format!(
        "cannot start the keeper: {}: Is a directory (os error 21)",
        socket.display()
    );
    assert_eq!(said.fails(), sentence);
    assert_eq!(rig.ok(&["ls", "-F", "#{session_name}"]), "work\n");
    let lines = rig.log().matches("the keeper is gone").count();
    assert!((2..20).contains(&lines), "{}", rig.log());
    // As soon as it can be, it is.
    std::fs::remove_dir(&socket).unwrap();
    rig.wait_until("another keeper", || rig.keepers().len() == 1);
    rig.ok(&["new", "-d", "-s", "other"]);
    server.kill_9();
    assert_eq!(rig.ok(&["ls", "-F", "#{session_name}"]), "other\nwork\n");
}
