//! A folder in which everything the bench starts lives, and which is swept clean however the bench ends.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::procfs;
use super::wait::pause;

/// Where a system has files in memory that every user may make.
const MEMORY: &str = "/dev/shm";

/// The folder. Dropping it ends every process that was started in it and removes it; so do Ctrl-C,
/// SIGTERM and SIGHUP.
pub(super) struct Sandbox {
    root: PathBuf,
    /// For sockets: in memory, as systemd's folders for them are, unless `--in` says where everything is to be.
    runtime: PathBuf,
}

impl Sandbox {
    /// Makes the folder and arms the clean-up.
    pub(super) fn new(within: Option<&Path>) -> Result<Self> {
        // Not in TMPDIR: a socket's path may have about 100 bytes, and macOS spends half of them there.
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

    /// A folder inside, made when it is not there.
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

/// Has a thread wait for the signals that end us, and clean up first.
///
/// Handlers rather than blocked signals and `sigwait`: a blocked signal stays blocked in the programs we
/// start, and no pane could be hung up any more.
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

/// Kills what lives in the first of two folders and removes both.
///
/// Servers are daemons and no children of ours, so they are found by their environment, which names the
/// folder. Where there is no /proc only the folder goes; the servers were then ended by `kill-server`.
fn sweep([root, runtime]: [&PathBuf; 2]) {
    // Again and again, since one process may just have started another: a keeper its next server.
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
