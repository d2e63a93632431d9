//! `list-clients`: lists the attached clients.

use shellkeep_command::Target;
use shellkeep_command::cmd::list_clients::{Args, NAME};

use crate::commands::exec::listing::{Listing, command_scope};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::formats::{CLIENT, named};
use crate::server::Server;

const TEMPLATE: &str = "#{client_name}: #{session_name} \
    [#{client_width}x#{client_height} #{client_termname}] \
    #{?#{!=:#{client_uid},#{uid}},[user #{?client_user,#{client_user},#{client_uid},}] ,}\
    #{?client_flags,(,}#{client_flags}#{?client_flags,),}";

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let of = args
        .target
        .as_deref()
        .map(|target| targets::find(&server.model, caller, Some(target), Target::Session))
        .transpose()?;
    let mut listing = Listing::new(args.format.as_deref(), TEMPLATE, args.json.into());
    let whose = named(&["session_id", "session_name"]);
    let clients = server.model.clients.values();
    let clients = clients.filter_map(|client| Some((client, client.session?)));
    let clients = clients.filter(|(_, session)| of.is_none_or(|of| of.session == *session));
    for (line, (client, _)) in clients.enumerate() {
        let scope = command_scope(&server.model, caller, NAME).of_client(client.id);
        listing.add(&scope.with("line", line.to_string()), &[CLIENT, &whose]);
    }
    Ok(listing.reply())
}
