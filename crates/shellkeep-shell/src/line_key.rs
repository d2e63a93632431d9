//! The key that makes a shell write its half-typed line, if that is not part of the state.

use crate::bash;
use crate::shell::Shell;
use crate::state::ShellState;

/// The user is in the middle of a key sequence or an incremental search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in the middle of a key or a search")]
pub struct MidKey;

impl ShellState {
    /// The bytes to send to the PTY so that the shell writes its half-typed line; `None` if the line is part of the
    /// state. `typed` is the last input of the pane, as far as it is known.
    ///
    /// # Errors
    /// When the shell would read them as part of an unfinished key sequence.
    pub fn line_key(&self, typed: &[u8]) -> Result<Option<&'static [u8]>, MidKey> {
        match self.shell() {
            Shell::Bash => bash::line_key(self, typed).map(Some).ok_or(MidKey),
            shell => Ok(shell.line_key()),
        }
    }
}
