//! `show-window-options`: lists options of windows.

use shellkeep_command::Target;
use shellkeep_command::cmd::show_window_options::Args;
use shellkeep_command::options::Show;

use crate::commands::exec::option_place::Asked;
use crate::commands::exec::show_options::{Showing, form, show};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::server::Server;

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let showing = Showing {
        asked: Asked {
            server: false,
            global: args.global,
            window: true,
            pane: false,
            target: args.target.as_deref(),
            kind: Target::Window,
        },
        show: Show {
            form: form(args.value_only),
            ..Show::default()
        },
        quiet: false.into(),
        output: args.json.into(),
        option: args.option.as_deref(),
    };
    show(server, caller, &showing)
}
