//! A question to a shell, and its answer.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use shellkeep_files::Access;

use crate::fish;
use crate::state::State;

/// More than any shell has to tell.
const MAX_STATE: u64 = 256 << 20;

/// The files of one question; all of them go when it is withdrawn.
const FILES: [&str; 5] = ["request", "state", "line", "history", "unsaved"];

/// Of these the lists of history.
const LISTS: [&str; 2] = ["history", "unsaved"];

/// What a revived shell was to read when its prompt is there: one that has answered has done so.
const READ_LATER: [&str; 2] = ["later", "keys"];

/// What becomes of a shell when it has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is ended: it does nothing else until it has told everything.
    Sleep,
    /// It goes on. Bash and zsh answer from a copy of themselves in the background, so that they can read keys meanwhile; fish cannot, and
    /// stops telling when the question is withdrawn.
    Capture,
}

/// A question that was put.
#[derive(Debug)]
pub struct Request {
    dir: PathBuf,
    nonce: String,
}

/// A line typed but not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What was typed.
    pub text: Vec<u8>,
    /// Where the cursor is in it, counted as its shell counts.
    pub point: usize,
}

impl Request {
    /// Puts a question into a pane's directory. The nonce must not have been used there before. What is left of
    /// an earlier question goes first.
    ///
    /// # Errors
    /// When the files cannot be made.
    pub fn place(dir: &Path, nonce: u64, purpose: Purpose) -> io::Result<Self> {
        let request = Self {
            dir: dir.to_owned(),
            nonce: format!("{nonce:016x}"),
        };
        request.remove();
        remove_lists(dir);
        for name in ["state", "line"] {
            create(&dir.join(name), b"")?;
        }
        // The question comes last and at once: a shell that sees it may answer.
        let beside = dir.join("request.new");
        let _ = fs::remove_file(&beside);
        // Shells of earlier versions read the first line only, and answer as if they were about to sleep.
        let purpose = match purpose {
            Purpose::Sleep => "",
            Purpose::Capture => "capture\n",
        };
        create(&beside, format!("{}\n{purpose}", request.nonce).as_bytes())?;
        fs::rename(&beside, dir.join("request"))?;
        Ok(request)
    }

    /// The file that is closed when the state is written.
    #[must_use]
    pub fn state_path(&self) -> PathBuf {
        self.dir.join("state")
    }

    /// The file that is closed when the half-typed line is written.
    #[must_use]
    pub fn line_path(&self) -> PathBuf {
        self.dir.join("line")
    }

    /// The state, with the line if that has come; `None` while it is not whole.
    #[must_use]
    pub fn state(&self) -> Option<State> {
        let bytes = shellkeep_files::read(&self.state_path(), MAX_STATE).ok()?;
        let mut state = State::parse_answer(&bytes, &self.nonce)?;
        for name in LISTS {
            let read = |name: &str| shellkeep_files::read(&self.dir.join(name), MAX_STATE);
            let bytes = read(&self.own_list(name)).or_else(|_| read(name));
            if let Ok(bytes) = bytes {
                state.set(name, bytes);
            }
        }
        if let Some(count) = fish::remembered(&state) {
            state.set("past", count.to_string().into_bytes());
        }
        if let Some(line) = self.line() {
            state.set("line", encode_line(&line));
        }
        Some(state)
    }

    /// The half-typed line, once it has come; it is empty when nothing was typed.
    #[must_use]
    pub fn line(&self) -> Option<Line> {
        let bytes = shellkeep_files::read(&self.line_path(), MAX_STATE).ok()?;
        let begin = format!("#shellkeep {} line\n", self.nonce);
        let end = format!("\n#shellkeep {} end\n", self.nonce);
        let body = bytes.strip_prefix(begin.as_bytes())?;
        parse_line(body.strip_suffix(end.as_bytes())?)
    }

    /// Takes the question back, answered or not.
    pub fn withdraw(self) {
        let written = fs::metadata(self.state_path()).map_or(0, |state| state.len());
        self.remove();
        if written > 0 {
            for name in READ_LATER {
                let _ = fs::remove_file(self.dir.join(name));
            }
        }
    }

    fn remove(&self) {
        for name in FILES {
            let _ = fs::remove_file(self.dir.join(name));
        }
        for name in LISTS {
            let _ = fs::remove_file(self.dir.join(self.own_list(name)));
        }
    }

    /// A copy of a shell that answers in the background writes its lists under names of this question alone: it may still write when the
    /// next question is put.
    fn own_list(&self, name: &str) -> String {
        format!("{name}-{}", self.nonce)
    }
}

/// Removes the lists that answers to withdrawn questions have left behind.
fn remove_lists(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let file = entry.file_name();
        let file = file.to_string_lossy();
        let is_list = |name: &str| {
            file.strip_prefix(name)
                .is_some_and(|it| it.starts_with('-'))
        };
        if LISTS.into_iter().any(is_list) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The cursor's place, a line break, the text.
pub(crate) fn parse_line(bytes: &[u8]) -> Option<Line> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let point = std::str::from_utf8(&bytes[..end])
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(Line {
        text: bytes[end + 1..].to_vec(),
        point,
    })
}

fn encode_line(line: &Line) -> Vec<u8> {
    let mut bytes = format!("{}\n", line.point).into_bytes();
    bytes.extend_from_slice(&line.text);
    bytes
}

fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    shellkeep_files::open(path, Access::New, MAX_STATE)?.write_all(bytes)
}
