//! Gives terminals back.

use shellkeep_command::cmd::detach_client::Args;
use shellkeep_core::ClientId;

use super::attach_session::{Manner, clients_of, detach};
use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    let manner = match &args.command {
        Some(command) => Manner::Exec(command),
        None if args.hang_up => Manner::HangUp,
        None => Manner::Plain,
    };
    let leaving: Vec<ClientId> = if let Some(target) = &args.session {
        let session = super::session(server, caller, Some(target))?;
        clients_of(server, session)
    } else if args.all_others {
        let clients = server.state.clients.values();
        let others = clients.filter(|other| other.session.is_some() && other.id != client);
        others.map(|other| other.id).collect()
    } else {
        vec![client]
    };
    for client in leaving {
        detach(server, client, manner);
    }
    Ok(Reply::default())
}
