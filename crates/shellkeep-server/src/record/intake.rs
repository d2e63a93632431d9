//! The way of output into a record: through the sluice into the journal, or for a little, which somebody waits for, past it.

use std::io;
use std::os::fd::BorrowedFd;
use std::sync::Arc;

use shellkeep_keeper::{Pty, sluice};

use super::{Record, Writing, now};
use crate::slate::Mark;

/// As little as this is shown before it is written: it is a key's echo, and somebody waits for it.
pub(crate) const LITTLE: usize = 512;

/// Output that was shown first, since somebody waits for it. It is as safe from our death.
pub(super) enum Unwritten {
    /// So much is in this pane's sluice.
    InSluice(Arc<dyn Pty>, usize),
    /// So much stands on the slate.
    OnSlate(usize),
}

impl Record {
    /// Moves what waits in a pane's sluice into the journal, and a copy of it into `buffer`. A little is left in the sluice, where
    /// it is as safe from our death: `write_down` is for after it was shown.
    pub(crate) fn take_in(&mut self, pty: &Arc<dyn Pty>, count: usize, buffer: &mut Vec<u8>) {
        self.write_down();
        self.noticed();
        buffer.clear();
        let Some(sluice) = pty.sluice() else {
            return;
        };
        if count <= LITTLE && matches!(self.writing, Writing::Open(_)) {
            buffer.resize(count, 0);
            if sluice::look(sluice, buffer) {
                self.unwritten = Some(Unwritten::InSluice(pty.clone(), count));
                return;
            }
            buffer.clear();
        }
        self.move_in(sluice, count, buffer);
    }

    /// Reads a terminal onto the slate, and into `buffer`; `write_down` is for after it was shown. `None` if that cannot be done.
    pub(crate) fn read_echo(
        &mut self,
        pty: &dyn Pty,
        buffer: &mut Vec<u8>,
    ) -> Option<io::Result<usize>> {
        self.write_down();
        let Writing::Open(journal) = &self.writing else {
            return None;
        };
        let mark = Mark {
            home: self.home,
            journal: journal.generation(),
            length: journal.len(),
        };
        let read = self.recorder.slate.read(mark, pty, buffer)?;
        if let Ok(count @ 1..) = read {
            self.unwritten = Some(Unwritten::OnSlate(count));
            self.noticed();
        }
        Some(read)
    }

    /// Moves what is on the screen already into the journal. Whatever else is done to either comes after it.
    pub(crate) fn write_down(&mut self) {
        match self.unwritten.take() {
            None => {}
            Some(Unwritten::InSluice(pty, count)) => {
                if let Some(sluice) = pty.sluice() {
                    self.move_in(sluice, count, &mut Vec::new());
                }
            }
            Some(Unwritten::OnSlate(count)) => {
                let slate = self.recorder.slate.clone();
                slate.wipe(count, |output| {
                    if let Some(journal) = self.journal()
                        && let Err(error) = journal.add(output, now())
                    {
                        self.broke(&error);
                    }
                });
            }
        }
    }

    fn move_in(&mut self, sluice: BorrowedFd<'_>, count: usize, buffer: &mut Vec<u8>) {
        match self.journal() {
            Some(journal) => {
                if let Err(error) = journal.take(sluice, count, now(), buffer) {
                    self.broke(&error);
                }
            }
            None => read_exactly(sluice, count, buffer),
        }
    }
}

/// Reads so many bytes from a sluice into memory.
pub(crate) fn read_exactly(sluice: BorrowedFd<'_>, count: usize, buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(count, 0);
    let mut done = 0;
    while done < count {
        match nix::unistd::read(sluice, &mut buffer[done..]) {
            Ok(read) if read > 0 => done += read,
            Err(nix::errno::Errno::EINTR) => {}
            _ => break,
        }
    }
    buffer.truncate(done);
}
