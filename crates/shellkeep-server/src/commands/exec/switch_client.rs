//! `switch-client`: switches a client to another session.

use shellkeep_command::Target;
use shellkeep_command::cmd::switch_client::Args;
use shellkeep_core::{ClientId, SessionId};

use crate::clients::keys;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::Step;
use crate::panes::manage::Zoom;
use crate::panes::{manage, sessions, windows};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = targets::client(&server.model, caller, args.client.as_deref())?;
    // Only a target that names more than a session is resolved as a pane.
    let names_more = |target: &str| target.contains([':', '.', '%']);
    let kind = match &args.target {
        Some(target) if names_more(target) => Target::Pane,
        _ => Target::Session,
    };
    let named = args.target.as_deref();
    let target = match targets::find(&server.model, caller, named, kind) {
        Ok(target) => target,
        Err(error) => {
            return crate::commands::exec::lookup::not_found(server, caller, named, error);
        }
    };
    if args.read_only
        && let Some(client) = server.model.clients.get_mut(&client)
    {
        client.is_read_only = !client.is_read_only;
        client.ignores_size = client.is_read_only;
        server.model.sizes_due();
    }
    if let Some(table) = &args.table {
        if !server.model.key_tables.has_table(table) {
            return Err(format!("table {table} doesn't exist"));
        }
        keys::set_key_table(&mut server.model, client, table);
        return Ok(Reply::default());
    }
    let session = if args.next {
        neighbour(server, client, Step::Next).ok_or("can't find next session")?
    } else if args.previous {
        neighbour(server, client, Step::Previous).ok_or("can't find previous session")?
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
            manage::select_pane_zoomed(&mut server.model, target.pane, zoom);
        }
        windows::select_window(&mut server.model, target.session, target.index);
        target.session
    };
    if !args.keep_environment {
        sessions::update_environment(&mut server.model, session, client);
    }
    sessions::show_session(&mut server.model, client, session);
    Ok(Reply::default())
}

/// The session after a client's session, by name, wrapping around.
fn neighbour(server: &Server, client: ClientId, step: Step) -> Option<SessionId> {
    let own = server.model.clients.get(&client)?.session?;
    let order: Vec<SessionId> = server
        .model
        .sessions_by_name()
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

/// The session the client was attached to before.
fn last(server: &Server, client: ClientId) -> Option<SessionId> {
    let last = server.model.clients.get(&client)?.last_session?;
    server.model.sessions.contains_key(&last).then_some(last)
}
