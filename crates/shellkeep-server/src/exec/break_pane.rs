//! Moves a pane out into a window of its own.

use shellkeep_command::Target;
use shellkeep_command::cmd::break_pane::Args;
use shellkeep_command::target::Found;

use super::{Outcome, Reply, link_window, placing};
use crate::event_loop::{InUse, Server, Show, Taken, names, panes};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let from = super::find(server, caller, args.source.as_deref(), Target::Pane)?;
    let to = placing::slot(server, caller, args.target.as_deref())?;
    let beside = placing::beside(args.after, args.before);
    let show = if args.detached {
        Show::Later
    } else {
        Show::Now
    };
    panes::unzoom(&mut server.state, from.window);
    let name = args.name.clone();
    let window = server.state.windows.get(&from.window);
    if window.is_some_and(|window| window.panes().len() == 1) {
        // The pane has a window of its own already: that one is moved.
        let from = link_window::link(server, from, to, beside, Taken::Stays, show)?;
        if let Some(name) = name {
            names::name_by_hand(&mut server.state, from.window, name);
        }
        server.unlink_window(from.session, from.index);
        return Ok(Reply::default());
    }
    let index = match beside {
        Some(side) => Some(placing::make_room(server, to, side).ok_or("no room for a window")?),
        None => to.index,
    };
    let session = server.state.sessions.get(&to.session);
    if let Some(index) = index
        && session.is_some_and(|session| session.links.contains_key(&index))
    {
        return Err(format!("index in use: {index}"));
    }
    let pane = server.state.panes.get(&from.pane);
    let first_name = pane.map(|pane| names::first_name(&server.state, pane));
    let window = server.break_pane(from.pane);
    match (name, first_name) {
        (Some(name), _) => names::name_by_hand(&mut server.state, window, name),
        (None, first) => {
            names::set_window_name(&mut server.state, window, first.unwrap_or_default())
        }
    }
    let index = server
        .place_window(window, to.session, index, Taken::Stays, show)
        .map_err(|InUse(index)| format!("index in use: {index}"))?;
    if !args.print {
        return Ok(Reply::default());
    }
    let found = Found {
        session: to.session,
        index,
        window,
        pane: from.pane,
    };
    Ok(placing::printed(
        server,
        caller,
        found,
        args.format.as_deref(),
    ))
}
