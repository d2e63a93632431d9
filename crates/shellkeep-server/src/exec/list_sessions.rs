//! Lists the sessions, one a line.

use shellkeep_command::cmd::list_sessions::{Args, NAME};

use super::Outcome;
use super::listing::Listing;
use crate::event_loop::Server;
use crate::queue::Caller;
use crate::variables::SESSION;

const TEMPLATE: &str = "#{session_name}: #{session_windows} windows (created #{t:session_created})\
    #{?session_grouped, (group ,}#{session_group}#{?session_grouped,),}\
    #{?session_attached, (attached),}\
    #{?#{==:#{session_state},active},, (#{session_state}#{?session_lost,; ended: #{session_lost},})}";

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let mut listing = Listing::new(args.format.as_deref(), TEMPLATE, args.json.into())
        .filter(args.filter.as_deref());
    for (line, session) in server.sessions_by_name().into_iter().enumerate() {
        let scope = server.command_scope(caller, NAME).session(session.id);
        listing.add(&scope.with("line", line.to_string()), &[SESSION]);
    }
    if args.all {
        for archived in server.archived() {
            let scope = server.command_scope(caller, NAME);
            let scope = archived
                .variables()
                .into_iter()
                .fold(scope, |scope, (name, value)| scope.with(name, value));
            listing.add(&scope, &[SESSION]);
        }
    }
    Ok(listing.reply())
}
