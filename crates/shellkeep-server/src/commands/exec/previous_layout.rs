//! `previous-layout`: applies the previous named layout to a window.

use shellkeep_command::cmd::previous_layout::Args;

use crate::commands::exec::select_layout::{Turn, turn_layout_of};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    turn_layout_of(server, caller, args.target.as_deref(), Turn::Previous)
}
