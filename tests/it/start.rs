//! Starting: one server however many ask for it, and its socket stays where it is.

use std::os::unix::fs::PermissionsExt as _;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Role};

use crate::hibernate::{begin, hibernate, is_asleep, rig_with, wait_for_text};
use crate::rig;

#[test]
fn first_commands_at_the_same_time_start_one_server() {
    let rig = rig();
    let outputs = std::thread::scope(|scope| {
        let names = (0..8).map(|number| format!("s{number}"));
        let threads: Vec<_> = names
            .map(|name| {
                let rig = &rig;
                scope.spawn(move || rig.run(&["new", "-d", "-s", &name]))
            })
            .collect();
        let join = threads.into_iter().map(|thread| thread.join().unwrap());
        join.collect::<Vec<_>>()
    });
    for output in outputs {
        assert_eq!(output.ok(), "");
    }
    assert_eq!(rig.ok(&["ls"]).lines().count(), 8);
    rig.wait_until("one server alone", || {
        rig.processes_of(Role::Server).len() == 1
    });
    assert_eq!(rig.keepers().len(), 1);
}

#[test]
fn socket_removed_is_made_anew() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let server = rig.server();
    for _ in 0..3 {
        std::fs::remove_file(rig.socket()).unwrap();
        rig.wait_until("the socket", || rig.socket().exists());
        assert!(rig.ok(&["ls"]).starts_with("work: "));
    }
    std::fs::rename(rig.socket(), rig.path("moved")).unwrap();
    server.signal(Signal::SIGUSR1);
    rig.wait_until("the socket", || rig.socket().exists());
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    assert_eq!(rig.server(), server);
}

#[test]
fn runtime_directory_removed_is_made_anew() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let server = rig.server();
    // Moved away first: the server makes it anew before all of it is deleted.
    std::fs::rename(rig.path("run/shellkeep"), rig.path("gone")).unwrap();
    std::fs::remove_dir_all(rig.path("gone")).unwrap();
    rig.wait_until("the socket", || rig.socket().exists());
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    assert!(server.is_alive());
    assert_eq!(rig.processes_of(Role::Server), [server]);
}

#[test]
fn server_killed_after_its_directory_was_removed_loses_no_program() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "sleep", "1001"]);
    let program = rig.wait_for("the program", || rig.processes_with("1001").pop());
    let server = rig.server();
    // The server must not have the time to repair it.
    server.signal(Signal::SIGSTOP);
    rig.wait_until("the stop", || server.is_stopped());
    std::fs::rename(rig.path("run/shellkeep"), rig.path("gone")).unwrap();
    std::fs::remove_dir_all(rig.path("gone")).unwrap();
    server.kill_9();
    rig.wait_until("the session", || {
        rig.run(&["ls"]).stdout.starts_with("work: ")
    });
    assert!(program.is_alive());
    assert_eq!(rig.keepers().len(), 1);
}

#[test]
fn server_whose_runtime_directory_was_replaced_unseen_is_found() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "sleep", "1003"]);
    let program = rig.wait_for("the program", || rig.processes_with("1003").pop());
    let (server, keeper) = (rig.server(), rig.keeper());
    for round in 0..2 {
        // As a logout and a login do it: what is there is not removed, but out of reach, and another directory is in its place.
        std::fs::rename(rig.path("run"), rig.path(&format!("gone{round}"))).unwrap();
        std::fs::create_dir(rig.path("run")).unwrap();
        assert!(rig.ok(&["ls"]).starts_with("work: "));
        assert_eq!(rig.processes_of(Role::Server), [server]);
        assert_eq!(rig.find_server(), Some(server));
        rig.wait_until("the keeper's socket", || {
            rig.path("run/shellkeep/default.keeper").exists()
        });
    }
    // It is found by the next server, too, however that comes.
    rig.ok(&["restart-server"]);
    assert_eq!(rig.ok(&["ls", "-F", "#{session_name}"]), "work\n");
    rig.server().kill_9();
    assert_eq!(rig.ok(&["ls", "-F", "#{session_name}"]), "work\n");
    assert_eq!(rig.keepers(), [keeper]);
    assert!(program.is_alive());
}

#[test]
fn shell_sleeps_and_wakes_though_the_runtime_directory_was_replaced() {
    let Some(rig) = rig_with("bash") else { return };
    begin(&rig, "work");
    std::fs::rename(rig.path("run"), rig.path("gone")).unwrap();
    std::fs::create_dir(rig.path("run")).unwrap();
    hibernate(&rig, "work");
    assert!(is_asleep(&rig, "work"));
    rig.enter("work", "echo a''wake");
    wait_for_text(&rig, "work", "awake");
}

#[test]
fn server_out_of_reach_is_ended_and_not_passed_over() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let server = rig.server();
    std::fs::rename(rig.path("run"), rig.path("gone")).unwrap();
    std::fs::create_dir(rig.path("run")).unwrap();
    rig.ok(&["kill-server"]);
    server.wait_gone();
    rig.wait_until("no process", || rig.processes().is_empty());
}

#[test]
fn server_of_the_same_name_elsewhere_is_no_other() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let other = rig.path("default");
    let other = other.to_str().unwrap();
    rig.ok(&["-S", other, "new", "-d", "-s", "other"]);
    assert_eq!(rig.processes_of(Role::Server).len(), 2);
    assert_eq!(rig.ok(&["ls", "-F", "#{session_name}"]), "work\n");
    std::fs::rename(rig.path("run"), rig.path("gone")).unwrap();
    std::fs::create_dir(rig.path("run")).unwrap();
    assert_eq!(rig.ok(&["ls", "-F", "#{session_name}"]), "work\n");
    assert_eq!(
        rig.ok(&["-S", other, "ls", "-F", "#{session_name}"]),
        "other\n"
    );
}

#[test]
fn sockets_removed_after_the_death_of_the_server_are_made_anew() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "sleep", "1004"]);
    let program = rig.wait_for("the program", || rig.processes_with("1004").pop());
    let keeper = rig.keeper();
    let socket = rig.path("run/shellkeep/default.keeper");
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
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    assert!(!rig.ok(&["ls"]).contains("ended"));
    assert_eq!(rig.keepers(), [keeper]);
    assert!(program.is_alive());
}

#[test]
fn stale_files_of_every_kind_do_not_block_a_start() {
    let rig = rig();
    std::fs::create_dir(rig.path("run/shellkeep")).unwrap();
    // A socket that nobody listens on, a lock with a number that is somebody else's, and junk.
    drop(std::os::unix::net::UnixListener::bind(rig.socket()).unwrap());
    rig.write(
        "run/shellkeep/default.lock",
        &std::process::id().to_string(),
    );
    rig.write("run/shellkeep/default.start", "junk");
    rig.write("run/shellkeep/default.keeper", "not even a socket");
    assert_eq!(rig.ok(&["new", "-d", "-s", "work"]), "");
    assert!(rig.ok(&["ls"]).starts_with("work: "));
}

#[test]
fn directory_others_can_write_to_is_refused() {
    let rig = rig();
    let dir = rig.path("shared");
    let mode = |mode| {
        std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(mode)).unwrap();
    };
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
    mode(0o777);
    refused(&new().fails());
    // What is refused in a directory of the user's own choice is what is dangerous there, and no more.
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).unwrap();
    let group = nix::unistd::Group::from_gid(nix::unistd::getgid()).unwrap();
    let is_own = |group: &nix::unistd::Group| user.is_some_and(|user| user.name == group.name);
    mode(0o775);
    match group.filter(is_own) {
        Some(_) => assert_eq!(new().ok(), ""),
        None => refused(&new().fails()),
    }
}

#[test]
fn directory_of_another_user_is_refused_and_so_is_what_another_has_put_beside_the_socket() {
    if !nix::unistd::getuid().is_root() {
        return crate::skip("only root can be somebody else");
    }
    let rig = rig();
    let dir = rig.path("theirs");
    std::fs::create_dir(&dir).unwrap();
    let socket = dir.join("s");
    let socket = socket.to_str().unwrap();
    let new = || rig.run(&["-S", socket, "new", "-d"]);
    std::os::unix::fs::chown(&dir, Some(65534), Some(65534)).unwrap();
    let said = new().fails();
    let words =
        "the directory is another user's, who could replace what shells read beside the socket";
    assert!(said.contains(words), "{said}");
    // As in /tmp: everybody may make files there, and nobody take away another's.
    std::os::unix::fs::chown(&dir, Some(0), Some(0)).unwrap();
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o1777)).unwrap();
    let shells = dir.join("s.shells");
    std::fs::create_dir(&shells).unwrap();
    std::os::unix::fs::chown(&shells, Some(65534), Some(65534)).unwrap();
    let said = new().fails();
    assert!(
        said.ends_with("s.shells is another user's; name another socket"),
        "{said}"
    );
    assert!(rig.processes().is_empty());
    std::fs::remove_dir(&shells).unwrap();
    assert_eq!(new().ok(), "");
}

#[test]
fn server_that_ends_leaves_its_lock_and_no_more() {
    let rig = rig();
    let dir = rig.path("sockets");
    std::fs::create_dir(&dir).unwrap();
    let socket = dir.join("s");
    let socket = socket.to_str().unwrap();
    for end in [
        &["kill-server"][..],
        &["kill-session"],
        &["kill-server", "--keep"],
    ] {
        let mut command = rig.command(&["-S", socket, "new", "-d"]);
        command.env("SHELL", "/usr/bin/bash");
        command.env("SSH_AUTH_SOCK", rig.path("agent"));
        assert_eq!(rig.finish(command).ok(), "");
        assert!(dir.join("s.shells").exists() && dir.join("s.start").exists());
        rig.ok(&[&["-S", socket], end].concat());
        rig.wait_until("nobody", || rig.processes().is_empty());
        let left = std::fs::read_dir(&dir).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["s.lock"], "{end:?}");
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
fn directory_where_everybody_may_make_one_must_be_ours_alone() {
    use std::os::unix::fs::PermissionsExt;
    let rig = rig();
    let shim = rig.path("shim");
    rig.ok(&["tmux-shim", shim.to_str().unwrap()]);
    let shim = shim.join("tmux").to_string_lossy().into_owned();
    let run = || {
        let mut command = rig.other_command(&shim);
        command.env("TMUX_TMPDIR", rig.path("home"));
        command.args(["new", "-d"]);
        rig.finish(command)
    };
    let dir = rig.path(&format!("home/shellkeep-{}", nix::unistd::getuid()));
    std::fs::create_dir(&dir).unwrap();
    for mode in [0o755, 0o701, 0o720] {
        std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(mode)).unwrap();
        let said = run().fails();
        assert!(said.contains("unsafe permissions"), "{said}");
    }
    std::fs::remove_dir(&dir).unwrap();
    std::os::unix::fs::symlink(rig.path("run"), &dir).unwrap();
    let said = run().fails();
    assert!(said.ends_with("is not a directory"), "{said}");
    assert!(rig.processes().is_empty());
    std::fs::remove_file(&dir).unwrap();
    assert_eq!(run().ok(), "");
}

#[test]
fn label_that_would_be_a_file_of_another_server_is_refused() {
    let rig = rig();
    for label in ["work.lock", "work.keeper", "work.start", "work.shells"] {
        let said = rig.run(&["-L", label, "new", "-d"]).fails();
        let expected = format!("bad label: {label:?} (files ending in ");
        assert!(said.starts_with(&expected), "{said}");
    }
    rig.ok(&["-L", "work.lock.1", "new", "-d"]);
}

#[test]
fn flags_of_tmux_are_known() {
    let rig = rig();
    let said = rig.run(&["-N", "new", "-d"]).fails();
    assert!(said.starts_with("no server running on "), "{said}");
    for name in ["info", "server-info"] {
        let said = rig.run(&[name]).fails();
        assert!(said.starts_with("no server running on "), "{said}");
    }
    rig.ok(&["-2ul", "-T", "256", "new", "-d", "-s", "work"]);
    assert_eq!(rig.run(&["info"]).fails(), "no current client");
}

#[test]
fn word_that_is_not_utf8_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let rig = rig();
    let mut command = rig.command(&["send-keys", "-l"]);
    command.arg(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    let said = rig.finish(command).fails();
    assert_eq!(said, "not UTF-8: \"caf\\xE9\"");
}

#[test]
fn socket_path_too_long_is_refused_in_a_sentence() {
    let rig = rig();
    let long = rig.path(&"x".repeat(120));
    let said = rig
        .run(&["-S", long.to_str().unwrap(), "new", "-d"])
        .fails();
    assert!(said.starts_with("socket path too long: "), "{said}");
}

#[test]
fn commands_at_the_same_time_after_a_crash_all_find_the_sessions() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    for _ in 0..3 {
        rig.server().kill_9();
        std::thread::scope(|scope| {
            let ask = || rig.run(&["ls"]);
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            for thread in threads {
                let list = thread.join().unwrap().ok();
                assert!(list.starts_with("work: "), "{list:?}");
            }
        });
        // Some were started, found the lock taken, and are about to end.
        rig.wait_until("one server alone", || {
            rig.processes_of(Role::Server).len() == 1
        });
        assert_eq!(rig.keepers().len(), 1);
    }
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
fn server_that_finds_a_keeper_starts_no_other() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "sleep", "1002"]);
    let program = rig.wait_for("the program", || rig.processes_with("1002").pop());
    let keeper = rig.keeper();
    for _ in 0..3 {
        rig.server().kill_9();
        assert!(rig.ok(&["ls"]).starts_with("work: "));
        assert_eq!(rig.keepers(), [keeper]);
        // Server, keeper and program: nobody else waits for anything.
        rig.wait_until("three processes", || rig.processes().len() == 3);
    }
    // Its socket is still the one that the next server needs.
    assert!(program.is_alive());
    rig.ok(&["kill-server"]);
    keeper.wait_gone();
}

#[test]
fn what_is_in_the_place_of_a_socket_is_named() {
    for name in ["default", "default.keeper"] {
        let rig = rig();
        let dir = rig.path("run/shellkeep").join(name);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::set_permissions(
            rig.path("run/shellkeep"),
            std::fs::Permissions::from_mode(0o700),
        )
        .unwrap();
        let said = rig.run(&["new", "-d", "-s", "work"]);
        let dir = dir.display();
        let sentence = format!("cannot start the server: {dir}: Is a directory (os error 21)");
        assert_eq!(said.fails(), sentence);
        rig.wait_until("nobody", || rig.processes().is_empty());
    }
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
