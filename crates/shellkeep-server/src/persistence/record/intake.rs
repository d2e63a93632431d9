//! The path of output into a record: through the transit pipe into the journal. A little output is shown before it
//! leaves the transit pipe.

use std::os::fd::BorrowedFd;
use std::sync::Arc;

use shellkeep_keeper::{Pty, transit_pipe};

use crate::persistence::record::Record;

/// Output up to this size is shown before it is written: it is a key's echo, which a user waits for.
pub(crate) const LITTLE_OUTPUT: usize = 512;

/// Output that is on the screen and still in the pane's transit pipe, where it outlives the server.
pub(crate) struct Unwritten {
    pty: Arc<dyn Pty>,
    count: usize,
    /// When it came. The journal records this time, however late the output gets there.
    time: u64,
}

impl Record {
    /// Moves the contents of a pane's transit pipe into the journal, and a copy into `buffer`. A little is left in the
    /// transit pipe, where it is just as safe if the server dies; [`Record::write_down`] moves it after it was shown.
    pub(crate) fn take_in(
        &mut self,
        pty: &Arc<dyn Pty>,
        count: usize,
        time: u64,
        buffer: &mut Vec<u8>,
    ) {
        self.write_down();
        self.noticed();
        buffer.clear();
        let Some(transit_pipe) = pty.transit_pipe() else {
            return;
        };
        if count <= LITTLE_OUTPUT && self.stage.journal().is_some() {
            buffer.resize(count, 0);
            if transit_pipe::look(transit_pipe, buffer) {
                let pty = pty.clone();
                self.unwritten = Some(Unwritten { pty, count, time });
                return;
            }
            buffer.clear();
        }
        self.move_in(transit_pipe, count, time, buffer);
    }

    /// Moves output into the journal that is on the screen already. It must be called before anything else changes
    /// either.
    pub(crate) fn write_down(&mut self) {
        if let Some(Unwritten { pty, count, time }) = self.unwritten.take()
            && let Some(transit_pipe) = pty.transit_pipe()
        {
            self.move_in(transit_pipe, count, time, &mut Vec::new());
        }
    }

    fn move_in(
        &mut self,
        transit_pipe: BorrowedFd<'_>,
        count: usize,
        time: u64,
        buffer: &mut Vec<u8>,
    ) {
        match self.journal() {
            Some(journal) => {
                if let Err(error) = journal.take(transit_pipe, count, time, buffer) {
                    self.broke(&error);
                }
            }
            None => read_exactly(transit_pipe, count, buffer),
        }
    }
}

/// Reads exactly this many bytes from a transit pipe.
pub(crate) fn read_exactly(transit_pipe: BorrowedFd<'_>, count: usize, buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(count, 0);
    let mut done = 0;
    while done < count {
        match nix::unistd::read(transit_pipe, &mut buffer[done..]) {
            Ok(read) if read > 0 => done += read,
            Err(nix::errno::Errno::EINTR) => {}
            _ => break,
        }
    }
    buffer.truncate(done);
}
