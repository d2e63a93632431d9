//! The lock by which a server is the only one of its socket.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shellkeep_files::{Access, MAX_SMALL};
use shellkeep_keeper::process;
use shellkeep_store::is_at;

use crate::process::runtime_dir::beside;

/// The lock, held as long as the process lives.
pub(crate) struct ServerLock {
    path: PathBuf,
    lock: Mutex<Flock<File>>,
}

impl ServerLock {
    /// Takes the lock, or takes it over from the replaced server. `None` if another server runs.
    pub(crate) fn take(socket: &Path, inherited: Option<i32>) -> io::Result<Option<Self>> {
        let path = beside(socket, ".lock");
        let file = match inherited {
            Some(fd) => process::adopt_inherited_fd(fd).into(),
            None => open(&path)?,
        };
        match lock(file)? {
            Ok(lock) => Ok(Some(Self {
                path,
                lock: Mutex::new(lock),
            })),
            Err(mut file) => {
                // Signal the other server to check its socket, which may have been removed.
                let mut pid = String::new();
                file.read_to_string(&mut pid)?;
                if let Ok(pid) = pid.trim().parse() {
                    let _ = kill(Pid::from_raw(pid), Signal::SIGUSR1);
                }
                Ok(None)
            }
        }
    }

    /// Takes the lock again if its file was removed: a lock without a file would not keep another server away.
    ///
    /// # Errors
    /// If another server has taken it meanwhile, whose socket must be left alone.
    pub(crate) fn ensure(&self) -> io::Result<()> {
        let mut held = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if is_at(&held, &self.path) {
            return Ok(());
        }
        match lock(open(&self.path)?)? {
            Ok(lock) => {
                *held = lock;
                Ok(())
            }
            Err(_) => Err(io::Error::other("another server has taken its place")),
        }
    }

    pub(crate) fn keep_across_exec(&self) -> io::Result<i32> {
        let held = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        process::keep_across_exec(&**held)
    }
}

pub(crate) fn open(path: &Path) -> io::Result<File> {
    shellkeep_files::open(path, Access::Make, MAX_SMALL)
}

/// Locks a file and writes the pid into it. Returns the file if another process holds the lock.
fn lock(file: File) -> io::Result<Result<Flock<File>, File>> {
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(mut lock) => {
            // Padded to the width of any pid: truncating the file first would make some file systems wait for the disk.
            lock.rewind()?;
            write!(lock, "{:<10}", std::process::id())?;
            Ok(Ok(lock))
        }
        Err((file, Errno::EWOULDBLOCK)) => Ok(Err(file)),
        Err((_, errno)) => Err(errno.into()),
    }
}
