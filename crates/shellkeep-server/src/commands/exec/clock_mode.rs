//! `clock-mode`: shows a clock in a pane.

use shellkeep_command::cmd::clock_mode::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::modes::clock;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let pane = targets::pane(&server.model, caller, args.target.as_deref())?;
    clock::enter_clock_mode(&mut server.model, pane);
    Ok(Reply::default())
}
