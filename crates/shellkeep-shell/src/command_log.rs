//! The commands that a shell has run according to itself: the file `commands` in its pane's private directory.
//!
//! [`Phase`](crate::Phase) is what a shell does now. Several short commands may have run since the server last read it,
//! so the shell also appends each start and each end of a command to this file, in blocks like those of `phase`:
//!
//! ```text
//! #shellkeep 17 runs            #shellkeep 17 prompt 0
//! /home/me/src                  #shellkeep 17 end
//! make -j8 | tee log
//! #shellkeep 17 end
//! ```
//!
//! The shell only appends, and only to an existing file. The server reads from where it stopped. When the file is long,
//! the server replaces it by an empty one; the shell may still append a block to the old one, so the server reads that
//! until the new one has a block.

use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use shellkeep_files::{ANY_SIZE, Access};

/// The name of the file. The scripts have it as well.
const NAME: &str = "commands";
/// The previous file, until the shell has written to the new one.
const LAST: &str = "commands.last";
const NEXT: &str = "commands.next";

/// When the file is longer than this, it is replaced by an empty one.
const MAX_LENGTH: u64 = 256 << 10;

/// The most bytes that are read at once. A shell that writes more is not ours.
const MAX_READ: u64 = 16 << 20;

/// The longest command line that is returned; a longer one is cut.
const MAX_LINE: usize = 64 << 10;

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Logged {
    /// It is about to run a command line.
    Runs {
        /// The number of the command in this shell, from 1.
        number: u64,
        /// The shell's directory; `None` if its name contains a newline.
        cwd: Option<PathBuf>,
        /// The line as typed; `None` if the user keeps it out of the history.
        line: Option<String>,
    },
    /// The command has ended, and the shell is about to show its prompt.
    Ended {
        /// The number of the command.
        number: u64,
        /// Its exit status.
        exit: Option<i32>,
    },
}

impl Logged {
    /// The number of the command.
    #[must_use]
    pub fn number(&self) -> u64 {
        match self {
            Self::Runs { number, .. } | Self::Ended { number, .. } => *number,
        }
    }
}

/// The position up to which the log of a shell has been read.
#[derive(Debug)]
pub struct CommandLog {
    dir: PathBuf,
    read: u64,
    /// The position in the previous file, as long as the shell may still write to it.
    read_of_last: Option<u64>,
}

impl CommandLog {
    /// Makes an empty log for a shell that is about to start in this directory.
    ///
    /// # Errors
    /// When it cannot be made. The shell then logs nothing.
    pub fn expect(dir: &Path) -> io::Result<()> {
        for name in [NAME, LAST, NEXT] {
            remove(&dir.join(name))?;
        }
        shellkeep_files::open(&dir.join(NAME), Access::New, ANY_SIZE).map(drop)
    }

    /// The log in this directory, from its beginning.
    #[must_use]
    pub fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            read: 0,
            read_of_last: dir.join(LAST).exists().then_some(0),
        }
    }

    /// The entries since the last call, in order. Empty if the file cannot be read.
    pub fn read(&mut self) -> Vec<Logged> {
        let mut logged = Vec::new();
        if let Some(at) = &mut self.read_of_last {
            *at += read_blocks(&self.dir.join(LAST), *at, &mut logged);
        }
        let path = self.dir.join(NAME);
        let added = read_blocks(&path, self.read, &mut logged);
        self.read += added;
        if added > 0 && self.read_of_last.take().is_some() {
            let _ = remove(&self.dir.join(LAST));
        }
        if self.read > MAX_LENGTH && self.replace(&path).is_ok() {
            self.read_of_last = Some(self.read);
            self.read = 0;
        }
        logged
    }

    /// Replaces the file by an empty one. A file exists at every moment, or a block of the shell would be lost.
    fn replace(&self, path: &Path) -> io::Result<()> {
        let (last, next) = (self.dir.join(LAST), self.dir.join(NEXT));
        remove(&last)?;
        remove(&next)?;
        shellkeep_files::open(&next, Access::New, ANY_SIZE)?;
        fs::hard_link(path, &last)?;
        fs::rename(&next, path)
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Reads the complete blocks from this position on. Returns their length in bytes.
fn read_blocks(path: &Path, from: u64, logged: &mut Vec<Logged>) -> u64 {
    let mut bytes = Vec::new();
    let read = shellkeep_files::open(path, Access::Read, ANY_SIZE).and_then(|mut file| {
        file.seek(SeekFrom::Start(from))?;
        file.take(MAX_READ).read_to_end(&mut bytes)
    });
    if read.is_err() {
        return 0;
    }
    let mut at = 0;
    while let Some((block, length)) = parse(&bytes[at..]) {
        logged.extend(block);
        at += length;
    }
    at as u64
}

/// The first block and its length. A malformed block is skipped; `None` if the block is incomplete.
fn parse(bytes: &[u8]) -> Option<(Option<Logged>, usize)> {
    let head = line_at(bytes, 0)?;
    let mut words = head.split(|byte| *byte == b' ');
    let is_head = words.next() == Some(b"#shellkeep");
    let number = words.next().and_then(|word| std::str::from_utf8(word).ok());
    let Some(number) = number.filter(|_| is_head) else {
        return Some((None, head.len() + 1));
    };
    let end = format!("#shellkeep {number} end");
    let body_at = head.len() + 1;
    let mut at = body_at;
    let body = loop {
        let line = line_at(bytes, at)?;
        if line == end.as_bytes() {
            break &bytes[body_at..at];
        }
        at += line.len() + 1;
    };
    let length = at + end.len() + 1;
    let kind = words.next().unwrap_or_default();
    let argument = words.next().and_then(|word| std::str::from_utf8(word).ok());
    let logged = number.parse().ok().and_then(|number| match kind {
        b"runs" => Some(runs(number, body)),
        b"prompt" => Some(Logged::Ended {
            number,
            exit: argument.and_then(|exit| exit.parse().ok()),
        }),
        _ => None,
    });
    Some((logged, length))
}

fn runs(number: u64, body: &[u8]) -> Logged {
    use std::os::unix::ffi::OsStrExt as _;
    let cwd = line_at(body, 0).unwrap_or_default();
    let line = body.get(cwd.len() + 1..).unwrap_or_default();
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut line = String::from_utf8_lossy(line).into_owned();
    let mut end = line.len().min(MAX_LINE);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line.truncate(end);
    let cwd = Path::new(std::ffi::OsStr::from_bytes(cwd));
    Logged::Runs {
        number,
        cwd: cwd.is_absolute().then(|| cwd.to_owned()),
        line: Some(line).filter(|line| !line.trim().is_empty()),
    }
}

/// The line at this position, without its newline; `None` if it is incomplete.
fn line_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn runs_of(number: u64, cwd: &str, line: &str) -> Logged {
        Logged::Runs {
            number,
            cwd: Some(cwd.into()).filter(|_| !cwd.is_empty()),
            line: Some(line.to_owned()).filter(|line| !line.is_empty()),
        }
    }

    fn ended(number: u64, exit: i32) -> Logged {
        let exit = Some(exit);
        Logged::Ended { number, exit }
    }

    struct Shell(tempfile::TempDir);

    impl Shell {
        fn new() -> Self {
            let temp = tempfile::tempdir().unwrap();
            CommandLog::expect(temp.path()).unwrap();
            Self(temp)
        }

        /// Opens the log as a shell does before it writes.
        fn open(&self) -> fs::File {
            let file = fs::OpenOptions::new()
                .append(true)
                .open(self.0.path().join(NAME));
            file.unwrap()
        }

        fn adds(&self, text: &str) {
            self.open().write_all(text.as_bytes()).unwrap();
        }

        fn log(&self) -> CommandLog {
            CommandLog::new(self.0.path())
        }
    }

    #[test]
    fn commands_and_their_ends_are_read_in_order_and_once() {
        let shell = Shell::new();
        let mut log = shell.log();
        assert_eq!(log.read(), []);
        shell.adds("#shellkeep 1 runs\n/tmp\nls -l\n#shellkeep 1 end\n#shellkeep 1 prompt 0\n#shellkeep 1 end\n");
        shell.adds("#shellkeep 2 runs\n\nfor i in 1 2\ndo echo $i\ndone\n#shellkeep 2 end\n");
        assert_eq!(
            log.read(),
            [
                runs_of(1, "/tmp", "ls -l"),
                ended(1, 0),
                runs_of(2, "", "for i in 1 2\ndo echo $i\ndone")
            ]
        );
        assert_eq!(log.read(), []);
        shell.adds("#shellkeep 2 prompt 130\n#shellkeep 2 end\n");
        assert_eq!(log.read(), [ended(2, 130)]);
        assert_eq!(shell.log().read().len(), 4, "another server reads all");
    }

    #[test]
    fn block_that_is_not_whole_is_read_later() {
        let shell = Shell::new();
        let mut log = shell.log();
        let text = "#shellkeep 7 runs\n/a b\nmake\n#shellkeep 7 end\n";
        for (at, _) in text.char_indices() {
            shell.adds(&text[at..=at]);
            let expected = (at + 1 == text.len()).then(|| runs_of(7, "/a b", "make"));
            assert_eq!(log.read(), Vec::from_iter(expected), "{at}");
        }
    }

    #[test]
    fn lines_that_are_no_block_are_passed_over() {
        let shell = Shell::new();
        shell.adds(
            "noise\n\n#shellkeep x runs\n#shellkeep x end\n#shellkeep 3 sleeps\n#shellkeep 3 end\n",
        );
        shell.adds("#shellkeep 4 runs\nrelative\n\n#shellkeep 4 end\n#shellkeep 4 prompt\n#shellkeep 4 end\n");
        let none = Logged::Ended {
            number: 4,
            exit: None,
        };
        assert_eq!(shell.log().read(), [runs_of(4, "", ""), none]);
        assert_eq!(
            CommandLog::new(Path::new("/nonexistent")).read(),
            Vec::<Logged>::new()
        );
    }

    #[test]
    fn long_log_is_replaced_and_nothing_in_it_is_lost() {
        let shell = Shell::new();
        let mut log = shell.log();
        let line = "x".repeat(1000);
        let mut number = 0;
        let mut expected = Vec::new();
        let mut found = Vec::new();
        // A shell that opened the file before it was replaced writes to the old one.
        let mut open = shell.open();
        while number < 2000 {
            number += 1;
            let text = format!("#shellkeep {number} runs\n/\n{line}\n#shellkeep {number} end\n");
            open.write_all(text.as_bytes()).unwrap();
            expected.push(number);
            found.extend(log.read().iter().map(Logged::number));
            open = shell.open();
            if number % 3 == 0 {
                found.extend(log.read().iter().map(Logged::number));
            }
        }
        assert_eq!(found, expected);
        let length = shell.open().metadata().unwrap().len();
        assert!(length <= MAX_LENGTH + 2000, "{length}");
        let mut log = shell.log();
        let rest = log.read();
        assert_eq!(rest.last().map(Logged::number), Some(2000));
    }

    #[test]
    fn endless_line_is_cut() {
        let shell = Shell::new();
        let line = "é".repeat(MAX_LINE);
        shell.adds(&format!("#shellkeep 1 runs\n/\n{line}\n#shellkeep 1 end\n"));
        let found = shell.log().read();
        let [
            Logged::Runs {
                line: Some(line), ..
            },
        ] = &found[..]
        else {
            panic!("{found:?}");
        };
        assert_eq!(line.len(), MAX_LINE);
    }
}
