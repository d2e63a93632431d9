//! Gives a window a name that stays.

use shellkeep_command::Target;
use shellkeep_command::cmd::rename_window::Args;

use super::{Outcome, Reply, placing};
use crate::event_loop::{Server, names};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    let name = placing::expand(server, caller, found, &args.name);
    names::name_by_hand(&mut server.state, found.window, name);
    Ok(Reply::default())
}
