//! `kill-session`: closes a session, or all others; or clears the alerts of its windows.

use shellkeep_command::cmd::kill_session::Args;
use shellkeep_core::{PaneId, SessionId, WindowId};

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::hibernation::asleep;
use crate::panes::{sessions, windows};
use crate::persistence::archive;
use crate::server::Server;
use crate::shutdown::last_capture;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let session = targets::session(&server.model, caller, args.target.as_deref())?;
    if args.clear_alerts {
        clear_alerts(server, session);
        return Ok(Reply::default());
    }
    let all = server.model.sessions.keys().copied();
    let doomed: Vec<SessionId> = if args.all_others {
        all.filter(|id| *id != session).collect()
    } else {
        vec![session]
    };
    let panes = doomed
        .iter()
        .flat_map(|id| asleep::panes_in(&server.model, *id));
    let panes: Vec<PaneId> = panes.map(|pane| pane.id).collect();
    // Failures are only logged: tmux's scripts expect no output of this command.
    if let Err(wait) = last_capture::capture_first(
        &mut server.model,
        &mut server.shutdown,
        &mut server.hibernation,
        &panes,
    ) {
        return Ok(wait);
    }
    let mut closed = Vec::new();
    for session in doomed {
        closed.extend(crate::commands::exec::archive::closed_by_hand(
            server, caller, session,
        ));
        sessions::close_session(&mut server.model, session);
    }
    Ok(Reply {
        wait: archive::until_archived(&mut server.model, &mut server.persistence, closed),
        ..Reply::default()
    })
}

fn clear_alerts(server: &mut Server, id: SessionId) {
    let session = server.model.sessions.get(&id);
    let windows = session.map(|session| session.links.values().map(|link| link.window));
    for window in windows.into_iter().flatten().collect::<Vec<WindowId>>() {
        windows::clear_alerts(&mut server.model, window);
    }
    server.model.redraw_session(id);
}
