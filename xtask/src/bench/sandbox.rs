//! A directory for everything that the bench starts. It is removed however the bench ends.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::procfs;
use super::wait::pause;

/// A directory in memory in which every user may make files.
const MEMORY: &str = "/dev/shm";

/// The directory. Dropping it ends every process that was started in it and removes it; so do Ctrl-C, SIGTERM and
/// SIGHUP.
pub(super) struct Sandbox {
    root: PathBuf,
    /// For sockets: in memory, as with systemd, unless `--in` names a directory for everything.
    runtime: PathBuf,
}

impl Sandbox {
    /// Makes the directory, and sets up its removal.
    pub(super) fn new(within: Option<&Path>) -> Result<Self> {
        // Not in TMPDIR, because the path of a socket is limited to about 100 bytes, and macOS uses half of them there.
        let name = format!("skbench-{}", std::process::id());
        let root = within.unwrap_or(Path::new("/tmp")).join(&name);
        std::fs::create_dir(&root).with_context(|| format!("cannot make {}", root.display()))?;
        let memory = Path::new(MEMORY).join(&name);
        let runtime = match within {
            None if std::fs::create_dir(&memory).is_ok() => memory,
            _ => root.clone(),
        };
        sweep_on_signal([root.clone(), runtime.clone()])?;
        Ok(Sandbox { root, runtime })
    }

    /// Where a program's sockets are to be.
    pub(super) fn runtime(&self, name: &str) -> PathBuf {
        self.runtime.join(name).join("run")
    }

    /// A directory inside, which is made if it does not exist.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.root.join(name);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        sweep([&self.root, &self.runtime]);
    }
}

/// Makes a thread wait for the signals that end this process, and clean up first.
///
/// With handlers and not with blocked signals and `sigwait`: a blocked signal stays blocked in programs that we start,
/// and then no pane could be hung up.
fn sweep_on_signal(folders: [PathBuf; 2]) -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot catch signals")?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            sweep(folders.each_ref());
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

/// Kills the processes of the first of two directories and removes both.
///
/// Servers are daemons and not our children, so they are found by their environment, which contains the directory.
/// Without /proc only the directory is removed; `kill-server` has ended the servers then.
fn sweep([root, runtime]: [&PathBuf; 2]) {
    // Repeatedly, because a process may just have started another one: a keeper its next server.
    for _ in 0..100 {
        let left = procfs::processes_naming(root);
        if left.is_empty() {
            break;
        }
        for pid in left {
            let _ = kill(pid, Signal::SIGKILL);
        }
        pause(Duration::from_millis(5));
    }
    for folder in [root, runtime] {
        let _ = std::fs::remove_dir_all(folder);
    }
}
