//! `link-window`: links a window to another session, too.

use shellkeep_command::Target;
use shellkeep_command::cmd::link_window::Args;
use shellkeep_command::target::{ResolvedTarget, Slot};

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::Side;
use crate::panes::windows::{Show, Taken};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let from = targets::find(
        &server.model,
        caller,
        args.source.as_deref(),
        Target::Window,
    )?;
    let to = placing::slot(server, caller, args.target.as_deref())?;
    let side = placing::named_side(args.after, args.before);
    let (taken, show) = ways(args.kill, args.detached);
    link(server, from, to, side, taken, show)?;
    Ok(Reply::default())
}

/// The meaning of `-k` and `-d`.
pub(crate) fn ways(kill: bool, detached: bool) -> (Taken, Show) {
    let taken = if kill { Taken::Ends } else { Taken::Stays };
    let show = if detached { Show::Later } else { Show::Now };
    (taken, show)
}

/// Links a window. This may change the index of the source.
pub(crate) fn link(
    server: &mut Server,
    from: ResolvedTarget,
    to: Slot,
    side: Option<Side>,
    taken: Taken,
    show: Show,
) -> Result<ResolvedTarget, String> {
    let mut slot = to;
    let mut from = from;
    if let Some(side) = side {
        let before: Vec<u32> = indexes(server, &from);
        slot.index = Some(placing::make_room(server, to, side).ok_or("no room for a window")?);
        let after = indexes(server, &from);
        let at = before.iter().position(|index| *index == from.index);
        from.index = at
            .and_then(|at| after.get(at).copied())
            .unwrap_or(from.index);
    }
    placing::link(server, &from, slot, taken, show)?;
    Ok(from)
}

/// The indexes of a session's windows, in order.
fn indexes(server: &Server, found: &ResolvedTarget) -> Vec<u32> {
    let session = server.model.sessions.get(&found.session);
    let keys = session.map(|session| session.links.keys().copied());
    keys.into_iter().flatten().collect()
}
