//! A shell that is started before what it is to run is written, or before anybody needs it: it waits at a named pipe for the script.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use nix::sys::stat::Mode;

/// What a shell is told that cannot be put together after all: as nobody can have meant otherwise in bash and zsh, and as fish says it.
const LEAVE: &[u8] = b"\\builtin exit 1\nbuiltin exit 1\n";

/// Where a shell waits for its script.
#[derive(Debug)]
pub struct Gate {
    path: PathBuf,
    script: Vec<u8>,
}

impl Gate {
    /// Makes one at this path.
    pub(crate) fn new(path: PathBuf) -> io::Result<Self> {
        nix::unistd::mkfifo(&path, Mode::S_IRUSR | Mode::S_IWUSR)?;
        Ok(Self::at(path))
    }

    /// The one that was made at this path.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self {
            path,
            script: LEAVE.to_vec(),
        }
    }

    /// Has the shell run this when it is let through; it would leave otherwise.
    pub(crate) fn give(&mut self, script: Vec<u8>) {
        self.script = script;
    }

    /// Waits for the shell, and lets it through. Not for a thread that others wait for. [`crate::Revival::clean`] ends the wait if
    /// the shell never comes.
    ///
    /// # Errors
    /// When the shell is gone.
    pub fn open(self) -> io::Result<()> {
        // Not ours: a pipe, in a directory that only its owner may write to.
        let mut pipe = OpenOptions::new().write(true).open(&self.path)?;
        pipe.write_all(&self.script)
    }
}

/// Ends the wait of whoever is about to let a shell through here, which will not come any more.
pub(crate) fn release(path: &Path) {
    // Not ours: a pipe in a directory that only its owner may write to.
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(OFlag::O_NONBLOCK.bits());
    let _ = options.open(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate() -> (tempfile::TempDir, Gate) {
        let temp = tempfile::tempdir().unwrap();
        let gate = Gate::new(temp.path().join("gate")).unwrap();
        (temp, gate)
    }

    #[test]
    fn who_comes_first_waits_for_the_other() {
        for comes_early in [true, false] {
            let (temp, mut gate) = gate();
            // More than a pipe holds.
            let script = vec![b'x'; 1 << 20];
            gate.give(script.clone());
            let path = temp.path().join("gate");
            let shell = move || std::fs::read(path).unwrap();
            let read = if comes_early {
                let shell = std::thread::spawn(shell);
                gate.open().unwrap();
                shell.join().unwrap()
            } else {
                let opening = std::thread::spawn(|| gate.open());
                let read = shell();
                opening.join().unwrap().unwrap();
                read
            };
            assert!(read == script);
        }
    }

    #[test]
    fn nobody_waits_for_a_shell_that_does_not_come() {
        let (temp, mut gate) = gate();
        gate.give(vec![b'x'; 1 << 20]);
        let opening = std::thread::spawn(|| gate.open());
        // It may not have begun to wait yet.
        while !opening.is_finished() {
            release(&temp.path().join("gate"));
            std::thread::yield_now();
        }
        assert!(opening.join().unwrap().is_err());
        release(&temp.path().join("nothing"));
    }
}
