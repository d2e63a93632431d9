//! `last-window`: selects the previously current window.

use shellkeep_command::cmd::last_window::Args;

use crate::commands::exec::select_window;
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = targets::session(&server.model, caller, args.target.as_deref())?;
    select_window::last(server, session)
}
