//! The state that a shell writes by itself when it exits, as it was when the user left.
//!
//! There are three files in the pane's private directory: `exit` holds a nonce that separates the sections of the
//! answer, as that of a request does, and its existence means that the answer is wanted; `exit.state` and
//! `history.exit` are the answer. An EXIT trap (bash), a hook (zsh) or an event handler (fish) writes them last of all.
//! A shell that is killed, or replaced by `exec`, writes nothing.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::Path;

use shellkeep_files::{Access, MAX_SMALL};

use crate::fish;
use crate::request::MAX_STATE;
use crate::state::ShellState;

/// The names of the files. The scripts have them as well.
const NONCE: &str = "exit";
const STATE: &str = "exit.state";
const HISTORY: &str = "history.exit";

impl ShellState {
    /// Makes the files for a shell that is about to start in this directory, and removes the answer of an earlier one.
    ///
    /// # Errors
    /// When they cannot be made. The shell then writes nothing when it exits.
    pub fn expect_at_exit(dir: &Path) -> io::Result<()> {
        for name in [NONCE, STATE, HISTORY] {
            match fs::remove_file(dir.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        shellkeep_files::open(&dir.join(STATE), Access::New, MAX_STATE)?;
        // The nonce must not be guessable: a value in the state must not look like the end of a section.
        let nonce = RandomState::new().hash_one(dir);
        let mut file = shellkeep_files::open(&dir.join(NONCE), Access::New, MAX_SMALL)?;
        file.write_all(format!("{nonce:016x}\n").as_bytes())
    }

    /// The state that a process has written at its exit; `None` if it wrote none, or not all of it. An earlier shell of
    /// this directory may have written one late, so the pid is compared.
    #[must_use]
    pub fn told_at_exit(dir: &Path, pid: u32) -> Option<Self> {
        let nonce = shellkeep_files::read_text(&dir.join(NONCE)).ok()?;
        let bytes = shellkeep_files::read(&dir.join(STATE), MAX_STATE).ok()?;
        let mut state = Self::parse_answer(&bytes, nonce.trim())?;
        let process = state.take("process")?;
        if process.trim_ascii() != pid.to_string().as_bytes() {
            return None;
        }
        if let Ok(history) = shellkeep_files::read(&dir.join(HISTORY), MAX_STATE) {
            state.set("history", history);
        }
        if let Some(count) = fish::remembered(&state) {
            state.set("past", count.to_string().into_bytes());
        }
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_at_exit_is_that_of_the_process_and_whole() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path();
        assert_eq!(ShellState::told_at_exit(dir, 7), None);
        ShellState::expect_at_exit(dir).unwrap();
        assert_eq!(ShellState::told_at_exit(dir, 7), None);
        let nonce = fs::read_to_string(dir.join(NONCE)).unwrap();
        let nonce = nonce.trim();
        let whole = format!(
            "#shellkeep {nonce} begin\nshell bash\ncwd /\n#shellkeep {nonce} process\n7\n#shellkeep {nonce} end\n"
        );
        for end in 0..whole.len() - 1 {
            fs::write(dir.join(STATE), &whole[..end]).unwrap();
            assert_eq!(ShellState::told_at_exit(dir, 7), None, "cut at {end}");
        }
        fs::write(dir.join(STATE), &whole).unwrap();
        fs::write(dir.join(HISTORY), "#1\nls\n").unwrap();
        assert_eq!(ShellState::told_at_exit(dir, 8), None);
        let state = ShellState::told_at_exit(dir, 7).unwrap();
        assert_eq!(state.section("history"), b"#1\nls\n");
        assert_eq!(state.section("process"), b"");
        ShellState::expect_at_exit(dir).unwrap();
        assert_eq!(ShellState::told_at_exit(dir, 7), None);
        assert_ne!(fs::read_to_string(dir.join(NONCE)).unwrap().trim(), nonce);
    }
}
