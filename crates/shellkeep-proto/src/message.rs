//! The messages and their numbers: below 128 from the client, from 128 on from the server.
//!
//! | number | message | payload |
//! |---|---|---|
//! | 1 | `Core` | frozen core |
//! | 2 | `Input` | raw |
//! | 3 | `Resize` | rows u16, columns u16; frozen |
//! | 4 | `Painted` | empty; frozen |
//! | 5 | `Ready` | empty; frozen |
//! | 6 | `Pause` | empty; frozen |
//! | 8 | `Stdin` | raw; empty at its end |
//! | 10 | `Role` | flags u8; frozen |
//! | 11 | `ControlInput` | raw; empty at its end |
//! | 32 | `Run` | bincode |
//! | 128 | `Attached` | session id u32, name, enter, leave (each u32 length + bytes), flags u8; frozen |
//! | 129 | `Output` | raw |
//! | 130 | `Stdout` | raw |
//! | 131 | `Stderr` | raw |
//! | 132 | `Done` | exit status u8; frozen |
//! | 133 | `Leave` | kind u8, text; frozen |
//! | 134 | `Suspend` | empty; frozen |
//! | 135 | `Relay` | empty; frozen |
//! | 137 | `ReadInput` | empty |
//! | 140 | `Lock` | UTF-8 |

use bincode::{Decode, Encode};
use shellkeep_core::{SessionId, Size};

use crate::{Core, Frame, MAX_PAYLOAD, codec, encode_frame};

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromClient {
    /// A request any version understands.
    Core(Core),
    /// Bytes the terminal sent.
    Input(Vec<u8>),
    /// The terminal has this size now.
    Resize(Size),
    /// The last `Output` is on the terminal; the next may come.
    Painted,
    /// The terminal is raw, prepared, and its content unknown: take it, and paint all of it.
    Ready,
    /// The client is about to stop (job control): leave the terminal alone and say `Suspend`.
    Pause,
    /// Some of the standard input that was asked for; nothing at its end.
    Stdin(Vec<u8>),
    /// What kind of client this is. Said before `Run`, and only by one that is not the usual kind.
    Role(Role),
    /// What a client in control mode has read: lines of commands. Nothing at its end.
    ControlInput(Vec<u8>),
    /// Run a command.
    Run(RunRequest),
}

/// What kind of client one is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// It speaks in control mode (`-C`): lines of commands in, lines of answers and notices out.
    pub is_control: bool,
    /// It was called as `tmux`, and expects to be answered as by tmux.
    pub is_tmux: bool,
}

impl Role {
    fn flags(self) -> u8 {
        u8::from(self.is_control) | u8::from(self.is_tmux) << 1
    }

    /// Flags of a later version are left out.
    fn from_flags(flags: u8) -> Self {
        Self {
            is_control: flags & 1 != 0,
            is_tmux: flags & 2 != 0,
        }
    }
}

/// A command as typed, with where it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct RunRequest {
    /// Command name and arguments, without the program's own flags.
    pub argv: Vec<String>,
    /// Where it was typed.
    pub context: Context,
}

/// What the server cannot know of the caller by itself. Paths and environment are bytes: Unix
/// promises no encoding for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Context {
    /// Working directory.
    pub cwd: Vec<u8>,
    /// Environment as `NAME=value`.
    pub environ: Vec<Vec<u8>>,
    /// File mode mask for the shells it starts.
    pub umask: u32,
    /// Process id, for the log and `list-clients`.
    pub pid: u32,
    /// Path of the running binary: what `restart-server` is to run.
    pub program: Vec<u8>,
    /// The terminal it is called from, if stdin is one.
    pub terminal: Option<Terminal>,
}

impl Context {
    /// The value of an environment variable, if it is set and UTF-8.
    #[must_use]
    pub fn env(&self, name: &str) -> Option<&str> {
        self.environ.iter().find_map(|entry| {
            let value = entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            std::str::from_utf8(value).ok()
        })
    }
}

/// The caller's terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Terminal {
    /// Its device, e.g. `/dev/pts/3`.
    pub tty: Vec<u8>,
    /// Rows.
    pub rows: u16,
    /// Columns.
    pub cols: u16,
    /// The client can leave reading and painting to a server that opens the terminal itself.
    pub is_shared: bool,
}

/// What a server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromServer {
    /// The client shows this session from now on.
    Attached {
        /// Which one.
        session: SessionId,
        /// Its name, for the message on leaving.
        name: String,
        /// Bytes that prepare the terminal.
        enter: Vec<u8>,
        /// Bytes that give it back as it was, whatever happens to the server.
        leave: Vec<u8>,
        /// Whether the server would read from and paint on the terminal itself, once it is `Ready`. A key
        /// and its echo then wake two processes less.
        is_direct: bool,
        /// Whether the client may only look: it comes back as what it was.
        is_read_only: bool,
    },
    /// Bytes for the terminal; each frame of it (see [`MAX_PAYLOAD`]) is answered by `Painted`.
    Output(Vec<u8>),
    /// Bytes for standard output.
    Stdout(Vec<u8>),
    /// Bytes for standard error.
    Stderr(Vec<u8>),
    /// The command has ended with this exit status.
    Done(u8),
    /// The client is to give the terminal back and end.
    Leave(Leave),
    /// The client is to stop itself (job control) until continued, then say `Ready`.
    Suspend,
    /// The server cannot open the terminal after all: the client is to pass the bytes.
    Relay,
    /// The client is to give the terminal to this shell command, and say `Ready` when it has ended.
    Lock(String),
    /// The client is to pass its standard input until it ends.
    ReadInput,
}

/// Why a client leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leave {
    /// The kind, which decides the exit status.
    pub kind: LeaveKind,
    /// The line to print, without brackets.
    pub text: String,
}

/// The kinds of leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LeaveKind {
    /// Detached: the session goes on.
    Detached = 1,
    /// The session ended.
    Exited = 2,
    /// The server ended.
    ServerExited = 3,
    /// Detached, and the client's parent is to be hung up.
    HangUp = 4,
    /// Detached, and the client is to become a command: the text is a shell and its command, with a NUL between them.
    Exec = 5,
}

/// A message that is known by number but malformed inside; the connection cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("message {0} is malformed")]
pub struct MessageError(pub u16);

impl FromClient {
    /// Appends the message as a frame. `false` when it is too large to be sent, and then nothing is
    /// appended; only `Run` can be.
    #[must_use]
    pub fn encode(&self, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Core(core) => encode_frame(1, &core.encode(), out),
            Self::Input(bytes) => encode_pieces(2, bytes, out),
            Self::Resize(size) => {
                let [rows, cols] = [size.rows().to_le_bytes(), size.cols().to_le_bytes()];
                encode_frame(3, &[rows, cols].concat(), out);
            }
            Self::Painted => encode_frame(4, &[], out),
            Self::Ready => encode_frame(5, &[], out),
            Self::Pause => encode_frame(6, &[], out),
            Self::Stdin(bytes) if bytes.is_empty() => encode_frame(8, &[], out),
            Self::Stdin(bytes) => encode_pieces(8, bytes, out),
            Self::Role(role) => encode_frame(10, &[role.flags()], out),
            Self::ControlInput(bytes) if bytes.is_empty() => encode_frame(11, &[], out),
            Self::ControlInput(bytes) => encode_pieces(11, bytes, out),
            Self::Run(run) => match codec::encode(run) {
                Some(payload) => encode_frame(32, &payload, out),
                None => return false,
            },
        }
        true
    }

    /// Understands a frame; `None` for a number this version does not know.
    ///
    /// # Errors
    /// When the number is known and the payload is not what belongs to it.
    pub fn decode(frame: Frame) -> Result<Option<Self>, MessageError> {
        let Frame { number, payload } = frame;
        let message = match number {
            1 => Core::decode(&payload).map(Self::Core),
            2 => Some(Self::Input(payload)),
            3 => payload.first_chunk::<4>().map(|&[a, b, c, d]| {
                Self::Resize(Size::new(
                    u16::from_le_bytes([a, b]),
                    u16::from_le_bytes([c, d]),
                ))
            }),
            4 => Some(Self::Painted),
            5 => Some(Self::Ready),
            6 => Some(Self::Pause),
            8 => Some(Self::Stdin(payload)),
            10 => payload
                .first()
                .map(|flags| Self::Role(Role::from_flags(*flags))),
            11 => Some(Self::ControlInput(payload)),
            32 => codec::decode(&payload).map(Self::Run),
            _ => return Ok(None),
        };
        message.map(Some).ok_or(MessageError(number))
    }
}

impl FromServer {
    /// Appends the message, as several frames where it is long.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Attached {
                session,
                name,
                enter,
                leave,
                is_direct,
                is_read_only,
            } => {
                let mut payload = session.0.to_le_bytes().to_vec();
                for part in [name.as_bytes(), enter, leave] {
                    let length = u32::try_from(part.len()).expect("names and sequences are short");
                    payload.extend_from_slice(&length.to_le_bytes());
                    payload.extend_from_slice(part);
                }
                payload.push(u8::from(*is_direct) | u8::from(*is_read_only) << 1);
                encode_frame(128, &payload, out);
            }
            Self::Output(bytes) => encode_pieces(129, bytes, out),
            Self::Stdout(bytes) => encode_pieces(130, bytes, out),
            Self::Stderr(bytes) => encode_pieces(131, bytes, out),
            Self::Done(status) => encode_frame(132, &[*status], out),
            Self::Leave(leave) => {
                let mut payload = vec![leave.kind as u8];
                payload.extend_from_slice(leave.text.as_bytes());
                encode_frame(133, &payload, out);
            }
            Self::Suspend => encode_frame(134, &[], out),
            Self::Relay => encode_frame(135, &[], out),
            Self::Lock(command) => encode_frame(140, command.as_bytes(), out),
            Self::ReadInput => encode_frame(137, &[], out),
        }
    }

    /// Understands a frame; `None` for a number this version does not know.
    ///
    /// # Errors
    /// When the number is known and the payload is not what belongs to it.
    pub fn decode(frame: Frame) -> Result<Option<Self>, MessageError> {
        let Frame { number, payload } = frame;
        let message = match number {
            128 => decode_attached(&payload),
            129 => Some(Self::Output(payload)),
            130 => Some(Self::Stdout(payload)),
            131 => Some(Self::Stderr(payload)),
            132 => payload.first().map(|status| Self::Done(*status)),
            133 => decode_leave(&payload).map(Self::Leave),
            134 => Some(Self::Suspend),
            135 => Some(Self::Relay),
            140 => String::from_utf8(payload).ok().map(Self::Lock),
            137 => Some(Self::ReadInput),
            _ => return Ok(None),
        };
        message.map(Some).ok_or(MessageError(number))
    }
}

/// Raw bytes of any length: a stream, so cutting it changes nothing.
fn encode_pieces(number: u16, bytes: &[u8], out: &mut Vec<u8>) {
    for piece in bytes.chunks(MAX_PAYLOAD) {
        encode_frame(number, piece, out);
    }
}

fn decode_attached(payload: &[u8]) -> Option<FromServer> {
    let (id, mut rest) = payload.split_first_chunk::<4>()?;
    let mut part = || {
        let (&length, tail) = rest.split_first_chunk::<4>()?;
        let (part, tail) = tail.split_at_checked(u32::from_le_bytes(length) as usize)?;
        rest = tail;
        Some(part.to_vec())
    };
    let (name, enter, leave) = (part()?, part()?, part()?);
    let flags = rest.first().copied().unwrap_or_default();
    Some(FromServer::Attached {
        session: SessionId(u32::from_le_bytes(*id)),
        name: String::from_utf8(name).ok()?,
        enter,
        leave,
        is_direct: flags & 1 != 0,
        is_read_only: flags & 2 != 0,
    })
}

fn decode_leave(payload: &[u8]) -> Option<Leave> {
    let (kind, text) = payload.split_first()?;
    let kind = match kind {
        2 => LeaveKind::Exited,
        3 => LeaveKind::ServerExited,
        4 => LeaveKind::HangUp,
        5 => LeaveKind::Exec,
        // A kind of a later version still means "go": detached promises the least.
        _ => LeaveKind::Detached,
    };
    Some(Leave {
        kind,
        text: std::str::from_utf8(text).ok()?.to_owned(),
    })
}

#[cfg(test)]
mod tests;
