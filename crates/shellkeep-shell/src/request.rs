//! A request for the state of a shell, and the answer.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use shellkeep_files::Access;

use crate::fish;
use crate::line::Line;
use crate::state::ShellState;

/// Larger than any state.
pub(crate) const MAX_STATE: u64 = 256 << 20;

/// The files of a request. All are removed when it is withdrawn.
const FILES: [&str; 5] = ["request", "state", "line", "history", "unsaved"];

/// The files with lines of the history.
const LISTS: [&str; 2] = ["history", "unsaved"];

/// Files that a revived shell reads after its first prompt. A shell that has answered a request has read them.
const READ_LATER: [&str; 2] = ["later", "keys"];

/// What happens to the shell after its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The shell is ended, so it does nothing else until its state is written.
    Sleep,
    /// The shell goes on. Bash and zsh answer from a forked copy, so that they can read keys meanwhile. Fish cannot
    /// fork, and stops writing when the request is withdrawn.
    Capture,
}

/// A request that was made. Dropping it does not withdraw it.
#[derive(Debug)]
pub struct Request {
    dir: PathBuf,
    nonce: String,
}

impl Request {
    /// Makes a request in a pane's directory. The nonce must not have been used there before. Files of an earlier
    /// request are removed first.
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
        // The request file is renamed into place last, because a shell that sees it may answer at once.
        let beside = dir.join("request.new");
        let _ = fs::remove_file(&beside);
        // Shells of earlier versions read only the first line, and answer as if they were about to hibernate.
        let purpose = match purpose {
            Purpose::Sleep => "",
            Purpose::Capture => "capture\n",
        };
        create(&beside, format!("{}\n{purpose}", request.nonce).as_bytes())?;
        fs::rename(&beside, dir.join("request"))?;
        Ok(request)
    }

    /// The file that the shell closes when the state is written.
    #[must_use]
    pub fn state_path(&self) -> PathBuf {
        self.dir.join("state")
    }

    /// The file that the shell closes when the half-typed line is written.
    #[must_use]
    pub fn line_path(&self) -> PathBuf {
        self.dir.join("line")
    }

    /// The state, with the line if that is written; `None` while it is incomplete.
    #[must_use]
    pub fn state(&self) -> Option<ShellState> {
        let bytes = shellkeep_files::read(&self.state_path(), MAX_STATE).ok()?;
        let mut state = ShellState::parse_answer(&bytes, &self.nonce)?;
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
            state.set("line", line.encode());
        }
        Some(state)
    }

    /// The half-typed line, once it is written. It is empty if nothing was typed.
    #[must_use]
    pub fn line(&self) -> Option<Line> {
        let bytes = shellkeep_files::read(&self.line_path(), MAX_STATE).ok()?;
        let begin = format!("#shellkeep {} line\n", self.nonce);
        let end = format!("\n#shellkeep {} end\n", self.nonce);
        let body = bytes.strip_prefix(begin.as_bytes())?;
        Line::parse(body.strip_suffix(end.as_bytes())?)
    }

    /// Withdraws the request, whether it was answered or not.
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

    /// The name of a list with the nonce. A forked copy of a shell may still write its lists when the next request is
    /// made.
    fn own_list(&self, name: &str) -> String {
        format!("{name}-{}", self.nonce)
    }
}

/// Removes lists that belong to withdrawn requests.
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

fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    shellkeep_files::open(path, Access::New, MAX_STATE)?.write_all(bytes)
}
