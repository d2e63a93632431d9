//! `list-windows`: lists the windows of a session, or all.

use shellkeep_command::Target;
use shellkeep_command::cmd::list_windows::{Args, NAME};

use crate::commands::exec::listing::{Listing, command_scope};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::formats::{Variable, WINDOW, named};
use crate::model::Session;
use crate::server::Server;

const TEMPLATE: &str = "#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) \
    [#{window_width}x#{window_height}] [layout #{window_layout}] #{window_id}\
    #{?window_active, (active),}";
const TEMPLATE_OF_ALL: &str = "#{session_name}:#{window_index}: #{window_name}#{window_raw_flags} \
    (#{window_panes} panes) [#{window_width}x#{window_height}] ";

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let usual = if args.all { TEMPLATE_OF_ALL } else { TEMPLATE };
    let mut listing = Listing::new(args.format.as_deref(), usual, args.json.into())
        .filter(args.filter.as_deref());
    if args.all {
        for session in server.model.sessions_by_name() {
            list(server, caller, session, &mut listing);
        }
        return Ok(listing.reply());
    }
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Session,
    )?;
    if let Some(session) = server.model.sessions.get(&found.session) {
        list(server, caller, session, &mut listing);
    }
    Ok(listing.reply())
}

fn list(server: &Server, caller: &Caller, session: &Session, listing: &mut Listing<'_>) {
    let whose: Vec<Variable> = named(&["session_id", "session_name"]);
    for (line, index) in session.links.keys().enumerate() {
        let scope = command_scope(&server.model, caller, NAME)
            .session(session.id)
            .link(*index);
        listing.add(&scope.with("line", line.to_string()), &[&whose, WINDOW]);
    }
}
