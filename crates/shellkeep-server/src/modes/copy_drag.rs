//! Selecting with the mouse in copy mode.

use std::time::Duration;

use shellkeep_copy::AutoScroll;
use shellkeep_core::{ClientId, PaneId};

use crate::alarm::Alarm;
use crate::commands::queue::Caller;
use crate::model::{Drag, Model};
use crate::modes::copy_options::copy_options;
use crate::modes::stack;
use crate::panes::place;

/// How often a selection that is dragged beyond an edge scrolls by a row.
const SCROLL_TIME: Duration = Duration::from_millis(50);

/// A mouse position in a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) row: u16,
    pub(crate) col: u16,
    pub(crate) is_wheel: bool,
}

/// The mouse position in a pane, if a mouse key is bound to the running command.
pub(crate) fn pointer_in(model: &Model, caller: &Caller, pane: PaneId) -> Option<Point> {
    let id = caller.client.filter(|_| caller.mouse.is_some())?;
    let client = model.clients.get(&id)?;
    let event = client.input.mouse.pointer?.event;
    let (row, col) = place::in_pane(model, client, pane, (event.row, event.col))?;
    Some(Point {
        row,
        col,
        is_wheel: event.button.is_wheel(),
    })
}

/// Begins to drag a selection from where the button was pressed.
pub(crate) fn begin_drag(model: &mut Model, pane: PaneId, caller: &Caller, point: Point) {
    let options = copy_options(model, pane);
    let Some(id) = caller.client else { return };
    let pointer = model.clients.get(&id).and_then(|c| c.input.mouse.pointer);
    let from = pointer.and_then(|pointer| place::nearest_in_pane(model, id, pane, pointer.from));
    let Some((row, col)) = from else {
        return;
    };
    let Some(copy) = stack::copy_mut(model, pane) else {
        return;
    };
    let scroll = copy.go(|place, text| {
        place.drag_start(row, col, text, &options);
        place.drag_to(point.row, point.col, text, &options)
    });
    selection_dragged(model, id, pane, scroll);
    if let Some(client) = model.clients.get_mut(&id) {
        client.input.mouse.drag = Some(Drag::Selection(pane));
    }
}

pub(crate) fn selection_dragged(
    model: &mut Model,
    id: ClientId,
    pane: PaneId,
    scroll: Option<AutoScroll>,
) {
    let timer =
        (scroll == Some(AutoScroll::Go)).then(|| model.set_alarm(Alarm::Scroll(id), SCROLL_TIME));
    if let Some(client) = model.clients.get_mut(&id) {
        client.input.mouse.scroll = timer;
    }
    if let Some(pane) = model.panes.get(&pane) {
        model.redraw_window(pane.window);
    }
}
