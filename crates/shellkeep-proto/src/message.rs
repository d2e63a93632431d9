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
//! [`frozen`] describes the encoding of the frozen ones. All others that are neither raw nor empty go through
//! [`codec`].

use bincode::{Decode, Encode};
use shellkeep_core::Size;

use crate::frozen::{self, Attached, Core, Leave};
use crate::{Frame, MAX_PAYLOAD, codec, encode_frame};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromClient {
    /// A request that any two versions understand.
    Core(Core),
    /// Bytes the terminal sent.
    Input(Vec<u8>),
    /// The terminal has this size now.
    Resize(Size),
    /// The last `Output` is on the terminal, and the client is ready for the next.
    Painted,
    /// The terminal is raw and prepared, and its content is unknown: the server may take it, and paints everything.
    Ready,
    /// The client is about to stop (job control): the server is to release the terminal and answer `Suspend`.
    Pause,
    /// A piece of the standard input that the server has requested. Empty at its end.
    Stdin(Vec<u8>),
    /// What kind of client this is. Sent before `Run`, and only if it is not the usual kind.
    Role(Role),
    /// Lines of commands from a client in control mode. Empty at the end of its input.
    ControlInput(Vec<u8>),
    Run(RunRequest),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// The client speaks control mode (`-C`): lines of commands in, lines of answers and notifications out.
    pub is_control: bool,
    /// The client was called as `tmux`, and expects tmux's answers.
    pub is_tmux: bool,
}

/// The encoding of a role: one bit for each property, so that a server ignores bits of later versions.
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

/// A command as typed, and the context in which it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct RunRequest {
    /// Command name and arguments, without the program's own flags.
    pub argv: Vec<String>,
    pub context: Context,
}

/// What the server cannot find out about the caller by itself. Paths and environment are bytes, because Unix promises
/// no encoding for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Context {
    pub cwd: Vec<u8>,
    /// Environment as `NAME=value`.
    pub environ: Vec<Vec<u8>>,
    /// Umask for the shells that the server starts.
    pub umask: u32,
    /// Process id, for the log and `list-clients`.
    pub pid: u32,
    /// Path of the running binary, for `restart-server` to execute.
    pub program: Vec<u8>,
    /// The caller's terminal, if stdin is one.
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
    /// Path of the device, e.g. `/dev/pts/3`.
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
    /// Bytes for the terminal. The client answers each frame of it (see [`MAX_PAYLOAD`]) with `Painted`.
    Output(Vec<u8>),
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
    /// The command has ended with this exit status.
    Done(u8),
    /// The client is to restore the terminal and exit.
    Leave(Leave),
    /// The client is to stop itself (job control). When it is continued it sends `Ready`.
    Suspend,
    /// The server cannot open the terminal, so the client is to pass the bytes.
    Relay,
    /// The client is to give the terminal to this shell command, and to send `Ready` when the command has ended.
    Lock(String),
    /// The client is to send its standard input until it ends.
    ReadInput,
}

/// A message with a known number and a malformed payload. The connection cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("message {0} is malformed")]
pub struct MessageError(pub u16);

impl FromClient {
    /// Appends the message as a frame. Returns `false`, and appends nothing, when it is too large to be sent. Only
    /// `Run` can be.
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

    /// Decodes a frame; `None` for a number that this version does not know.
    ///
    /// # Errors
    /// When the number is known and the payload is malformed.
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

    /// Decodes a frame; `None` for a number that this version does not know.
    ///
    /// # Errors
    /// When the number is known and the payload is malformed.
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

/// Raw bytes of any length. They form a stream, so it does not matter where they are split.
fn encode_pieces(number: u16, bytes: &[u8], out: &mut Vec<u8>) {
    for piece in bytes.chunks(MAX_PAYLOAD) {
        encode_frame(number, piece, out);
    }
}

/// Appends a message that goes through the codec. Returns `false` when it is too large to be sent.
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
