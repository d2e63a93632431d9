//! The frozen core: requests between any two versions, and the messages that a client needs while it shows a session.
//! These messages are coded by hand and never change, so that no change of the serialiser or of a type can break them.
//!
//! Frozen are the messages `Core`, `Resize`, `Attached`, `Done`, `Leave` and `Lock` (coded in this file), the raw ones
//! `Input`, `Output`, `Stdout` and `Stderr`, and the empty ones `Painted`, `Ready`, `Pause`, `Suspend` and `Relay`.
//! All numbers are little-endian.
//!
//! ```text
//! Core      verb (u8), number of words (u8), each word: length (u16), UTF-8 text
//! Resize    rows (u16), columns (u16)
//! Attached  session id (u32); name, enter and leave: each a length (u32) and bytes; flags (u8)
//! Done      exit status (u8)
//! Leave     kind (u8), UTF-8 text
//! Lock      UTF-8 text
//! ```
//! Bytes beyond those a message knows are ignored (`Leave` and `Lock` end with a text and can take none), so a later
//! version may add words or fields.

use shellkeep_core::{SessionId, Size};

/// The request. Numbers are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verb {
    /// List the sessions as text.
    List = 1,
    /// Attach to a session. Words: target, `TERM`, `COLORTERM`, and `read-only` for a read-only client. The size is
    /// sent before, as `Resize`.
    Attach = 2,
    /// Detach every client of a session. Words: target.
    Detach = 3,
    /// End a session. Words: target.
    Kill = 4,
    /// Write everything that is only in memory to disk.
    Checkpoint = 5,
    /// Hand over to another binary without ending any program. Words: path of the binary.
    Restart = 6,
}

impl Verb {
    fn from_number(number: u8) -> Option<Self> {
        [
            Self::List,
            Self::Attach,
            Self::Detach,
            Self::Kill,
            Self::Checkpoint,
            Self::Restart,
        ]
        .into_iter()
        .find(|verb| *verb as u8 == number)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    pub verb: Verb,
    pub words: Vec<String>,
}

impl Core {
    /// The payload. Words after the 255th, and bytes of a word after the 65,535th, are left out: no verb needs as many.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let count = self.words.len().min(255);
        let mut out = vec![self.verb as u8, u8::try_from(count).unwrap_or(u8::MAX)];
        for word in &self.words[..count] {
            let mut cut = word.len().min(usize::from(u16::MAX));
            while !word.is_char_boundary(cut) {
                cut -= 1;
            }
            out.extend_from_slice(&u16::try_from(cut).unwrap_or(u16::MAX).to_le_bytes());
            out.extend_from_slice(&word.as_bytes()[..cut]);
        }
        out
    }

    /// Reads a payload; `None` when it is malformed or the verb unknown.
    #[must_use]
    pub fn decode(payload: &[u8]) -> Option<Self> {
        let (&[verb, count], mut rest) = payload.split_first_chunk::<2>()?;
        let verb = Verb::from_number(verb)?;
        let mut words = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let (&length, tail) = rest.split_first_chunk::<2>()?;
            let (word, tail) = tail.split_at_checked(usize::from(u16::from_le_bytes(length)))?;
            words.push(std::str::from_utf8(word).ok()?.to_owned());
            rest = tail;
        }
        Some(Self { verb, words })
    }

    /// The word at `index`, or an empty text.
    #[must_use]
    pub fn word(&self, index: usize) -> &str {
        self.words.get(index).map_or("", String::as_str)
    }
}

pub(crate) fn encode_size(size: Size) -> [u8; 4] {
    let ([a, b], [c, d]) = (size.rows().to_le_bytes(), size.cols().to_le_bytes());
    [a, b, c, d]
}

pub(crate) fn decode_size(payload: &[u8]) -> Option<Size> {
    let &[a, b, c, d] = payload.first_chunk()?;
    let (rows, cols) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
    Some(Size::new(rows, cols))
}

/// What a client needs to know about the session that it shows now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    pub session: SessionId,
    /// Its name, for the message when the client leaves.
    pub name: String,
    /// Bytes that prepare the terminal.
    pub enter: Vec<u8>,
    /// Bytes that restore the terminal, for the client to use even if the server dies.
    pub leave: Vec<u8>,
    /// Whether the server can read from and paint on the terminal itself once the client is `Ready`. This saves two
    /// wake-ups of the client for each key and its echo.
    pub is_direct: bool,
    /// Whether the client is read-only. It attaches again as the same after a lost server.
    pub is_read_only: bool,
}

impl Attached {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = self.session.0.to_le_bytes().to_vec();
        for part in [self.name.as_bytes(), &self.enter, &self.leave] {
            let length = u32::try_from(part.len()).expect("names and sequences are short");
            out.extend_from_slice(&length.to_le_bytes());
            out.extend_from_slice(part);
        }
        out.push(u8::from(self.is_direct) | u8::from(self.is_read_only) << 1);
        out
    }

    pub(crate) fn decode(payload: &[u8]) -> Option<Self> {
        let (id, mut rest) = payload.split_first_chunk::<4>()?;
        let mut part = || {
            let (&length, tail) = rest.split_first_chunk::<4>()?;
            let (part, tail) = tail.split_at_checked(u32::from_le_bytes(length) as usize)?;
            rest = tail;
            Some(part.to_vec())
        };
        let (name, enter, leave) = (part()?, part()?, part()?);
        let flags = rest.first().copied().unwrap_or_default();
        Some(Self {
            session: SessionId(u32::from_le_bytes(*id)),
            name: String::from_utf8(name).ok()?,
            enter,
            leave,
            is_direct: flags & 1 != 0,
            is_read_only: flags & 2 != 0,
        })
    }
}

/// Why a client leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leave {
    /// The kind, which decides the exit status.
    pub kind: LeaveKind,
    /// The line to print, without the brackets.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LeaveKind {
    /// Detached: the session goes on.
    Detached = 1,
    Exited = 2,
    ServerExited = 3,
    /// Detached, and the client is to send SIGHUP to its parent.
    HangUp = 4,
    /// Detached, and the client is to replace itself by a command: the text holds a shell and its command, with a NUL
    /// between them.
    Exec = 5,
}

impl LeaveKind {
    fn from_number(number: u8) -> Self {
        match number {
            2 => Self::Exited,
            3 => Self::ServerExited,
            4 => Self::HangUp,
            5 => Self::Exec,
            // An unknown kind comes from a later version and still means "leave". `Detached` promises the least.
            _ => Self::Detached,
        }
    }
}

impl Leave {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = vec![self.kind as u8];
        out.extend_from_slice(self.text.as_bytes());
        out
    }

    pub(crate) fn decode(payload: &[u8]) -> Option<Self> {
        let (&kind, text) = payload.split_first()?;
        Some(Self {
            kind: LeaveKind::from_number(kind),
            text: std::str::from_utf8(text).ok()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_bytes_are_frozen() {
        let core = Core {
            verb: Verb::Attach,
            words: vec!["$1".into(), "xterm".into()],
        };
        let golden = b"\x02\x02\x02\x00$1\x05\x00xterm";
        assert_eq!(core.encode(), golden);
        assert_eq!(Core::decode(golden), Some(core));
    }

    #[test]
    fn core_cut_anywhere_is_refused() {
        let bytes = Core {
            verb: Verb::Kill,
            words: vec!["work".into()],
        }
        .encode();
        for cut in 0..bytes.len() {
            assert_eq!(Core::decode(&bytes[..cut]), None, "cut at {cut}");
        }
        assert_eq!(Core::decode(&[99, 0]), None, "unknown verb");
    }

    #[test]
    fn core_with_more_words_than_known_is_read() {
        let core = Core {
            verb: Verb::List,
            words: vec!["later".into()],
        };
        assert_eq!(Core::decode(&core.encode()).unwrap().word(7), "");
    }
}
