//! Notices about processes, and which of them come too late: the pane has had another process since, or none. Those change nothing.

use shellkeep_core::PaneId;
use shellkeep_keeper::{Exit, Generation, Held, HostEvent, ProcessId, steps};
use shellkeep_term::Effect;

use super::{Server, popup, stored};
use crate::record::Facts;
use crate::state::Model;

impl Server {
    /// The keeper has something to say.
    pub(super) fn host_event(&mut self, event: HostEvent) {
        let Some(event) = self.popup_host_event(event) else {
            return;
        };
        match event {
            HostEvent::Held(held) => self.program_started(held),
            HostEvent::SpawnFailed {
                pane,
                generation,
                reason,
            } => self.program_failed(pane, generation, &reason),
            HostEvent::Exited {
                pane,
                process,
                exit,
            } => self.program_exited(pane, process, exit),
        }
    }

    fn program_started(&mut self, held: Held) {
        let (id, generation) = (held.pane, held.process.generation);
        match self.state.panes.get(&id) {
            Some(pane) if pane.life.awaits(generation) => self.run_program(id, held),
            // Another start of this pane is under way, whose answer is waited for; or the pane sleeps again. The keeper was told to
            // let this one go when the pane was.
            Some(_) => {
                tracing::debug!(pane = %id, ?generation, "a start that is not wanted any more")
            }
            // Killed before it began.
            None => self.resume_waiting(id, None),
        }
    }

    /// A pane has its program.
    fn run_program(&mut self, id: PaneId, held: Held) {
        let (events, flood_throttle) = (self.events.clone(), self.clients.flood_throttle.clone());
        if let Some(pane) = self.state.panes.get_mut(&id) {
            let (window, slept) = (pane.window, pane.is_asleep());
            pane.start(held, events, flood_throttle);
            if slept {
                self.state.window_note_due(window);
                steps::reached("woken");
                self.woken(id);
            }
        }
        self.resume_waiting(id, None);
    }

    fn program_failed(&mut self, id: PaneId, generation: Generation, reason: &str) {
        match self.state.panes.get(&id) {
            None => return self.resume_waiting(id, None),
            Some(pane) if !pane.life.awaits(generation) => return,
            Some(_) => {}
        }
        tracing::warn!(pane = %id, reason, "a program could not be started");
        self.resume_waiting(id, Some(reason));
        let pane = self.state.panes.get_mut(&id);
        let Some(pane) = pane.filter(|pane| pane.life.awaits(generation)) else {
            return;
        };
        if pane.is_waking() {
            self.waking_failed(id, reason);
        } else {
            self.close_pane(id);
        }
    }

    fn program_exited(&mut self, id: PaneId, process: ProcessId, exit: Exit) {
        let pane = self.state.panes.get_mut(&id);
        let Some(pane) = pane.filter(|pane| pane.runs(process)) else {
            tracing::debug!(?process, ?exit, "an earlier program has ended");
            return;
        };
        tracing::debug!(pane = %id, ?process, ?exit, "a program has ended");
        pane.ended(exit);
        let running = pane.life.running_mut();
        if running.is_some_and(|running| std::mem::take(&mut running.is_read_out)) {
            self.pane_ended(id);
        }
    }

    /// The program in a pane printed something.
    pub(super) fn output_came(&mut self, id: PaneId, process: ProcessId) {
        if is_present(&mut self.state, id, process) {
            self.printed(id);
        } else if let Some(pane) = self.state.panes.get(&id) {
            // The reader tells of output once and waits to be asked again, whichever process it reads by then.
            pane.screen.tell_of_output();
        }
    }

    /// The program in a pane asked something of the world.
    pub(super) fn wishes_came(&mut self, id: PaneId, process: ProcessId, effects: Vec<Effect>) {
        if is_present(&mut self.state, id, process) {
            self.asked(id, effects);
        }
    }

    /// Nothing more will come from a process.
    pub(super) fn output_ended(&mut self, id: PaneId, process: ProcessId) {
        if is_present(&mut self.state, id, process) {
            self.pane_ended(id);
        }
    }
}

/// Whether a notice about a process is about the one that a pane, or a popup, has now.
fn is_present(model: &mut Model, id: PaneId, process: ProcessId) -> bool {
    let pane = model.panes.get(&id);
    let is_panes = pane.is_some_and(|pane| pane.runs(process));
    is_panes || popup::has_popup_with(model, id, process)
}

/// The recorder has looked what a pane's program does.
pub(super) fn facts_came(model: &mut Model, id: PaneId, process: ProcessId, facts: Facts) {
    if is_present(model, id, process) {
        stored::learn(model, id, facts);
    }
}

#[cfg(test)]
mod tests;
