//! Shows hooks and their commands.

use shellkeep_command::Target;
use shellkeep_command::cmd::show_hooks::Args;
use shellkeep_command::options::{Hooks, Show};

use super::Outcome;
use super::option_place::Asked;
use super::show_options::{Showing, show};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
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
