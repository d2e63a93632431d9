//! Stops a client as C-z stops a program.

use shellkeep_command::cmd::suspend_client::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Server, show};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    show::suspend(&mut server.state, client);
    Ok(Reply::default())
}
