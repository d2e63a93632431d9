//! The marks of sleeping and of revived windows, and how the chooser puts things to sleep and wakes them.

use shellkeep_core::{PaneId, WindowId};

use super::{Force, Server, wake};
use crate::overlay::tree::Item;
use crate::processes::Processes;
use crate::queue::Caller;
use crate::state::{Model, Pane};

/// What the chooser is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resting {
    Sleep,
    Wake,
}

impl Server {
    /// A pane is back: that is shown until its next command.
    pub(super) fn mark_revived(&mut self, id: PaneId) {
        self.set_revived(id, true);
    }

    /// A command runs in a pane: that it was away is nobody's concern any more.
    pub(super) fn fade_revived(&mut self, id: PaneId) {
        if self.state.panes.get(&id).is_some_and(Pane::is_revived) {
            self.set_revived(id, false);
        }
    }

    fn set_revived(&mut self, id: PaneId, is_revived: bool) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let window = pane.window;
        if let Some(running) = pane.life.running_mut() {
            running.is_revived = is_revived;
            self.marks_changed(window);
        }
    }

    /// A window has other marks: whoever has it in the status line sees them.
    pub(super) fn marks_changed(&mut self, window: WindowId) {
        let sessions = self.state.links_of(window).map(|(session, _)| session);
        for session in sessions.collect::<Vec<_>>() {
            self.state.redraw_session(session);
        }
        self.state.redraw_window(window);
        self.trees_due();
    }

    /// Puts what was chosen to sleep, or wakes it; says of what stays as it is why.
    pub(super) fn rest_chosen(&mut self, caller: &Caller, rest: Resting, items: &[Item]) {
        let mut panes: Vec<PaneId> = Vec::new();
        for item in items {
            panes.extend(panes_of_item(&self.state, item));
        }
        let mut seen = std::collections::BTreeSet::new();
        panes.retain(|pane| seen.insert(*pane));
        let processes = (rest == Resting::Sleep).then(Processes::look);
        let Some(processes) = processes else {
            return self.wake_all(&panes);
        };
        let mut reasons = Vec::new();
        for id in panes {
            if let Err(reason) = self.rest_unseen(id, &processes) {
                reasons.push(format!("{}: {reason}", self.pane_place(id)));
            }
        }
        if !reasons.is_empty() {
            self.complain(caller, format!("stays awake: {}", reasons.join("; ")));
        }
    }

    /// Puts a pane to sleep, unless it would be woken at once.
    fn rest_unseen(&mut self, id: PaneId, processes: &Processes) -> Result<(), String> {
        let pane = self.state.panes.get(&id);
        if pane.is_some_and(Pane::is_asleep) {
            return Ok(());
        }
        let window = pane.map(|pane| pane.window);
        if window.is_some_and(|window| self.state.viewers_of(window).next().is_some()) {
            return Err("somebody looks at it".to_owned());
        }
        self.put_to_sleep(id, processes, Force::Off)
            .map_err(|refusal| refusal.text)
    }
}

/// Whether nothing runs in a window.
pub(crate) fn is_window_asleep(model: &Model, id: WindowId) -> bool {
    let mut panes = model.panes_of(id).peekable();
    panes.peek().is_some() && panes.all(Pane::is_asleep)
}

/// Whether a pane of a window came back, and no command has run in it since.
pub(crate) fn is_window_revived(model: &Model, id: WindowId) -> bool {
    model.panes_of(id).any(Pane::is_revived)
}

fn panes_of_item(model: &Model, item: &Item) -> Vec<PaneId> {
    match item {
        Item::Session(id) => wake::panes_in(model, *id).map(|pane| pane.id).collect(),
        Item::Window(id, index) => {
            let session = model.sessions.get(id);
            let link = session.and_then(|session| session.links.get(index));
            let panes = link
                .into_iter()
                .flat_map(|link| model.panes_of(link.window));
            panes.map(|pane| pane.id).collect()
        }
        Item::Pane(_, _, id) => vec![*id],
        _ => Vec::new(),
    }
}
