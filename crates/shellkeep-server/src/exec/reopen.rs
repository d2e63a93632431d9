//! Brings an archived session back.

use shellkeep_command::cmd::reopen::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &mut Server, args: &Args) -> Outcome {
    let wanted = args.target.as_deref().or(args.name.as_deref());
    let archived = match server.archived() {
        Ok(archived) => archived,
        Err(wait) => return Ok(wait),
    };
    let found = super::archived(&archived, wanted)?;
    let name = server.reopen(found)?;
    Ok(Reply {
        stdout: format!("{name}\n").into_bytes(),
        ..Reply::default()
    })
}
