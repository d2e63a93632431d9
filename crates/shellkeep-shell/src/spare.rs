//! A shell that is started before a pane needs it. It has read what is the same for all, and waits at a [`crate::Gate`] for the rest.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bash;
use crate::fish;
use crate::gate::Gate;
use crate::launch::Launch;
use crate::pieces::{MAIN, Pieces};
use crate::revive::{Begins, decode};
use crate::shell::Shell;
use crate::state::StateError;
use crate::zsh;

/// Variables that a shell looks at once, when it starts: one that was given another value is not the same shell.
const FIXED: &[&str] = &["TERM", "SHLVL", "HOME", "XDG_DATA_HOME", "SHELLKEEP_SHIM"];

/// Variables that the scripts put right, whatever a shell was started with.
const SETTLED: &[&str] = &["PWD", "SHELLKEEP_SHELL_DIR"];

/// A shell that waits, or is about to.
#[derive(Clone, Debug)]
pub struct Spare {
    /// What to start.
    pub launch: Launch,
    /// Where its files are.
    dir: PathBuf,
    /// The state of which it has read what it can: a fish does that.
    read: Option<Arc<[u8]>>,
}

/// What a spare shell has to change to be as one that was started for a pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Variables with their values, or that have to go.
    pub(crate) environ: Vec<(String, Option<Vec<u8>>)>,
    pub(crate) cwd: Vec<u8>,
}

impl Spare {
    /// One that the shell with this state could come back in, with its files in `dir`, which is its alone. None for shells that cannot
    /// wait.
    ///
    /// # Errors
    /// When the state cannot be read or is another shell's, or files cannot be written.
    pub fn like(
        program: &Path,
        encoded: &[u8],
        scripts: &Path,
        dir: &Path,
    ) -> Result<Option<Self>, StateError> {
        let state = decode(program, encoded)?;
        let (files, launch) = match state.shell() {
            Shell::Bash => (bash::FILES, bash::spare(program, &state, scripts, dir)?),
            Shell::Zsh => (zsh::FILES, zsh::spare(program, &state, scripts, dir)?),
            Shell::Fish => match fish::spare(program, &state, scripts, dir)? {
                Some(launch) => (fish::PIECES, launch),
                None => return Ok(None),
            },
        };
        Pieces::lay_out(dir, files)?;
        Gate::new(dir.join(MAIN))?;
        Ok(Some(Self {
            launch,
            dir: dir.to_owned(),
            read: (state.shell() == Shell::Fish).then(|| encoded.into()),
        }))
    }

    /// Whether the shell that it was made after comes back in it sooner than any other.
    #[must_use]
    pub fn has_read(&self) -> bool {
        self.read.is_some()
    }

    /// How a shell with this state begins in it.
    pub(crate) fn begins(&self, encoded: &[u8]) -> Begins {
        match self.read.as_deref() == Some(encoded) {
            true => Begins::Informed,
            false => Begins::Waiting,
        }
    }

    /// What it has to change to be as `wanted`, which would be started with this environment in this directory; it was itself
    /// started with the environment `begun`. None if it cannot become that.
    #[must_use]
    pub fn change(
        &self,
        begun: &[Vec<u8>],
        wanted: &Launch,
        environ: &[Vec<u8>],
        cwd: &[u8],
    ) -> Option<Change> {
        let (ours, theirs) = (&self.launch, wanted);
        let is_same = ours.argv == theirs.argv
            && ours.terminal == theirs.terminal
            && ours.alike == theirs.alike
            && ours.is_bare == theirs.is_bare;
        if !is_same {
            return None;
        }
        let is_own = |launch: &Launch, name: &str| launch.env.iter().any(|(own, _)| own == name);
        let is_settled =
            |name: &str| SETTLED.contains(&name) || is_own(ours, name) || is_own(theirs, name);
        let mut change = Change {
            environ: Vec::new(),
            cwd: cwd.to_vec(),
        };
        for entry in environ.iter().filter(|entry| !begun.contains(entry)) {
            let (name, value) = divide(entry)?;
            if !is_settled(name) {
                change.environ.push((name.to_owned(), Some(value.to_vec())));
            }
        }
        for entry in begun {
            let (name, _) = divide(entry)?;
            let is_there = environ
                .iter()
                .any(|entry| divide(entry).is_some_and(|it| it.0 == name));
            if !is_there && !is_settled(name) {
                change.environ.push((name.to_owned(), None));
            }
        }
        let is_possible = |(name, _): &(String, _)| is_name(name) && !FIXED.contains(&&**name);
        change.environ.iter().all(is_possible).then_some(change)
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Has it leave, if it was to become a shell that cannot be put together after all. Waits for it to come that far.
    pub fn turn_away(&self) {
        let _ = Gate::at(self.dir.join(MAIN)).open();
    }

    /// Removes its files: it is not wanted.
    pub fn clean(self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// The name and the value of a variable.
fn divide(entry: &[u8]) -> Option<(&str, &[u8])> {
    let at = entry.iter().position(|byte| *byte == b'=')?;
    Some((std::str::from_utf8(&entry[..at]).ok()?, &entry[at + 1..]))
}

/// Whether a shell can have a variable of that name.
fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let begins = bytes
        .next()
        .is_some_and(|it| it.is_ascii_alphabetic() || it == b'_');
    begins && bytes.all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(begun: &[&str], environ: &[&str]) -> Option<Change> {
        let mut launch = Launch::new("/bin/bash".as_ref()).env("ENV", "/spare");
        launch.is_bare = true;
        let spare = Spare {
            launch: launch.clone(),
            dir: PathBuf::new(),
            read: None,
        };
        let entries = |texts: &[&str]| -> Vec<Vec<u8>> {
            texts.iter().map(|text| text.as_bytes().to_vec()).collect()
        };
        spare.change(&entries(begun), &launch, &entries(environ), b"/")
    }

    #[test]
    fn what_belongs_to_the_session_is_changed() {
        let begun = ["A=1", "TERM=x", "B=2", "GONE=3", "ENV=/spare", "PWD=/"];
        let environ = ["A=1", "TERM=x", "B=3", "NEW==", "ENV=/main", "PWD=/tmp"];
        let expected = [
            ("B".to_owned(), Some(b"3".to_vec())),
            ("NEW".to_owned(), Some(b"=".to_vec())),
            ("GONE".to_owned(), None),
        ];
        assert_eq!(change(&begun, &environ).unwrap().environ, expected);
    }

    #[test]
    fn what_a_shell_looks_at_when_it_starts_is_not() {
        assert_eq!(change(&["TERM=x"], &["TERM=y"]), None);
        assert_eq!(change(&["SHLVL=1"], &[]), None);
        assert_eq!(change(&[], &["SHLVL=1"]), None);
        assert_eq!(change(&[], &["SSH_%=1"]), None);
    }

    #[test]
    fn another_start_is_another_shell() {
        let mut launch = Launch::new("/bin/bash".as_ref());
        launch.is_bare = true;
        let spare = Spare {
            launch: launch.clone(),
            dir: PathBuf::new(),
            read: None,
        };
        let change = |wanted: &Launch| spare.change(&[], wanted, &[], b"/");
        assert!(change(&launch).is_some());
        assert_eq!(change(&launch.clone().arg("-l")), None);
        let mut other = launch.clone();
        other.terminal = b"1:2".to_vec();
        assert_eq!(change(&other), None);
        let mut other = launch.clone();
        other.alike = b"declare -x LANG=C".to_vec();
        assert_eq!(change(&other), None);
        launch.is_bare = false;
        assert_eq!(change(&launch), None);
    }
}
