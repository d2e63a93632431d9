//! Shows what was printed in a pane, to be looked through and copied from.

use shellkeep_command::Target;
use shellkeep_command::cmd::copy_mode::Args;
use shellkeep_copy::EnterOptions;

use super::{Outcome, Reply};
use crate::event_loop::{Server, search};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref();
    let mut id = super::find(server, caller, target, Target::Pane)?.pane;
    if args.cancel {
        server.leave_modes(id);
        return Ok(Reply::default());
    }
    if args.mouse {
        let Some(found) = caller.mouse else {
            return Ok(Reply::default());
        };
        id = found.pane;
    }
    if args.exit_at_bottom && server.wheel_goes_to_program(caller, id) {
        return server.send_mouse(caller);
    }
    let source = match args.source.as_deref() {
        Some(source) => Some(super::pane(server, caller, Some(source))?),
        None => None,
    };
    let line = match args.line.as_deref() {
        Some(line) => Some(super::number(line, "line")?.saturating_sub(1)),
        None => None,
    };
    let was_there = server.state.panes.get(&id).is_some_and(|p| p.is_in_mode());
    let options = EnterOptions {
        scroll_exit: args.exit_at_bottom,
        hide_position: args.hide_position,
        search: None,
    };
    server.enter_copy_mode(id, source, options);
    if args.mouse && !was_there {
        server.drag_selection(caller, id);
    }
    if let Some(line) = line {
        search::copy_to(&mut server.state, id, line, 0);
    }
    if args.page_up {
        let nobody = Caller::default();
        return server.copy_command(id, &["page-up"], Some(1), &nobody);
    }
    Ok(Reply::default())
}
