//! Shows a clock in a pane.

use shellkeep_command::cmd::clock_mode::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let pane = super::pane(server, caller, args.target.as_deref())?;
    server.enter_clock_mode(pane);
    Ok(Reply::default())
}
