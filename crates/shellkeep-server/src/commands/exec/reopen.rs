//! `reopen`: reopens an archived session.

use shellkeep_command::cmd::reopen::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::persistence::archive;
use crate::process::call;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let wanted = args.target.as_deref().or(args.name.as_deref());
    let archived = match archive::archived(
        &mut server.model,
        &mut server.persistence,
        &server.thread_events,
    ) {
        Ok(archived) => archived,
        Err(wait) => return Ok(wait),
    };
    let found = crate::commands::exec::lookup::archived(
        &archived,
        wanted,
        &call::call_for(&server.model, caller),
    )?;
    let name = archive::reopen(&mut server.model, &mut server.persistence, caller, found.id)?;
    Ok(Reply {
        stdout: format!("{name}\n").into_bytes(),
        ..Reply::default()
    })
}
