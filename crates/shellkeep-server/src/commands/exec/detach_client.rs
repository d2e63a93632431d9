//! `detach-client`: detaches clients.

use shellkeep_command::cmd::detach_client::Args;
use shellkeep_core::ClientId;

use crate::commands::exec::attach_session::{Manner, clients_of, detach};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = targets::client(&server.model, caller, args.target.as_deref())?;
    let manner = match &args.command {
        Some(command) => Manner::Exec(command),
        None if args.hang_up => Manner::HangUp,
        None => Manner::Plain,
    };
    let leaving: Vec<ClientId> = if let Some(target) = &args.session {
        let session = targets::session(&server.model, caller, Some(target))?;
        clients_of(server, session)
    } else if args.all_others {
        let clients = server.model.clients.values();
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
