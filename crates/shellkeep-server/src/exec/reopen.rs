//! Brings an archived session back.

use shellkeep_command::cmd::reopen::Args;

use super::{Outcome, Reply};
use crate::call;
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let wanted = args.target.as_deref().or(args.name.as_deref());
    let archived = match server.archived() {
        Ok(archived) => archived,
        Err(wait) => return Ok(wait),
    };
    let found = super::archived(&archived, wanted, &call::call_for(&server.state, caller))?;
    let name = server.reopen(caller, found.id)?;
    Ok(Reply {
        stdout: format!("{name}\n").into_bytes(),
        ..Reply::default()
    })
}
