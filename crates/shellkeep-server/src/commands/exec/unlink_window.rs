//! `unlink-window`: unlinks a window from a session.

use shellkeep_command::Target;
use shellkeep_command::cmd::unlink_window::Args;

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
    // The sessions of a group share their windows, and count as one.
    let companions = server.model.companions(found.session);
    let links = server.model.links_of(found.window);
    let links = links.filter(|(session, _)| !companions.contains(session));
    let count = links.count();
    if !args.kill && count < 2 {
        return Err("window only linked to one session".to_owned());
    }
    windows::unlink_window(&mut server.model, found.session, found.index);
    Ok(Reply::default())
}
