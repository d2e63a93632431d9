//! Goes to the pane that was active before.

use shellkeep_command::Target;
use shellkeep_command::cmd::last_pane::Args;

use super::Outcome;
use super::select_pane::{Input, last};
use crate::event_loop::{Server, Zoom};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    let input = Input::of(args.enable_input, args.disable_input);
    let zoom = if args.keep_zoom {
        Zoom::Keep
    } else {
        Zoom::End
    };
    last(server, &found, input, zoom)
}
