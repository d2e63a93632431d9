//! The files a revived shell is put together from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::launch::{make_dir, write_private};

/// What the script that puts the others together is called.
pub(crate) const MAIN: &str = "main";

/// A directory of pieces.
#[derive(Debug)]
pub(crate) struct Pieces {
    dir: PathBuf,
    /// The pane's own directory.
    pane_dir: PathBuf,
    of: Whose,
}

#[derive(Debug)]
enum Whose {
    Pane,
    Spare {
        /// Where it waits: the pieces are there or within.
        root: PathBuf,
        /// Those that are still to be moved to the pane's directory.
        beside: Vec<&'static str>,
    },
}

impl Pieces {
    /// An empty one within a pane's directory.
    pub(crate) fn new(pane_dir: &Path) -> io::Result<Self> {
        let dir = Self::within(pane_dir);
        match fs::remove_dir_all(&dir) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        make_dir(&dir)?;
        forget_later(pane_dir);
        Ok(Self {
            dir,
            pane_dir: pane_dir.to_owned(),
            of: Whose::Pane,
        })
    }

    /// Those of a spare shell, for the pane that it comes to. Its files are there: a new one costs more than all that is written to it.
    pub(crate) fn of_spare(root: &Path, pane_dir: &Path) -> Self {
        forget_later(pane_dir);
        Self::for_spare(root, root.to_owned(), pane_dir)
    }

    /// An empty one in a spare shell's directory, for the pane that it will come to most likely. The pane sleeps: nothing is put into its
    /// own directory before [`Self::move_beside`].
    pub(crate) fn ahead(root: &Path, pane_dir: &Path) -> io::Result<Self> {
        let dir = root.join("ahead");
        match fs::remove_dir_all(&dir) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Not if the one above is gone: nobody would take it away.
        shellkeep_files::make_one_dir(&dir)?;
        Ok(Self::for_spare(root, dir, pane_dir))
    }

    fn for_spare(root: &Path, dir: PathBuf, pane_dir: &Path) -> Self {
        Self {
            dir,
            pane_dir: pane_dir.to_owned(),
            of: Whose::Spare {
                root: root.to_owned(),
                beside: Vec::new(),
            },
        }
    }

    /// Makes a directory with these files, all empty, for [`Self::of_spare`].
    pub(crate) fn lay_out(dir: &Path, names: &[&str]) -> io::Result<()> {
        make_dir(dir)?;
        for name in names {
            write_private(&dir.join(name), b"")?;
        }
        Ok(())
    }

    /// Where they are in a pane's directory.
    pub(crate) fn within(pane_dir: &Path) -> PathBuf {
        pane_dir.join("revive")
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn pane_dir(&self) -> &Path {
        &self.pane_dir
    }

    /// Where all of it is that goes when the shell is there.
    pub(crate) fn root(&self) -> &Path {
        match &self.of {
            Whose::Pane => &self.dir,
            Whose::Spare { root, .. } => root,
        }
    }

    /// The script that puts them together.
    pub(crate) fn main(&self) -> PathBuf {
        self.root().join(MAIN)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        write_private(&self.dir.join(name), bytes)
    }

    /// A file that has to outlive the pieces: the shell reads it when it shows its prompt already. A spare shell finds it when it was
    /// moved.
    pub(crate) fn write_beside(&mut self, name: &'static str, bytes: &[u8]) -> io::Result<()> {
        match &mut self.of {
            Whose::Pane => return write_private(&self.pane_dir.join(name), bytes),
            Whose::Spare { beside, .. } => beside.push(name),
        }
        self.write(name, bytes)
    }

    /// Moves the files to the pane that have to outlive the pieces.
    pub(crate) fn move_beside(&mut self) -> io::Result<()> {
        let Whose::Spare { beside, .. } = &mut self.of else {
            return Ok(());
        };
        for name in std::mem::take(beside) {
            let place = self.pane_dir.join(name);
            // One that is replaced by another goes to the disk at once, on some file systems.
            let _ = fs::remove_file(&place);
            fs::rename(self.dir.join(name), place)?;
        }
        Ok(())
    }
}

/// What an earlier revival left to be read behind the prompt is not this one's.
pub(crate) fn forget_later(pane_dir: &Path) {
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
