//! Panes whose program has ended: they are closed, stay open as `remain-on-exit` says, or get a new program.

use std::time::Duration;

use nix::sys::signal::Signal;
use shellkeep_core::PaneId;
use shellkeep_keeper::{Exit, HostRequest, SpawnRequest};
use shellkeep_term::Effects;

use crate::alarm::Alarm;
use crate::formats;
use crate::hibernation::{idle_capture, outcome};
use crate::model::notice::Notice;
use crate::model::{Model, Pane};
use crate::panes::manage;
use crate::persistence::state::Persistence;
use crate::status::window_names;

/// How long a pane stays open whose program was ended by a signal. A system that shuts down sends SIGTERM to programs
/// and to the server, in any order: if the server gets its own within this time, the pane is kept for the next server.
/// If not, a user has ended the program alone, and the pane is closed.
const END_GRACE: Duration = Duration::from_secs(1);

/// A pane's program has ended and all its output was read.
pub(crate) fn program_ended(model: &mut Model, is_terminated: bool, id: PaneId) {
    let now = model.now();
    let choice = model.pane_options(id).text("remain-on-exit");
    let (always, if_failed) = (choice == "on", choice == "failed");
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    // The notice is about a program that was replaced since.
    if !pane.has_program() {
        return;
    }
    if (always || if_failed) && pane.life.exit().is_none() && !pane.is_asleep() {
        // The exit status is needed to decide, or for the message, and the keeper is about to report it.
        if let Some(running) = pane.life.running_mut() {
            running.is_read_out = true;
        }
        return;
    }
    let has_failed = pane.life.exit().is_none_or(|exit| exit.status() != Some(0));
    let remains = always || (if_failed && has_failed);
    if !remains && pane.screen.is_kept() && is_terminated {
        // Its exit status does not count here: fish and zsh exit on SIGHUP as if the user had ended them.
        return leave_ended_pane(model, id);
    }
    if !remains && may_end_with_system(pane) {
        return wait_for_end_of_system(model, id);
    }
    if !remains {
        return close_ended(model, id);
    }
    if pane.is_dead() {
        return;
    }
    if pane.life.falling().is_some() {
        outcome::cancel_sleep(model, id, "its program has ended");
    }
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.dies(now);
    }
    model.notify(Notice::PaneDied(id));
    write_end_message(model, id);
}

/// The server got no SIGTERM in time: closes a pane whose program was ended by a signal.
pub(crate) fn end_grace_over(model: &mut Model, id: PaneId) {
    let pane = model.panes.get_mut(&id);
    let running = pane.and_then(|pane| pane.life.running_mut());
    if running.is_some_and(|running| running.end_grace.take().is_some()) {
        close_ended(model, id);
    }
}

fn close_ended(model: &mut Model, id: PaneId) {
    let Some(window) = model.panes.get(&id).map(|pane| pane.window) else {
        return;
    };
    model.notify(Notice::PaneExited { pane: id, window });
    let is_alone = model.panes_of(window).nth(1).is_none();
    if is_alone {
        // As in tmux, where the layout loses its last pane before the window is closed.
        model.notify(Notice::WindowLayoutChanged(window));
    }
    manage::close_pane(model, id);
}

/// Starts a new program in a pane: the old one ends and the screen is cleared.
pub(crate) fn restart_pane(
    model: &mut Model,
    persistence: &Persistence,
    id: PaneId,
    spawn: SpawnRequest,
) {
    let is_falling = |pane: &Pane| pane.life.falling().is_some();
    if model.panes.get(&id).is_some_and(is_falling) {
        // The capture under way is of the shell that ends here.
        outcome::cancel_sleep(model, id, "it is started anew");
    }
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    if pane.life.has_process() {
        model.outside.keeper.request(HostRequest::Close(id));
    }
    let was_dead = pane.is_dead();
    // The scripts that are being written for its shell are not needed any more.
    pane.restarts();
    pane.start_path.clone_from(&spawn.cwd);
    pane.screen.lock().reset();
    pane.screen.changed();
    let window = pane.window;
    if was_dead {
        // The new program may print nothing for a while, and until it does the window would be called dead.
        window_names::name_window(model, window);
    }
    idle_capture::forget_captured(model, persistence.keeping.as_ref(), id);
    manage::start_program(model, spawn, None);
    model.window_note_due(window);
    model.redraw_window(window);
}

/// On SIGTERM: leaves panes whose programs were just ended by a signal to the next server.
pub(crate) fn leave_ended_panes(model: &mut Model) {
    let panes = model.panes.values();
    let ended = panes.filter(|pane| {
        let running = pane.life.running();
        running.is_some_and(|running| running.end_grace.is_some())
    });
    for id in ended.map(|pane| pane.id).collect::<Vec<_>>() {
        leave_ended_pane(model, id);
    }
}

/// Leaves a pane to the next server as one whose program was lost: the keeper drops its terminal, and no note reports
/// it as closed.
fn leave_ended_pane(model: &mut Model, id: PaneId) {
    if let Some(pane) = model.panes.get_mut(&id) {
        if let Some(running) = pane.life.running_mut() {
            running.end_grace = None;
        }
        let window = pane.window;
        model.outside.keeper.request(HostRequest::Close(id));
        model.window_note_due(window);
    }
}

/// Writes into the last row of a pane that its program has ended (`remain-on-exit-format`).
fn write_end_message(model: &mut Model, id: PaneId) {
    let template = model.pane_options(id).text("remain-on-exit-format");
    let Some(place) = model.place_of(id) else {
        return;
    };
    let text = formats::scope(model).found(place).expand_time(template);
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let size = pane.size;
    let text: String = without_styles(&text)
        .chars()
        .filter(|c| !c.is_control())
        .take(usize::from(size.cols()))
        .collect();
    // First abort any unfinished escape sequence, and reset margins and character sets.
    let mut bytes = String::from("\x18\x1b[?6l\x1b[?69l\x1b[r\x0f\x1b(B\x1b[m");
    if !text.is_empty() {
        bytes.push_str(&format!("\x1b[{};1H\n{text}", size.rows()));
    }
    bytes.push_str("\x1b[?25l");
    pane.screen
        .lock()
        .feed(bytes.as_bytes(), &mut Effects::new());
    pane.screen.changed();
    let window = pane.window;
    window_names::name_window(model, window);
    model.window_note_due(window);
    model.redraw_window(window);
}

/// A pane's program was ended by a signal, or its exit is unknown. If the server gets SIGTERM too, the system is
/// shutting down, and the next server finds the pane as if everything had been killed at once. Otherwise the pane is
/// closed after [`END_GRACE`].
fn wait_for_end_of_system(model: &mut Model, id: PaneId) {
    let timer = model.set_alarm(Alarm::EndGrace(id), END_GRACE);
    let pane = model.panes.get_mut(&id);
    if let Some(running) = pane.and_then(|pane| pane.life.running_mut()) {
        running.end_grace = Some(timer);
        // The keeper may be about to report how it ended; mostly it exited by itself.
        running.is_read_out = running.exit.is_none();
    }
}

/// Whether a pane's program may have been ended by a system shutdown, and the pane is on disk.
fn may_end_with_system(pane: &Pane) -> bool {
    let is_told_to = |signal| [Signal::SIGTERM as i32, Signal::SIGHUP as i32].contains(&signal);
    pane.screen.is_kept()
        && match pane.life.exit() {
            None | Some(Exit::Unseen) => true,
            Some(Exit::Signal(signal)) => is_told_to(signal),
            Some(Exit::Status(_)) => false,
        }
}

/// A text without `#[…]`.
fn without_styles(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some(at) = rest.find("#[") {
        plain.push_str(&rest[..at]);
        rest = rest[at..].split_once(']').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain
}
