//! `show-hooks`: lists hooks and their commands.

use shellkeep_command::Target;
use shellkeep_command::cmd::show_hooks::Args;
use shellkeep_command::options::{Hooks, Show};

use crate::commands::exec::option_place::Asked;
use crate::commands::exec::show_options::{Showing, show};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::server::Server;

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let showing = Showing {
        asked: Asked {
            server: false,
            global: args.global,
            window: args.window,
            pane: args.pane,
            target: args.target.as_deref(),
            kind: Target::Pane,
        },
        show: Show {
            hooks: Hooks::Only,
            ..Show::default()
        },
        quiet: false.into(),
        output: args.json.into(),
        option: args.hook.as_deref(),
    };
    show(server, caller, &showing)
}
