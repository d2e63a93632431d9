//! Locks a client.

use shellkeep_command::cmd::lock_client::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Server, lock};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    lock::lock(&mut server.state, client);
    Ok(Reply::default())
}
