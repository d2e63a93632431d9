//! A log file that cannot grow without end.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Appends to a file; at a limit the file becomes `.1`, the one before it `.2`, and so on.
#[derive(Debug)]
pub struct RotatingLog {
    path: PathBuf,
    file: File,
    written: u64,
    limit: u64,
    kept: u32,
}

impl RotatingLog {
    /// Opens the log, private to its owner. At most `kept` older files stay.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(path: &Path, limit: u64, kept: u32) -> io::Result<Self> {
        let file = open(path)?;
        let written = file.metadata()?.len();
        Ok(Self {
            path: path.to_owned(),
            file,
            written,
            limit,
            kept,
        })
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
        self.file = open(&self.path)?;
        self.written = 0;
        Ok(())
    }
}

impl Write for RotatingLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written > 0 && self.written + bytes.len() as u64 > self.limit {
            // A log that cannot be rotated is still better written than lost.
            let _ = self.rotate();
        }
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_at_its_limit_is_rotated_and_the_oldest_goes() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.log");
        let mut log = RotatingLog::open(&path, 10, 2).unwrap();
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
    fn log_reopened_goes_on_where_it_was() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x.log");
        RotatingLog::open(&path, 8, 1)
            .unwrap()
            .write_all(b"12345\n")
            .unwrap();
        RotatingLog::open(&path, 8, 1)
            .unwrap()
            .write_all(b"67890\n")
            .unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"67890\n");
    }
}
