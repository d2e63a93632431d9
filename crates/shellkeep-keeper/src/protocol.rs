//! Server and keeper, word for word. **Frozen**: kinds and fields are only ever added, at the end.
//!
//! A frame is a length (u32), a kind (u8) and fields; numbers are little-endian, texts are a length (u32)
//! and bytes. A file descriptor travels beside the first byte of its frame. Unknown kinds are skipped.

use shellkeep_core::{PaneId, Size};

/// The version both sides name in their hello. Nothing is refused for it; but a keeper is only told what its version
/// knows where a descriptor travels along, which a keeper that skips the frame would take for the next one's.
///
/// 2 added the transit pipe, 3 that any keeper may be told to listen, 4 the input file.
pub const VERSION: u32 = 4;

/// The first version that holds transit pipes.
pub const SLUICE_VERSION: u32 = 2;

/// The first version that listens where it is told whenever it is told.
pub const LISTEN_VERSION: u32 = 3;

/// The first version that holds input files.
pub const INPUT_VERSION: u32 = 4;

/// No frame is longer: the environment of a shell is the largest thing sent, and the kernel itself
/// refuses one beyond a few megabytes.
pub const MAX_FRAME: usize = 16 << 20;

/// What to run on a new PTY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A login shell: this path, with a dash before its name.
    LoginShell(Vec<u8>),
    /// This argv, found on the PATH of its environment.
    Argv(Vec<Vec<u8>>),
}

/// A request for a new PTY with a program on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnRequest {
    /// The id it will go by; chosen by the server.
    pub pane: PaneId,
    /// The PTY's size.
    pub size: Size,
    /// What to run.
    pub program: Program,
    /// Where; the home directory if it is gone.
    pub cwd: Vec<u8>,
    /// The whole environment, as `NAME=value`.
    pub environ: Vec<Vec<u8>>,
    /// File mode mask.
    pub umask: u32,
    /// How the terminal is set before the program begins; empty if as a new one is. The words of flags for input, output and local
    /// modes, then the control characters, in hexadecimal with colons between them.
    pub terminal: Vec<u8>,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToKeeper {
    /// First message of a server: answered by everything the keeper holds.
    Hello {
        /// The server's protocol version.
        version: u32,
    },
    /// Open a PTY and run a program.
    Spawn(SpawnRequest),
    /// Hold this master too (a new keeper after the old one died). The master travels along.
    Adopt {
        /// Its pane.
        pane: PaneId,
        /// The process on it.
        pid: u32,
        /// Its device.
        tty: Vec<u8>,
    },
    /// Let go of a pane's master. The kernel hangs up on what still runs there.
    Close {
        /// Which pane.
        pane: PaneId,
    },
    /// Keep a note for the next server; an empty value forgets it. The server's memory of what the PTYs
    /// are lives where the PTYs live.
    Remember {
        /// Name of the note.
        key: String,
        /// Its content, unread by the keeper.
        value: Vec<u8>,
    },
    /// Let go of everything and end.
    Shutdown,
    /// Hold the transit pipe of a pane, too; it travels along. What a server had on its way when it died is in it.
    TransitPipe {
        /// Its pane.
        pane: PaneId,
    },
    /// Be there for later servers at this socket, which travels along. Before version 3 said to none but a keeper that was made with this
    /// very server.
    Listen,
    /// Hold the input file of a pane, too; it travels along. What was typed and no program has is in it. The pane may sleep, so that
    /// the keeper holds nothing else of it.
    Input {
        /// Its pane.
        pane: PaneId,
    },
    /// Let go of a pane's input file: a program has all of it.
    ForgetInput {
        /// Its pane.
        pane: PaneId,
    },
}

/// What the keeper says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromKeeper {
    /// Answer to a hello, before the list.
    Hello {
        /// The keeper's protocol version.
        version: u32,
        /// The keeper's process.
        pid: u32,
    },
    /// A pane it holds; the master travels along. Part of the list, and the answer to `Spawn`.
    Held {
        /// Which pane.
        pane: PaneId,
        /// The process on it.
        pid: u32,
        /// Its device.
        tty: Vec<u8>,
        /// How it ended, if it has: the raw wait status.
        exit: Option<i32>,
    },
    /// A note it keeps. Part of the list.
    Memory {
        /// Name of the note.
        key: String,
        /// Its content.
        value: Vec<u8>,
    },
    /// End of the list.
    Listed,
    /// A spawn that did not work.
    SpawnFailed {
        /// Which pane.
        pane: PaneId,
        /// Why, for the user.
        reason: String,
    },
    /// A pane's process has ended.
    Exited {
        /// Which pane.
        pane: PaneId,
        /// Raw wait status.
        status: i32,
        /// The process. Older keepers leave it out.
        pid: Option<u32>,
    },
    /// The transit pipe of a pane; it travels along. Part of the list, before the pane itself.
    TransitPipe {
        /// Which pane.
        pane: PaneId,
    },
    /// The input file of a pane; it travels along. Part of the list for servers that know of such files.
    Input {
        /// Which pane.
        pane: PaneId,
    },
}

impl ToKeeper {
    /// The frame's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Hello { version } => Writer::new(1).u32(*version).done(),
            Self::Spawn(spawn) => encode_spawn(spawn),
            Self::Adopt { pane, pid, tty } => {
                Writer::new(3).u32(pane.0).u32(*pid).bytes(tty).done()
            }
            Self::Close { pane } => Writer::new(4).u32(pane.0).done(),
            Self::Remember { key, value } => {
                Writer::new(5).bytes(key.as_bytes()).bytes(value).done()
            }
            Self::Shutdown => Writer::new(6).done(),
            Self::TransitPipe { pane } => Writer::new(7).u32(pane.0).done(),
            Self::Listen => Writer::new(8).done(),
            Self::Input { pane } => Writer::new(9).u32(pane.0).done(),
            Self::ForgetInput { pane } => Writer::new(10).u32(pane.0).done(),
        }
    }

    /// Understands a frame's content; `None` if the kind is unknown or a field is missing.
    #[must_use]
    pub fn decode(frame: &[u8]) -> Option<Self> {
        let (kind, mut reader) = Reader::new(frame)?;
        Some(match kind {
            1 => Self::Hello {
                version: reader.u32()?,
            },
            2 => Self::Spawn(decode_spawn(&mut reader)?),
            3 => Self::Adopt {
                pane: reader.pane()?,
                pid: reader.u32()?,
                tty: reader.bytes()?,
            },
            4 => Self::Close {
                pane: reader.pane()?,
            },
            5 => Self::Remember {
                key: reader.text()?,
                value: reader.bytes()?,
            },
            6 => Self::Shutdown,
            7 => Self::TransitPipe {
                pane: reader.pane()?,
            },
            8 => Self::Listen,
            9 => Self::Input {
                pane: reader.pane()?,
            },
            10 => Self::ForgetInput {
                pane: reader.pane()?,
            },
            _ => return None,
        })
    }

    /// Whether a file descriptor travels along.
    #[must_use]
    pub fn carries_fd(&self) -> bool {
        matches!(
            self,
            Self::Adopt { .. } | Self::TransitPipe { .. } | Self::Listen | Self::Input { .. }
        )
    }
}

impl FromKeeper {
    /// The frame's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Hello { version, pid } => Writer::new(1).u32(*version).u32(*pid).done(),
            Self::Held {
                pane,
                pid,
                tty,
                exit,
            } => {
                let writer = Writer::new(2).u32(pane.0).u32(*pid).bytes(tty);
                match exit {
                    None => writer.u32(0).u32(0).done(),
                    Some(status) => writer.u32(1).u32(status.cast_unsigned()).done(),
                }
            }
            Self::Memory { key, value } => Writer::new(3).bytes(key.as_bytes()).bytes(value).done(),
            Self::Listed => Writer::new(4).done(),
            Self::SpawnFailed { pane, reason } => {
                Writer::new(5).u32(pane.0).bytes(reason.as_bytes()).done()
            }
            Self::Exited { pane, status, pid } => {
                let writer = Writer::new(6).u32(pane.0).u32(status.cast_unsigned());
                match pid {
                    None => writer.done(),
                    Some(pid) => writer.u32(*pid).done(),
                }
            }
            Self::TransitPipe { pane } => Writer::new(7).u32(pane.0).done(),
            Self::Input { pane } => Writer::new(8).u32(pane.0).done(),
        }
    }

    /// Understands a frame's content; `None` if the kind is unknown or a field is missing.
    #[must_use]
    pub fn decode(frame: &[u8]) -> Option<Self> {
        let (kind, mut reader) = Reader::new(frame)?;
        Some(match kind {
            1 => Self::Hello {
                version: reader.u32()?,
                pid: reader.u32()?,
            },
            2 => {
                let (pane, pid, tty) = (reader.pane()?, reader.u32()?, reader.bytes()?);
                let (has_ended, status) = (reader.u32()?, reader.u32()?);
                let exit = (has_ended == 1).then_some(status.cast_signed());
                Self::Held {
                    pane,
                    pid,
                    tty,
                    exit,
                }
            }
            3 => Self::Memory {
                key: reader.text()?,
                value: reader.bytes()?,
            },
            4 => Self::Listed,
            5 => Self::SpawnFailed {
                pane: reader.pane()?,
                reason: reader.text()?,
            },
            6 => Self::Exited {
                pane: reader.pane()?,
                status: reader.u32()?.cast_signed(),
                pid: match reader.is_at_end() {
                    true => None,
                    false => Some(reader.u32()?),
                },
            },
            7 => Self::TransitPipe {
                pane: reader.pane()?,
            },
            8 => Self::Input {
                pane: reader.pane()?,
            },
            _ => return None,
        })
    }

    /// Whether a file descriptor travels along.
    #[must_use]
    pub fn carries_fd(&self) -> bool {
        matches!(
            self,
            Self::Held { .. } | Self::TransitPipe { .. } | Self::Input { .. }
        )
    }
}

fn encode_spawn(spawn: &SpawnRequest) -> Vec<u8> {
    let (kind, words): (u32, Vec<&[u8]>) = match &spawn.program {
        Program::LoginShell(shell) => (0, vec![shell]),
        Program::Argv(argv) => (1, argv.iter().map(Vec::as_slice).collect()),
    };
    let environ: Vec<&[u8]> = spawn.environ.iter().map(Vec::as_slice).collect();
    let writer = Writer::new(2)
        .u32(spawn.pane.0)
        .u32(spawn.size.rows().into())
        .u32(spawn.size.cols().into())
        .u32(kind)
        .list(&words)
        .bytes(&spawn.cwd)
        .list(&environ)
        .u32(spawn.umask);
    match spawn.terminal.is_empty() {
        true => writer.done(),
        false => writer.bytes(&spawn.terminal).done(),
    }
}

fn decode_spawn(reader: &mut Reader<'_>) -> Option<SpawnRequest> {
    let pane = reader.pane()?;
    let rows = u16::try_from(reader.u32()?).ok()?;
    let cols = u16::try_from(reader.u32()?).ok()?;
    let kind = reader.u32()?;
    let mut words = reader.list()?;
    let program = match kind {
        0 => Program::LoginShell(words.pop()?),
        _ => Program::Argv(words),
    };
    let (cwd, environ, umask) = (reader.bytes()?, reader.list()?, reader.u32()?);
    Some(SpawnRequest {
        pane,
        size: Size::new(rows, cols),
        program,
        cwd,
        environ,
        umask,
        // Left out if there is nothing to say, and by older servers.
        terminal: match reader.is_at_end() {
            true => Vec::new(),
            false => reader.bytes()?,
        },
    })
}

struct Writer(Vec<u8>);

impl Writer {
    fn new(kind: u8) -> Self {
        // The length is filled in by `done`.
        Self(vec![0, 0, 0, 0, kind])
    }

    fn u32(mut self, value: u32) -> Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    fn bytes(self, value: &[u8]) -> Self {
        let mut writer = self.u32(u32::try_from(value.len()).expect("below MAX_FRAME"));
        writer.0.extend_from_slice(value);
        writer
    }

    fn list(self, values: &[&[u8]]) -> Self {
        let count = u32::try_from(values.len()).expect("below MAX_FRAME");
        values
            .iter()
            .fold(self.u32(count), |writer, value| writer.bytes(value))
    }

    fn done(mut self) -> Vec<u8> {
        let length = u32::try_from(self.0.len() - 4).expect("below MAX_FRAME");
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn new(frame: &'a [u8]) -> Option<(u8, Self)> {
        let (kind, rest) = frame.split_first()?;
        Some((*kind, Self(rest)))
    }

    fn u32(&mut self) -> Option<u32> {
        let (value, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*value))
    }

    /// Whether the sender knew of no more fields.
    fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    fn pane(&mut self) -> Option<PaneId> {
        self.u32().map(PaneId)
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = self.u32()? as usize;
        let (value, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(value.to_vec())
    }

    fn text(&mut self) -> Option<String> {
        self.bytes()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn list(&mut self) -> Option<Vec<Vec<u8>>> {
        (0..self.u32()?).map(|_| self.bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spawn() -> SpawnRequest {
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

    fn to_keeper() -> Vec<ToKeeper> {
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

    fn from_keeper() -> Vec<FromKeeper> {
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

    #[test]
    fn spawn_bytes_are_frozen() {
        let golden = b"\x2f\0\0\0\x02\x01\0\0\0\x18\0\0\0\x50\0\0\0\x01\0\0\0\
            \x01\0\0\0\x02\0\0\0ls\x01\0\0\0/\x01\0\0\0\x03\0\0\0A=b\x12\0\0\0";
        assert_eq!(ToKeeper::Spawn(spawn()).encode(), golden);
    }

    #[test]
    fn held_bytes_are_frozen() {
        let held = FromKeeper::Held {
            pane: PaneId(1),
            pid: 7,
            tty: b"t".to_vec(),
            exit: Some(256),
        };
        let golden = b"\x16\0\0\0\x02\x01\0\0\0\x07\0\0\0\x01\0\0\0t\x01\0\0\0\0\x01\0\0";
        assert_eq!(held.encode(), golden);
    }

    #[test]
    fn messages_encoded_decode_to_the_same() {
        for message in to_keeper() {
            assert_eq!(ToKeeper::decode(&message.encode()[4..]), Some(message));
        }
        for message in from_keeper() {
            assert_eq!(FromKeeper::decode(&message.encode()[4..]), Some(message));
        }
    }

    #[test]
    fn spawn_tells_of_a_terminal_behind_what_it_always_told() {
        let plain = ToKeeper::Spawn(spawn());
        let set = ToKeeper::Spawn(SpawnRequest {
            terminal: b"500:5:8a3b:3".to_vec(),
            ..spawn()
        });
        let (plain_frame, set_frame) = (plain.encode(), set.encode());
        assert_eq!(ToKeeper::decode(&set_frame[4..]), Some(set));
        // A keeper that does not know of it reads no further.
        assert_eq!(set_frame[4..plain_frame.len()], plain_frame[4..]);
        for cut in plain_frame.len() + 1..set_frame.len() {
            assert_eq!(ToKeeper::decode(&set_frame[4..cut]), None, "cut at {cut}");
        }
    }

    #[test]
    fn exit_tells_of_the_process_behind_what_it_always_told() {
        let exited = |pid| FromKeeper::Exited {
            pane: PaneId(1),
            status: 9,
            pid,
        };
        let (plain, named) = (exited(None).encode(), exited(Some(7)).encode());
        assert_eq!(plain, b"\x09\0\0\0\x06\x01\0\0\0\x09\0\0\0");
        // A server that does not know of it reads no further.
        assert_eq!(named[4..plain.len()], plain[4..]);
    }

    #[test]
    fn messages_cut_short_are_refused() {
        let frames = to_keeper().iter().map(ToKeeper::encode).collect::<Vec<_>>();
        for frame in frames {
            for cut in 4..frame.len() {
                assert_eq!(
                    ToKeeper::decode(&frame[4..cut]),
                    None,
                    "{frame:?} cut at {cut}"
                );
            }
        }
    }

    #[test]
    fn unknown_kind_and_forged_length_are_refused() {
        assert_eq!(ToKeeper::decode(&[99, 1, 2, 3]), None);
        assert_eq!(ToKeeper::decode(&[5, 0xff, 0xff, 0xff, 0xff]), None);
    }
}
