//! The files from which a revived shell is restored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::private_files::{make_dir, write_private};

/// The name of the script that reads the other pieces.
pub(crate) const MAIN: &str = "main";

/// The directory of the pieces of one revival.
#[derive(Debug)]
pub(crate) struct Pieces {
    dir: PathBuf,
    /// The pane's own directory.
    pane_dir: PathBuf,
}

impl Pieces {
    /// An empty directory inside the pane's directory.
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

    /// Writes a file outside the pieces, which the shell reads after its first prompt.
    pub(crate) fn write_beside(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        write_private(&self.pane_dir.join(name), bytes)
    }
}

/// Removes files of an earlier revival that are read after the first prompt.
fn forget_later(pane_dir: &Path) {
    let _ = fs::remove_file(pane_dir.join("later"));
}

/// A script that is built line by line.
#[derive(Default)]
pub(crate) struct Script(pub(crate) Vec<u8>);

impl Script {
    /// Appends a line made of parts.
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
