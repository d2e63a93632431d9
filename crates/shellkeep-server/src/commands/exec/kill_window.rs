//! `kill-window`: closes a window, or all others of its session.

use shellkeep_command::Target;
use shellkeep_command::cmd::kill_window::Args;
use shellkeep_core::WindowId;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::windows;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    if !args.all_others {
        windows::close_window(&mut server.model, found.window);
        return Ok(Reply::default());
    }
    let session = server.model.sessions.get(&found.session);
    let windows = session.map(|session| session.links.values().map(|link| link.window));
    let others: Vec<WindowId> = windows
        .into_iter()
        .flatten()
        .filter(|window| *window != found.window)
        .collect();
    for window in others {
        windows::close_window(&mut server.model, window);
    }
    Ok(Reply::default())
}
