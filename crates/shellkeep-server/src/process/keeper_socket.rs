//! The path of the keeper's socket.

use std::path::{Path, PathBuf};

use crate::runtime_dir::beside;

/// The path of the keeper's socket, for a server's.
#[must_use]
pub(crate) fn keeper_socket(socket: &Path) -> PathBuf {
    beside(socket, ".keeper")
}
