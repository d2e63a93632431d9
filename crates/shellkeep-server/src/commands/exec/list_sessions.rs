//! `list-sessions`: lists the sessions, one on each line.

use std::path::Path;
use std::sync::Arc;

use nix::fcntl::OFlag;
use nix::sys::stat::Mode;
use serde_json::{Map, Value as Json};
use shellkeep_command::cmd::list_sessions::{Args, NAME};
use shellkeep_keeper::process::terminal_size;

use crate::commands::exec::listing::{Form, Listing, command_scope};
use crate::commands::printable;
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::formats::{SESSION, Value};
use crate::panes::facts::facts;
use crate::persistence::archive;
use crate::persistence::archived::Archived;
use crate::server::Server;

/// tmux's line, whose beginning scripts parse. The state of a session that is not awake is added at the end.
macro_rules! line {
    ($created:literal, $lost:literal) => {
        concat!(
            "#{session_name}: #{session_windows} windows",
            $created,
            "#{?session_grouped, (group ,}#{session_group}#{?session_grouped,),}\
            #{?session_attached, (attached),}\
            #{?#{==:#{session_state},active},, (#{session_state}#{?session_archive_id, #{session_archive_id},}\
            #{?session_lost,; ended: ",
            $lost,
            ",})}"
        )
    };
}

const TEMPLATE: &str = line!(" (created #{t:session_created})", "#{session_lost}");

/// The line for a user's terminal: the age instead of a date, so that everything fits.
const LONG_TEMPLATE: &str = concat!(line!("", "#{=/30/…:session_lost}"), " [#{session_facts}]");

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let archived = match args.all.then(|| {
        archive::archived(
            &mut server.model,
            &mut server.persistence,
            &server.thread_events,
        )
    }) {
        None => Arc::default(),
        Some(Ok(archived)) => archived,
        Some(Err(wait)) => return Ok(wait),
    };
    let terminal = printable::readers_terminal(&server.model, caller);
    let usual = match terminal {
        Some(_) => LONG_TEMPLATE,
        None => TEMPLATE,
    };
    let cols = terminal.and_then(|terminal| cols_of(&terminal));
    let mut listing = Listing::new(args.format.as_deref(), usual, Form::from(args.json))
        .filter(args.filter.as_deref())
        .cols(cols);
    for (line, session) in server.model.sessions_by_name().into_iter().enumerate() {
        let scope = command_scope(&server.model, caller, NAME).session(session.id);
        listing.add(&scope.with("line", line.to_string()), &[SESSION]);
    }
    add_archived(server, caller, &archived.sessions, &mut listing);
    let reply = listing.reply();
    archive::complain_of_archive(&mut server.model, caller, &archived);
    Ok(reply)
}

fn cols_of(terminal: &Path) -> Option<usize> {
    let flags = OFlag::O_RDONLY | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let terminal = nix::fcntl::open(terminal, flags, Mode::empty()).ok()?;
    Some(usize::from(terminal_size(&terminal)?.cols()))
}

fn add_archived(
    server: &Server,
    caller: &Caller,
    archived: &[Archived],
    listing: &mut Listing<'_>,
) {
    let now = server.model.now();
    for archived in archived {
        let variables = archived.variables(now);
        let mut scope = command_scope(&server.model, caller, NAME);
        for (name, value) in &variables {
            scope = scope.with(name, value.clone().into_text());
        }
        let text = facts(now, archived.times(), 0, Some(archived.size), None);
        let scope = scope.with("session_facts", text);
        listing.add_object(&scope, || object(variables));
    }
}

/// A JSON object with all fields that any session has.
fn object(variables: Vec<(&'static str, Value)>) -> Json {
    let fields = SESSION.iter();
    let mut fields: Map<String, Json> = fields
        .map(|(name, _)| ((*name).to_owned(), Json::Null))
        .collect();
    let known = variables.into_iter();
    fields.extend(known.map(|(name, value)| (name.to_owned(), value.into_json())));
    fields.into()
}
