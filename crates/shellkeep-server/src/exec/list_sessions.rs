//! Lists the sessions, one a line, as tmux prints them.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use shellkeep_command::cmd::list_sessions::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::state::{Seconds, Session};

pub(super) fn run(server: &Server, args: &Args) -> Outcome {
    if args.format.is_some() || args.filter.is_some() || args.json {
        return Err("list-sessions with -F, -f or --json is not supported yet".to_owned());
    }
    let mut sessions: Vec<&Session> = server.state.sessions.values().collect();
    sessions.sort_by(|a, b| a.name.cmp(&b.name));
    let lines = sessions.into_iter().map(|session| {
        let attached = server
            .state
            .clients_of(session.id)
            .next()
            .map_or("", |_| " (attached)");
        format!(
            "{}: {} windows (created {}){attached}\n",
            session.name,
            session.links.len(),
            date(session.created)
        )
    });
    Ok(Reply::text(lines.collect::<String>()))
}

/// As C's `ctime` has it, in local time.
fn date(seconds: Seconds) -> String {
    let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    time.to_zoned(TimeZone::system())
        .strftime("%a %b %e %H:%M:%S %Y")
        .to_string()
}
