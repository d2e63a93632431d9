//! Where things are on a client's terminal.

use shellkeep_core::style_text::Range;
use shellkeep_core::{ClientId, Rect, SessionId};
use shellkeep_render::{MouseReports, OuterModes};
use shellkeep_term::{Modes, MouseProtocol};

use super::Server;

impl Server {
    /// The part of a client's terminal that shows the window.
    pub(crate) fn window_area(&self, id: ClientId) -> Option<Rect> {
        let client = self.state.clients.get(&id)?;
        let rows = client.size.rows() - self.status_area(id)?.rows;
        Some(Rect {
            rows,
            ..Rect::whole(client.size)
        })
    }

    /// The status lines of a client's terminal.
    pub(crate) fn status_area(&self, id: ClientId) -> Option<Rect> {
        let client = self.state.clients.get(&id)?;
        let rows = self.status_rows(client.session?).min(client.size.rows());
        Some(Rect {
            row: client.size.rows() - rows,
            rows,
            ..Rect::whole(client.size)
        })
    }

    /// What of a status line is at a place.
    pub(super) fn status_range(&self, _id: ClientId, _row: u16, _col: u16) -> Option<Range> {
        None
    }

    /// What a terminal that shows a session is asked for, whatever its programs want.
    pub(super) fn wanted_modes(&self, session: SessionId) -> OuterModes {
        let mut modes = shellkeep_render::outer_modes(Modes::default());
        if self.state.session_options(Some(session)).flag("mouse") {
            let panes = self.state.current_window(session).map(|window| window.id);
            let mut panes = panes.into_iter().flat_map(|id| self.state.panes_of(id));
            let wants_all =
                panes.any(|pane| pane.screen.lock().modes().mouse == MouseProtocol::Motion);
            // A drag has to be seen to be ours.
            modes.mouse = if wants_all {
                MouseReports::Motion
            } else {
                MouseReports::Drag
            };
        }
        modes
    }
}
