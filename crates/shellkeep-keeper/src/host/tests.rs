//! A server takes over a keeper of an older build.

use std::os::fd::AsFd as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::thread;

use shellkeep_core::Size;

use super::*;
use crate::protocol::Program;
use crate::wire::{Inbox, Outbox};

/// The recorded messages of a real keeper of version 4, and what it understood.
const KEEPER_4: &str = include_str!("tests/keeper-4.txt");

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .chars()
        .map(|digit| u8::try_from(digit.to_digit(16).unwrap()).unwrap())
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

/// A descriptor to attach to a frame of the keeper.
fn descriptor_for(frame: &[u8]) -> OwnedFd {
    match FromKeeper::decode(&frame[4..]) {
        // In place of a master, any descriptor that can be watched.
        Some(FromKeeper::Held { .. }) => UnixStream::pair().unwrap().0.into(),
        Some(FromKeeper::TransitPipe { .. }) => transit_pipe::open().unwrap(),
        Some(FromKeeper::Input { .. }) => {
            let file = InputFile::with(b"typed").unwrap();
            file.fd().try_clone_to_owned().unwrap()
        }
        other => panic!("no descriptor belongs to {other:?}"),
    }
}

/// Sends what the keeper has sent, and compares what it receives byte by byte with what the keeper has understood.
fn play_keeper(listener: &UnixListener, script: &str) {
    let (stream, _) = listener.accept().unwrap();
    let (mut inbox, mut outbox) = (Inbox::default(), Outbox::default());
    for line in script.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let (frame, has_fd) = (bytes_of(words[1]), words.len() == 3);
        if words[0] == "<" {
            outbox.push(frame.clone(), has_fd.then(|| descriptor_for(&frame)));
            outbox.send(stream.as_fd()).unwrap();
            continue;
        }
        let heard = loop {
            if let Some(heard) = inbox.next_frame().unwrap() {
                break heard;
            }
            assert_ne!(inbox.receive(stream.as_fd()).unwrap(), 0, "before {line}");
        };
        assert_eq!(heard, frame[4..], "instead of {line}");
        assert_eq!(inbox.take_fd().is_some(), has_fd, "{line}");
    }
}

fn link_to(socket: &Path) -> KeeperLink {
    let config = KeeperConfig {
        socket: socket.to_owned(),
        program: "/dev/null".into(),
        file_limit: None,
        log: None,
    };
    KeeperLink::open(config).unwrap()
}

fn spawn(pane: u32, program: &str) -> SpawnRequest {
    SpawnRequest {
        pane: PaneId(pane),
        size: Size::new(24, 80),
        program: Program::Argv(vec![program.into()]),
        cwd: b"/".to_vec(),
        environ: vec![b"PATH=/bin:/usr/bin".to_vec()],
        umask: 0o22,
        terminal: Vec::new(),
    }
}

#[tokio::test]
async fn keeper_of_version_4_is_taken_over_in_its_own_coding() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("keeper");
    let listener = UnixListener::bind(&socket).unwrap();
    let keeper = thread::spawn(move || play_keeper(&listener, KEEPER_4));

    let (host, recovered) = KeeperHost::connect(link_to(&socket), None).await.unwrap();
    let [held] = &recovered.panes[..] else {
        panic!("it holds one pane");
    };
    assert_eq!((held.pane, held.exit), (PaneId(1), None));
    assert!(held.pty.transit_pipe().is_some());
    assert_eq!(recovered.notes["session/0"], b"its notes");
    assert_eq!(recovered.inputs[&PaneId(2)].unsent().unwrap(), b"typed");

    let (handle, requests) = HostHandle::channel();
    let (sender, mut events) = mpsc::channel(8);
    let serving = tokio::spawn(host.run(requests, sender));
    handle.request(HostRequest::Remember {
        key: "session/0".to_owned(),
        value: b"other notes".to_vec(),
    });
    handle.request(HostRequest::ForgetInput(PaneId(2)));
    let _ = handle.spawn(spawn(3, "/no/such/program"));
    let failed = events.recv().await.unwrap();
    assert!(matches!(failed, HostEvent::SpawnFailed { pane, .. } if pane == PaneId(3)));
    let _ = handle.spawn(spawn(4, "cat"));
    let started = events.recv().await.unwrap();
    assert!(matches!(&started, HostEvent::Held(held) if held.pane == PaneId(4)));
    handle.request(HostRequest::Close(PaneId(1)));
    let exited = events.recv().await.unwrap();
    assert!(matches!(exited, HostEvent::Exited { exit, .. } if exit == Exit::Signal(9)));
    handle.request(HostRequest::Shutdown);
    serving.await.unwrap();
    keeper.join().unwrap();
}
