//! Moves a window to another place, or numbers a session's windows anew.

use shellkeep_command::Target;
use shellkeep_command::cmd::move_window::Args;

use super::{Outcome, Reply, link_window, placing};
use crate::event_loop::{Server, windows};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if args.renumber {
        let session = super::session(server, caller, args.target.as_deref())?;
        windows::renumber_windows(&mut server.state, session);
        return Ok(Reply::default());
    }
    let from = super::find(server, caller, args.source.as_deref(), Target::Window)?;
    let to = placing::slot(server, caller, args.target.as_deref())?;
    let beside = placing::beside(args.after, args.before);
    let (taken, show) = link_window::ways(args.kill, args.detached);
    let from = link_window::link(server, from, to, beside, taken, show)?;
    server.unlink_window(from.session, from.index);
    let options = server.state.session_options(Some(from.session));
    if args.source.is_none() && options.flag("renumber-windows") {
        windows::renumber_windows(&mut server.state, from.session);
    }
    Ok(Reply::default())
}
