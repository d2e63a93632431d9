//! `break-pane`: moves a pane into a window of its own.

use shellkeep_command::Target;
use shellkeep_command::cmd::break_pane::Args;
use shellkeep_command::target::ResolvedTarget;

use crate::commands::exec::{link_window, placing};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::windows::{InUse, Show, Taken};
use crate::panes::{manage, windows};
use crate::server::Server;
use crate::status::first_name::first_name;
use crate::status::window_names;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let from = targets::find(&server.model, caller, args.source.as_deref(), Target::Pane)?;
    let to = placing::slot(server, caller, args.target.as_deref())?;
    let side = placing::named_side(args.after, args.before);
    let show = if args.detached {
        Show::Later
    } else {
        Show::Now
    };
    manage::unzoom(&mut server.model, from.window);
    let name = args.name.clone();
    let window = server.model.windows.get(&from.window);
    if window.is_some_and(|window| window.panes().len() == 1) {
        // The pane is alone in its window already, so the window is moved.
        let from = link_window::link(server, from, to, side, Taken::Stays, show)?;
        if let Some(name) = name {
            window_names::name_by_hand(&mut server.model, from.window, name);
        }
        windows::unlink_window(&mut server.model, from.session, from.index);
        return Ok(Reply::default());
    }
    let index = match side {
        Some(side) => Some(placing::make_room(server, to, side).ok_or("no room for a window")?),
        None => to.index,
    };
    let session = server.model.sessions.get(&to.session);
    if let Some(index) = index
        && session.is_some_and(|session| session.links.contains_key(&index))
    {
        return Err(format!("index in use: {index}"));
    }
    let pane = server.model.panes.get(&from.pane);
    let first_name = pane.map(|pane| first_name(&server.model, pane));
    let window = manage::break_pane(&mut server.model, from.pane);
    match (name, first_name) {
        (Some(name), _) => window_names::name_by_hand(&mut server.model, window, name),
        (None, first) => {
            window_names::set_window_name(&mut server.model, window, first.unwrap_or_default())
        }
    }
    let index = windows::place_window(
        &mut server.model,
        window,
        to.session,
        index,
        Taken::Stays,
        show,
    )
    .map_err(|InUse(index)| format!("index in use: {index}"))?;
    if !args.print {
        return Ok(Reply::default());
    }
    let found = ResolvedTarget {
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
