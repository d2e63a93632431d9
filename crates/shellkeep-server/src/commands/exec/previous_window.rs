//! `previous-window`: selects the previous window of a session.

use shellkeep_command::cmd::previous_window::Args;

use crate::commands::exec::select_window::step_in;
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::model::Step;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    step_in(
        server,
        caller,
        args.target.as_deref(),
        Step::Previous,
        args.alert,
    )
}
