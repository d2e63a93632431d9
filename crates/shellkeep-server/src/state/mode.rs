//! What a pane shows in place of its screen.

use shellkeep_copy::{CopyMode, Frozen};
use shellkeep_core::PaneId;

use crate::overlay::tree::Tree;

/// What is shown, and takes the keys.
pub(crate) enum Mode {
    /// What was printed, to be looked through and copied from.
    Copy(Box<Copy>),
    /// A tree to choose from.
    Tree(Box<Tree>),
}

impl Mode {
    /// What formats call it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Copy(_) => "copy-mode",
            Self::Tree(tree) => tree.setup.kind.mode_name(),
        }
    }
}

/// Copy mode.
pub(crate) struct Copy {
    /// Where the user is.
    pub(crate) place: CopyMode,
    /// What was printed when it was entered.
    pub(crate) frozen: Frozen,
    /// Whose text it is: mostly the pane's own.
    pub(crate) source: PaneId,
    /// The next key repeats a command so many times, as far as it is typed.
    pub(crate) count: Option<u32>,
}
