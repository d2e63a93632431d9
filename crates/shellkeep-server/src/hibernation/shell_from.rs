//! Where the shell of a waking pane gets its state from.

use std::time::Duration;

use shellkeep_core::PaneId;

use crate::model::{Cause, Model};
use crate::persistence::keeping::Start;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShellFrom {
    /// The state that it reported when the pane was put to sleep: nothing has changed since.
    Sleep,
    /// Its last idle capture. Commands may have run since, and its half-typed line may be one of them.
    Capture,
    /// There is no state: it is a new shell.
    Nothing,
}

/// How long a revived shell has to show its prompt before it is sent the held input anyway.
pub(crate) const SHELL_PROMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// When a pane's programs ended, in words.
pub(crate) fn when_ended(cause: Cause) -> &'static str {
    match cause {
        Cause::Reopened => "when the session was archived",
        Cause::Hibernated | Cause::Ended => "when the pane was put to sleep",
        Cause::Lost => "with the server",
    }
}

/// How a pane's program was started, if that is on disk.
pub(crate) fn kept_start(model: &Model, id: PaneId) -> Option<Start> {
    let pane = model.panes.get(&id)?;
    let dir = pane.screen.with_record(|record| record.dir().clone())?;
    let start = dir.read_start().ok().flatten()?;
    Some(Start::stored(id, start))
}
