//! Reading terminfo entries: which TERM panes get, and what a client's terminal can do.
//!
//! An entry may be in a home directory on a file system that hangs, so the event loop reads none.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::fcntl::OFlag;

use crate::model::Environ;

/// The largest entry that ncurses reads.
const MAX_ENTRY: u64 = 32 << 10;

/// How long a client that attaches waits for its entry. After that it is attached without.
const READ_TIMEOUT: Duration = Duration::from_secs(2);

/// How many reads may hang at a time. While they do, clients attach without an entry at once.
const MAX_HANGING: usize = 4;

/// How many sets of directories are remembered. An environment that differs in each pane must not take unlimited
/// memory.
const MAX_REMEMBERED: usize = 64;

static LOOKUPS: Mutex<Lookups> = Mutex::new(Lookups {
    found: BTreeMap::new(),
});

/// `tmux-256color` where its terminfo entry exists, otherwise `screen-256color`. The event loop asks for each new pane,
/// so the answer is remembered: an entry that is installed later counts from the server's next start.
pub(crate) fn best(environ: &Environ) -> &'static str {
    // The system's directories first: if the entry is there, the user's directories are not touched.
    let mut paths: Vec<PathBuf> = candidates("tmux-256color", environ).collect();
    paths.reverse();
    let mut lookups = LOOKUPS.lock().unwrap_or_else(PoisonError::into_inner);
    if lookups.has_any(paths, Path::exists) {
        "tmux-256color"
    } else {
        "screen-256color"
    }
}

/// Which sets of paths were found to have an existing one.
struct Lookups {
    found: BTreeMap<Vec<PathBuf>, bool>,
}

impl Lookups {
    fn has_any(&mut self, paths: Vec<PathBuf>, exists: impl Fn(&Path) -> bool) -> bool {
        if let Some(found) = self.found.get(&paths) {
            return *found;
        }
        if self.found.len() >= MAX_REMEMBERED {
            self.found.clear();
        }
        let found = paths.iter().any(|path| exists(path));
        self.found.insert(paths, found);
        found
    }
}

/// The reads under way in this process, each on a thread of its own.
///
/// If the file system hangs, only that thread hangs: neither the runtime's pool of threads nor the end of the server
/// waits for it.
struct Reads {
    running: AtomicUsize,
}

static READS: Reads = Reads {
    running: AtomicUsize::new(0),
};

/// The compiled entry of a terminal, found as a program with these variables would find it. None if it cannot be read
/// in time. Blocks.
pub(crate) fn read_in_time(name: String, environ: Environ) -> Option<Vec<u8>> {
    READS.wait_for(READ_TIMEOUT, move || read(&name, &environ))
}

impl Reads {
    fn wait_for(
        &'static self,
        limit: Duration,
        read: impl FnOnce() -> Option<Vec<u8>> + Send + 'static,
    ) -> Option<Vec<u8>> {
        if self.running.fetch_add(1, Ordering::Relaxed) >= MAX_HANGING {
            self.running.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!("a terminfo entry is not read: reads of others hang");
            return None;
        }
        let (sender, receiver) = sync_channel(1);
        let work = move || {
            let entry = read();
            self.running.fetch_sub(1, Ordering::Relaxed);
            // After the timeout the receiver is gone.
            let _ = sender.send(entry);
        };
        let thread = std::thread::Builder::new().name("terminfo".to_owned());
        if let Err(error) = thread.spawn(work) {
            self.running.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!(%error, "a terminfo entry is not read");
            return None;
        }
        receiver.recv_timeout(limit).ok().flatten()
    }
}

/// Reads a few kilobytes of a regular file, and never a pipe or device, whatever `TERMINFO` names.
fn read(name: &str, environ: &Environ) -> Option<Vec<u8>> {
    let file = candidates(name, environ).find_map(|path| {
        // Opened without `shellkeep-files`: a file of the system or the user, and often behind a link.
        let mut options = OpenOptions::new();
        let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        let file = options.read(true).custom_flags(flags.bits()).open(path);
        file.ok().filter(is_entry)
    })?;
    let mut entry = Vec::new();
    file.take(MAX_ENTRY).read_to_end(&mut entry).ok()?;
    Some(entry)
}

fn is_entry(file: &File) -> bool {
    let found = file.metadata();
    found.is_ok_and(|found| found.is_file() && found.len() <= MAX_ENTRY)
}

/// The paths where an entry may be, in ncurses' order.
fn candidates(name: &str, environ: &Environ) -> impl Iterator<Item = PathBuf> {
    let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    let own = environ.get("TERMINFO").map(path);
    let home = environ.get("HOME").map(|home| path(home).join(".terminfo"));
    let listed = environ.get("TERMINFO_DIRS").unwrap_or_default();
    let usual = [
        "/etc/terminfo",
        "/lib/terminfo",
        "/usr/share/terminfo",
        "/usr/local/share/terminfo",
    ];
    let mut dirs: Vec<PathBuf> = own.into_iter().chain(home).collect();
    dirs.extend(listed.split(|byte| *byte == b':').map(path));
    dirs.extend(usual.map(PathBuf::from));
    // A relative path is relative to the client's directory, which is not the server's.
    dirs.retain(|dir| dir.is_absolute());
    // The name comes from a client and becomes part of a path.
    let is_name = |name: &&str| !name.contains('/') && !name.starts_with('.');
    let first = name.chars().next().filter(|_| is_name(&name));
    // Entries are filed under their first letter, or its code on systems whose file names ignore case.
    let folders = first.map(|first| [first.to_string(), format!("{:x}", u32::from(first))]);
    let folders: Vec<PathBuf> = folders.into_iter().flatten().map(PathBuf::from).collect();
    let name = name.to_owned();
    dirs.into_iter().flat_map(move |dir| {
        let paths = folders.iter().map(|folder| dir.join(folder).join(&name));
        paths.collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environ(dir: &std::path::Path) -> Environ {
        let mut environ = Environ::default();
        environ.set("TERMINFO", dir.as_os_str().as_bytes());
        environ
    }

    #[test]
    fn entry_is_looked_for_once_in_each_set_of_directories() {
        let mut lookups = Lookups {
            found: BTreeMap::new(),
        };
        let looks = std::cell::Cell::new(0);
        let mut has = |dir: &str| {
            let paths = vec![PathBuf::from(dir)];
            lookups.has_any(paths, |path| {
                looks.set(looks.get() + 1);
                path == Path::new("/has")
            })
        };
        for _ in 0..3 {
            assert!(has("/has"));
            assert!(!has("/has-not"));
        }
        assert_eq!(looks.get(), 2);
        for other in 0..2 * MAX_REMEMBERED {
            has(&other.to_string());
        }
        assert!(lookups.found.len() <= MAX_REMEMBERED);
    }

    #[test]
    fn entry_is_read_by_letter_or_code() {
        let dir = tempfile::tempdir().expect("a directory can be made");
        for (folder, name) in [("q", "qone"), ("71", "qtwo")] {
            std::fs::create_dir(dir.path().join(folder)).expect("a folder can be made");
            std::fs::write(dir.path().join(folder).join(name), name).expect("it can be written");
            let found = read(name, &environ(dir.path()));
            assert_eq!(found.as_deref(), Some(name.as_bytes()));
        }
        assert_eq!(read("qthree", &environ(dir.path())), None);
    }

    #[test]
    fn reads_that_hang_are_given_up_and_are_few() {
        let reads: &'static Reads = Box::leak(Box::new(Reads {
            running: AtomicUsize::new(0),
        }));
        let hang = std::sync::Arc::new(std::sync::Mutex::new(()));
        let hanging = hang.lock().expect("nobody else has it");
        for _ in 0..MAX_HANGING {
            let hang = hang.clone();
            let read = move || hang.lock().map(|_| b"late".to_vec()).ok();
            assert_eq!(reads.wait_for(Duration::from_millis(1), read), None);
        }
        let entry = || Some(b"entry".to_vec());
        assert_eq!(reads.wait_for(READ_TIMEOUT, entry), None);
        drop(hanging);
        while reads.running.load(Ordering::Relaxed) > 0 {
            std::thread::yield_now();
        }
        assert_eq!(reads.wait_for(READ_TIMEOUT, entry), entry());
    }

    #[test]
    fn nothing_but_a_small_regular_file_by_its_own_name_is_read() {
        let dir = tempfile::tempdir().expect("a directory can be made");
        let folder = dir.path().join("q");
        std::fs::create_dir(&folder).expect("a folder can be made");
        std::fs::create_dir(folder.join("qdir")).expect("a folder can be made");
        nix::unistd::mkfifo(&folder.join("qfifo"), nix::sys::stat::Mode::S_IRWXU)
            .expect("a pipe can be made");
        std::os::unix::fs::symlink("/dev/zero", folder.join("qzero")).expect("a link can be made");
        std::fs::write(folder.join("qlarge"), vec![0; 40 << 10]).expect("it can be written");
        std::fs::write(dir.path().join("outside"), "x").expect("it can be written");
        for name in [
            "qdir",
            "qfifo",
            "qzero",
            "qlarge",
            "",
            "q/../../outside",
            "../outside",
            "..",
            "é",
        ] {
            assert_eq!(read(name, &environ(dir.path())), None, "{name:?}");
        }
    }
}
