//! `display-message`: shows or prints a message.

use std::time::Duration;

use serde_json::{Map, Value as Json, json};
use shellkeep_command::cmd::display_message::{Args, NAME};
use shellkeep_command::format::Expander;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::ClientId;

use crate::commands::exec::listing::command_scope;
use crate::commands::exec::{listing, split_window};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::formats::Scope;
use crate::server::Server;
use crate::status::message;
use crate::status::message::Shown;

const TEMPLATE: &str = "[#{session_name}] #{window_index}:#{window_name}, \
    current pane #{pane_index} - (%H:%M %d-%b-%y)";

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if args.open_input {
        return open_input(server, caller, args);
    }
    let template = match (&args.format, &args.message) {
        (Some(_), Some(_)) => return Err("only one of -F or argument must be given".to_owned()),
        (Some(template), None) | (None, Some(template)) => template,
        (None, None) => TEMPLATE,
    };
    let delay = args.delay.as_deref().map(delay).transpose()?;
    // A missing target is no error: variables that depend on it are empty.
    let found = targets::find_partly(&server.model, caller, args.target.as_deref());
    let client = targets::client(&server.model, caller, args.client.as_deref()).ok();
    let scope = scope(server, caller, client, found);
    if args.list_variables {
        return Ok(variables(&scope, args));
    }
    let (trace, message) = if args.verbose {
        Expander::new().trace_time(template, &scope)
    } else {
        (Vec::new(), scope.expand_time(template))
    };
    if args.json {
        return Ok(listing::json(&json!([{ "text": message }])));
    }
    let mut out: String = trace.iter().flat_map(|line| [line, "\n"]).collect();
    if args.print {
        out.push_str(&message);
        out.push('\n');
    } else if let Some(client) = client {
        let shown = Shown {
            delay,
            ignores_keys: args.ignore_keys,
        };
        message::show_message(&mut server.model, client, &message, shown);
    }
    Ok(Reply::text(out))
}

/// Shows the caller's standard input in an empty pane.
fn open_input(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = targets::pane(&server.model, caller, args.target.as_deref())?;
    let pane = server.model.panes.get(&id);
    if pane.is_none_or(|pane| pane.pid().is_some() || pane.is_dead()) {
        return Err("pane is not empty".to_owned());
    }
    let reader = split_window::reader(server, caller)?;
    Ok(Reply {
        wait: split_window::read_into(server, reader, id),
        ..Reply::default()
    })
}

fn delay(text: &str) -> Result<Duration, String> {
    match text.parse::<i64>() {
        Ok(time) if time < 0 => Err("delay too small".to_owned()),
        Ok(time) => match u32::try_from(time) {
            Ok(time) => Ok(Duration::from_millis(time.into())),
            Err(_) => Err("delay too large".to_owned()),
        },
        Err(_) => Err("delay invalid".to_owned()),
    }
}

/// The scope of the message: the pane and a client. The client is the caller's if it shows the pane's session,
/// otherwise one that does, otherwise the one that was active last.
fn scope<'a>(
    server: &'a Server,
    caller: &Caller,
    client: Option<ClientId>,
    found: Option<ResolvedTarget>,
) -> Scope<'a> {
    let scope = command_scope(&server.model, caller, NAME);
    let Some(found) = found else { return scope };
    let own = client.filter(|client| {
        let client = server.model.clients.get(client);
        client.is_some_and(|client| client.session == Some(found.session))
    });
    let attached = server.model.clients.values();
    let attached = attached.filter(|client| client.session.is_some());
    let latest = attached.max_by_key(|client| {
        let is_here = client.session == Some(found.session);
        (is_here, client.used)
    });
    let client = own.or_else(|| latest.map(|client| client.id));
    scope.client(client).found(found)
}

fn variables(scope: &Scope<'_>, args: &Args) -> Reply {
    let all = scope.all().into_iter();
    if args.json {
        let fields = all.map(|(name, value)| (name.to_owned(), value.into_json()));
        let object: Map<String, Json> = fields.collect();
        return listing::json(&json!([object]));
    }
    let lines = all.map(|(name, value)| format!("{name}={}\n", value.into_listed()));
    Reply::text(lines.collect::<String>())
}
