use super::*;
use crate::{FrameDecoder, LeaveKind, Verb};
use proptest::prelude::*;
use shellkeep_core::SessionId;

fn frames(bytes: &[u8]) -> Vec<Frame> {
    let mut decoder = FrameDecoder::default();
    decoder.feed(bytes);
    std::iter::from_fn(|| decoder.next_frame().unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check_client(message: &FromClient, golden: &str) {
    let mut bytes = Vec::new();
    assert!(message.encode(&mut bytes));
    assert_eq!(
        hex(&bytes),
        golden.replace([' ', '\n'], ""),
        "bytes changed: bump VERSION"
    );
    let back = FromClient::decode(frames(&bytes).remove(0));
    assert_eq!(back, Ok(Some(message.clone())));
}

fn check_server(message: &FromServer, golden: &str) {
    let mut bytes = Vec::new();
    message.encode(&mut bytes);
    assert_eq!(
        hex(&bytes),
        golden.replace([' ', '\n'], ""),
        "bytes changed: bump VERSION"
    );
    let back = FromServer::decode(frames(&bytes).remove(0));
    assert_eq!(back, Ok(Some(message.clone())));
}

fn run_request() -> RunRequest {
    RunRequest {
        argv: vec!["ls".into()],
        context: Context {
            cwd: b"/".to_vec(),
            environ: vec![b"A=b".to_vec()],
            umask: 0o22,
            pid: 7,
            program: b"/s".to_vec(),
            terminal: Some(Terminal {
                tty: b"/t".to_vec(),
                rows: 24,
                cols: 80,
                is_shared: true,
            }),
        },
    }
}

#[test]
fn client_messages_have_version_1_bytes() {
    let core = Core {
        verb: Verb::List,
        words: vec!["x".into()],
    };
    check_client(&FromClient::Core(core), "05000000 0100 01 01 0100 78");
    check_client(&FromClient::Input(b"a\x1b".to_vec()), "02000000 0200 611b");
    check_client(
        &FromClient::Resize(Size::new(24, 80)),
        "04000000 0300 1800 5000",
    );
    check_client(&FromClient::Painted, "00000000 0400");
    check_client(&FromClient::Ready, "00000000 0500");
    check_client(&FromClient::Pause, "00000000 0600");
    check_client(&FromClient::Stdin(b"x".to_vec()), "01000000 0800 78");
    let role = Role {
        is_control: true,
        is_tmux: true,
    };
    check_client(&FromClient::Role(role), "01000000 0a00 03");
    let line = FromClient::ControlInput(b"ls\n".to_vec());
    check_client(&line, "03000000 0b00 6c730a");
    check_client(&FromClient::ControlInput(Vec::new()), "00000000 0b00");
    check_client(
        &FromClient::Run(run_request()),
        "50000000 2000
         0100000000000000 0200000000000000 6c73
         0100000000000000 2f
         0100000000000000 0300000000000000 413d62
         12000000 07000000
         0200000000000000 2f73
         01 0200000000000000 2f74 1800 5000 01",
    );
}

#[test]
fn server_messages_have_version_1_bytes() {
    let attached = FromServer::Attached(Attached {
        session: SessionId(3),
        name: "w".into(),
        enter: b"E".to_vec(),
        leave: b"L".to_vec(),
        is_direct: true,
        is_read_only: true,
    });
    check_server(
        &attached,
        "14000000 8000 03000000 01000000 77 01000000 45 01000000 4c 03",
    );
    check_server(&FromServer::Output(b"o".to_vec()), "01000000 8100 6f");
    check_server(&FromServer::Stdout(b"o".to_vec()), "01000000 8200 6f");
    check_server(&FromServer::Stderr(b"e".to_vec()), "01000000 8300 65");
    check_server(&FromServer::Done(1), "01000000 8400 01");
    let leave = Leave {
        kind: LeaveKind::Exited,
        text: "bye".into(),
    };
    check_server(&FromServer::Leave(leave), "04000000 8500 02 627965");
    check_server(&FromServer::Suspend, "00000000 8600");
    check_server(&FromServer::Relay, "00000000 8700");
    check_server(&FromServer::ReadInput, "00000000 8900");
    check_server(
        &FromServer::Lock("lock".to_owned()),
        "04000000 8c00 6c6f636b",
    );
}

#[test]
fn unknown_number_is_skipped_not_an_error() {
    let frame = Frame {
        number: 127,
        payload: vec![1, 2, 3],
    };
    assert_eq!(FromClient::decode(frame.clone()), Ok(None));
    assert_eq!(FromServer::decode(frame), Ok(None));
}

#[test]
fn known_number_with_foreign_payload_is_an_error() {
    for number in [1, 3, 32] {
        let frame = Frame {
            number,
            payload: vec![0xff],
        };
        assert_eq!(FromClient::decode(frame), Err(MessageError(number)));
    }
}

#[test]
fn run_with_forged_length_is_refused_without_allocating() {
    let frame = Frame {
        number: 32,
        payload: vec![0xff; 64],
    };
    assert_eq!(FromClient::decode(frame), Err(MessageError(32)));
}

#[test]
fn run_beyond_the_limit_is_not_sent() {
    let huge = RunRequest {
        argv: vec!["x".repeat(MAX_PAYLOAD)],
        ..run_request()
    };
    let mut bytes = Vec::new();
    assert!(!FromClient::Run(huge).encode(&mut bytes));
    assert!(bytes.is_empty());
}

#[test]
fn long_input_travels_in_several_frames() {
    let mut bytes = Vec::new();
    assert!(FromClient::Input(vec![b'x'; MAX_PAYLOAD + 1]).encode(&mut bytes));
    let sizes: Vec<usize> = frames(&bytes)
        .iter()
        .map(|frame| frame.payload.len())
        .collect();
    assert_eq!(sizes, [MAX_PAYLOAD, 1]);
}

#[test]
fn context_env_finds_whole_names_only() {
    let context = Context {
        environ: vec![b"TERMINAL=x".to_vec(), b"TERM=vt100".to_vec()],
        ..Context::default()
    };
    assert_eq!(context.env("TERM"), Some("vt100"));
    assert_eq!(context.env("TER"), None);
}

proptest! {
    #[test]
    fn any_payload_is_read_without_panic(number in 0u16..200, payload in prop::collection::vec(any::<u8>(), 0..200)) {
        let frame = Frame { number, payload };
        let _ = FromClient::decode(frame.clone());
        let _ = FromServer::decode(frame);
    }

    #[test]
    fn any_client_message_decodes_to_what_was_encoded(message in any_from_client()) {
        let mut bytes = Vec::new();
        prop_assert!(message.encode(&mut bytes));
        prop_assert_eq!(FromClient::decode(frames(&bytes).remove(0)), Ok(Some(message)));
    }

    #[test]
    fn any_server_message_decodes_to_what_was_encoded(message in any_from_server()) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes);
        prop_assert_eq!(FromServer::decode(frames(&bytes).remove(0)), Ok(Some(message)));
    }
}

fn some_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..40)
}

fn any_from_client() -> impl Strategy<Value = FromClient> {
    let verbs = [
        Verb::List,
        Verb::Attach,
        Verb::Detach,
        Verb::Kill,
        Verb::Checkpoint,
        Verb::Restart,
    ];
    let core = (
        prop::sample::select(verbs.to_vec()),
        prop::collection::vec(".{0,20}", 0..5),
    );
    let role = (any::<bool>(), any::<bool>());
    prop_oneof![
        core.prop_map(|(verb, words)| FromClient::Core(Core { verb, words })),
        some_bytes().prop_map(FromClient::Input),
        (1..Size::MAX, 1..Size::MAX)
            .prop_map(|(rows, cols)| FromClient::Resize(Size::new(rows, cols))),
        Just(FromClient::Painted),
        Just(FromClient::Ready),
        Just(FromClient::Pause),
        some_bytes().prop_map(FromClient::Stdin),
        role.prop_map(|(is_control, is_tmux)| FromClient::Role(Role {
            is_control,
            is_tmux
        })),
        some_bytes().prop_map(FromClient::ControlInput),
        any_run().prop_map(FromClient::Run),
    ]
}

fn any_run() -> impl Strategy<Value = RunRequest> {
    let words = prop::collection::vec(".*", 0..5);
    let environ = prop::collection::vec(some_bytes(), 0..5);
    let terminal = (some_bytes(), any::<u16>(), any::<u16>(), any::<bool>());
    let terminal = prop::option::of(terminal);
    let rest = (some_bytes(), environ, some_bytes(), terminal);
    (words, any::<u32>(), any::<u32>(), rest).prop_map(|(argv, umask, pid, rest)| {
        let (cwd, environ, program, terminal) = rest;
        let terminal = terminal.map(|(tty, rows, cols, is_shared)| Terminal {
            tty,
            rows,
            cols,
            is_shared,
        });
        RunRequest {
            argv,
            context: Context {
                cwd,
                environ,
                umask,
                pid,
                program,
                terminal,
            },
        }
    })
}

fn any_from_server() -> impl Strategy<Value = FromServer> {
    let bytes = some_bytes;
    let kinds = [
        LeaveKind::Detached,
        LeaveKind::Exited,
        LeaveKind::ServerExited,
        LeaveKind::HangUp,
        LeaveKind::Exec,
    ];
    let attached = (any::<u32>(), ".*", (bytes(), bytes()), any::<[bool; 2]>());
    prop_oneof![
        attached.prop_map(
            |(session, name, (enter, leave), [is_direct, is_read_only])| {
                FromServer::Attached(Attached {
                    session: SessionId(session),
                    name,
                    enter,
                    leave,
                    is_direct,
                    is_read_only,
                })
            }
        ),
        bytes().prop_map(FromServer::Output),
        bytes().prop_map(FromServer::Stdout),
        bytes().prop_map(FromServer::Stderr),
        any::<u8>().prop_map(FromServer::Done),
        (prop::sample::select(kinds.to_vec()), ".*")
            .prop_map(|(kind, text)| FromServer::Leave(Leave { kind, text })),
        Just(FromServer::Suspend),
        Just(FromServer::Relay),
        Just(FromServer::ReadInput),
        ".*".prop_map(FromServer::Lock),
    ]
}
