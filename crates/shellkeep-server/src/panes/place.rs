//! Positions on a client's terminal: which window, pane or status line is there.

use shellkeep_core::style_text::Range;
use shellkeep_core::{ClientId, PaneId, Rect, SessionId};
use shellkeep_render::{Features, MouseReports, OuterModes};
use shellkeep_term::{Modes, MouseProtocol};

use crate::display::division::division;
use crate::display::part_shown::part_shown;
use crate::model::{Client, Model};

/// The position in the client's window of a position on its terminal. `None` where no window is shown.
pub(crate) fn in_window(
    model: &Model,
    client: &Client,
    (row, col): (u16, u16),
) -> Option<(u16, u16)> {
    let area = division(model, client).window;
    area.contains(row, col)
        .then(|| nearest_in_window(model, client, (row, col)))
}

/// The position in the client's window that is nearest to a position on its terminal.
pub(crate) fn nearest_in_window(
    model: &Model,
    client: &Client,
    (row, col): (u16, u16),
) -> (u16, u16) {
    let area = division(model, client).window;
    let part = part_shown(model, client);
    let (first_row, first_col) = part.map_or((0, 0), |part| (part.row, part.col));
    let near =
        |at: u16, from: u16, count: u16| at.saturating_sub(from).min(count.saturating_sub(1));
    (
        near(row, area.row, area.rows).saturating_add(first_row),
        near(col, area.col, area.cols).saturating_add(first_col),
    )
}

/// The position in a pane of a position on a client's terminal, if the pane is there.
pub(crate) fn in_pane(
    model: &Model,
    client: &Client,
    pane: PaneId,
    at: (u16, u16),
) -> Option<(u16, u16)> {
    let window = model.current_window(client.session?)?;
    let place = window.shown().place_of(pane)?;
    let (row, col) = in_window(model, client, at)?;
    place
        .contains(row, col)
        .then(|| (row - place.row, col - place.col))
}

/// The position in a pane that is nearest to a position on a client's terminal.
pub(crate) fn nearest_in_pane(
    model: &Model,
    id: ClientId,
    pane: PaneId,
    at: (u16, u16),
) -> Option<(u16, u16)> {
    let client = model.clients.get(&id)?;
    let window = model.current_window(client.session?)?;
    let place = window.shown().place_of(pane)?;
    let (row, col) = nearest_in_window(model, client, at);
    let near =
        |at: u16, from: u16, count: u16| at.saturating_sub(from).min(count.saturating_sub(1));
    Some((
        near(row, place.row, place.rows),
        near(col, place.col, place.cols),
    ))
}

/// The area of the status lines on a client's terminal.
pub(crate) fn status_area(model: &Model, id: ClientId) -> Option<Rect> {
    Some(division(model, model.clients.get(&id)?).status)
}

/// The part of a status line at a position.
pub(crate) fn status_range(model: &Model, id: ClientId, row: u16, col: u16) -> Option<Range> {
    let clicks = &model.clients.get(&id)?.view.status_clicks;
    let mut clicks = clicks.iter().filter(|click| click.row == row);
    let found = clicks.find(|click| (click.range.start..click.range.end).contains(&col));
    Some(found?.range.range)
}

/// The terminal modes that a client needs for its session, whatever the programs ask for.
pub(crate) fn wanted_modes(model: &Model, session: SessionId) -> OuterModes {
    let mut modes = shellkeep_render::outer_modes(Modes::default());
    if model.session_options(Some(session)).flag("mouse") {
        let panes = model.current_window(session).map(|window| window.id);
        let mut panes = panes.into_iter().flat_map(|id| model.panes_of(id));
        let wants_all = panes.any(|pane| pane.screen.lock().modes().mouse == MouseProtocol::Motion);
        // A drag that the server handles has to be reported by the terminal.
        modes.mouse = if wants_all {
            MouseReports::Motion
        } else {
            MouseReports::Drag
        };
    }
    modes
}

/// Whether to enable extended keys on a client's terminal. Not all terminals have them, and some take the sequence for
/// a text style.
pub(crate) fn wants_extended_keys(model: &Model, client: &Client) -> bool {
    let wish = model.options.server().text("extended-keys");
    wish != "off" && client.terminal.caps.has(Features::EXTENDED_KEYS)
}
