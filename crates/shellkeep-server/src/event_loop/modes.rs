//! Modes of a pane lie over each other: leaving one shows the one below it, and at last the pane's screen.

use shellkeep_core::{PaneId, Size};

use super::{Server, copy};
use crate::state::{Copy, Mode, Model};

impl Server {
    /// Shows a mode in place of a pane's screen, or of the mode that is there.
    pub(crate) fn put_mode(&mut self, id: PaneId, mode: Mode) {
        let Model { panes, covered, .. } = &mut self.state;
        let Some(pane) = panes.get_mut(&id) else {
            return;
        };
        if let Some(mut before) = pane.mode.replace(mode) {
            // The pane may get another size meanwhile.
            if let Some(copy) = before.copy_mut() {
                copy.before_resize();
            }
            covered.entry(id).or_default().push(before);
            covered.retain(|id, _| panes.contains_key(id));
        }
        copy::mode_changed(&mut self.state, id);
        self.name_window_of(id);
    }

    /// A window may be named after the mode its active pane is in.
    fn name_window_of(&mut self, id: PaneId) {
        let window = self.state.panes.get(&id).map(|pane| pane.window);
        let window = window.and_then(|id| self.state.windows.get(&id));
        if let Some(window) = window.filter(|window| window.active == id) {
            self.name_window(window.id);
        }
    }

    /// Brings a mode of a pane that others lie over to the top, if there is one of this name. Gives back whether it is there now.
    pub(super) fn raise_mode(&mut self, id: PaneId, name: &str) -> bool {
        let pane = self.state.panes.get(&id);
        if pane.and_then(|pane| pane.mode_name()) == Some(name) {
            return true;
        }
        let Some(below) = self.state.covered.get_mut(&id) else {
            return false;
        };
        let Some(at) = below.iter().position(|mode| mode.name() == name) else {
            return false;
        };
        let mode = below.remove(at);
        self.put_mode(id, mode);
        self.uncovered(id);
        true
    }

    /// Takes the mode away that a pane shows; what lies below it is shown.
    pub(super) fn take_mode(&mut self, id: PaneId) -> Option<Mode> {
        let pane = self.state.panes.get_mut(&id)?;
        let over = pane.mode.take()?;
        pane.mode = self.state.covered.get_mut(&id).and_then(Vec::pop);
        self.uncovered(id);
        copy::mode_changed(&mut self.state, id);
        self.name_window_of(id);
        Some(over)
    }

    /// Shows a pane's screen, whatever lies over it.
    pub(crate) fn leave_modes(&mut self, id: PaneId) {
        while self.state.panes.get(&id).is_some_and(|it| it.is_in_mode()) {
            self.leave_mode(id);
        }
    }

    /// A mode is seen again.
    fn uncovered(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
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
            self.refresh_tree(id);
        }
    }
}

/// The copy mode of a pane that waits for a search, wherever it lies.
pub(super) fn searching(model: &mut Model, id: PaneId, ticket: u64) -> Option<&mut Copy> {
    let top = model.panes.get_mut(&id).and_then(|it| it.mode.as_mut());
    let below = model.covered.get_mut(&id).into_iter().flatten();
    let mut copies = top.into_iter().chain(below).filter_map(Mode::copy_mut);
    copies.find(|copy| copy.ticket == ticket && copy.reading.is_none())
}

fn size_of(text: &impl shellkeep_copy::Text) -> Size {
    Size::new(text.screen_rows(), text.cols())
}
