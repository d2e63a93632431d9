//! The encoding of messages before version 5, coded by hand. It is still needed for older processes that are running: a
//! keeper that a server of this build takes over, and a server of an older build that starts this program as its
//! keeper. Delete this file when none of them can be running any more.
//!
//! A frame's content is a kind (u8) and fields; numbers are little-endian, texts are a length (u32) and bytes. Fields
//! that were added later are at the end and may be missing. The hello is not coded here, because it never changes.

use shellkeep_core::{PaneId, Size};

use super::{FromKeeper, Program, SpawnRequest, ToKeeper};

/// The content of a frame to the keeper; `None` for a hello.
pub(super) fn encode_to_keeper(message: &ToKeeper) -> Option<Vec<u8>> {
    use ToKeeper as M;
    Some(match message {
        M::Hello { .. } => return None,
        M::Spawn(spawn) => encode_spawn(spawn),
        M::Adopt { pane, pid, tty } => Writer::new(3).u32(pane.0).u32(*pid).bytes(tty).done(),
        M::Close { pane } => Writer::new(4).u32(pane.0).done(),
        M::Remember { key, value } => Writer::new(5).bytes(key.as_bytes()).bytes(value).done(),
        M::Shutdown => Writer::new(6).done(),
        M::TransitPipe { pane } => Writer::new(7).u32(pane.0).done(),
        M::Listen => Writer::new(8).done(),
        M::Input { pane } => Writer::new(9).u32(pane.0).done(),
        M::ForgetInput { pane } => Writer::new(10).u32(pane.0).done(),
    })
}

/// Decodes a frame to the keeper; `None` if the kind is unknown or a field is missing.
pub(super) fn decode_to_keeper(frame: &[u8]) -> Option<ToKeeper> {
    use ToKeeper as M;
    let (kind, mut reader) = FieldReader::new(frame)?;
    Some(match kind {
        2 => M::Spawn(decode_spawn(&mut reader)?),
        3 => M::Adopt {
            pane: reader.pane()?,
            pid: reader.u32()?,
            tty: reader.bytes()?,
        },
        4 => M::Close {
            pane: reader.pane()?,
        },
        5 => M::Remember {
            key: reader.text()?,
            value: reader.bytes()?,
        },
        6 => M::Shutdown,
        7 => M::TransitPipe {
            pane: reader.pane()?,
        },
        8 => M::Listen,
        9 => M::Input {
            pane: reader.pane()?,
        },
        10 => M::ForgetInput {
            pane: reader.pane()?,
        },
        _ => return None,
    })
}

/// The content of a frame from the keeper; `None` for a hello.
pub(super) fn encode_from_keeper(message: &FromKeeper) -> Option<Vec<u8>> {
    use FromKeeper as M;
    Some(match message {
        M::Hello { .. } => return None,
        M::Held {
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
        M::Memory { key, value } => Writer::new(3).bytes(key.as_bytes()).bytes(value).done(),
        M::Listed => Writer::new(4).done(),
        M::SpawnFailed { pane, reason } => {
            Writer::new(5).u32(pane.0).bytes(reason.as_bytes()).done()
        }
        M::Exited { pane, status, pid } => {
            let writer = Writer::new(6).u32(pane.0).u32(status.cast_unsigned());
            match pid {
                None => writer.done(),
                Some(pid) => writer.u32(*pid).done(),
            }
        }
        M::TransitPipe { pane } => Writer::new(7).u32(pane.0).done(),
        M::Input { pane } => Writer::new(8).u32(pane.0).done(),
    })
}

/// Decodes a frame from the keeper; `None` if the kind is unknown or a field is missing.
pub(super) fn decode_from_keeper(frame: &[u8]) -> Option<FromKeeper> {
    use FromKeeper as M;
    let (kind, mut reader) = FieldReader::new(frame)?;
    Some(match kind {
        2 => {
            let (pane, pid, tty) = (reader.pane()?, reader.u32()?, reader.bytes()?);
            let (has_ended, status) = (reader.u32()?, reader.u32()?);
            let exit = (has_ended == 1).then_some(status.cast_signed());
            M::Held {
                pane,
                pid,
                tty,
                exit,
            }
        }
        3 => M::Memory {
            key: reader.text()?,
            value: reader.bytes()?,
        },
        4 => M::Listed,
        5 => M::SpawnFailed {
            pane: reader.pane()?,
            reason: reader.text()?,
        },
        6 => M::Exited {
            pane: reader.pane()?,
            status: reader.u32()?.cast_signed(),
            pid: match reader.is_at_end() {
                true => None,
                false => Some(reader.u32()?),
            },
        },
        7 => M::TransitPipe {
            pane: reader.pane()?,
        },
        8 => M::Input {
            pane: reader.pane()?,
        },
        _ => return None,
    })
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

fn decode_spawn(reader: &mut FieldReader<'_>) -> Option<SpawnRequest> {
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
        // Omitted if empty, and by older servers.
        terminal: match reader.is_at_end() {
            true => Vec::new(),
            false => reader.bytes()?,
        },
    })
}

struct Writer(Vec<u8>);

impl Writer {
    fn new(kind: u8) -> Self {
        Self(vec![kind])
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

    fn done(self) -> Vec<u8> {
        self.0
    }
}

struct FieldReader<'a>(&'a [u8]);

impl<'a> FieldReader<'a> {
    fn new(frame: &'a [u8]) -> Option<(u8, Self)> {
        let (kind, rest) = frame.split_first()?;
        Some((*kind, Self(rest)))
    }

    fn u32(&mut self) -> Option<u32> {
        let (value, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*value))
    }

    /// Whether the sender knew no more fields.
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
mod tests;
