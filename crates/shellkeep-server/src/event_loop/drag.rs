//! Dragging with the mouse: selections in copy mode, and borders.

use std::time::Duration;

use shellkeep_copy::AutoScroll;
use shellkeep_core::{ClientId, PaneId, WindowId};
use shellkeep_term::key::MouseEvent;

use super::copy::Point;
use super::{Server, copy, panes};
use crate::alarm::Alarm;
use crate::exec::{Outcome, Reply};
use crate::queue::Caller;
use crate::state::Model;

/// How often a selection that is dragged beyond an edge scrolls by a row.
const SCROLL_TIME: Duration = Duration::from_millis(50);

/// Something dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drag {
    /// The end of a selection in a pane's copy mode.
    Selection(PaneId),
    /// A border of a window.
    Border(WindowId),
}

impl Server {
    /// Begins to drag a selection from where the button went down.
    pub(super) fn begin_drag(&mut self, pane: PaneId, caller: &Caller, point: Point) {
        let options = copy::copy_options(&self.state, pane);
        let Some(id) = caller.client else { return };
        let pointer = self.state.clients.get(&id).and_then(|c| c.mouse.pointer);
        let from = pointer.and_then(|pointer| self.nearest_in_pane(id, pane, pointer.from));
        let Some((row, col)) = from else {
            return;
        };
        let Some(copy) = copy::copy_mut(&mut self.state, pane) else {
            return;
        };
        let scroll = copy.go(|place, text| {
            place.drag_start(row, col, text, &options);
            place.drag_to(point.row, point.col, text, &options)
        });
        selection_dragged(&mut self.state, id, pane, scroll);
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.mouse.drag = Some(Drag::Selection(pane));
        }
    }

    /// Begins to select with the mouse in a pane that has just entered copy mode: `copy-mode -M`.
    pub(crate) fn drag_selection(&mut self, caller: &Caller, pane: PaneId) {
        if let Some(point) = self.pointer_in(caller, pane) {
            self.begin_drag(pane, caller, point);
        }
    }

    /// Begins to drag the border the mouse is on: `resize-pane -M`.
    pub(crate) fn drag_border(&mut self, caller: &Caller) -> Outcome {
        let client = caller.client.filter(|_| caller.mouse.is_some());
        let Some((id, found)) = client.zip(caller.mouse) else {
            return Ok(Reply::default());
        };
        let Some(client) = self.state.clients.get_mut(&id) else {
            return Ok(Reply::default());
        };
        let Some(pointer) = client.mouse.pointer else {
            return Ok(Reply::default());
        };
        let drag = Drag::Border(found.window);
        client.mouse.drag = Some(drag);
        self.drag_to(id, drag, &pointer.event, pointer.from);
        Ok(Reply::default())
    }

    /// The mouse has moved while it drags something.
    pub(super) fn drag_to(
        &mut self,
        id: ClientId,
        drag: Drag,
        event: &MouseEvent,
        from: (u16, u16),
    ) {
        match drag {
            Drag::Selection(pane) => {
                let options = copy::copy_options(&self.state, pane);
                let to = (event.row, event.col);
                let Some((row, col)) = self.nearest_in_pane(id, pane, to) else {
                    return;
                };
                let Some(copy) = copy::copy_mut(&mut self.state, pane) else {
                    return;
                };
                let scroll = copy.go(|place, text| place.drag_to(row, col, text, &options));
                selection_dragged(&mut self.state, id, pane, scroll);
            }
            Drag::Border(window) => {
                let Some(client) = self.state.clients.get(&id) else {
                    return;
                };
                let from = self.nearest_in_window(client, from);
                let to = self.nearest_in_window(client, (event.row, event.col));
                if let Some(window) = self.state.windows.get_mut(&window)
                    && window.zoomed.is_none()
                {
                    window.layout.drag_border(from, to);
                    let window = window.id;
                    panes::layout_changed(&mut self.state, window);
                }
            }
        }
    }
}

fn selection_dragged(model: &mut Model, id: ClientId, pane: PaneId, scroll: Option<AutoScroll>) {
    let timer =
        (scroll == Some(AutoScroll::Go)).then(|| model.set_alarm(Alarm::Scroll(id), SCROLL_TIME));
    if let Some(client) = model.clients.get_mut(&id) {
        client.mouse.scroll = timer;
    }
    if let Some(pane) = model.panes.get(&pane) {
        model.redraw_window(pane.window);
    }
}

/// The mouse is still, and held at an edge.
pub(super) fn drag_goes_on(model: &mut Model, id: ClientId) {
    let drag = model.clients.get(&id).and_then(|c| c.mouse.drag);
    if let Some(Drag::Selection(pane)) = drag {
        let options = copy::copy_options(model, pane);
        let Some(copy) = copy::copy_mut(model, pane) else {
            return;
        };
        let scroll = copy.go(|place, text| place.drag_scroll(text, &options));
        selection_dragged(model, id, pane, scroll);
    }
}
