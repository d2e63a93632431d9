//! The messages and their numbers: below 128 from the client, from 128 on from the server.
//!
//! | number | message | payload |
//! |---|---|---|
//! | 1 | `Core` | frozen |
//! | 2 | `Input` | raw; frozen |
//! | 3 | `Resize` | frozen |
//! | 4 | `Painted` | empty; frozen |
//! | 5 | `Ready` | empty; frozen |
//! | 6 | `Pause` | empty; frozen |
//! | 8 | `Stdin` | raw; empty at its end |
//! | 10 | `Role` | bincode |
//! | 11 | `ControlInput` | raw; empty at its end |
//! | 32 | `Run` | bincode |
//! | 128 | `Attached` | frozen |
//! | 129 | `Output` | raw; frozen |
//! | 130 | `Stdout` | raw; frozen |
//! | 131 | `Stderr` | raw; frozen |
//! | 132 | `Done` | frozen |
//! | 133 | `Leave` | frozen |
//! | 134 | `Suspend` | empty; frozen |
//! | 135 | `Relay` | empty; frozen |
//! | 137 | `ReadInput` | empty |
//! | 140 | `Lock` | frozen |
//!
//! [`frozen`] says how the frozen ones are coded and why. All others that are neither raw nor empty go through [`codec`].

use bincode::{Decode, Encode};
use shellkeep_core::Size;

use crate::frozen::{self, Attached, Core, Leave};
use crate::{Frame, MAX_PAYLOAD, codec, encode_frame};

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
    Run(RunRequest),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// The client speaks in control mode (`-C`): lines of commands in, lines of answers and notices out.
    pub is_control: bool,
    /// The client was called as `tmux`, and expects tmux's answers.
    pub is_tmux: bool,
}

/// A role as it travels: one bit each, so that a server leaves out what only a later version knows.
#[derive(Encode, Decode)]
struct RoleBits(u8);

impl From<Role> for RoleBits {
    fn from(role: Role) -> Self {
        Self(u8::from(role.is_control) | u8::from(role.is_tmux) << 1)
    }
}

impl From<RoleBits> for Role {
    fn from(RoleBits(bits): RoleBits) -> Self {
        Self {
            is_control: bits & 1 != 0,
            is_tmux: bits & 2 != 0,
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

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Terminal {
    /// Its device, e.g. `/dev/pts/3`.
    pub tty: Vec<u8>,
    pub rows: u16,
    pub cols: u16,
    /// The client can leave reading and painting to a server that opens the terminal itself.
    pub is_shared: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromServer {
    /// The client shows this session from now on.
    Attached(Attached),
    /// Bytes for the terminal; each frame of it (see [`MAX_PAYLOAD`]) is answered by `Painted`.
    Output(Vec<u8>),
    Stdout(Vec<u8>),
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
            Self::Resize(size) => encode_frame(3, &frozen::encode_size(*size), out),
            Self::Painted => encode_frame(4, &[], out),
            Self::Ready => encode_frame(5, &[], out),
            Self::Pause => encode_frame(6, &[], out),
            Self::Stdin(bytes) if bytes.is_empty() => encode_frame(8, &[], out),
            Self::Stdin(bytes) => encode_pieces(8, bytes, out),
            Self::Role(role) => return encode_message(10, &RoleBits::from(*role), out),
            Self::ControlInput(bytes) if bytes.is_empty() => encode_frame(11, &[], out),
            Self::ControlInput(bytes) => encode_pieces(11, bytes, out),
            Self::Run(run) => return encode_message(32, run, out),
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
            3 => frozen::decode_size(&payload).map(Self::Resize),
            4 => Some(Self::Painted),
            5 => Some(Self::Ready),
            6 => Some(Self::Pause),
            8 => Some(Self::Stdin(payload)),
            10 => decode_message(&payload).map(|bits: RoleBits| Self::Role(bits.into())),
            11 => Some(Self::ControlInput(payload)),
            32 => decode_message(&payload).map(Self::Run),
            _ => return Ok(None),
        };
        message.map(Some).ok_or(MessageError(number))
    }
}

impl FromServer {
    /// Appends the message, as several frames where it is long.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Attached(attached) => encode_frame(128, &attached.encode(), out),
            Self::Output(bytes) => encode_pieces(129, bytes, out),
            Self::Stdout(bytes) => encode_pieces(130, bytes, out),
            Self::Stderr(bytes) => encode_pieces(131, bytes, out),
            Self::Done(status) => encode_frame(132, &[*status], out),
            Self::Leave(leave) => encode_frame(133, &leave.encode(), out),
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
            128 => Attached::decode(&payload).map(Self::Attached),
            129 => Some(Self::Output(payload)),
            130 => Some(Self::Stdout(payload)),
            131 => Some(Self::Stderr(payload)),
            132 => payload.first().map(|status| Self::Done(*status)),
            133 => Leave::decode(&payload).map(Self::Leave),
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

/// Appends a message that goes through the codec; `false` when it is too large to be sent.
fn encode_message(number: u16, message: &impl Encode, out: &mut Vec<u8>) -> bool {
    let payload = codec::encode::<MAX_PAYLOAD>(message);
    if let Some(payload) = &payload {
        encode_frame(number, payload, out);
    }
    payload.is_some()
}

fn decode_message<T: Decode<()>>(payload: &[u8]) -> Option<T> {
    codec::decode::<MAX_PAYLOAD, T>(payload)
}

#[cfg(test)]
mod tests;
