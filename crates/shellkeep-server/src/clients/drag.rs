//! Dragging with the mouse: selections in copy mode, and borders.

use shellkeep_core::{ClientId, PaneId};
use shellkeep_term::key::MouseEvent;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::model::{Drag, Model};
use crate::modes::copy_options::copy_options;
use crate::modes::{copy_drag, stack};
use crate::panes::{manage, place};

/// Begins a selection with the mouse in a pane that has just entered copy mode: `copy-mode -M`.
pub(crate) fn drag_selection(model: &mut Model, caller: &Caller, pane: PaneId) {
    if let Some(point) = copy_drag::pointer_in(model, caller, pane) {
        copy_drag::begin_drag(model, pane, caller, point);
    }
}

/// Begins to drag the border under the mouse: `resize-pane -M`.
pub(crate) fn drag_border(model: &mut Model, caller: &Caller) -> Outcome {
    let client = caller.client.filter(|_| caller.mouse.is_some());
    let Some((id, found)) = client.zip(caller.mouse) else {
        return Ok(Reply::default());
    };
    let Some(client) = model.clients.get_mut(&id) else {
        return Ok(Reply::default());
    };
    let Some(pointer) = client.input.mouse.pointer else {
        return Ok(Reply::default());
    };
    let drag = Drag::Border(found.window);
    client.input.mouse.drag = Some(drag);
    drag_to(model, id, drag, &pointer.event, pointer.from);
    Ok(Reply::default())
}

/// The mouse has moved during a drag.
pub(crate) fn drag_to(
    model: &mut Model,
    id: ClientId,
    drag: Drag,
    event: &MouseEvent,
    from: (u16, u16),
) {
    match drag {
        Drag::Selection(pane) => {
            let options = copy_options(model, pane);
            let to = (event.row, event.col);
            let Some((row, col)) = place::nearest_in_pane(model, id, pane, to) else {
                return;
            };
            let Some(copy) = stack::copy_mut(model, pane) else {
                return;
            };
            let scroll = copy.go(|place, text| place.drag_to(row, col, text, &options));
            copy_drag::selection_dragged(model, id, pane, scroll);
        }
        Drag::Border(window) => {
            let Some(client) = model.clients.get(&id) else {
                return;
            };
            let from = place::nearest_in_window(model, client, from);
            let to = place::nearest_in_window(model, client, (event.row, event.col));
            if let Some(window) = model.windows.get_mut(&window)
                && window.zoomed.is_none()
            {
                window.layout.drag_border(from, to);
                let window = window.id;
                manage::layout_changed(model, window);
            }
        }
    }
}

/// The mouse is held at the edge of a pane: scrolls on.
pub(crate) fn continue_drag(model: &mut Model, id: ClientId) {
    let drag = model.clients.get(&id).and_then(|c| c.input.mouse.drag);
    if let Some(Drag::Selection(pane)) = drag {
        let options = copy_options(model, pane);
        let Some(copy) = stack::copy_mut(model, pane) else {
            return;
        };
        let scroll = copy.go(|place, text| place.drag_scroll(text, &options));
        copy_drag::selection_dragged(model, id, pane, scroll);
    }
}
