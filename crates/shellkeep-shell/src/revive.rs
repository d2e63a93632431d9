//! Revives a hibernated shell: writes the files that it reads, and returns how to start it.

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

/// A shell that is about to be revived.
#[derive(Debug)]
pub struct Revival {
    /// How to start it. The caller adds `SHELLKEEP_SHELL_DIR`, as for any shell.
    pub launch: Launch,
    /// Bytes for the PTY after the first OSC 133;B. They restore the half-typed line, and make bash and zsh read the
    /// part of the state that their first prompt does not need.
    pub line_key: Option<&'static [u8]>,
    /// What will be restored.
    pub report: Report,
    plain: PlainKeys,
    pieces: Pieces,
    expected: &'static [&'static str],
}

impl Revival {
    /// How much of the input that was typed meanwhile may be sent before [`Self::line_key`], so that it is echoed at
    /// once: the leading keys that only insert themselves whatever is read at that key.
    #[must_use]
    pub fn goes_first(&self, typed: &[u8]) -> usize {
        self.plain.leading(typed)
    }

    /// To be called after the first prompt: the names of the parts of the state that were not restored. Usually empty.
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

    /// Removes the files from which the shell was restored.
    pub fn clean(self) {
        let _ = fs::remove_dir_all(self.pieces.dir());
    }
}

/// How to start `program` as the shell with this state ([`ShellState::encode`]). Scripts go to `scripts`, as in
/// [`crate::prepare()`], and pieces to `pane_dir`, the directory of the pane's shell.
///
/// # Errors
/// When the state cannot be read or belongs to another kind of shell, or files cannot be written.
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

/// The state, if the program is the kind of shell that wrote it.
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
