//! Pipes of panes.

use shellkeep_core::PaneId;

use super::Server;
use crate::job::JobSpec;
use crate::pipe::{self, Pipe, Ways};
use crate::state::Model;
use crate::ticket::Ticket;

impl Server {
    /// Starts a command for a pane's pipe.
    ///
    /// # Errors
    /// One sentence, when it cannot be started.
    pub(crate) fn start_pipe(
        &self,
        pane: PaneId,
        spec: &JobSpec,
        ways: Ways,
    ) -> Result<Pipe, String> {
        let pipe = pipe::start(pane, spec, ways, self.events.clone());
        pipe.map_err(|error| format!("pipe failed: {error}"))
    }

    /// A pipe's command did not keep up.
    pub(super) fn pipe_lost(&mut self, pane: PaneId, lost: u64) {
        tracing::warn!(%pane, lost, "a pipe's command reads too slowly");
        self.log_message(format!("pipe of {pane} fell behind: {lost} bytes are lost"));
    }
}

/// A pipe's command has printed something: it is typed.
pub(super) fn piped(model: &mut Model, pane: PaneId, pipe: Ticket, bytes: &[u8]) {
    let pane = model.panes.get_mut(&pane);
    if let Some(pane) = pane.filter(|pane| pane.is_piped_by(pipe)) {
        pane.write(bytes);
    }
}
