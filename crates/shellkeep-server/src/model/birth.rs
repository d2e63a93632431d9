//! Where and how the server was started: what nobody's own command starts goes by it, as all that tmux starts does.

use std::os::unix::ffi::OsStringExt as _;

use nix::sys::stat::{Mode, umask};

/// The directory and the mask of the client that started the server. Those of the server itself are others by then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Birth {
    /// The directory.
    pub cwd: Vec<u8>,
    /// The mask for new files.
    pub umask: u32,
}

impl Birth {
    /// That of this process. Only while it has no other thread, which could make a file meanwhile: a mask can only be read by setting it.
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
