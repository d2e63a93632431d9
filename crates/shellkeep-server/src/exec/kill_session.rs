//! Ends a session, or all others; or forgets what happened in its windows.

use shellkeep_command::cmd::kill_session::Args;
use shellkeep_core::{PaneId, SessionId, WindowId};

use super::{Outcome, Reply};
use crate::event_loop::{Server, wake, windows};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = super::session(server, caller, args.target.as_deref())?;
    if args.clear_alerts {
        clear_alerts(server, session);
        return Ok(Reply::default());
    }
    let all = server.state.sessions.keys().copied();
    let doomed: Vec<SessionId> = if args.all_others {
        all.filter(|id| *id != session).collect()
    } else {
        vec![session]
    };
    let panes = doomed
        .iter()
        .flat_map(|id| wake::panes_in(&server.state, *id));
    let panes: Vec<PaneId> = panes.map(|pane| pane.id).collect();
    // What did not make it is in the log: scripts for tmux expect no word of this command.
    if let Err(wait) = server.capture_first(&panes) {
        return Ok(wait);
    }
    let mut closed = Vec::new();
    for session in doomed {
        closed.extend(super::archive::closed_by_hand(server, caller, session));
        server.close_session(session);
    }
    Ok(Reply {
        wait: server.until_archived(closed),
        ..Reply::default()
    })
}

fn clear_alerts(server: &mut Server, id: SessionId) {
    let session = server.state.sessions.get(&id);
    let windows = session.map(|session| session.links.values().map(|link| link.window));
    for window in windows.into_iter().flatten().collect::<Vec<WindowId>>() {
        windows::clear_alerts(&mut server.state, window);
    }
    server.state.redraw_session(id);
}
