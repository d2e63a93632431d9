//! `last-pane`: selects the previously active pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::last_pane::Args;

use crate::commands::exec::select_pane::{Input, last};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::panes::manage::Zoom;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    let input = Input::of(args.enable_input, args.disable_input);
    let zoom = if args.keep_zoom {
        Zoom::Keep
    } else {
        Zoom::End
    };
    last(server, &found, input, zoom)
}
