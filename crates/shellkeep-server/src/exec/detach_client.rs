//! Gives terminals back.

use shellkeep_command::cmd::detach_client::Args;

use super::attach_session::{detach, detach_all};
use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if let Some(target) = &args.session {
        let session = super::session(server, caller, Some(target))?;
        detach_all(server, session, None);
        return Ok(Reply::default());
    }
    let client = super::client(server, caller, args.target.as_deref())?;
    if args.all_others {
        let others = server
            .state
            .clients
            .keys()
            .copied()
            .filter(|id| *id != client);
        for other in others.collect::<Vec<_>>() {
            detach(server, other);
        }
    } else {
        detach(server, client);
    }
    Ok(Reply::default())
}
