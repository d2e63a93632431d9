//! Starts a shell that slept: writes the files that it reads, and says how it is started.

use std::fs;
use std::path::Path;

use crate::bash;
use crate::fish;
use crate::launch::{Launch, RunRc};
use crate::pieces::Pieces;
use crate::plain_keys::PlainKeys;
use crate::report::Report;
use crate::revived::LineKey;
use crate::shell::Shell;
use crate::state::{ShellState, StateError};
use crate::zsh;

/// A shell about to come back.
#[derive(Debug)]
pub struct Revival {
    /// What to start; `SHELLKEEP_SHELL_DIR` is the caller's to add, as for any shell.
    pub launch: Launch,
    /// Bytes for the PTY after the first OSC 133;B: they put the half-typed line back, and have bash and zsh read what their prompt could
    /// do without.
    pub line_key: Option<&'static [u8]>,
    /// What is to return.
    pub report: Report,
    plain: PlainKeys,
    pieces: Pieces,
    expected: &'static [&'static str],
}

impl Revival {
    /// How much of what was typed meanwhile may go to the PTY before [`Self::line_key`], so that it is echoed at once: keys that only
    /// insert themselves, whatever is read when that key comes.
    #[must_use]
    pub fn goes_first(&self, typed: &[u8]) -> usize {
        self.plain.leading(typed)
    }

    /// After the first prompt: the parts of the state that did not load, by name. Empty if all is well.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let done = shellkeep_files::read_text(&self.pieces.dir().join("done")).unwrap_or_default();
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
        let _ = fs::remove_dir_all(self.pieces.dir());
    }
}

/// How to start `program` as the shell whose state this is, as [`ShellState::encode`] wrote it. Scripts go to `scripts`, as in
/// [`crate::prepare()`]; the pieces to `pane_dir`, which is the directory the pane's shell is told of.
///
/// # Errors
/// When the state cannot be read or is another shell's, or files cannot be written.
pub fn revive(
    program: &Path,
    encoded: &[u8],
    scripts: &Path,
    pane_dir: &Path,
    run_rc: RunRc,
) -> Result<Revival, StateError> {
    let state = decode(program, encoded)?;
    let pieces = Pieces::new(pane_dir)?;
    let dir = pieces.dir();
    let (launch, revived) = match state.shell() {
        Shell::Bash => (
            bash::relaunch(program, &state, dir, run_rc),
            bash::revive(&state, scripts, &pieces, run_rc)?,
        ),
        Shell::Zsh => (
            zsh::relaunch(program, &state, scripts, dir, run_rc)?,
            zsh::revive(&state, &pieces, run_rc)?,
        ),
        Shell::Fish => (
            fish::relaunch(program, &state, scripts, dir, run_rc)?,
            fish::revive(&state, &pieces, run_rc)?,
        ),
    };
    let line_key = match revived.line_key {
        LineKey::Needed => Some(state.shell().put_key()),
        LineKey::NeededForCommands => Some(bash::PUT_FOR_COMMANDS),
        LineKey::None => None,
    };
    Ok(Revival {
        launch,
        line_key,
        report: state.report(),
        plain: revived.plain,
        pieces,
        expected: revived.expected,
    })
}

/// The state, if the program is the shell that told it.
fn decode(program: &Path, state: &[u8]) -> Result<ShellState, StateError> {
    let state = ShellState::decode(state)?;
    match Shell::of(program) == Some(state.shell()) {
        true => Ok(state),
        false => Err(StateError::OtherShell {
            shell: state.shell().name(),
            has_line: state.report().has_line,
        }),
    }
}
