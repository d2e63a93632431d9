//! `suspend-client`: stops a client, as C-z stops a program.

use shellkeep_command::cmd::suspend_client::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::show;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = targets::client(&server.model, caller, args.target.as_deref())?;
    show::suspend(&mut server.model, client);
    Ok(Reply::default())
}
