//! Arranges the panes of a window in the previous of the ways that have names.

use shellkeep_command::Target;
use shellkeep_command::cmd::previous_layout::Args;

use super::select_layout::{Turn, turn_layout};
use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    turn_layout(server, found.window, Turn::Previous);
    Ok(Reply::default())
}
