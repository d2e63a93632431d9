//! The files a revived shell is put together from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::private_files::{make_dir, write_private};

/// What the script that puts the others together is called.
pub(crate) const MAIN: &str = "main";

/// The directory of the pieces of one revival.
#[derive(Debug)]
pub(crate) struct Pieces {
    dir: PathBuf,
    /// The pane's own directory.
    pane_dir: PathBuf,
}

impl Pieces {
    /// An empty one within a pane's directory.
    pub(crate) fn new(pane_dir: &Path) -> io::Result<Self> {
        let dir = pane_dir.join("revive");
        match fs::remove_dir_all(&dir) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        make_dir(&dir)?;
        forget_later(pane_dir);
        Ok(Self {
            dir,
            pane_dir: pane_dir.to_owned(),
        })
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        write_private(&self.dir.join(name), bytes)
    }

    /// A file that outlives the pieces: the shell reads it after its first prompt.
    pub(crate) fn write_beside(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        write_private(&self.pane_dir.join(name), bytes)
    }
}

/// Removes what an earlier revival left to be read after the first prompt.
fn forget_later(pane_dir: &Path) {
    let _ = fs::remove_file(pane_dir.join("later"));
}

/// Text that grows by lines.
#[derive(Default)]
pub(crate) struct Script(pub(crate) Vec<u8>);

impl Script {
    /// Adds a line made of parts.
    pub(crate) fn line(&mut self, parts: &[&[u8]]) -> &mut Self {
        for part in parts {
            self.0.extend_from_slice(part);
        }
        self.0.push(b'\n');
        self
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.line(&[text.as_bytes()])
    }
}
