//! Shows another session on a client's terminal.

use shellkeep_command::Target;
use shellkeep_command::cmd::switch_client::Args;
use shellkeep_core::{ClientId, SessionId};

use super::{Outcome, Reply};
use crate::event_loop;
use crate::event_loop::{Server, Zoom, keys, sessions, windows};
use crate::queue::Caller;
use crate::state::Step;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.client.as_deref())?;
    // Only a target that names more than a session is looked up as more.
    let names_more = |target: &str| target.contains([':', '.', '%']);
    let kind = match &args.target {
        Some(target) if names_more(target) => Target::Pane,
        _ => Target::Session,
    };
    let named = args.target.as_deref();
    let target = match super::find(server, caller, named, kind) {
        Ok(target) => target,
        Err(error) => return super::not_found(server, caller, named, error),
    };
    if args.read_only
        && let Some(client) = server.state.clients.get_mut(&client)
    {
        client.is_read_only = !client.is_read_only;
        client.ignores_size = client.is_read_only;
        server.state.sizes_due();
    }
    if let Some(table) = &args.table {
        if !server.commands.key_tables.has_table(table) {
            return Err(format!("table {table} doesn't exist"));
        }
        keys::set_key_table(&mut server.state, client, table);
        return Ok(Reply::default());
    }
    let session = if args.next {
        beside(server, client, Step::Next).ok_or("can't find next session")?
    } else if args.previous {
        beside(server, client, Step::Previous).ok_or("can't find previous session")?
    } else if args.last {
        last(server, client).ok_or("can't find last session")?
    } else {
        if caller.client.is_none() {
            return Ok(Reply::default());
        }
        if kind == Target::Pane {
            let zoom = if args.keep_zoom {
                Zoom::Keep
            } else {
                Zoom::End
            };
            server.select_pane_zoomed(target.pane, zoom);
        }
        windows::select_window(&mut server.state, target.session, target.index);
        target.session
    };
    if !args.keep_environment {
        sessions::update_environment(&mut server.state, session, client);
    }
    server.show_session(client, session);
    Ok(Reply::default())
}

/// The session after the one a client shows, by name, going around.
fn beside(server: &Server, client: ClientId, step: Step) -> Option<SessionId> {
    let own = server.state.clients.get(&client)?.session?;
    let order: Vec<SessionId> = event_loop::sessions_by_name(&server.state)
        .iter()
        .map(|s| s.id)
        .collect();
    let at = order.iter().position(|id| *id == own)?;
    let by = match step {
        Step::Next => 1,
        Step::Previous => order.len() - 1,
    };
    let found = order[(at + by) % order.len()];
    (found != own).then_some(found)
}

/// The session a client showed before.
fn last(server: &Server, client: ClientId) -> Option<SessionId> {
    let last = server.state.clients.get(&client)?.last_session?;
    server.state.sessions.contains_key(&last).then_some(last)
}
