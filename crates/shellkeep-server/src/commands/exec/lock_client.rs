//! `lock-client`: locks a client.

use shellkeep_command::cmd::lock_client::Args;

use crate::clients::lock;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = targets::client(&server.model, caller, args.target.as_deref())?;
    lock::lock(&mut server.model, client);
    Ok(Reply::default())
}
