//! Notices about processes. A notice about a process that is not the pane's present one changes nothing.

use shellkeep_core::PaneId;
use shellkeep_keeper::{Exit, Generation, Held, HostEvent, ProcessId, steps};
use shellkeep_term::Effect;

use crate::clients::clipboard;
use crate::commands::run;
use crate::hibernation::{failed, idle_capture};
use crate::model::Model;
use crate::modes::popup;
use crate::panes::{dead, manage, shells};
use crate::persistence::record::Facts;
use crate::persistence::stored;
use crate::records::follow;
use crate::server::Server;
use crate::shutdown::last_capture;
use crate::status::window_names;

pub(crate) fn host_event(server: &mut Server, event: HostEvent) {
    let Some(event) = popup::popup_host_event(
        &mut server.model,
        &server.events,
        &server.clients.flood_throttle,
        event,
    ) else {
        return;
    };
    match event {
        HostEvent::Held(held) => program_started(server, held),
        HostEvent::SpawnFailed {
            pane,
            generation,
            reason,
        } => program_failed(server, pane, generation, &reason),
        HostEvent::Exited {
            pane,
            process,
            exit,
        } => program_exited(server, pane, process, exit),
    }
}

fn program_started(server: &mut Server, held: Held) {
    let (id, generation) = (held.pane, held.process.generation);
    match server.model.panes.get(&id) {
        Some(pane) if pane.life.awaits(generation) => run_program(server, id, held),
        // Another start of this pane is under way, or the pane is asleep again. The keeper was told to end this program
        // when that began.
        Some(_) => {
            tracing::debug!(pane = %id, ?generation, "ignored the start of a program that is not wanted any more")
        }
        // The pane was closed before its program started.
        None => run::resume_waiting(server, id, None),
    }
}

/// A pane's program was started.
fn run_program(server: &mut Server, id: PaneId, held: Held) {
    let (events, flood_throttle) = (server.events.clone(), server.clients.flood_throttle.clone());
    if let Some(pane) = server.model.panes.get_mut(&id) {
        let (window, slept) = (pane.window, pane.is_asleep());
        pane.start(held, events, flood_throttle);
        if slept {
            server.model.window_note_due(window);
            steps::reached("woken");
            shells::woken(&mut server.model, id);
        }
    }
    run::resume_waiting(server, id, None);
}

fn program_failed(server: &mut Server, id: PaneId, generation: Generation, reason: &str) {
    match server.model.panes.get(&id) {
        None => return run::resume_waiting(server, id, None),
        Some(pane) if !pane.life.awaits(generation) => return,
        Some(_) => {}
    }
    tracing::warn!(pane = %id, reason, "a program could not be started");
    run::resume_waiting(server, id, Some(reason));
    let pane = server.model.panes.get_mut(&id);
    let Some(pane) = pane.filter(|pane| pane.life.awaits(generation)) else {
        return;
    };
    if pane.is_waking() {
        failed::waking_failed(&mut server.model, id, reason);
    } else {
        manage::close_pane(&mut server.model, id);
    }
}

fn program_exited(server: &mut Server, id: PaneId, process: ProcessId, exit: Exit) {
    let pane = server.model.panes.get_mut(&id);
    let Some(pane) = pane.filter(|pane| pane.runs(process)) else {
        tracing::debug!(?process, ?exit, "an earlier program of the pane has ended");
        return;
    };
    tracing::debug!(pane = %id, ?process, ?exit, "a program has ended");
    pane.ended(exit);
    keep_exit_state(server, id);
    let pane = server.model.panes.get_mut(&id);
    let running = pane.and_then(|pane| pane.life.running_mut());
    if running.is_some_and(|running| std::mem::take(&mut running.is_read_out)) {
        pane_ended(server, id);
    }
}

pub(crate) fn output_printed(server: &mut Server, id: PaneId, process: ProcessId) {
    if is_present(&mut server.model, id, process) {
        shells::printed_while_waking(&mut server.model, id);
        window_names::printed(&mut server.model, id);
    } else if let Some(pane) = server.model.panes.get(&id) {
        // The reader reports output once and waits for the next request, whichever process it reads by then.
        pane.screen.request_output_notice();
    }
}

/// The output of a pane's program has effects for the event loop.
pub(crate) fn effects_received(
    server: &mut Server,
    id: PaneId,
    process: ProcessId,
    effects: Vec<Effect>,
) {
    if is_present(&mut server.model, id, process) {
        clipboard::asked(&mut server.model, id, effects);
    }
}

/// All output of a process was read.
pub(crate) fn output_ended(server: &mut Server, id: PaneId, process: ProcessId) {
    if is_present(&mut server.model, id, process) {
        pane_ended(server, id);
    }
}
/// A program has ended and all its output was read.
pub(crate) fn pane_ended(server: &mut Server, id: PaneId) {
    if popup::popup_ended(&mut server.model, id)
        || failed::ended_while_waking(&mut server.model, id)
    {
        return;
    }
    follow::shell_ended(&mut server.model, id);
    // The keeper may not have reported the end yet.
    keep_exit_state(server, id);
    let is_terminated = server.shutdown.leaving.is_terminated();
    dead::program_ended(&mut server.model, is_terminated, id);
}

/// Whether a process is the present one of a pane or popup.
fn is_present(model: &mut Model, id: PaneId, process: ProcessId) -> bool {
    let pane = model.panes.get(&id);
    let is_panes = pane.is_some_and(|pane| pane.runs(process));
    is_panes || popup::has_popup_with(model, id, process)
}

/// The recorder has read the facts of a pane's program.
pub(crate) fn facts_received(model: &mut Model, id: PaneId, process: ProcessId, facts: Facts) {
    if is_present(model, id, process) {
        stored::set_facts(model, id, facts);
    }
}

#[cfg(test)]
mod tests;

/// A pane's program has ended: keeps the state that its shell has reported at its end. The end of the server does not
/// wait for it any longer.
fn keep_exit_state(server: &mut Server, id: PaneId) {
    if !idle_capture::keep_exit_state(&mut server.model, &server.hibernation, id) {
        return;
    }
    let pane = server.model.panes.get(&id);
    let is_due = pane.is_some_and(|pane| pane.capture.is_due());
    let missed = is_due.then_some("its shell has ended");
    last_capture::last_capture_settled(&mut server.model, &mut server.shutdown, id, missed);
}
