//! `join-pane` by its other name.

use shellkeep_command::cmd::{join_pane, move_pane::Args};

use super::Outcome;
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: Args) -> Outcome {
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
    super::join_pane::run(server, caller, &args)
}
