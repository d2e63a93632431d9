//! The server ends and restarts whatever its threads are doing: neither side ever waits for the other.

use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::thread;

use nix::sys::signal::Signal;
use shellkeep_proto::{Context, FromClient, Hello, RunRequest};
use shellkeep_testkit::real::{DEADLINE, Rig};

use crate::hibernate::{begin, rig_with, stopped_server};
use crate::program;

/// As many as the recorder writes at a time, nearly.
const WINDOWS: usize = 40;

/// Enough for a client to meet the ending server at each of its steps.
const LAST_SESSIONS: usize = 40;

/// More than there is room for in the loop's channel.
const CLIENTS: usize = 300;

/// Connects, and sends a command without waiting for anything.
fn send(rig: &Rig, argv: &[&str]) -> UnixStream {
    let request = RunRequest {
        argv: argv.iter().map(|&word| word.to_owned()).collect(),
        context: Context {
            program: program().into_vec(),
            ..Context::default()
        },
    };
    let mut bytes = Hello::ours().encode();
    assert!(FromClient::Run(request).encode(&mut bytes), "it fits");
    let mut stream = UnixStream::connect(rig.socket()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.write_all(&bytes).unwrap();
    stream
}

/// Sends a command that ends the server while panes fall asleep and more clients ask for something than the loop has room for, and
/// waits until the server has ended.
fn end_in_a_crowd(argv: &[&str]) {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    let window = ["new-window", "-d", "-t", "work:", ";"];
    rig.ok(&window.repeat(WINDOWS - 1));
    rig.wait_until("a prompt in every window", || {
        let shown = |number: usize| {
            let target = format!("work:{number}");
            rig.ok(&["capture-pane", "-p", "-t", &target]).trim() == "$"
        };
        (0..WINDOWS).all(shown)
    });
    let (server, mut sleeping) = stopped_server(&rig, "read-back", &["hibernate", "-a"]);
    let ask = || send(&rig, &["list-panes", "-a"]);
    let before: Vec<UnixStream> = (0..CLIENTS / 2).map(|_| ask()).collect();
    let mut ending = send(&rig, argv);
    let after: Vec<UnixStream> = (0..CLIENTS / 2).map(|_| ask()).collect();
    server.signal(Signal::SIGCONT);
    let mut heard = Vec::new();
    let ended = ending.read_to_end(&mut heard);
    assert!(
        ended.is_ok(),
        "{argv:?}: the server does not end: {ended:?}"
    );
    drop((before, after));
    let _ = sleeping.kill();
    sleeping.wait().unwrap();
    let panes = rig.ok(&["list-panes", "-a"]);
    assert_eq!(panes.lines().count(), WINDOWS, "{argv:?}: {panes}");
}

#[test]
fn server_ends_and_restarts_in_a_crowd_of_clients() {
    for argv in [&["restart-server"][..], &["kill-server", "--keep"]] {
        end_in_a_crowd(argv);
    }
}

#[test]
fn client_that_meets_an_ending_server_is_served_by_the_next() {
    let rig = crate::rig();
    for round in 0..LAST_SESSIONS {
        let (last, next) = (format!("last{round}"), format!("next{round}"));
        rig.ok(&["new", "-d", "-s", &last]);
        thread::scope(|scope| {
            scope.spawn(|| rig.ok(&["kill-session", "-t", &last]));
            rig.ok(&["new", "-d", "-s", &next]);
        });
        let sessions = rig.ok(&["list-sessions", "-F", "#{session_name}"]);
        assert_eq!(sessions.trim(), next, "round {round}");
        rig.ok(&["kill-session", "-t", &next]);
    }
}
