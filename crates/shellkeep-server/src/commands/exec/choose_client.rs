//! `choose-client`: shows the clients in a tree.

use shellkeep_command::cmd::choose_client::Args;

use crate::commands::exec::choose_tree::{Usual, open_list};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::modes::overlay::tree::Kind;
use crate::server::Server;

const USUAL: Usual = Usual {
    format: "#{t/p:client_activity}: session #{session_name}",
    template: "detach-client -t '%%'",
};

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let template = args.template.as_ref();
    open_list(server, caller, Kind::Clients, &args.choice, template, USUAL)
}
