//! What the shell of a pane that wakes comes back with.

use std::time::Duration;

use shellkeep_core::PaneId;

use crate::model::{Cause, Model};
use crate::persistence::keeping::Start;

/// What the shell of a pane that wakes comes back with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShellFrom {
    /// The state that it told when it was put to sleep: it is the same shell.
    Sleep,
    /// The state that it last told while it ran. It may have done something since, and its half-typed line may have been sent.
    Capture,
    /// It never told one, or cannot: it is a new shell.
    Nothing,
}

/// How long a revived shell has to show its prompt before what was typed goes to it all the same.
pub(crate) const SHELL_PROMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// When what ran in a pane ended.
pub(crate) fn when_ended(cause: Cause) -> &'static str {
    match cause {
        Cause::Reopened => "when the session was archived",
        Cause::Hibernated | Cause::Ended => "when the pane was put to sleep",
        Cause::Lost => "with the server",
    }
}

/// How a pane's program was started, if that is kept.
pub(crate) fn kept_start(model: &Model, id: PaneId) -> Option<Start> {
    let pane = model.panes.get(&id)?;
    let dir = pane.screen.with_record(|record| record.dir().clone())?;
    let start = dir.read_start().ok().flatten()?;
    Some(Start::stored(id, start))
}
