//! Where the keeper of a server listens.

use std::path::{Path, PathBuf};

use crate::runtime_dir::beside;

/// The keeper's socket beside a server's.
#[must_use]
pub(crate) fn keeper_socket(socket: &Path) -> PathBuf {
    beside(socket, ".keeper")
}
