//! `swap-window`: swaps two windows.

use shellkeep_command::Target;
use shellkeep_command::cmd::swap_window::Args;
use shellkeep_core::{SessionId, WindowId};

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::windows;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let from = placing::source(server, caller, args.source.as_deref(), Target::Window)?;
    let to = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    let companions = server.model.companions(to.session);
    if from.session != to.session && companions.contains(&from.session) {
        return Err("can't move window, sessions are grouped".to_owned());
    }
    if from.window == to.window {
        return Ok(Reply::default());
    }
    put(server, from.session, from.index, to.window);
    put(server, to.session, to.index, from.window);
    windows::share_windows(&mut server.model, from.session);
    if from.session != to.session {
        windows::share_windows(&mut server.model, to.session);
    }
    if args.detached {
        windows::select_window(&mut server.model, to.session, to.index);
        if from.session != to.session {
            windows::select_window(&mut server.model, from.session, from.index);
        }
    }
    server.model.session_changed(from.session);
    server.model.session_changed(to.session);
    Ok(Reply::default())
}

fn put(server: &mut Server, session: SessionId, index: u32, window: WindowId) {
    if let Some(session) = server.model.sessions.get_mut(&session) {
        session.link(index, window);
    }
}
