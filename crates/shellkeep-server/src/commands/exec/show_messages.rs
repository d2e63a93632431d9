//! `show-messages`: lists recent messages, running shell commands, or terminals.

use serde_json::{Value as Json, json};
use shellkeep_command::cmd::show_messages::{Args, NAME};
use shellkeep_command::format::Expander;

use crate::commands::exec::listing;
use crate::commands::exec::listing::command_scope;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let mut objects = Vec::new();
    let mut lines = String::new();
    if args.terminals {
        // As in tmux a client is needed; but JSON may be an empty list.
        if !args.json {
            targets::client(&server.model, caller, args.target.as_deref())?;
        }
        terminals(server, &mut lines, &mut objects);
    }
    if args.jobs {
        if args.terminals {
            lines.push('\n');
        }
        jobs(server, &mut lines, &mut objects);
    }
    if !args.terminals && !args.jobs {
        // tmux needs a client although messages are the server's; here only one that is named must exist.
        if args.target.is_some() {
            targets::client(&server.model, caller, args.target.as_deref())?;
        }
        messages(server, caller, &mut lines, &mut objects);
    }
    if args.json {
        return Ok(listing::json(&Json::Array(objects)));
    }
    Ok(Reply::text(lines))
}

fn messages(server: &Server, caller: &Caller, lines: &mut String, objects: &mut Vec<Json>) {
    let mut expander = Expander::new();
    for message in server.model.messages.iter().rev() {
        let scope = command_scope(&server.model, caller, NAME)
            .with("message_time", message.time.to_string());
        let text = message.text();
        let time = expander.expand("#{t/p:message_time}", &scope);
        lines.push_str(&format!("{time}: {text}\n"));
        objects.push(json!({
            "message_number": message.number,
            "message_time": message.time,
            "message_text": text,
        }));
    }
}

fn jobs(server: &Server, lines: &mut String, objects: &mut Vec<Json>) {
    for (number, (id, command)) in server.commands.jobs.running().enumerate() {
        lines.push_str(&format!("Job {number}: {command} [id={}]\n", id.0));
        objects.push(json!({ "job_id": id.0, "job_command": command }));
    }
}

fn terminals(server: &Server, lines: &mut String, objects: &mut Vec<Json>) {
    let clients = server.model.clients.values();
    let clients = clients.filter(|client| client.session.is_some() && !client.is_control);
    for (number, client) in clients.enumerate() {
        let term = client.context.env("TERM").unwrap_or_default();
        let (name, features) = (client.name(), client.terminal.caps.feature_names());
        lines.push_str(&format!("Terminal {number}: {term} for {name}:\n"));
        for (at, feature) in features.split(',').enumerate() {
            lines.push_str(&format!("{at:4}: {feature}\n"));
        }
        objects.push(json!({
            "client_name": name,
            "client_termname": term,
            "client_termfeatures": features,
        }));
    }
}
