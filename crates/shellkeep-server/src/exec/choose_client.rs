//! `choose-client`.

use shellkeep_command::Target;
use shellkeep_command::cmd::choose_client::Args;

use super::choose_tree::{direction, open, order, preview, template};
use super::{Outcome, find};
use crate::event_loop::Server;
use crate::overlay::tree::{Groups, Kind, Opened, Setup};
use crate::queue::Caller;

const FORMAT: &str = "#{t/p:client_activity}: session #{session_name}";

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = find(server, caller, args.target.as_deref(), Target::Pane)?;
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
