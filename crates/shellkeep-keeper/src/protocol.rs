//! What server and keeper say to each other. A keeper outlives many servers, so each side speaks with builds before and after
//! its own.
//!
//! A frame is a length (u32, little-endian), a kind (u8) and content. A file descriptor travels beside the first byte of its
//! frame. A frame that is not understood is skipped.
//!
//! | kind | content |
//! |---|---|
//! | 1 | the hello of either side, **frozen**: version (u32); the keeper adds its process (u32) |
//! | 2 to 10 | a message as it was coded before version 5 (`before_5`) |
//! | 128 | a message in bincode ([`codec`]): from version 5 on |
//!
//! Every kind is understood by either side at any time; the version in the other side's hello decides which one is sent to it.
//! Variants and fields of messages are only ever added, at the end.

mod before_5;

use bincode::{Decode, Encode};
use shellkeep_core::{PaneId, Size};
use shellkeep_proto::codec;

/// The version both sides name in their hello. Nothing is refused for it; but a keeper is only told what its version
/// knows where a descriptor travels along, which a keeper that skips the frame would take for the next one's.
///
/// 2 added the transit pipe, 3 that any keeper may be told to listen, 4 the input file, 5 bincode.
pub const VERSION: u32 = 5;

/// The first version that holds transit pipes.
pub const SLUICE_VERSION: u32 = 2;

/// The first version that listens where it is told whenever it is told.
pub const LISTEN_VERSION: u32 = 3;

/// The first version that holds input files.
pub const INPUT_VERSION: u32 = 4;

/// The first version that understands bincode.
const BINCODE_VERSION: u32 = 5;

/// The last version before bincode. It is assumed of a side that has not said hello: a server of that time began without one
/// if it had started the keeper itself.
pub const BEFORE_BINCODE: u32 = BINCODE_VERSION - 1;

const HELLO: u8 = 1;
const BINCODE: u8 = 128;

/// No frame is longer: the environment of a shell is the largest thing sent, and the kernel itself
/// refuses one beyond a few megabytes.
pub const MAX_FRAME: usize = 16 << 20;

/// What to run on a new PTY.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Program {
    /// A login shell: this path, with a dash before its name.
    LoginShell(Vec<u8>),
    /// This argv, found on the PATH of its environment.
    Argv(Vec<Vec<u8>>),
}

/// A request for a new PTY with a program on it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SpawnRequest {
    /// The id it will go by; chosen by the server.
    pub pane: PaneId,
    pub size: Size,
    pub program: Program,
    /// The directory to start in; the home directory if it is gone.
    pub cwd: Vec<u8>,
    /// The whole environment, as `NAME=value`.
    pub environ: Vec<Vec<u8>>,
    /// File mode mask.
    pub umask: u32,
    /// How the terminal is set before the program begins; empty if as a new one is. The words of flags for input, output and local
    /// modes, then the control characters, in hexadecimal with colons between them.
    pub terminal: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
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
        pane: PaneId,
        pid: u32,
        tty: Vec<u8>,
    },
    /// Let go of a pane's master. The kernel hangs up on what still runs there.
    Close { pane: PaneId },
    /// Keep a note for the next server; an empty value forgets it. The server's memory of what the PTYs
    /// are lives where the PTYs live.
    Remember {
        key: String,
        /// Its content, unread by the keeper.
        value: Vec<u8>,
    },
    /// Let go of everything and end.
    Shutdown,
    /// Hold the transit pipe of a pane, too; it travels along. What a server had on its way when it died is in it.
    TransitPipe { pane: PaneId },
    /// Be there for later servers at this socket, which travels along. Before version 3 said to none but a keeper that was made with this
    /// very server.
    Listen,
    /// Hold the input file of a pane, too; it travels along. What was typed and no program has is in it. The pane may sleep, so that
    /// the keeper holds nothing else of it.
    Input { pane: PaneId },
    /// Let go of a pane's input file: a program has all of it.
    ForgetInput { pane: PaneId },
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum FromKeeper {
    /// Answer to a hello, before the list.
    Hello {
        /// The keeper's protocol version.
        version: u32,
        pid: u32,
    },
    /// A pane it holds; the master travels along. Part of the list, and the answer to `Spawn`.
    Held {
        pane: PaneId,
        pid: u32,
        tty: Vec<u8>,
        /// How it ended, if it has: the raw wait status.
        exit: Option<i32>,
    },
    /// A note it keeps. Part of the list.
    Memory {
        key: String,
        value: Vec<u8>,
    },
    Listed,
    /// A spawn that did not work.
    SpawnFailed {
        pane: PaneId,
        reason: String,
    },
    Exited {
        pane: PaneId,
        /// Raw wait status.
        status: i32,
        /// The process. Older keepers leave it out.
        pid: Option<u32>,
    },
    /// The transit pipe of a pane; it travels along. Part of the list, before the pane itself.
    TransitPipe {
        pane: PaneId,
    },
    /// The input file of a pane; it travels along. Part of the list for servers that know of such files.
    Input {
        pane: PaneId,
    },
}

impl ToKeeper {
    /// The frame for a keeper of `version`, or `None` if it would be longer than [`MAX_FRAME`].
    #[must_use]
    pub fn encode(&self, version: u32) -> Option<Vec<u8>> {
        let content = match self {
            Self::Hello { version } => hello(&[*version]),
            _ if version < BINCODE_VERSION => before_5::encode_to_keeper(self)?,
            _ => in_bincode(self)?,
        };
        frame(&content)
    }

    /// Understands a frame's content; `None` if it is of a later version, or malformed.
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
    /// The frame for a server of `version`, or `None` if it would be longer than [`MAX_FRAME`].
    #[must_use]
    pub fn encode(&self, version: u32) -> Option<Vec<u8>> {
        let content = match self {
            Self::Hello { version, pid } => hello(&[*version, *pid]),
            _ if version < BINCODE_VERSION => before_5::encode_from_keeper(self)?,
            _ => in_bincode(self)?,
        };
        frame(&content)
    }

    /// Understands a frame's content; `None` if it is of a later version, or malformed.
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

/// A number off the front, and what follows it.
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
