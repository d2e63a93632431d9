//! What the shells' own modules tell of a revival that they have written.

use crate::line::Line;
use crate::plain_keys::PlainKeys;
use crate::state::ShellState;

/// Whether the shell waits for a key after its first prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKey {
    Needed,
    /// That key is needed, and another one that enters vi's command mode.
    NeededForCommands,
    None,
}

impl LineKey {
    /// A half-typed line needs one.
    pub(crate) fn from(state: &ShellState) -> Self {
        let line = Line::parse(state.section("line"));
        match line.is_some_and(|line| !line.text.is_empty()) {
            true => Self::Needed,
            false => Self::None,
        }
    }
}

/// The files of a revival are written; this is what else the server has to know.
pub(crate) struct Revived {
    pub(crate) line_key: LineKey,
    /// Keys that may be echoed before that one.
    pub(crate) plain: PlainKeys,
    /// The names of the pieces that the shell reads.
    pub(crate) expected: &'static [&'static str],
}
