//! Starting a shell that slept.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bash;
use crate::fish;
use crate::gate::{self, Gate};
use crate::launch::Launch;
use crate::pieces::{MAIN, Pieces};
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
    /// Where a shell that was started early waits: for the caller to open when he is ready to hear of its prompt.
    pub gate: Option<Gate>,
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
        gate::release(&self.pieces.join(MAIN));
        let _ = fs::remove_dir_all(&self.pieces);
    }
}

/// Has a shell leave that was started early and cannot be put together after all. Waits for it to come that far.
pub fn turn_away(pane_dir: &Path) {
    let _ = Gate::at(Pieces::within(pane_dir).join(MAIN)).open();
}

/// What is called when a shell can be started, before all that it is to run is written.
pub type Early<'a> = &'a mut dyn FnMut(&Launch);

/// How to start `program` as the shell whose state this is, as [`State::encode`] wrote it. Scripts go to `scripts`, as in
/// [`crate::prepare`]; the pieces to `pane_dir`, which is the directory the pane's shell is told of. With `early`, a shell that
/// can wait for its script is to be started at once, while the script is made, and let through by [`Revival::gate`]; if this fails
/// after that, by [`turn_away`].
///
/// # Errors
/// When the state cannot be read or is another shell's, or files cannot be written.
pub fn revive(
    program: &Path,
    state: &[u8],
    scripts: &Path,
    pane_dir: &Path,
    run_rc: RunRc,
    early: Option<Early<'_>>,
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
    let mut gate = None;
    let (launch, expected) = match state.shell() {
        Shell::Bash => {
            let launch = bash::relaunch(program, &state, &pieces, run_rc);
            if let Some(early) = early {
                gate = Some(Gate::new(pieces.main())?);
                early(&launch);
            }
            let (script, key) = bash::revive(&state, scripts, &pieces, run_rc)?;
            match &mut gate {
                Some(gate) => gate.give(script),
                None => pieces.write(MAIN, &script)?,
            }
            line_key = key;
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
        gate,
        line_key: (line_key == LineKey::Needed).then_some(state.shell().put_key()),
        report,
        pieces: pieces.dir().to_owned(),
        expected,
    })
}
