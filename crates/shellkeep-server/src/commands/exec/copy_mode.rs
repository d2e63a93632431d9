//! `copy-mode`: enters copy mode in a pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::copy_mode::Args;
use shellkeep_copy::EnterOptions;
use shellkeep_core::PaneId;

use crate::clients::{drag, mouse};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::modes::copy::CopyCall;
use crate::modes::{copy, stack};
use crate::search::requests;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref();
    let mut id = targets::find(&server.model, caller, target, Target::Pane)?.pane;
    if args.cancel {
        stack::leave_modes(&mut server.model, id);
        return Ok(Reply::default());
    }
    if args.mouse {
        let Some(found) = caller.mouse else {
            return Ok(Reply::default());
        };
        id = found.pane;
    }
    if args.exit_at_bottom && mouse::wheel_goes_to_program(&server.model, caller, id) {
        return mouse::send_mouse(&mut server.model, caller);
    }
    let source = match args.source.as_deref() {
        Some(source) => Some(targets::pane(&server.model, caller, Some(source))?),
        None => None,
    };
    let line = match args.line.as_deref() {
        Some(line) => Some(crate::commands::exec::lookup::number(line, "line")?.saturating_sub(1)),
        None => None,
    };
    let was_there = server.model.panes.get(&id).is_some_and(|p| p.is_in_mode());
    let options = EnterOptions {
        scroll_exit: args.exit_at_bottom,
        hide_position: args.hide_position,
        search: None,
    };
    copy::enter_copy_mode(&mut server.model, id, source, options);
    if args.mouse && !was_there {
        drag::drag_selection(&mut server.model, caller, id);
    }
    if let Some(line) = line {
        requests::copy_to(&mut server.model, id, line, 0);
    }
    if args.page_up {
        let nobody = Caller::default();
        return copy_command(server, id, &["page-up"], Some(1), &nobody);
    }
    Ok(Reply::default())
}

/// Runs a command of copy mode in a pane.
///
/// # Errors
/// If the pane is not in copy mode, or there is no such command.
pub(crate) fn copy_command(
    server: &mut Server,
    id: PaneId,
    words: &[&str],
    repeat: Option<u32>,
    caller: &Caller,
) -> Outcome {
    let queue = server.model.running();
    let queue = queue.and_then(|queue| server.commands.queues.get(&queue));
    let call = CopyCall {
        words,
        repeat,
        caller,
        current: queue.map(|queue| &queue.current),
        events: &server.events,
    };
    copy::copy_command(&mut server.model, id, call)
}
