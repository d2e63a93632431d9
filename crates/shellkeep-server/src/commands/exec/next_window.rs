//! `next-window`: selects the next window of a session.

use shellkeep_command::cmd::next_window::Args;

use crate::commands::exec::select_window::{Among, step};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::model::Step;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = targets::session(&server.model, caller, args.target.as_deref())?;
    let among = if args.alert {
        Among::Alerted
    } else {
        Among::All
    };
    step(server, session, Step::Next, among)
}
