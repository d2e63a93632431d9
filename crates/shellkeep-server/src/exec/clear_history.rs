//! Forgets what has scrolled off a pane.

use shellkeep_command::cmd::clear_history::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::pane(server, caller, args.target.as_deref())?;
    server.leave_modes(id);
    if let Some(pane) = server.state.panes.get(&id) {
        pane.screen.lock().clear_history();
        pane.screen.changed();
    }
    Ok(Reply::default())
}
