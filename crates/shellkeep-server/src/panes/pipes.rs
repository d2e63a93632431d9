//! `pipe-pane` in the event loop: starting pipes and handling their events.

use shellkeep_core::PaneId;
use tokio::sync::mpsc;

use crate::commands::job::JobSpec;
use crate::event::Event;
use crate::model::Model;
use crate::model::ticket::Ticket;
use crate::panes::pipe;
use crate::panes::pipe::{Pipe, Ways};

/// Starts a command for a pane's pipe.
///
/// # Errors
/// One sentence, if it cannot be started.
pub(crate) fn start_pipe(
    events: &mpsc::Sender<Event>,
    pane: PaneId,
    spec: &JobSpec,
    ways: Ways,
) -> Result<Pipe, String> {
    let pipe = pipe::start(pane, spec, ways, events.clone());
    pipe.map_err(|error| format!("pipe failed: {error}"))
}

/// A pipe's command reads too slowly, and output was lost.
pub(crate) fn pipe_lost(model: &mut Model, pane: PaneId, lost: u64) {
    tracing::warn!(%pane, lost, "a pipe's command reads too slowly");
    model.log_message(format!("pipe of {pane} fell behind: {lost} bytes are lost"));
}

/// A pipe's command has printed something, which is typed into the pane.
pub(crate) fn piped(model: &mut Model, pane: PaneId, pipe: Ticket, bytes: &[u8]) {
    let pane = model.panes.get_mut(&pane);
    if let Some(pane) = pane.filter(|pane| pane.is_piped_by(pipe)) {
        pane.write(bytes);
    }
}
