//! A spare shell is made ready for the pane that will wake most likely: making its pieces takes as long as the shell needs for its prompt.

use std::io;
use std::path::Path;

use crate::bash;
use crate::gate::Gate;
use crate::launch::Launch;
use crate::pieces::{Pieces, forget_later};
use crate::report::Report;
use crate::revive::{Revival, RunRc, begin_spare, decode, put_together, relaunch};
use crate::shell::Shell;
use crate::spare::{Change, Spare};
use crate::state::StateError;
use crate::zsh::Plain;

/// A spare shell for which all is written that it takes to become the shell of one pane, while that pane sleeps.
#[derive(Debug)]
pub struct Ready {
    /// How the pane's shell would be started.
    pub launch: Launch,
    shell: Shell,
    script: Vec<u8>,
    seen: Option<bash::Seen>,
    line_key: Option<&'static [u8]>,
    report: Report,
    plain: Plain,
    pieces: Pieces,
    expected: &'static [&'static str],
}

impl Ready {
    /// Makes `spare` ready for the pane whose shell has this state, as [`crate::revive()`] takes it. Any other pane can still have the spare
    /// shell.
    ///
    /// # Errors
    /// When the state cannot be read or is another shell's, or files cannot be written.
    pub fn new(
        spare: &Spare,
        program: &Path,
        encoded: &[u8],
        scripts: &Path,
        pane_dir: &Path,
    ) -> Result<Self, StateError> {
        let state = decode(program, encoded)?;
        let launch = relaunch(program, &state, scripts, pane_dir, RunRc::Off)?;
        let mut pieces = Pieces::ahead(spare.dir(), pane_dir)?;
        let begins = spare.begins(encoded);
        let together = put_together(&state, scripts, &mut pieces, RunRc::Off, begins)?;
        if let Some(later) = together.later {
            later.write(&state, &mut pieces)?;
        }
        Ok(Self {
            launch,
            shell: state.shell(),
            script: together.script,
            seen: together.seen,
            line_key: together.line_key,
            report: state.report(),
            plain: together.plain,
            pieces,
            expected: together.expected,
        })
    }

    /// The pane wakes, and the spare shell becomes its own: it has to be let through.
    ///
    /// # Errors
    /// When files cannot be written or moved.
    pub fn wake(mut self, change: &Change) -> io::Result<Revival> {
        forget_later(self.pieces.pane_dir());
        self.pieces.move_beside()?;
        if let Some(seen) = &self.seen {
            seen.write(&self.pieces)?;
        }
        let mut gate = Gate::at(self.pieces.main());
        let before = begin_spare(self.shell, change, &self.pieces);
        gate.give([before, self.script].concat());
        Ok(Revival {
            launch: self.launch,
            gate: Some(gate),
            line_key: self.line_key,
            report: self.report,
            later: None,
            plain: self.plain,
            pieces: self.pieces,
            expected: self.expected,
        })
    }
}
