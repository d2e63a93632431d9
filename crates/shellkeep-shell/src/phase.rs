//! What a shell is doing according to itself: it shows a prompt, or runs a command line.
//!
//! The marks that a shell prints (OSC 133) prove nothing: a log, a file or a remote host can print the same bytes, and
//! a recording can replay them. So a shell with the integration also writes what it does to the file `phase` in its
//! pane's private directory (0600 in 0700), before it prints the mark. A mark is only a hint to read the file. So there
//! is no secret that could get into a recording, an environment, a listing of variables or a stored state, and nothing
//! that could be replayed.
//!
//! ```text
//! #shellkeep 17 runs            #shellkeep 17 prompt 0
//! make -j8 | tee log            #shellkeep 17 end
//! #shellkeep 17 end
//! ```
//!
//! The number counts the commands that were entered. It is in the first and in the last line, because the file is
//! overwritten in place: if it is only half written, its last line has another number. A line that the user keeps out
//! of the history is not written.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use shellkeep_files::Access;

/// The name of the file. The scripts have it as well.
const NAME: &str = "phase";

/// Larger than any command line. A larger file is not read.
const MAX_FILE: u64 = 1 << 20;

/// The longest command line that is returned.
const MAX_LINE: usize = 8192;

/// What a shell last wrote, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// How many commands were entered.
    pub commands: u64,
    /// What the shell is doing.
    pub phase: Phase,
    /// When it wrote this.
    pub when: SystemTime,
}

/// What a shell is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It shows a prompt, or is about to.
    Prompt {
        /// The exit status of the last command, if one ran since the prompt before.
        exit: Option<i32>,
    },
    /// It runs a command line.
    Runs {
        /// The line as typed; `None` if it is kept out of the history, spans what cannot be typed again, or is too
        /// long.
        line: Option<String>,
    },
}

impl Phase {
    /// The file to which the shell with this directory writes.
    #[must_use]
    pub fn file(dir: &Path) -> PathBuf {
        dir.join(NAME)
    }

    /// Makes the file for a shell that is about to start in this directory, and removes what an earlier one wrote.
    ///
    /// # Errors
    /// When it cannot be made. The shell then writes nothing.
    pub fn expect(dir: &Path) -> io::Result<()> {
        let path = Self::file(dir);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        shellkeep_files::open(&path, Access::New, MAX_FILE).map(drop)
    }

    /// Writes the file in place of a shell that shows a prompt.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_prompt(file: &Path, commands: u64) -> io::Result<()> {
        let text = format!("#shellkeep {commands} prompt\n#shellkeep {commands} end\n");
        shellkeep_files::write(file, text.as_bytes())
    }
}

impl Said {
    /// What a shell last wrote; `None` if it has written nothing yet, or is writing at this moment, or the file is not
    /// ours.
    #[must_use]
    pub fn read(file: &Path) -> Option<Self> {
        let file = shellkeep_files::open(file, Access::Read, MAX_FILE).ok()?;
        let found = file.metadata().ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE).read_to_end(&mut bytes).ok()?;
        Self::parse(&bytes, found.modified().ok()?)
    }

    fn parse(bytes: &[u8], when: SystemTime) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (head, rest) = bytes.split_at(end + 1);
        let head = std::str::from_utf8(head).ok()?;
        let mut words = head.split_ascii_whitespace();
        if words.next() != Some("#shellkeep") {
            return None;
        }
        let number = words.next()?;
        let commands = number.parse().ok()?;
        let kind = words.next()?;
        let end = format!("#shellkeep {number} end\n");
        let body = until(rest, end.as_bytes())?;
        let phase = match kind {
            "prompt" => Phase::Prompt {
                exit: words.next().and_then(|exit| exit.parse().ok()),
            },
            "runs" => {
                let line = body.strip_suffix(b"\n").unwrap_or_default();
                let line = std::str::from_utf8(line).ok();
                let line = line.filter(|line| (1..=MAX_LINE).contains(&line.len()));
                Phase::Runs {
                    line: line.map(str::to_owned),
                }
            }
            _ => return None,
        };
        Some(Self {
            commands,
            phase,
            when,
        })
    }
}

/// The text before a line.
fn until<'a>(bytes: &'a [u8], line: &[u8]) -> Option<&'a [u8]> {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        if rest.starts_with(line) {
            return bytes.get(..at);
        }
        at += rest.iter().position(|byte| *byte == b'\n')? + 1;
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    fn parse(text: &str) -> Option<(u64, Phase)> {
        let said = Said::parse(text.as_bytes(), SystemTime::UNIX_EPOCH)?;
        Some((said.commands, said.phase))
    }

    fn runs(line: Option<&str>) -> Phase {
        let line = line.map(str::to_owned);
        Phase::Runs { line }
    }

    #[test]
    fn phase_written_by_a_shell_is_parsed() {
        let exit = |exit| Phase::Prompt { exit };
        for (text, expected) in [
            ("#shellkeep 0 prompt\n#shellkeep 0 end\n", (0, exit(None))),
            ("#shellkeep 7 prompt \n#shellkeep 7 end\n", (7, exit(None))),
            (
                "#shellkeep 7 prompt 130\n#shellkeep 7 end\n",
                (7, exit(Some(130))),
            ),
            ("#shellkeep 8 runs\n#shellkeep 8 end\n", (8, runs(None))),
            (
                "#shellkeep 8 runs\nls 'a\nb'\n#shellkeep 8 end\nrest of a longer one\n#shellkeep 7 end\n",
                (8, runs(Some("ls 'a\nb'"))),
            ),
        ] {
            assert_eq!(parse(text), Some(expected), "{text:?}");
        }
        let long = "x".repeat(MAX_LINE + 1);
        let text = format!("#shellkeep 8 runs\n{long}\n#shellkeep 8 end\n");
        assert_eq!(parse(&text), Some((8, runs(None))));
    }

    #[test]
    fn half_of_it_is_nothing() {
        let whole = "#shellkeep 8 runs\nls -l\n#shellkeep 8 end\n";
        let before = "#shellkeep 7 runs\na much longer line than the one that follows it\n#shellkeep 7 end\n";
        for cut in 0..whole.len() {
            assert_eq!(parse(&whole[..cut]), None, "cut at {cut}");
            // Overwrites the file in place, as a shell does.
            let over = format!("{}{}", &whole[..cut], &before[cut..]);
            let said = parse(&over);
            let is_old = cut == 0 || over.starts_with("#shellkeep 7");
            assert_eq!(
                said.is_some(),
                is_old || over.starts_with(whole),
                "{over:?}"
            );
        }
        assert_eq!(parse("#shellkeep x runs\n#shellkeep x end\n"), None);
        assert_eq!(parse("#shellkeep 1 jumps\n#shellkeep 1 end\n"), None);
        assert_eq!(parse("touch pwned\n"), None);
    }

    #[test]
    fn file_is_private_and_nothing_else_is_read_in_its_place() {
        let temp = tempfile::tempdir().unwrap();
        let file = Phase::file(temp.path());
        assert_eq!(Said::read(&file), None);
        Phase::expect(temp.path()).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
        assert_eq!(Said::read(&file), None);
        let text = "#shellkeep 1 runs\nls\n#shellkeep 1 end\n";
        fs::write(&file, text).unwrap();
        assert_eq!(Said::read(&file).unwrap().phase, runs(Some("ls")));
        Phase::expect(temp.path()).unwrap();
        assert_eq!(Said::read(&file), None);
        let elsewhere = temp.path().join("elsewhere");
        fs::write(&elsewhere, text).unwrap();
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        assert_eq!(Said::read(&file), None);
        fs::remove_file(&file).unwrap();
        nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(Said::read(&file), None);
    }
}
