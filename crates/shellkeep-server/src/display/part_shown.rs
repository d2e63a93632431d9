//! The part of a window that is shown on a terminal too small for it.

use shellkeep_core::{PaneId, WindowId};

use crate::display::division::room_of;
use crate::display::scene::part_start;
use crate::model::{Client, Mode, Model};
use crate::modes::copy_options::copy_options;

/// The part of a window that is shown: its start, and how far it could be moved down and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) window: WindowId,
    pub(crate) row: u16,
    pub(crate) col: u16,
    pub(crate) most: (u16, u16),
}

/// The part of its window that a client shows; `None` if it shows all of it.
pub(crate) fn part_shown(model: &Model, client: &Client) -> Option<Part> {
    let window = model.current_window(client.session?)?;
    let (size, room) = (window.size(), room_of(model, client));
    let most = (
        size.rows().saturating_sub(room.rows()),
        size.cols().saturating_sub(room.cols()),
    );
    if most == (0, 0) {
        return None;
    }
    let (row, col) = match client.view.pan {
        Some((panned, row, col)) if panned == window.id => (row, col),
        // Around the cursor, by the same rule as the painter.
        _ => {
            let place = window.shown().place_of(window.active)?;
            let (row, col) = cursor_in(model, window.active)?;
            (
                part_start(place.row + row, room.rows(), size.rows()),
                part_start(place.col + col, room.cols(), size.cols()),
            )
        }
    };
    Some(Part {
        window: window.id,
        row: row.min(most.0),
        col: col.min(most.1),
        most,
    })
}

/// The cursor of what a pane shows: of its program, or of its mode.
fn cursor_in(model: &Model, id: PaneId) -> Option<(u16, u16)> {
    let pane = model.panes.get(&id)?;
    match pane.mode.as_ref() {
        // These modes have no cursor.
        Some(Mode::Clock | Mode::Tree(_)) => return Some((0, 0)),
        Some(Mode::Copy(copy) | Mode::View(copy)) => {
            let options = copy_options(model, id);
            let read = copy.read(|place, text| place.view(text, &options).cursor);
            let searched = || copy.search_frame.as_ref().map(|frame| frame.cursor());
            let found = read.or_else(|| searched().map(|cursor| (cursor.row, cursor.col)));
            if found.is_some() {
                return found;
            }
        }
        None => {}
    }
    let cursor = pane.screen.lock().cursor();
    Some((cursor.row, cursor.col))
}
