//! Ends a pane, or all others of its window.

use shellkeep_command::Target;
use shellkeep_command::cmd::kill_pane::Args;

use super::split_window::panes_beside;
use super::{Outcome, Reply};
use crate::event_loop::{Server, panes};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Pane)?;
    if !args.all_others {
        panes::unzoom(&mut server.state, found.window);
        server.close_pane(found.pane);
        return Ok(Reply::default());
    }
    panes::unzoom(&mut server.state, found.window);
    for pane in panes_beside(server, &found) {
        if pane != found.pane {
            server.close_pane(pane);
        }
    }
    Ok(Reply::default())
}
