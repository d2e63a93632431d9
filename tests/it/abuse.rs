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
fn garbage_is_refused_at_once_whatever_it_breaks() {
    let rig = served();
    is_refused(&rig, b"GET / HTTP/1.1\r\n\r\n");
    is_logged_and_unnoticed(&rig, "does not speak shellkeep's protocol");
    let words = [
        &Hello::ours().encode()[..],
        &[0xff, 0xff, 0xff, 0x7f, 32, 0],
    ]
    .concat();
    is_refused(&rig, &words);
    is_logged_and_unnoticed(&rig, "a frame of 2147483647 bytes exceeds the limit");
    is_refused(
        &rig,
        &greeting(32, b"\xff\xff\xff\xff\xff\xff\xff\xff nonsense"),
    );
    is_logged_and_unnoticed(&rig, "message 32 is malformed");
    is_refused(&rig, &greeting(1, &[99, 0]));
    is_logged_and_unnoticed(&rig, "message 1 is malformed");
}

#[test]
fn line_cut_within_a_frame_or_a_hello_is_logged() {
    let rig = served();
    let mut stream = connect(&rig);
    let whole = greeting(2, b"some keys");
    stream.write_all(&whole[..whole.len() - 3]).unwrap();
    leave_politely(stream);
    is_logged_and_unnoticed(&rig, "the line was cut");
    let before = rig.log().matches("the line was cut").count();
    let mut stream = connect(&rig);
    stream.write_all(&Hello::ours().encode()[..9]).unwrap();
    leave_politely(stream);
    rig.wait_until("another word in the log", || {
        rig.log().matches("the line was cut").count() > before
    });
    is_logged_and_unnoticed(&rig, "the line was cut");
}

#[test]
fn silence_is_borne_for_five_seconds() {
    let rig = served();
    let began = std::time::Instant::now();
    // Many at once: what they cost must not keep anybody else waiting.
    let mut silent: Vec<UnixStream> = (0..64).map(|_| connect(&rig)).collect();
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    let mut heard = Vec::new();
    silent[0].read_to_end(&mut heard).unwrap();
    assert!(began.elapsed().as_secs() >= 4, "{:?}", began.elapsed());
    is_logged_and_unnoticed(&rig, "it said nothing for 5 s");
}

/// A listener in the server's place that says this to everybody.
fn fake_server(rig: &Rig, words: Vec<u8>) {
    std::fs::create_dir(rig.path("run/shellkeep")).unwrap();
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
fn server_of_another_version_is_named_with_our_own() {
    let rig = rig();
    let hello = Hello {
        version: 99,
        oldest: 98,
        features: 0,
        build: "shellkeep 99.0".into(),
    };
    fake_server(&rig, hello.encode());
    for args in [&["ls"][..], &["new", "-d"], &["kill-server"]] {
        let said = rig.run(args).fails();
        assert!(said.contains("shellkeep 99.0 (protocol 99)"), "{said}");
        let ours = Hello::ours();
        assert!(
            said.contains(&format!("{} (protocol {})", ours.build, ours.version)),
            "{said}"
        );
        assert!(said.contains("restart-server"), "{said}");
    }
}

#[test]
fn server_that_is_none_of_ours_is_called_so() {
    let rig = rig();
    fake_server(&rig, b"220 mail.example.org ESMTP\r\n".to_vec());
    let said = rig.run(&["ls"]).fails();
    assert_eq!(
        said,
        format!(
            "the server at {} is not a shellkeep server",
            rig.socket().display()
        )
    );
}

#[test]
fn another_user_is_refused_even_where_files_would_let_them_in() {
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
}

#[test]
fn server_of_another_user_is_told_nothing() {
    if !nix::unistd::getuid().is_root() {
        return skip("only root can be somebody else");
    }
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

#[test]
fn keeper_lets_nobody_between_itself_and_the_server() {
    let rig = served();
    let (server, keeper) = (rig.server(), rig.keeper());
    let socket = rig.path("run/shellkeep/default.keeper");
    drop(UnixStream::connect(&socket).unwrap());
    let mut talker = UnixStream::connect(&socket).unwrap();
    talker.write_all(b"\xff\xff\xff\xffgarbage").unwrap();
    let mut stranger = UnixStream::connect(&socket).unwrap();
    stranger.write_all(b"\x01\0\0\0\xff").unwrap();
    let mut cut = UnixStream::connect(&socket).unwrap();
    cut.write_all(b"\x09\0\0\0\x01").unwrap();
    drop(cut);
    let silent = UnixStream::connect(&socket).unwrap();
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

#[test]
fn connection_that_says_nothing_to_the_keeper_is_closed() {
    let rig = served();
    let (server, keeper) = (rig.server(), rig.keeper());
    let socket = rig.path("run/shellkeep/default.keeper");
    let mut silent = UnixStream::connect(&socket).unwrap();
    let mut hesitant = UnixStream::connect(&socket).unwrap();
    hesitant.write_all(b"\x09\0\0\0\x01").unwrap();
    for stream in [&mut silent, &mut hesitant] {
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        assert_eq!(stream.read(&mut [0]).unwrap(), 0, "it is still open");
    }
    rig.ok(&["new", "-d", "-s", "another"]);
    assert_eq!((rig.server(), rig.keepers()), (server, vec![keeper]));
}

#[test]
fn connections_that_say_nothing_do_not_keep_the_next_server_from_the_keeper() {
    let rig = served();
    let keeper = rig.keeper();
    let program = rig.ok(&["display", "-p", "-t", "work", "#{pane_pid}"]);
    let socket = rig.path("run/shellkeep/default.keeper");
    let silent: Vec<UnixStream> = (0..100)
        .map(|_| UnixStream::connect(&socket).unwrap())
        .collect();
    rig.server().kill_9();
    let program_then = rig.ok(&["display", "-p", "-t", "work", "#{pane_pid}"]);
    assert_eq!(program_then, program);
    assert_eq!(rig.keepers(), [keeper]);
    drop(silent);
}
