//! The messages of server and keeper. A keeper outlives many servers, so each side talks to older and newer builds.
//!
//! A frame is a length (u32, little-endian), a kind (u8) and content. A file descriptor is attached to the first byte
//! of its frame. Unknown frames are skipped.
//!
//! | kind | content |
//! |---|---|
//! | 1 | the hello of either side, **frozen**: version (u32); the keeper adds its process (u32) |
//! | 2 to 10 | a message as it was coded before version 5 (`before_5`) |
//! | 128 | a message in bincode ([`codec`]): from version 5 on |
//!
//! Each side understands every kind at any time. The version in the peer's hello decides which kind is sent to it.
//! Variants and fields of messages must only be added, and at the end.

mod before_5;

use bincode::{Decode, Encode};
use shellkeep_core::{PaneId, Size};
use shellkeep_proto::codec;

/// The version in both sides' hello. No version is refused. But messages with a descriptor are sent only to a keeper
/// that knows them: one that skips the frame would use the descriptor for the next frame.
///
/// 2 added the transit pipe, 3 that any keeper may be told to listen, 4 the input file, 5 bincode.
pub const VERSION: u32 = 5;

/// The first version with transit pipes.
pub const TRANSIT_PIPE_VERSION: u32 = 2;

/// The first version in which `Listen` may be sent at any time.
pub const LISTEN_VERSION: u32 = 3;

/// The first version with input files.
pub const INPUT_VERSION: u32 = 4;

/// The first version that understands bincode.
const BINCODE_VERSION: u32 = 5;

/// The last version before bincode. It is assumed of a peer without a hello, because servers of that time sent none to
/// a keeper that they had started.
pub const BEFORE_BINCODE: u32 = BINCODE_VERSION - 1;

const HELLO: u8 = 1;
const BINCODE: u8 = 128;

/// The longest frame. The largest message has the environment of a shell, and the kernel refuses one of more than a few
/// megabytes.
pub const MAX_FRAME: usize = 16 << 20;

/// The program to run on a new PTY.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Program {
    /// A login shell: this path, with a dash before its name in `argv[0]`.
    LoginShell(Vec<u8>),
    /// This argv, with the program searched in the PATH of its environment.
    Argv(Vec<Vec<u8>>),
}

/// A request for a new PTY with a program on it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SpawnRequest {
    /// The pane's id, chosen by the server.
    pub pane: PaneId,
    pub size: Size,
    pub program: Program,
    /// The working directory. The home directory is used if it is gone.
    pub cwd: Vec<u8>,
    /// The complete environment, as `NAME=value`.
    pub environ: Vec<Vec<u8>>,
    pub umask: u32,
    /// The settings of the terminal before the program begins; empty for the defaults. They are the words of flags for
    /// input, output and local modes, then the control characters, in hexadecimal and separated by colons.
    pub terminal: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ToKeeper {
    /// The first message of a server. The keeper answers with everything that it holds.
    Hello {
        /// The server's protocol version.
        version: u32,
    },
    /// Open a PTY and run a program.
    Spawn(SpawnRequest),
    /// Hold this master too (to a new keeper after the old one died). The master's descriptor is attached.
    Adopt {
        pane: PaneId,
        pid: u32,
        tty: Vec<u8>,
    },
    /// Drop a pane's master. The kernel hangs up on the processes in it.
    Close { pane: PaneId },
    /// Keep a note for the next server; an empty value deletes it. This way the server's knowledge of the PTYs is kept
    /// where the PTYs are.
    Remember {
        key: String,
        /// Its content, which the keeper does not interpret.
        value: Vec<u8>,
    },
    /// Drop everything and exit.
    Shutdown,
    /// Hold the transit pipe of a pane. Its descriptor is attached. Output that a dead server had not written is still
    /// in it.
    TransitPipe { pane: PaneId },
    /// Listen for later servers at this socket, whose descriptor is attached. Before version 3 it was sent only to a
    /// keeper that the server had started itself.
    Listen,
    /// Hold the input file of a pane. Its descriptor is attached. It has what was typed and no program has read. If the
    /// pane is asleep, the keeper holds nothing else of it.
    Input { pane: PaneId },
    /// Drop a pane's input file: a program has read all of it.
    ForgetInput { pane: PaneId },
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum FromKeeper {
    /// The answer to a hello, before the list.
    Hello {
        /// The keeper's protocol version.
        version: u32,
        pid: u32,
    },
    /// A pane that the keeper holds, with the descriptor of its master. Part of the list, and the answer to `Spawn`.
    Held {
        pane: PaneId,
        pid: u32,
        tty: Vec<u8>,
        /// The raw wait status, if its program has ended.
        exit: Option<i32>,
    },
    /// A note. Part of the list.
    Memory {
        key: String,
        value: Vec<u8>,
    },
    Listed,
    /// A `Spawn` has failed.
    SpawnFailed {
        pane: PaneId,
        reason: String,
    },
    Exited {
        pane: PaneId,
        /// The raw wait status.
        status: i32,
        /// The process. Older keepers omit it.
        pid: Option<u32>,
    },
    /// The transit pipe of a pane, with its descriptor. Part of the list, before the pane itself.
    TransitPipe {
        pane: PaneId,
    },
    /// The input file of a pane, with its descriptor. Part of the list for servers that know input files.
    Input {
        pane: PaneId,
    },
}

impl ToKeeper {
    /// Encodes for a keeper of `version`; `None` if the frame would be longer than [`MAX_FRAME`].
    #[must_use]
    pub fn encode(&self, version: u32) -> Option<Vec<u8>> {
        let content = match self {
            Self::Hello { version } => hello(&[*version]),
            _ if version < BINCODE_VERSION => before_5::encode_to_keeper(self)?,
            _ => in_bincode(self)?,
        };
        frame(&content)
    }

    /// Decodes a frame's content; `None` if it is malformed, or of a later version.
    #[must_use]
    pub fn decode(content: &[u8]) -> Option<Self> {
        match content.split_first()? {
            (&HELLO, fields) => Some(Self::Hello {
                version: number(fields)?.0,
            }),
            (&BINCODE, message) => codec::decode::<MAX_FRAME, _>(message),
            _ => before_5::decode_to_keeper(content),
        }
    }
}

impl FromKeeper {
    /// Encodes for a server of `version`; `None` if the frame would be longer than [`MAX_FRAME`].
    #[must_use]
    pub fn encode(&self, version: u32) -> Option<Vec<u8>> {
        let content = match self {
            Self::Hello { version, pid } => hello(&[*version, *pid]),
            _ if version < BINCODE_VERSION => before_5::encode_from_keeper(self)?,
            _ => in_bincode(self)?,
        };
        frame(&content)
    }

    /// Decodes a frame's content; `None` if it is malformed, or of a later version.
    #[must_use]
    pub fn decode(content: &[u8]) -> Option<Self> {
        match content.split_first()? {
            (&HELLO, fields) => {
                let (version, fields) = number(fields)?;
                let (pid, _) = number(fields)?;
                Some(Self::Hello { version, pid })
            }
            (&BINCODE, message) => codec::decode::<MAX_FRAME, _>(message),
            _ => before_5::decode_from_keeper(content),
        }
    }
}

fn hello(numbers: &[u32]) -> Vec<u8> {
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    [HELLO].into_iter().chain(numbers).collect()
}

/// Splits a number off the front.
fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

fn in_bincode(message: &impl Encode) -> Option<Vec<u8>> {
    let mut content = vec![BINCODE];
    content.extend(codec::encode::<MAX_FRAME>(message)?);
    Some(content)
}

fn frame(content: &[u8]) -> Option<Vec<u8>> {
    let length = u32::try_from(content.len()).ok()?;
    let fits = content.len() <= MAX_FRAME;
    fits.then(|| [&length.to_le_bytes(), content].concat())
}

#[cfg(test)]
mod tests;
