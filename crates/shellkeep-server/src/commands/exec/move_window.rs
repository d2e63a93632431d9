//! `move-window`: moves a window to another index, or renumbers a session's windows.

use shellkeep_command::Target;
use shellkeep_command::cmd::move_window::Args;

use crate::commands::exec::{link_window, placing};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::windows;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if args.renumber {
        let session = targets::session(&server.model, caller, args.target.as_deref())?;
        windows::renumber_windows(&mut server.model, session);
        return Ok(Reply::default());
    }
    let from = targets::find(
        &server.model,
        caller,
        args.source.as_deref(),
        Target::Window,
    )?;
    let to = placing::slot(server, caller, args.target.as_deref())?;
    let side = placing::named_side(args.after, args.before);
    let (taken, show) = link_window::ways(args.kill, args.detached);
    let from = link_window::link(server, from, to, side, taken, show)?;
    windows::unlink_window(&mut server.model, from.session, from.index);
    let options = server.model.session_options(Some(from.session));
    if args.source.is_none() && options.flag("renumber-windows") {
        windows::renumber_windows(&mut server.model, from.session);
    }
    Ok(Reply::default())
}
