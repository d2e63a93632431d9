//! `choose-client`: shows the clients in a tree.

use shellkeep_command::Target;
use shellkeep_command::cmd::choose_client::Args;

use crate::commands::exec::choose_tree::{direction, open, order, preview, template};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::modes::overlay::tree::{Groups, Kind, Opened, Setup};
use crate::server::Server;

const FORMAT: &str = "#{t/p:client_activity}: session #{session_name}";

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let kind = Kind::Clients;
    let setup = Setup {
        kind,
        opened: Opened::Sessions,
        order: order(kind, args.sort_order.as_deref()),
        direction: direction(args.reverse),
        preview: preview(args.no_preview),
        groups: Groups::All,
        filter: args.filter.clone(),
        format: args.format.clone().unwrap_or_else(|| FORMAT.to_owned()),
        key_format: args.key_format.clone(),
        template: template(args.template.as_ref(), "detach-client -t '%%'"),
        home: None,
        client: caller.client,
        pane: None,
    };
    open(server, found.pane, setup, args.zoom)
}
