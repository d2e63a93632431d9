//! Which terminal to be: the best one the programs inside will have heard of.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::state::Environ;

/// `tmux-256color` where its terminfo entry exists, else `screen-256color`.
pub(crate) fn best(environ: &Environ) -> &'static str {
    if is_known("tmux-256color", environ) {
        "tmux-256color"
    } else {
        "screen-256color"
    }
}

fn is_known(name: &str, environ: &Environ) -> bool {
    let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    let own = environ.get("TERMINFO").map(path);
    let home = environ.get("HOME").map(|home| path(home).join(".terminfo"));
    let listed = environ
        .get("TERMINFO_DIRS")
        .unwrap_or_default()
        .split(|byte| *byte == b':');
    let usual = [
        "/etc/terminfo",
        "/lib/terminfo",
        "/usr/share/terminfo",
        "/usr/local/share/terminfo",
    ];
    let mut dirs = own
        .into_iter()
        .chain(home)
        .chain(listed.map(path))
        .chain(usual.map(PathBuf::from));
    // Entries are filed under their first letter, or its code on systems that ignore case.
    let letter = &name[..1];
    let code = format!("{:x}", name.as_bytes()[0]);
    dirs.any(|dir| dir.join(letter).join(name).exists() || dir.join(&code).join(name).exists())
}
