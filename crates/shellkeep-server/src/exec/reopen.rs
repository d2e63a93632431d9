//! Brings an archived session back.

use shellkeep_command::cmd::reopen::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &mut Server, args: &Args) -> Outcome {
    let wanted = args.target.as_deref().or(args.name.as_deref());
    let found = server.find_archived(wanted)?;
    let name = server.reopen(found)?;
    Ok(Reply {
        stdout: format!("{name}\n").into_bytes(),
        ..Reply::default()
    })
}
