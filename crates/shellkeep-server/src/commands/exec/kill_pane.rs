//! `kill-pane`: closes a pane, or all others of its window.

use shellkeep_command::Target;
use shellkeep_command::cmd::kill_pane::Args;

use crate::commands::exec::split_window::panes_beside;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::manage;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    if !args.all_others {
        manage::unzoom(&mut server.model, found.window);
        manage::close_pane(&mut server.model, found.pane);
        return Ok(Reply::default());
    }
    manage::unzoom(&mut server.model, found.window);
    for pane in panes_beside(server, &found) {
        if pane != found.pane {
            manage::close_pane(&mut server.model, pane);
        }
    }
    Ok(Reply::default())
}
