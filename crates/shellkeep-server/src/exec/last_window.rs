//! Shows the window that was shown before.

use shellkeep_command::cmd::last_window::Args;

use super::{Outcome, select_window};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = super::session(server, caller, args.target.as_deref())?;
    select_window::last(server, session)
}
