use proptest::prelude::*;

use super::*;

pub(super) fn spawn() -> SpawnRequest {
    SpawnRequest {
        pane: PaneId(1),
        size: Size::new(24, 80),
        program: Program::Argv(vec![b"ls".to_vec()]),
        cwd: b"/".to_vec(),
        environ: vec![b"A=b".to_vec()],
        umask: 0o22,
        terminal: Vec::new(),
    }
}

pub(super) fn to_keeper() -> Vec<ToKeeper> {
    vec![
        ToKeeper::Hello { version: 1 },
        ToKeeper::Spawn(spawn()),
        ToKeeper::Spawn(SpawnRequest {
            program: Program::LoginShell(b"/bin/sh".to_vec()),
            ..spawn()
        }),
        ToKeeper::Adopt {
            pane: PaneId(2),
            pid: 7,
            tty: b"/dev/pts/1".to_vec(),
        },
        ToKeeper::Close { pane: PaneId(3) },
        ToKeeper::Remember {
            key: "k".into(),
            value: b"v".to_vec(),
        },
        ToKeeper::Shutdown,
        ToKeeper::TransitPipe { pane: PaneId(4) },
        ToKeeper::Listen,
        ToKeeper::Input { pane: PaneId(5) },
        ToKeeper::ForgetInput { pane: PaneId(6) },
    ]
}

pub(super) fn from_keeper() -> Vec<FromKeeper> {
    let tty = b"/dev/pts/1".to_vec();
    vec![
        FromKeeper::Hello { version: 1, pid: 7 },
        FromKeeper::Held {
            pane: PaneId(1),
            pid: 7,
            tty: tty.clone(),
            exit: None,
        },
        FromKeeper::Held {
            pane: PaneId(1),
            pid: 7,
            tty,
            exit: Some(-256),
        },
        FromKeeper::Memory {
            key: "k".into(),
            value: b"v".to_vec(),
        },
        FromKeeper::Listed,
        FromKeeper::SpawnFailed {
            pane: PaneId(1),
            reason: "no".into(),
        },
        FromKeeper::Exited {
            pane: PaneId(1),
            status: 256,
            pid: None,
        },
        FromKeeper::Exited {
            pane: PaneId(1),
            status: 256,
            pid: Some(7),
        },
        FromKeeper::TransitPipe { pane: PaneId(1) },
        FromKeeper::Input { pane: PaneId(1) },
    ]
}

/// The encoding of [`to_keeper`], one by one.
const TO_KEEPER: &[&str] = &[
    "05000000 01 01000000",
    "4b000000 80 01000000 01000000 1800 5000 01000000 010000000000000002000000000000006c73 01000000000000002f 01000000000000000300000000000000413d62 12000000 0000000000000000",
    "48000000 80 01000000 01000000 1800 5000 00000000 07000000000000002f62696e2f7368 01000000000000002f 01000000000000000300000000000000413d62 12000000 0000000000000000",
    "1f000000 80 02000000 02000000 07000000 0a000000000000002f6465762f7074732f31",
    "09000000 80 03000000 03000000",
    "17000000 80 04000000 01000000000000006b 010000000000000076",
    "05000000 80 05000000",
    "09000000 80 06000000 04000000",
    "05000000 80 07000000",
    "09000000 80 08000000 05000000",
    "09000000 80 09000000 06000000",
];

/// The encoding of [`from_keeper`], one by one.
const FROM_KEEPER: &[&str] = &[
    "09000000 01 01000000 07000000",
    "20000000 80 01000000 01000000 07000000 0a000000000000002f6465762f7074732f31 00",
    "24000000 80 01000000 01000000 07000000 0a000000000000002f6465762f7074732f31 0100ffffff",
    "17000000 80 02000000 01000000000000006b 010000000000000076",
    "05000000 80 03000000",
    "13000000 80 04000000 01000000 02000000000000006e6f",
    "0e000000 80 05000000 01000000 00010000 00",
    "12000000 80 05000000 01000000 00010000 0107000000",
    "09000000 80 06000000 01000000",
    "09000000 80 07000000 01000000",
];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check_to(message: &ToKeeper, golden: &str) {
    let frame = message.encode(VERSION).unwrap();
    assert_eq!(hex(&frame), golden.replace([' ', '\n'], ""));
    assert_eq!(ToKeeper::decode(&frame[4..]).as_ref(), Some(message));
}

fn check_from(message: &FromKeeper, golden: &str) {
    let frame = message.encode(VERSION).unwrap();
    assert_eq!(hex(&frame), golden.replace([' ', '\n'], ""));
    assert_eq!(FromKeeper::decode(&frame[4..]).as_ref(), Some(message));
}

#[test]
fn hellos_have_the_same_bytes_in_every_version() {
    for version in [1, BEFORE_BINCODE, VERSION, VERSION + 1] {
        let server = ToKeeper::Hello { version: 5 }.encode(version).unwrap();
        assert_eq!(server, b"\x05\0\0\0\x01\x05\0\0\0");
        let keeper = FromKeeper::Hello { version: 5, pid: 7 };
        let keeper = keeper.encode(version).unwrap();
        assert_eq!(keeper, b"\x09\0\0\0\x01\x05\0\0\0\x07\0\0\0");
    }
}

#[test]
fn messages_to_the_keeper_have_version_5_bytes() {
    for (message, golden) in to_keeper().iter().zip(TO_KEEPER) {
        check_to(message, golden);
    }
    assert_eq!(to_keeper().len(), TO_KEEPER.len());
}

#[test]
fn messages_from_the_keeper_have_version_5_bytes() {
    for (message, golden) in from_keeper().iter().zip(FROM_KEEPER) {
        check_from(message, golden);
    }
    assert_eq!(from_keeper().len(), FROM_KEEPER.len());
}

#[test]
fn message_of_another_kind_or_with_a_forged_length_is_refused() {
    assert_eq!(ToKeeper::decode(&[99, 1, 2, 3]), None);
    let mut forged = ToKeeper::Spawn(spawn()).encode(VERSION).unwrap();
    forged[25..].fill(0xff);
    assert_eq!(ToKeeper::decode(&forged[4..]), None);
}

#[test]
fn message_with_a_huge_screen_size_is_clamped() {
    let mut frame = ToKeeper::Spawn(spawn()).encode(VERSION).unwrap();
    frame[13..17].fill(0xff);
    let Some(ToKeeper::Spawn(spawn)) = ToKeeper::decode(&frame[4..]) else {
        panic!("it is a spawn");
    };
    assert_eq!(spawn.size, Size::new(Size::MAX, Size::MAX));
}

#[test]
fn message_beyond_the_limit_is_not_encoded() {
    let note = ToKeeper::Remember {
        key: "k".into(),
        value: vec![0; MAX_FRAME],
    };
    assert_eq!(note.encode(VERSION), None);
    assert_eq!(note.encode(BEFORE_BINCODE), None);
}

fn some_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..30)
}

fn some_words() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(some_bytes(), 0..5)
}

fn any_pane() -> impl Strategy<Value = PaneId> {
    any::<u32>().prop_map(PaneId)
}

fn any_spawn() -> impl Strategy<Value = SpawnRequest> {
    let program = prop_oneof![
        some_bytes().prop_map(Program::LoginShell),
        some_words().prop_map(Program::Argv),
    ];
    let size = (1..Size::MAX, 1..Size::MAX).prop_map(|(rows, cols)| Size::new(rows, cols));
    let texts = (some_bytes(), some_words(), some_bytes());
    (any_pane(), size, program, texts, any::<u32>()).prop_map(
        |(pane, size, program, (cwd, environ, terminal), umask)| SpawnRequest {
            pane,
            size,
            program,
            cwd,
            environ,
            umask,
            terminal,
        },
    )
}

fn any_to_keeper() -> impl Strategy<Value = ToKeeper> {
    prop_oneof![
        any::<u32>().prop_map(|version| ToKeeper::Hello { version }),
        any_spawn().prop_map(ToKeeper::Spawn),
        (any_pane(), any::<u32>(), some_bytes()).prop_map(|(pane, pid, tty)| ToKeeper::Adopt {
            pane,
            pid,
            tty
        }),
        any_pane().prop_map(|pane| ToKeeper::Close { pane }),
        (".*", some_bytes()).prop_map(|(key, value)| ToKeeper::Remember { key, value }),
        Just(ToKeeper::Shutdown),
        any_pane().prop_map(|pane| ToKeeper::TransitPipe { pane }),
        Just(ToKeeper::Listen),
        any_pane().prop_map(|pane| ToKeeper::Input { pane }),
        any_pane().prop_map(|pane| ToKeeper::ForgetInput { pane }),
    ]
}

fn any_from_keeper() -> impl Strategy<Value = FromKeeper> {
    let number = any::<u32>;
    prop_oneof![
        (number(), number()).prop_map(|(version, pid)| FromKeeper::Hello { version, pid }),
        (any_pane(), number(), some_bytes(), any::<Option<i32>>()).prop_map(
            |(pane, pid, tty, exit)| FromKeeper::Held {
                pane,
                pid,
                tty,
                exit
            }
        ),
        (".*", some_bytes()).prop_map(|(key, value)| FromKeeper::Memory { key, value }),
        Just(FromKeeper::Listed),
        (any_pane(), ".*").prop_map(|(pane, reason)| FromKeeper::SpawnFailed { pane, reason }),
        (any_pane(), any::<i32>(), any::<Option<u32>>())
            .prop_map(|(pane, status, pid)| FromKeeper::Exited { pane, status, pid }),
        any_pane().prop_map(|pane| FromKeeper::TransitPipe { pane }),
        any_pane().prop_map(|pane| FromKeeper::Input { pane }),
    ]
}

proptest! {
    #[test]
    fn any_message_decodes_to_what_was_encoded(
        to in any_to_keeper(),
        from in any_from_keeper(),
        version in 1..=VERSION + 1,
    ) {
        let frame = to.encode(version).unwrap();
        prop_assert_eq!(ToKeeper::decode(&frame[4..]), Some(to));
        let frame = from.encode(version).unwrap();
        prop_assert_eq!(FromKeeper::decode(&frame[4..]), Some(from));
    }

    #[test]
    fn any_bytes_are_read_without_panic(
        kind in prop_oneof![0u8..12, Just(BINCODE)],
        fields in prop::collection::vec(any::<u8>(), 0..100),
        variant in 0u32..12,
    ) {
        let bare = [&[kind], &fields[..]].concat();
        let in_variant = [&[BINCODE], &variant.to_le_bytes()[..], &fields].concat();
        for content in [bare, in_variant] {
            let _ = ToKeeper::decode(&content);
            let _ = FromKeeper::decode(&content);
        }
    }

    #[test]
    fn message_cut_anywhere_is_refused(message in any_to_keeper(), cut in any::<prop::sample::Index>()) {
        let frame = message.encode(VERSION).unwrap();
        let cut = 4 + cut.index(frame.len() - 4);
        prop_assert_eq!(ToKeeper::decode(&frame[4..cut]), None);
    }
}
