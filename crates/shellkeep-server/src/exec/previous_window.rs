//! Shows the previous window of a session.

use shellkeep_command::cmd::previous_window::Args;

use super::Outcome;
use super::select_window::{Among, step};
use crate::event_loop::Server;
use crate::queue::Caller;
use crate::state::Step;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = super::session(server, caller, args.target.as_deref())?;
    let among = if args.alert {
        Among::Alerted
    } else {
        Among::All
    };
    step(server, session, Step::Previous, among)
}
