//! Where terminfo entries are: which terminal a pane is to be, and what an entry says of a client's.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use nix::fcntl::OFlag;

use crate::state::Environ;

/// ncurses reads no larger entry.
const MAX_ENTRY: u64 = 32 << 10;

/// `tmux-256color` where its terminfo entry exists, else `screen-256color`.
pub(crate) fn best(environ: &Environ) -> &'static str {
    let mut paths = candidates("tmux-256color", environ);
    if paths.any(|path| path.exists()) {
        "tmux-256color"
    } else {
        "screen-256color"
    }
}

/// The compiled entry of a terminal, as a program with these variables finds it.
///
/// It is read on the event loop, once for every attached client: a few kilobytes of a regular file, and never a pipe or a
/// device, whatever `TERMINFO` names.
pub(crate) fn read(name: &str, environ: &Environ) -> Option<Vec<u8>> {
    let file = candidates(name, environ).find_map(|path| {
        // Not ours: an entry of the system or of the user, often behind a link.
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

/// Where an entry may be, in the order of ncurses.
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
    // A relative path means a directory of the client, and the server's is another.
    dirs.retain(|dir| dir.is_absolute());
    // The name comes from a client and becomes a part of a path.
    let is_name = |name: &&str| !name.contains('/') && !name.starts_with('.');
    let first = name.chars().next().filter(|_| is_name(&name));
    // Entries are filed under their first letter, or its code on systems that ignore case.
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
