//! The stack of a pane's modes: leaving one shows the one below it, and at last the pane's screen.

use shellkeep_core::{PaneId, Size};

use crate::model::notice::Notice;
use crate::model::{Copy, Mode, Model};
use crate::modes::trees;
use crate::status::window_names;

/// Enters a mode, on top of the present one.
pub(crate) fn put_mode(model: &mut Model, id: PaneId, mode: Mode) {
    let Model { panes, covered, .. } = model;
    let Some(pane) = panes.get_mut(&id) else {
        return;
    };
    if let Some(mut before) = pane.mode.replace(mode) {
        // The pane may be resized meanwhile.
        if let Some(copy) = before.copy_mut() {
            copy.before_resize();
        }
        covered.entry(id).or_default().push(before);
        covered.retain(|id, _| panes.contains_key(id));
    }
    mode_changed(model, id);
    name_window_of(model, id);
}

/// A window may be named after the mode of its active pane.
fn name_window_of(model: &mut Model, id: PaneId) {
    let window = model.panes.get(&id).map(|pane| pane.window);
    let window = window.and_then(|id| model.windows.get(&id));
    if let Some(window) = window.filter(|window| window.active == id) {
        window_names::name_window(model, window.id);
    }
}

/// Moves the mode of this name to the top of a pane's stack. Returns whether there is one.
pub(crate) fn raise_mode(model: &mut Model, id: PaneId, name: &str) -> bool {
    let pane = model.panes.get(&id);
    if pane.and_then(|pane| pane.mode_name()) == Some(name) {
        return true;
    }
    let Some(below) = model.covered.get_mut(&id) else {
        return false;
    };
    let Some(at) = below.iter().position(|mode| mode.name() == name) else {
        return false;
    };
    let mode = below.remove(at);
    put_mode(model, id, mode);
    uncovered(model, id);
    true
}

/// Removes the mode that a pane shows; the one below is shown.
pub(crate) fn take_mode(model: &mut Model, id: PaneId) -> Option<Mode> {
    let pane = model.panes.get_mut(&id)?;
    let over = pane.mode.take()?;
    pane.mode = model.covered.get_mut(&id).and_then(Vec::pop);
    uncovered(model, id);
    mode_changed(model, id);
    name_window_of(model, id);
    Some(over)
}

pub(crate) fn leave_modes(model: &mut Model, id: PaneId) {
    while model.panes.get(&id).is_some_and(|it| it.is_in_mode()) {
        leave_mode(model, id);
    }
}

/// A mode is on top again.
fn uncovered(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let size = pane.size;
    if let Some(copy) = pane.mode.as_mut().and_then(Mode::copy_mut) {
        let read = copy.read(|_, text| size_of(text));
        if read == Some(size) {
            copy.spot = None;
        }
    }
    if let Some(Mode::Tree(_)) = pane.mode {
        trees::refresh_tree(model, id);
    }
}

/// The copy mode that waits for this search, wherever it is in the stack.
pub(crate) fn searching(model: &mut Model, id: PaneId, ticket: u64) -> Option<&mut Copy> {
    let top = model.panes.get_mut(&id).and_then(|it| it.mode.as_mut());
    let below = model.covered.get_mut(&id).into_iter().flatten();
    let mut copies = top.into_iter().chain(below).filter_map(Mode::copy_mut);
    copies.find(|copy| copy.ticket == ticket && copy.reading.is_none())
}

fn size_of(text: &impl shellkeep_copy::Text) -> Size {
    Size::new(text.screen_rows(), text.cols())
}

/// Leaves the mode that a pane shows.
pub(crate) fn leave_mode(model: &mut Model, id: PaneId) {
    let pane = model.panes.get(&id);
    if pane.is_some_and(|pane| matches!(pane.mode, Some(Mode::Tree(_)))) {
        return trees::leave_tree(model, id);
    }
    let over = take_mode(model, id);
    let copy = over.as_ref().and_then(Mode::copy);
    if let Some(reading) = copy.and_then(|copy| copy.reading.as_ref())
        && let Some(pane) = model.panes.get_mut(&id)
    {
        pane.last_search = reading.place.remembered().cloned();
    }
}

pub(crate) fn mode_changed(model: &mut Model, id: PaneId) {
    model.notify(Notice::PaneModeChanged(id));
    if let Some(pane) = model.panes.get(&id) {
        model.redraw_window(pane.window);
    }
}

pub(crate) fn copy_mut(model: &mut Model, id: PaneId) -> Option<&mut Copy> {
    let mode = model.panes.get_mut(&id)?.mode.as_mut()?;
    mode.copy_mut()
}
