//! A log file of limited size.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use shellkeep_files::{ANY_SIZE, Access};

use crate::dir::make_state_dir;

/// The path of the log of a server with this label.
#[must_use]
pub fn log_path(state_dir: &Path, label: &str) -> PathBuf {
    state_dir.join(format!("{label}.log"))
}

/// A log file. At a size limit it becomes `.1`, the file before it `.2`, and so on.
#[derive(Debug)]
pub struct RotatingLog {
    path: PathBuf,
    /// `None` while it cannot be opened.
    file: Option<File>,
    written: u64,
    limit: u64,
    kept: u32,
}

impl RotatingLog {
    /// Opens the log, private to its owner. If that fails, each line tries again. At most `kept` older files are kept.
    #[must_use]
    pub fn open(path: &Path, limit: u64, kept: u32) -> Self {
        let mut log = Self {
            path: path.to_owned(),
            file: None,
            written: 0,
            limit,
            kept,
        };
        let _ = log.begin();
        log
    }

    fn begin(&mut self) -> io::Result<()> {
        let file = match (open(&self.path), self.path.parent()) {
            (Err(error), Some(dir)) if error.kind() == io::ErrorKind::NotFound => {
                make_state_dir(dir)?;
                open(&self.path)?
            }
            (file, _) => file?,
        };
        self.written = file.metadata()?.len();
        self.file = Some(file);
        Ok(())
    }

    fn older(&self, number: u32) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        if number > 0 {
            name.push(format!(".{number}"));
        }
        name.into()
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (0..self.kept).rev() {
            match std::fs::rename(self.older(number), self.older(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.file = Some(open(&self.path)?);
        self.written = 0;
        Ok(())
    }
}

impl Write for RotatingLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() {
            self.begin()?;
        }
        if self.written > 0 && self.written + bytes.len() as u64 > self.limit {
            // If the log cannot be rotated, exceeding the limit is better than losing the line.
            let _ = self.rotate();
        }
        let count = self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

fn open(path: &Path) -> io::Result<File> {
    shellkeep_files::open(path, Access::Append, ANY_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_at_its_limit_is_rotated_and_the_oldest_goes() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.log");
        let mut log = RotatingLog::open(&path, 10, 2);
        for line in [
            "one\n", "two\n", "three\n", "four\n", "five\n", "six\n", "seven\n",
        ] {
            log.write_all(line.as_bytes()).unwrap();
        }
        let read = |name: &str| std::fs::read_to_string(temp.path().join(name)).unwrap();
        assert_eq!(read("x.log"), "six\nseven\n");
        assert_eq!(read("x.log.1"), "four\nfive\n");
        assert_eq!(read("x.log.2"), "three\n");
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 3);
    }

    #[test]
    fn log_that_cannot_be_opened_is_begun_when_it_can() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join("state");
        std::fs::write(&dir, "in the way").unwrap();
        let path = dir.join("x.log");
        let mut log = RotatingLog::open(&path, 100, 1);
        assert!(log.write_all(b"one\n").is_err());
        std::fs::remove_file(&dir).unwrap();
        log.write_all(b"two\n").unwrap();
        log.write_all(b"three\n").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two\nthree\n");
    }

    #[test]
    fn log_reopened_goes_on_where_it_was() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.log");
        RotatingLog::open(&path, 8, 1)
            .write_all(b"12345\n")
            .unwrap();
        RotatingLog::open(&path, 8, 1)
            .write_all(b"67890\n")
            .unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"67890\n");
    }
}
