//! `list-panes`: lists the panes of a window, of a session, or all.

use shellkeep_command::Target;
use shellkeep_command::cmd::list_panes::{Args, NAME};

use crate::commands::exec::listing::{Listing, command_scope};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::formats::{PANE, Scope, Variable, named};
use crate::model::Session;
use crate::server::Server;

const TEMPLATE: &str = "#{pane_index}: [#{pane_width}x#{pane_height}] \
    [history #{history_size}/#{history_limit}, #{history_bytes} bytes] #{pane_id}\
    #{?pane_active, (active),}#{?pane_dead, (dead),}";

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let place = match (args.all, args.session) {
        (true, _) => "#{session_name}:#{window_index}.",
        (false, true) => "#{window_index}.",
        (false, false) => "",
    };
    let usual = format!("{place}{TEMPLATE}");
    let mut listing = Listing::new(args.format.as_deref(), &usual, args.json.into())
        .filter(args.filter.as_deref());
    let whose = named(&[
        "session_id",
        "session_name",
        "window_id",
        "window_index",
        "window_name",
        "window_active",
    ]);
    let base = command_scope(&server.model, caller, NAME);
    let mut list = |session: &Session, index: u32| {
        let window = base.clone().session(session.id).link(index);
        list_window(&window, &whose, &mut listing);
    };
    if args.all {
        for session in server.model.sessions_by_name() {
            session.links.keys().for_each(|index| list(session, *index));
        }
        return Ok(listing.reply());
    }
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    if let Some(session) = server.model.sessions.get(&found.session) {
        if args.session {
            session.links.keys().for_each(|index| list(session, *index));
        } else {
            list(session, found.index);
        }
    }
    Ok(listing.reply())
}

fn list_window(window: &Scope<'_>, whose: &[Variable], listing: &mut Listing<'_>) {
    let panes = window.window.map(|window| window.panes());
    for (line, pane) in panes.unwrap_or_default().iter().enumerate() {
        let scope = window.clone().pane(*pane).with("line", line.to_string());
        listing.add(&scope, &[whose, PANE]);
    }
}
