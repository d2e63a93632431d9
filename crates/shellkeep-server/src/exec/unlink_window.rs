//! Takes a window out of one of the sessions that show it.

use shellkeep_command::Target;
use shellkeep_command::cmd::unlink_window::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    // Sessions of one group have their windows together, and count once.
    let companions = server.state.companions(found.session);
    let links = server.state.links_of(found.window);
    let links = links.filter(|(session, _)| !companions.contains(session));
    let count = links.count();
    if !args.kill && count < 2 {
        return Err("window only linked to one session".to_owned());
    }
    server.unlink_window(found.session, found.index);
    Ok(Reply::default())
}
