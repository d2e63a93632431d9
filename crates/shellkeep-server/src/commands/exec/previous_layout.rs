//! `previous-layout`: applies the previous named layout to a window.

use shellkeep_command::Target;
use shellkeep_command::cmd::previous_layout::Args;

use crate::commands::exec::select_layout::{Turn, turn_layout};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    turn_layout(server, found.window, Turn::Previous);
    Ok(Reply::default())
}
