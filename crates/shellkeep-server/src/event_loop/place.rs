//! Where things are on a client's terminal.

use shellkeep_core::style_text::Range;
use shellkeep_core::{ClientId, Rect, SessionId};
use shellkeep_render::{MouseReports, OuterModes};
use shellkeep_term::{Modes, MouseProtocol};

use super::Server;

impl Server {
    /// The part of a client's terminal that shows the window.
    pub(crate) fn window_area(&self, id: ClientId) -> Option<Rect> {
        Some(self.division(self.state.clients.get(&id)?).window)
    }

    /// The status lines of a client's terminal.
    pub(crate) fn status_area(&self, id: ClientId) -> Option<Rect> {
        Some(self.division(self.state.clients.get(&id)?).status)
    }

    /// What of a status line is at a place.
    pub(super) fn status_range(&self, id: ClientId, row: u16, col: u16) -> Option<Range> {
        let clicks = &self.state.clients.get(&id)?.status_clicks;
        let mut clicks = clicks.iter().filter(|click| click.row == row);
        let found = clicks.find(|click| (click.range.start..click.range.end).contains(&col));
        Some(found?.range.range)
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
