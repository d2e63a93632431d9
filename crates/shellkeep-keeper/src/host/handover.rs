//! What a restarting server leaves to the program that replaces it: every PTY, its transit pipe, input that no program
//! has read, and the notes. Without it only the keeper would hold the PTYs between the old and the new program, and if
//! the keeper died in that moment, every program would end.
//!
//! The descriptors stay open across `exec`. An unlinked file, whose descriptor stays open as well, lists them:
//!
//! ```text
//! number of descriptors (u32), the descriptors (i32 each) in the order of the frames to which they belong,
//! then frames as a keeper sends them when it lists what it holds
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{BorrowedFd, RawFd};
use std::path::Path;
use std::sync::Arc;

use shellkeep_core::PaneId;

use crate::input_file::InputFile;
use crate::process;
use crate::protocol::{BEFORE_BINCODE, FromKeeper};
use crate::pty::Pty;
use crate::wire::Inbox;

/// The PTYs of a server that is about to restart.
pub struct Ptys(pub Vec<Arc<dyn Pty>>);

impl fmt::Debug for Ptys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ptys").field(&self.0.len()).finish()
    }
}

/// A pane that is handed over.
pub(super) struct Pane {
    pub(super) id: PaneId,
    pub(super) pid: u32,
    pub(super) tty: String,
    pub(super) pty: Arc<dyn Pty>,
}

pub struct Handover {
    pub(super) panes: Vec<Pane>,
    pub(super) inputs: BTreeMap<PaneId, Arc<InputFile>>,
    pub(super) notes: BTreeMap<String, Vec<u8>>,
}

impl Handover {
    /// Writes everything to a file, keeps all descriptors open across `exec`, and returns the descriptor of the file,
    /// for the arguments of the next program. The file is made at this path and unlinked at once. The value must live
    /// until the `exec`.
    ///
    /// # Errors
    /// When the file cannot be written, or the system refuses.
    pub fn keep_across_exec(&self, path: &Path) -> io::Result<RawFd> {
        let (mut fds, mut frames) = (Vec::new(), Vec::new());
        let mut keep = |fd: BorrowedFd<'_>| {
            fds.push(process::keep_across_exec(fd)?);
            io::Result::Ok(())
        };
        for pane in &self.panes {
            let (id, pid, tty) = (pane.id, pane.pid, pane.tty.clone().into_bytes());
            let Some(master) = pane.pty.fd() else {
                continue;
            };
            if let Some(transit_pipe) = pane.pty.transit_pipe() {
                keep(transit_pipe)?;
                frames.extend(frame(&FromKeeper::TransitPipe { pane: id }));
            }
            keep(master)?;
            let held = FromKeeper::Held {
                pane: id,
                pid,
                tty,
                exit: None,
            };
            frames.extend(frame(&held));
        }
        for (key, value) in &self.notes {
            let (key, value) = (key.clone(), value.clone());
            frames.extend(frame(&FromKeeper::Memory { key, value }));
        }
        // At the end, because an older program skips them, and would use their descriptors for the frames behind them.
        for (pane, file) in &self.inputs {
            fds.push(process::keep_across_exec(file.fd())?);
            frames.extend(frame(&FromKeeper::Input { pane: *pane }));
        }
        let mut bytes = u32::try_from(fds.len()).unwrap_or(0).to_le_bytes().to_vec();
        bytes.extend(fds.iter().flat_map(|fd| fd.to_le_bytes()));
        bytes.extend(frames);
        let file = write_nameless(path, &bytes)?;
        let fd = process::keep_across_exec(&file)?;
        // The descriptor must stay open: this process ends, or becomes the program that reads it.
        std::mem::forget(file);
        Ok(fd)
    }
}

/// In the encoding that every version reads. A user may go back to one without bincode, and what it skips would be
/// lost.
fn frame(message: &FromKeeper) -> Vec<u8> {
    message.encode(BEFORE_BINCODE).unwrap_or_default()
}

/// An unlinked file with this content.
fn write_nameless(path: &Path, bytes: &[u8]) -> io::Result<File> {
    // A file at this path was left by a server that was killed right here.
    let mut file = shellkeep_files::make_anew(path)?;
    fs::remove_file(path)?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// What the previous program of this process has left to this one.
pub struct Inherited(pub(super) Inbox);

impl Inherited {
    /// Reads what was left, from the descriptor in the arguments of this program.
    ///
    /// # Errors
    /// When there is no such descriptor, or its content is wrong.
    pub fn take(fd: RawFd) -> io::Result<Self> {
        let mut bytes = Vec::new();
        File::from(process::own_inherited_fd(fd)?).read_to_end(&mut bytes)?;
        let mut rest = bytes.as_slice();
        let mut number = || {
            let (first, others) = rest.split_first_chunk::<4>()?;
            rest = others;
            Some(i32::from_le_bytes(*first))
        };
        let mut fds = Vec::new();
        for _ in 0..number().unwrap_or(0) {
            let fd = number().ok_or(io::ErrorKind::UnexpectedEof)?;
            fds.push(process::own_inherited_fd(fd)?);
        }
        Ok(Self(Inbox::filled(rest.to_vec(), fds)))
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;
    use std::task::{Context, Poll};

    use shellkeep_core::Size;

    use super::*;

    struct FilePty(File);

    impl Pty for FilePty {
        fn poll_read(&self, _: &mut Context<'_>, _: &mut [u8]) -> Poll<io::Result<usize>> {
            Poll::Pending
        }
        fn try_read(&self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::WouldBlock.into())
        }
        fn poll_write(&self, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
            Poll::Pending
        }
        fn try_write(&self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::WouldBlock.into())
        }
        fn resize(&self, _: Size) -> io::Result<()> {
            Ok(())
        }
        fn fd(&self) -> Option<BorrowedFd<'_>> {
            Some(self.0.as_fd())
        }
    }

    #[test]
    fn handed_over_server_is_restored() {
        let dir = tempfile::tempdir().unwrap();
        let (name, path) = (dir.path().join("pty"), dir.path().join("handover"));
        fs::write(&name, "it").unwrap();
        let pty: Arc<dyn Pty> = Arc::new(FilePty(File::open(&name).unwrap()));
        let handover = Handover {
            panes: vec![Pane {
                id: PaneId(7),
                pid: 4711,
                tty: "/dev/pts/3".to_owned(),
                pty: pty.clone(),
            }],
            inputs: BTreeMap::from([(PaneId(9), Arc::new(InputFile::with(b"typed").unwrap()))]),
            notes: BTreeMap::from([("key".to_owned(), b"value".to_vec())]),
        };
        let fd = handover.keep_across_exec(&path).unwrap();
        assert!(!path.exists());
        // As in `exec`: the old owner ends without dropping, and the new one takes over.
        std::mem::forget((handover, pty));
        let Inherited(mut inbox) = Inherited::take(fd).unwrap();
        let mut next = || FromKeeper::decode(&inbox.next_frame().unwrap().unwrap()).unwrap();
        assert!(matches!(
            next(),
            FromKeeper::Held {
                pane: PaneId(7),
                pid: 4711,
                exit: None,
                ..
            }
        ));
        assert!(
            matches!(next(), FromKeeper::Memory { key, value } if key == "key" && value == b"value")
        );
        assert_eq!(next(), FromKeeper::Input { pane: PaneId(9) });
        let mut content = String::new();
        File::from(inbox.take_fd().unwrap())
            .read_to_string(&mut content)
            .unwrap();
        assert_eq!(content, "it");
        let input = InputFile::from_fd(inbox.take_fd().unwrap());
        assert_eq!(input.unsent().unwrap(), b"typed");
        assert!(inbox.take_fd().is_none());
    }

    #[test]
    fn number_without_a_descriptor_is_refused() {
        assert!(Inherited::take(-1).is_err());
        assert!(Inherited::take(1 << 20).is_err());
    }
}
