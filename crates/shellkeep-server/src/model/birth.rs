//! The directory and umask of the client that started the server. Commands without a client of their own, such as
//! hooks, run with them, as in tmux.

use std::os::unix::ffi::OsStringExt as _;

use nix::sys::stat::{Mode, umask};

/// The directory and umask of the client that started the server. The server itself, a daemon, has others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Birth {
    pub cwd: Vec<u8>,
    pub umask: u32,
}

impl Birth {
    /// Reads those of this process. To be called while the process has one thread: a umask can only be read by setting
    /// it, and another thread could create a file meanwhile.
    #[must_use]
    pub fn here() -> Self {
        let directory = std::env::current_dir().unwrap_or_else(|_| "/".into());
        let mask = umask(Mode::from_bits_truncate(0o077));
        umask(mask);
        Self {
            cwd: directory.into_os_string().into_vec(),
            umask: mask.bits(),
        }
    }
}

impl Default for Birth {
    fn default() -> Self {
        Self {
            cwd: b"/".to_vec(),
            umask: 0o077,
        }
    }
}
