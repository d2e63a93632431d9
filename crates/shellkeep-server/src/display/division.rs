//! How a client's terminal is divided between the window and the status lines.

use shellkeep_core::layout::BorderStatus;
use shellkeep_core::{Rect, SessionId, Size, WindowId};

use crate::clients::only_pane;
use crate::model::{Client, Model};

/// Where the status lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusPosition {
    Top,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Division {
    pub(crate) window: Rect,
    /// The area of the status lines, which may be empty.
    pub(crate) status: Rect,
    pub(crate) position: StatusPosition,
}

/// The number of status lines of a session.
pub(crate) fn status_rows(model: &Model, session: SessionId) -> u16 {
    match model.session_options(Some(session)).text("status") {
        "off" => 0,
        "on" => 1,
        count => count.parse().unwrap_or(1),
    }
}

/// How a client's terminal is divided. If it is too low for both, there is no status line.
pub(crate) fn division(model: &Model, client: &Client) -> Division {
    let whole = Rect::whole(client.terminal.size);
    let rows = client.session.map_or(0, |id| status_rows(model, id));
    let is_bare = rows >= whole.rows || only_pane::has_terminal_to_itself(model, client);
    let rows = if is_bare { 0 } else { rows };
    let position = status_position(model, client.session);
    let row_of = |at_top: u16, at_bottom: u16| match position {
        StatusPosition::Top => at_top,
        StatusPosition::Bottom => at_bottom,
    };
    Division {
        window: Rect {
            row: row_of(rows, 0),
            rows: whole.rows - rows,
            ..whole
        },
        status: Rect {
            row: row_of(0, whole.rows - rows),
            rows,
            ..whole
        },
        position,
    }
}

fn status_position(model: &Model, session: Option<SessionId>) -> StatusPosition {
    match model.session_options(session).text("status-position") {
        "top" => StatusPosition::Top,
        _ => StatusPosition::Bottom,
    }
}

/// The size that is left for the window.
pub(crate) fn room_of(model: &Model, client: &Client) -> Size {
    let window = division(model, client).window;
    Size::new(window.rows.max(1), window.cols)
}

/// Where panes have their titles (`pane-border-status`).
pub(crate) fn border_status(model: &Model, window: WindowId) -> BorderStatus {
    match model.window_options(window).text("pane-border-status") {
        "top" => BorderStatus::Top,
        "bottom" => BorderStatus::Bottom,
        _ => BorderStatus::Off,
    }
}
