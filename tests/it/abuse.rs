//! Whoever talks nonsense to the socket is refused and logged, and nobody else notices.

use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};

use shellkeep_proto::{Hello, encode_frame};
use shellkeep_testkit::real::{DEADLINE, Rig};

use crate::refused::ordinary;
use crate::{is_installed, rig, skip};

/// A rig with a session and somebody looking at it: those who must not notice.
fn served() -> Rig {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    rig
}

fn connect(rig: &Rig) -> UnixStream {
    let stream = UnixStream::connect(rig.socket()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream
}

/// Says something and reads to the end: the server must close the line by itself.
fn is_refused(rig: &Rig, words: &[u8]) {
    let mut stream = connect(rig);
    stream.write_all(words).unwrap();
    let mut heard = Vec::new();
    // A server that has closed its end with something unread resets the line: an end like any other.
    let _ = stream.read_to_end(&mut heard);
    let (hello, length) = Hello::decode(&heard)
        .unwrap()
        .expect("the server says hello to everybody");
    assert_eq!(hello, Hello::ours());
    assert_eq!(heard.len(), length, "and nothing more");
}

/// The log has got this to say, and everybody else is served as ever.
fn is_logged_and_unnoticed(rig: &Rig, said: &str) {
    rig.wait_until("a word in the log", || rig.log().contains(said));
    assert!(rig.ok(&["ls"]).starts_with("work: "));
}

/// Our hello and a frame of this number.
fn greeting(number: u16, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Hello::ours().encode();
    encode_frame(number, payload, &mut bytes);
    bytes
}

/// Hangs up after the server's hello: before it, the kernel would call it a reset.
fn leave_politely(mut stream: UnixStream) {
    let mut hello = vec![0; Hello::ours().encode().len()];
    stream.read_exact(&mut hello).unwrap();
}

#[test]
fn garbage_is_refused_at_once_and_a_line_that_was_cut_is_logged() {
    let rig = served();
    let too_large = [
        &Hello::ours().encode()[..],
        &[0xff, 0xff, 0xff, 0x7f, 32, 0],
    ];
    let nonsense = b"\xff\xff\xff\xff\xff\xff\xff\xff nonsense";
    for (words, said) in [
        (
            b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            "does not speak shellkeep's protocol",
        ),
        (
            too_large.concat(),
            "a frame of 2147483647 bytes exceeds the limit",
        ),
        (greeting(32, nonsense), "message 32 is malformed"),
        (greeting(1, &[99, 0]), "message 1 is malformed"),
    ] {
        is_refused(&rig, &words);
        is_logged_and_unnoticed(&rig, said);
    }
    let whole = greeting(2, b"some keys");
    for (count, cut) in [
        (1, &whole[..whole.len() - 3]),
        (2, &Hello::ours().encode()[..9]),
    ] {
        let mut stream = connect(&rig);
        stream.write_all(cut).unwrap();
        leave_politely(stream);
        rig.wait_until("a word in the log", || {
            rig.log().matches("the line was cut").count() == count
        });
        is_logged_and_unnoticed(&rig, "the line was cut");
    }
}

#[test]
fn silence_is_borne_for_five_seconds_by_server_and_keeper() {
    let rig = served();
    let (server, keeper) = (rig.server(), rig.keeper());
    let began = std::time::Instant::now();
    // Many at once: what they cost must not keep anybody else waiting.
    let mut silent: Vec<UnixStream> = (0..64).map(|_| connect(&rig)).collect();
    let socket = rig.path("run/shellkeep/default.keeper");
    let at_keeper = || UnixStream::connect(&socket).unwrap();
    let (mut mute, mut hesitant) = (at_keeper(), at_keeper());
    hesitant.write_all(b"\x09\0\0\0\x01").unwrap();
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    let mut heard = Vec::new();
    silent[0].read_to_end(&mut heard).unwrap();
    assert!(began.elapsed().as_secs() >= 4, "{:?}", began.elapsed());
    is_logged_and_unnoticed(&rig, "it said nothing for 5 s");
    for stream in [&mut mute, &mut hesitant] {
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        assert_eq!(stream.read(&mut [0]).unwrap(), 0, "it is still open");
    }
    rig.ok(&["new", "-d", "-s", "xanother"]);
    assert_eq!((rig.server(), rig.keepers()), (server, vec![keeper]));
    // Those at the keeper do not keep the next server from it.
    let program = rig.ok(&["display", "-p", "-t", "work", "#{pane_pid}"]);
    let silent: Vec<UnixStream> = (0..100).map(|_| at_keeper()).collect();
    server.kill_9();
    let program_then = rig.ok(&["display", "-p", "-t", "work", "#{pane_pid}"]);
    assert_eq!(program_then, program);
    assert_eq!(rig.keepers(), [keeper]);
    drop(silent);
}

#[test]
fn keeper_lets_nobody_between_itself_and_the_server() {
    let rig = served();
    let (server, keeper) = (rig.server(), rig.keeper());
    let socket = rig.path("run/shellkeep/default.keeper");
    let talk = |words: &[u8]| {
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(words).unwrap();
        stream
    };
    drop(talk(b""));
    let _talker = talk(b"\xff\xff\xff\xffgarbage");
    let _stranger = talk(b"\x01\0\0\0\xff");
    drop(talk(b"\x09\0\0\0\x01"));
    let silent = talk(b"");
    let log = || rig.read("state/shellkeep/default.keeper.log");
    for why in [
        "frame beyond the limit",
        "it is no server",
        "it left in the middle of a word",
    ] {
        let line = format!("connection refused: {why} (process {}", std::process::id());
        rig.wait_until(why, || log().contains(&line));
    }
    assert_eq!(log().lines().count(), 3);
    rig.ok(&["new", "-d", "-s", "another"]);
    assert_eq!(rig.ok(&["ls"]).lines().count(), 2);
    assert_eq!((rig.server(), rig.keepers()), (server, vec![keeper]));
    drop(silent);
    assert!(!rig.log().contains("the keeper is gone"), "{}", rig.log());
}

/// A listener in the server's place that says this to everybody.
fn fake_server(rig: &Rig, words: Vec<u8>) {
    std::fs::create_dir_all(rig.path("run/shellkeep")).unwrap();
    let _ = std::fs::remove_file(rig.socket());
    let listener = UnixListener::bind(rig.socket()).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let _ = stream.write_all(&words);
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
}

#[test]
fn server_of_another_version_or_none_of_ours_is_named() {
    let rig = rig();
    let hello = Hello {
        version: 99,
        oldest: 98,
        features: 0,
        build: "shellkeep 99.0".into(),
    };
    fake_server(&rig, hello.encode());
    let ours = Hello::ours();
    let ours = format!("{} (protocol {})", ours.build, ours.version);
    for args in [&["ls"][..], &["new", "-d"], &["kill-server"]] {
        let said = rig.run(args).fails();
        for part in ["shellkeep 99.0 (protocol 99)", &ours, "restart-server"] {
            assert!(said.contains(part), "{args:?}, {part}: {said}");
        }
    }
    fake_server(&rig, b"220 mail.example.org ESMTP\r\n".to_vec());
    let said = rig.run(&["ls"]).fails();
    let socket = rig.socket();
    assert_eq!(
        said,
        format!(
            "the server at {} is not a shellkeep server",
            socket.display()
        )
    );
}

#[test]
fn another_user_is_refused_and_told_nothing_even_where_files_would_let_them_in() {
    if !nix::unistd::getuid().is_root() {
        return skip("only root can be somebody else");
    }
    if !is_installed("setpriv") {
        return;
    }
    let rig = served();
    let program = rig.path("program");
    std::fs::copy(env!("CARGO_BIN_EXE_shellkeep"), &program).unwrap();
    for name in [
        "",
        "program",
        "home",
        "run",
        "run/shellkeep",
        "run/shellkeep/default",
        "run/shellkeep/default.keeper",
    ] {
        std::fs::set_permissions(rig.path(name), std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    let mut command = rig.other_command("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    command.arg(program).arg("ls");
    let said = rig.finish(command);
    let said = said.fails();
    assert!(said.starts_with("access not allowed"), "{said}");
    is_logged_and_unnoticed(&rig, "connection refused: another user");
    assert!(rig.log().contains("65534"), "{}", rig.log());
    // A server of another user is told nothing.
    let Some((dir, rig)) = ordinary() else {
        return;
    };
    let socket = dir.path().join("fake");
    let listener = UnixListener::bind(&socket).unwrap();
    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o777)).unwrap();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut heard = Vec::new();
        // The client may have looked whose server it is and be gone already.
        let _ = stream.write_all(&Hello::ours().encode());
        let _ = stream.read_to_end(&mut heard);
        heard
    });
    let said = rig.run(&["-S", socket.to_str().unwrap(), "ls"]).fails();
    assert!(said.ends_with("is another user's"), "{said}");
    assert_eq!(heard.join().unwrap(), b"");
}

#[test]
fn background_processes_cannot_be_dumped_and_programs_can() {
    if !nix::unistd::getuid().is_root() {
        return skip("the rig finds processes by their environment");
    }
    let Some((_dir, rig)) = ordinary() else {
        return;
    };
    rig.ok(&["new", "-d", "-s", "work", "exec sleep 1000"]);
    // The system gives what a process that cannot be dumped has in /proc to root.
    let owner = |pid: i32| std::fs::metadata(format!("/proc/{pid}/fd")).unwrap().uid();
    let pane = || -> i32 {
        let pid = rig.ok(&["display", "-p", "-t", "work", "#{pane_pid}"]);
        pid.trim().parse().unwrap()
    };
    let is_right = |rig: &Rig| {
        assert_eq!(owner(rig.server().pid), 0);
        assert_eq!(owner(rig.keeper().pid), 0);
        assert_ne!(owner(pane()), 0, "a program is the user's own");
    };
    is_right(&rig);
    rig.ok(&["restart-server"]);
    is_right(&rig);
    rig.server().kill_9();
    rig.ok(&["ls"]);
    is_right(&rig);
    rig.keeper().kill_9();
    rig.wait_until("another keeper", || rig.keepers().len() == 1);
    is_right(&rig);
    // What is kept still works for an ordinary user.
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    let _ = rig.run(&["doctor"]);
}

#[test]
fn names_and_paths_do_not_command_the_terminal_they_are_printed_on() {
    let rig = rig();
    let evil = rig.path("home/\u{1b}]2;evil\u{7}x");
    std::fs::create_dir(&evil).unwrap();
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "work",
        "-c",
        evil.to_str().unwrap(),
        "exec sleep 1000",
    ]);
    let raw = rig.ok(&["display", "-p", "-t", "work", "#{pane_start_path}"]);
    assert!(
        raw.contains("\u{1b}]2;evil\u{7}"),
        "a script gets it as it is"
    );
    let terminal = rig.attach(
        &["display", "-p", "-t", "work", "#{pane_start_path}"],
        (10, 200),
    );
    terminal.wait_for_text("\\033]2;evil\\007x");
}
