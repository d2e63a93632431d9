//! Lets two windows change places.

use shellkeep_command::Target;
use shellkeep_command::cmd::swap_window::Args;
use shellkeep_core::{SessionId, WindowId};

use super::{Outcome, Reply, placing};
use crate::event_loop::{Server, sessions, windows};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let from = placing::source(server, caller, args.source.as_deref(), Target::Window)?;
    let to = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    let companions = server.state.companions(to.session);
    if from.session != to.session && companions.contains(&from.session) {
        return Err("can't move window, sessions are grouped".to_owned());
    }
    if from.window == to.window {
        return Ok(Reply::default());
    }
    put(server, from.session, from.index, to.window);
    put(server, to.session, to.index, from.window);
    windows::share_windows(&mut server.state, from.session);
    if from.session != to.session {
        windows::share_windows(&mut server.state, to.session);
    }
    if args.detached {
        windows::select_window(&mut server.state, to.session, to.index);
        if from.session != to.session {
            windows::select_window(&mut server.state, from.session, from.index);
        }
    }
    sessions::session_changed(&mut server.state, from.session);
    sessions::session_changed(&mut server.state, to.session);
    Ok(Reply::default())
}

fn put(server: &mut Server, session: SessionId, index: u32, window: WindowId) {
    if let Some(session) = server.state.sessions.get_mut(&session) {
        session.link(index, window);
    }
}
