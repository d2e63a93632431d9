//! Starting a shell that slept.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bash;
use crate::fish;
use crate::launch::Launch;
use crate::pieces::Pieces;
use crate::report::Report;
use crate::request::parse_line;
use crate::shell::Shell;
use crate::state::{State, StateError};
use crate::zsh;

/// Whether the user's own files run before the state is put on top of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunRc {
    /// They do not: what they set up is in the state. Faster, and nothing they do happens twice. Of fish's, only the system's own
    /// `config.fish` runs even so, and all of them in a fish that has no universal variables yet.
    Off,
    /// They do, for who wants what changed in them meanwhile.
    On,
}

/// Whether the shell waits for a key after its first prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKey {
    Needed,
    None,
}

impl LineKey {
    /// A half-typed line needs one.
    pub(crate) fn from(state: &State) -> Self {
        let line = parse_line(state.section("line"));
        match line.is_some_and(|line| !line.text.is_empty()) {
            true => Self::Needed,
            false => Self::None,
        }
    }
}

/// A shell about to come back.
#[derive(Debug)]
pub struct Revival {
    /// What to start; `SHELLKEEP_SHELL_DIR` is the caller's to add, as for any shell.
    pub launch: Launch,
    /// Bytes for the PTY after the first OSC 133;B: they put the half-typed line back, and have bash read what its prompt could do
    /// without.
    pub line_key: Option<&'static [u8]>,
    /// What is to return.
    pub report: Report,
    pieces: PathBuf,
    expected: &'static [&'static str],
}

impl Revival {
    /// After the first prompt: the parts of the state that did not load, by name. Empty if all is well.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let done = fs::read_to_string(self.pieces.join("done")).unwrap_or_default();
        let done: Vec<&str> = done.split_whitespace().collect();
        let expected = self.expected.iter().filter(|name| !done.contains(name));
        let functions = done.iter().filter_map(|name| name.strip_prefix('!'));
        let functions = functions.map(|name| format!("the function {name}"));
        expected
            .map(|name| (*name).to_owned())
            .chain(functions)
            .collect()
    }

    /// Removes the files the shell was put together from.
    pub fn clean(self) {
        let _ = fs::remove_dir_all(&self.pieces);
    }
}

/// How to start `program` as the shell whose state this is, as [`State::encode`] wrote it. Scripts go to `scripts`, as in
/// [`crate::prepare`]; the pieces to `pane_dir`, which is the directory the pane's shell is told of.
///
/// # Errors
/// When the state cannot be read or is another shell's, or files cannot be written.
pub fn revive(
    program: &Path,
    state: &[u8],
    scripts: &Path,
    pane_dir: &Path,
    run_rc: RunRc,
) -> Result<Revival, StateError> {
    let state = State::decode(state)?;
    if Shell::of(program) != Some(state.shell()) {
        return Err(StateError::Damaged("it is another shell's"));
    }
    let pieces = Pieces::new(pane_dir)?;
    if run_rc == RunRc::On && state.shell() != Shell::Bash {
        pieces.write("run-rc", b"")?;
    }
    let report = state.report();
    let mut line_key = LineKey::from(&state);
    let (launch, expected) = match state.shell() {
        Shell::Bash => {
            let launch;
            (launch, line_key) = bash::revive(program, &state, scripts, &pieces, run_rc)?;
            (launch, bash::PIECES)
        }
        Shell::Zsh => {
            let launch;
            (launch, line_key) = zsh::revive(program, &state, scripts, &pieces, run_rc)?;
            (launch, zsh::PIECES)
        }
        Shell::Fish => (
            fish::revive(program, &state, scripts, &pieces, run_rc)?,
            fish::PIECES,
        ),
    };
    Ok(Revival {
        launch,
        line_key: (line_key == LineKey::Needed).then_some(state.shell().put_key()),
        report,
        pieces: pieces.dir().to_owned(),
        expected,
    })
}
