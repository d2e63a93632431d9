//! Ends a window, or all others of its session.

use shellkeep_command::Target;
use shellkeep_command::cmd::kill_window::Args;
use shellkeep_core::WindowId;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    if !args.all_others {
        server.close_window(found.window);
        return Ok(Reply::default());
    }
    let session = server.state.sessions.get(&found.session);
    let windows = session.map(|session| session.links.values().map(|link| link.window));
    let others: Vec<WindowId> = windows
        .into_iter()
        .flatten()
        .filter(|window| *window != found.window)
        .collect();
    for window in others {
        server.close_window(window);
    }
    Ok(Reply::default())
}
