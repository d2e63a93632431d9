//! The bench's terminal: a PTY whose output it reads completely, and into which it types.
//!
//! It does not reply to queries. A separate thread reads, so that a program never waits for the bench, and every chunk
//! has the time at which it arrived and not the time at which it was processed.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::wait::ANSWER_TIMEOUT;

const ROWS: NonZero<u16> = NonZero::new(24).expect("24 is not zero");
const COLS: NonZero<u16> = NonZero::new(80).expect("80 is not zero");

pub(super) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    output: Receiver<Chunk>,
    screen: vt100::Parser,
    /// When the program was started.
    born: Instant,
    /// When the newest processed output arrived.
    newest: Instant,
    // Closing the master would hang up the program.
    _master: Box<dyn MasterPty + Send>,
}

struct Chunk {
    arrived: Instant,
    bytes: Vec<u8>,
}

impl Terminal {
    /// Starts `command` in a new terminal, as a shell would: a process that exists already becomes the program when the
    /// clock starts, so that forking this large process is not measured.
    pub(super) fn start(mut command: CommandBuilder) -> Result<Self> {
        let wait = [
            "/bin/sh",
            "-c",
            "printf wait; read -r go; exec \"$@\"",
            "sh",
        ];
        command.get_argv_mut().splice(0..0, wait.map(Into::into));
        let size = PtySize {
            rows: ROWS.get(),
            cols: COLS.get(),
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system()
            .openpty(size)
            .context("cannot open a pty")?;
        let reader = pty
            .master
            .try_clone_reader()
            .context("cannot read the pty")?;
        let keyboard = pty
            .master
            .take_writer()
            .context("cannot write to the pty")?;
        // Large enough for everything that a measure prints, so that the reader never waits.
        let (chunks, output) = sync_channel(1 << 20);
        std::thread::spawn(move || read_all(reader, &chunks));
        let child = pty
            .slave
            .spawn_command(command)
            .context("cannot start the program")?;
        let mut terminal = Self {
            child,
            keyboard,
            output,
            screen: vt100::Parser::new(ROWS, COLS, 0),
            born: Instant::now(),
            newest: Instant::now(),
            _master: pty.master,
        };
        terminal.wait_for_bytes(b"wait")?;
        terminal.born = Instant::now();
        terminal.press("\n")?;
        Ok(terminal)
    }

    pub(super) fn born(&self) -> Instant {
        self.born
    }

    pub(super) fn press(&mut self, keys: &str) -> Result<()> {
        self.keyboard
            .write_all(keys.as_bytes())
            .context("cannot write to the pty")
    }

    /// Waits until the screen fulfils a condition, and returns when the output for it arrived.
    pub(super) fn wait_for_screen(
        &mut self,
        what: &str,
        wanted: impl Fn(&vt100::Screen) -> bool,
    ) -> Result<Instant> {
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        while !wanted(self.screen.screen()) {
            let chunk = self.next_chunk(what, deadline)?;
            self.newest = chunk.arrived;
            self.screen.process(&chunk.bytes);
        }
        Ok(self.newest)
    }

    /// Waits until `needle` was printed, and returns when its last byte arrived.
    ///
    /// The output is searched but not parsed, because an emulator would take a CPU away from the programs. The screen
    /// is useless afterwards.
    pub(super) fn wait_for_bytes(&mut self, needle: &[u8]) -> Result<Instant> {
        let what = format!("{:?} was printed", String::from_utf8_lossy(needle));
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        let mut search = Search::new(needle);
        loop {
            let chunk = self.next_chunk(&what, deadline)?;
            if search.ends_in(&chunk.bytes) {
                return Ok(chunk.arrived);
            }
        }
    }

    /// Does nothing for some time except update the screen.
    pub(super) fn idle(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Ok(chunk) = self
            .output
            .recv_timeout(deadline - Instant::now().min(deadline))
        {
            self.screen.process(&chunk.bytes);
        }
    }

    /// Detaches with the prefix key, and waits until the client is gone.
    pub(super) fn detach(mut self) -> Result<()> {
        self.press("\x02")?;
        // Keys that come faster than a user types count as pasted (tmux: `assume-paste-time`).
        self.idle(Duration::from_millis(5));
        self.press("d")?;
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(chunk) => self.screen.process(&chunk.bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    bail!(
                        "the client did not detach; its screen:\n{}",
                        self.contents()
                    )
                }
            }
        }
        let status = self.child.wait().context("cannot wait for the client")?;
        if !status.success() {
            bail!(
                "the client detached with {status:?}; its screen:\n{}",
                self.contents()
            );
        }
        Ok(())
    }

    fn next_chunk(&self, what: &str, deadline: Instant) -> Result<Chunk> {
        let left = deadline.saturating_duration_since(Instant::now());
        let complaint = match self.output.recv_timeout(left) {
            Ok(chunk) => return Ok(chunk),
            Err(RecvTimeoutError::Timeout) => "waited in vain",
            Err(RecvTimeoutError::Disconnected) => "the program ended",
        };
        bail!("{complaint} until {what}; its screen:\n{}", self.contents())
    }

    fn contents(&self) -> String {
        self.screen.screen().contents().trim_end().to_string()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended already, except after a failure. Reaped here, or it would stay a zombie.
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn read_all(mut reader: Box<dyn Read + Send>, chunks: &SyncSender<Chunk>) {
    let mut buffer = vec![0; 65536];
    // An error means the end too: Linux returns EIO when the last program has closed the terminal.
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        let chunk = Chunk {
            arrived: Instant::now(),
            bytes: buffer[..count].to_vec(),
        };
        if chunks.send(chunk).is_err() {
            return;
        }
    }
}

/// Searches for bytes in a stream of pieces.
struct Search<'a> {
    needle: &'a [u8],
    /// The end of what was searched, where the needle may have begun.
    tail: Vec<u8>,
}

impl<'a> Search<'a> {
    fn new(needle: &'a [u8]) -> Self {
        Search {
            needle,
            tail: Vec::new(),
        }
    }

    /// Whether the needle is complete after this piece.
    fn ends_in(&mut self, piece: &[u8]) -> bool {
        self.tail.extend_from_slice(piece);
        if self
            .tail
            .windows(self.needle.len())
            .any(|window| window == self.needle)
        {
            return true;
        }
        let spent = (self.tail.len() + 1).saturating_sub(self.needle.len());
        self.tail.drain(..spent);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Terminal {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        Terminal::start(command).unwrap()
    }

    #[test]
    fn keys_come_back_on_the_screen() {
        let mut terminal = sh("stty raw -echo; printf ready; head -c 1");
        let ready = terminal
            .wait_for_screen("sh is ready", |screen| screen.contents().trim() == "ready")
            .unwrap();
        assert!(ready > terminal.born());
        terminal.press("k").unwrap();
        terminal
            .wait_for_screen("the key is shown", |screen| {
                screen.contents().trim() == "readyk"
            })
            .unwrap();
    }

    #[test]
    fn a_needle_cut_in_pieces_is_found() {
        let search = |pieces: &[&str]| {
            let mut search = Search::new(b"abc");
            pieces
                .iter()
                .position(|piece| search.ends_in(piece.as_bytes()))
        };
        assert_eq!(search(&["xabcx"]), Some(0));
        assert_eq!(search(&["xa", "b", "cx"]), Some(2));
        assert_eq!(search(&["ab", "abc"]), Some(1));
        assert_eq!(search(&["ab", "xc", "ab"]), None);
    }

    #[test]
    fn a_program_that_ends_early_is_an_error_with_its_screen() {
        let mut terminal = sh("echo no such session");
        let error = terminal
            .wait_for_screen("a prompt is there", |_| false)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("the program ended until a prompt is there"),
            "{error}"
        );
        assert!(error.contains("no such session"), "{error}");
    }
}
