//! Lists the clients that show a session.

use shellkeep_command::Target;
use shellkeep_command::cmd::list_clients::{Args, NAME};

use super::Outcome;
use super::listing::Listing;
use crate::event_loop::Server;
use crate::queue::Caller;
use crate::variables::{CLIENT, named};

const TEMPLATE: &str = "#{client_name}: #{session_name} \
    [#{client_width}x#{client_height} #{client_termname}] \
    #{?#{!=:#{client_uid},#{uid}},[user #{?client_user,#{client_user},#{client_uid},}] ,}\
    #{?client_flags,(,}#{client_flags}#{?client_flags,),}";

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let of = args
        .target
        .as_deref()
        .map(|target| super::find(server, caller, Some(target), Target::Session))
        .transpose()?;
    let mut listing = Listing::new(args.format.as_deref(), TEMPLATE, args.json.into());
    let whose = named(&["session_id", "session_name"]);
    let clients = server.state.clients.values();
    let clients = clients.filter_map(|client| Some((client, client.session?)));
    let clients = clients.filter(|(_, session)| of.is_none_or(|of| of.session == *session));
    for (line, (client, _)) in clients.enumerate() {
        let scope = server.command_scope(caller, NAME).of_client(client.id);
        listing.add(&scope.with("line", line.to_string()), &[CLIENT, &whose]);
    }
    Ok(listing.reply())
}
