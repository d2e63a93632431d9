//! `clear-history`: drops a pane's history.

use shellkeep_command::cmd::clear_history::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::modes::stack;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = targets::pane(&server.model, caller, args.target.as_deref())?;
    stack::leave_modes(&mut server.model, id);
    if let Some(pane) = server.model.panes.get(&id) {
        pane.screen.lock().clear_history();
        pane.screen.changed();
    }
    Ok(Reply::default())
}
