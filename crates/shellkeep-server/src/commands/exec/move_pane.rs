//! `move-pane`, another name of `join-pane`.

use shellkeep_command::cmd::join_pane;
use shellkeep_command::cmd::move_pane::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: Args) -> Outcome {
    let args = join_pane::Args {
        before: args.before,
        detached: args.detached,
        full: args.full,
        horizontal: args.horizontal,
        vertical: args.vertical,
        size: args.size,
        percent: args.percent,
        source: args.source,
        target: args.target,
    };
    crate::commands::exec::join_pane::run(server, caller, &args)
}
