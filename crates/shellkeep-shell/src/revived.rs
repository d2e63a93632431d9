//! What the modules of the shells return about a revival that they have written.

use crate::line::Line;
use crate::plain_keys::PlainKeys;
use crate::state::ShellState;

/// Which keys the shell waits for after its first prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKey {
    Needed,
    /// As `Needed`, and another key that enters vi's command mode.
    NeededForCommands,
    None,
}

impl LineKey {
    /// A half-typed line needs a key.
    pub(crate) fn from(state: &ShellState) -> Self {
        let line = Line::parse(state.section("line"));
        match line.is_some_and(|line| !line.text.is_empty()) {
            true => Self::Needed,
            false => Self::None,
        }
    }
}

/// The files of a revival are written. This is what else the server has to know.
pub(crate) struct Revived {
    pub(crate) line_key: LineKey,
    /// Keys that may be sent before the line key.
    pub(crate) plain: PlainKeys,
    /// The names of the pieces that the shell reads.
    pub(crate) expected: &'static [&'static str],
}
