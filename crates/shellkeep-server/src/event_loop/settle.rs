//! Settling: what follows from an event once it is handled.

use crate::clients::{control, control_notices, focus, native};
use crate::commands::{control_lines, run};
use crate::event_loop::carry_out::carry_out;
use crate::event_loop::show_stale::show_stale;
use crate::event_loop::{format_jobs, hooks_due};
use crate::hibernation::{admission, wake, wake_many};
use crate::modes::copy;
use crate::panes::sizes;
use crate::persistence::{keeper_notes, kept_buffers};
use crate::server::Server;

type Step = fn(&mut Server);

/// The order matters: each step may leave work for later ones.
const STEPS: &[Step] = &[
    |server| wake_many::wake_next(&mut server.model, &mut server.hibernation),
    |server| admission::admit_next(&mut server.model, &mut server.hibernation),
    run::resume_woken,
    control_lines::run_waiting_lines,
    |server| focus::update_focus(&mut server.model),
    hooks_due::run_hooks,
    |server| sizes::fit_windows(&mut server.model),
    run_hooks_of_sizes,
    |server| native::check_native_clients(&mut server.model),
    // After the sizes, so that their notices are sent together with those of what caused them.
    notify_control_clients,
    |server| control::end_control_clients(&mut server.model),
    |server| sizes::fit_windows(&mut server.model),
    |server| copy::refit_modes(&mut server.model),
    wake_shown,
    |server| {
        drop(kept_buffers::keep_buffers(
            &mut server.model,
            &server.persistence,
        ))
    },
    |server| keeper_notes::write_notes(&mut server.model, &mut server.persistence),
    show_stale,
    format_jobs::start_format_jobs,
];

/// Does what follows from an event, once for all its changes: sizes, notes, hooks, frames.
pub(crate) fn settle(server: &mut Server) {
    for step in STEPS {
        step(server);
        carry_out(server);
    }
}

fn run_hooks_of_sizes(server: &mut Server) {
    if !server.model.changes.hooks.is_empty() {
        hooks_due::run_hooks(server);
        carry_out(server);
        sizes::fit_windows(&mut server.model);
    }
}

fn notify_control_clients(server: &mut Server) {
    let notices = std::mem::take(&mut server.model.changes.notices);
    control_notices::notify_control_clients(&mut server.model, &notices);
}

fn wake_shown(server: &mut Server) {
    if !server.model.changes.is_painting {
        wake::wake_shown(&mut server.model, &mut server.hibernation);
    }
}
