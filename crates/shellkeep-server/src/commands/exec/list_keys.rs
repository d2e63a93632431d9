//! `list-keys`: lists the key bindings.

use serde_json::Value as Json;
use shellkeep_command::bind::{Binding, Filter, Repeat, Unnoted};
use shellkeep_command::cmd::list_keys::Args;
use shellkeep_command::parse::print_sequences;

use crate::clients::keys::{PREFIX, ROOT};
use crate::commands::exec::bind_key::read_key;
use crate::commands::exec::listing::json;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;
use crate::status::message;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let key = match &args.key {
        Some(name) => Some(read_key(name).ok_or_else(|| format!("invalid key: {name}"))?),
        None => None,
    };
    let table = args.table.as_deref();
    if let Some(table) = table.filter(|table| !server.model.key_tables.has_table(table)) {
        return Err(format!("table {table} doesn't exist"));
    }
    let filter = Filter { table, key };
    let text = if args.json {
        return json_of(server, args, filter);
    } else if args.notes {
        notes(server, caller, args, filter)
    } else {
        server.model.key_tables.print(filter)
    };
    match &args.key {
        Some(name) if text.is_empty() => return Err(format!("unknown key: {name}")),
        _ => {}
    }
    // As in tmux, a single note is shown as a message on the client, or printed if there is no client.
    let is_message = args.notes && args.first;
    match targets::client(&server.model, caller, None)
        .ok()
        .filter(|_| is_message)
    {
        Some(client) => {
            for line in text.lines() {
                message::show_plain_message(&mut server.model, client, line);
            }
            Ok(Reply::default())
        }
        None => Ok(Reply::text(text)),
    }
}

fn notes(server: &Server, caller: &Caller, args: &Args, filter: Filter<'_>) -> String {
    let session = targets::session(&server.model, caller, None).ok();
    let options = server.model.session_options(session);
    let prefix = match (&args.prefix, filter.table, options.key("prefix")) {
        (Some(text), ..) => text.clone(),
        (None, None, Some(key)) => format!("{key} "),
        (None, _, _) => String::new(),
    };
    let unnoted = if args.all {
        Unnoted::Shown
    } else {
        Unnoted::Hidden
    };
    let text = server
        .model
        .key_tables
        .print_notes(filter, &prefix, unnoted);
    if !args.first {
        return text;
    }
    // The first key of the root table, and the first one after the prefix.
    let is_behind = |line: &&str| !prefix.is_empty() && line.starts_with(&prefix);
    let behind = text.lines().find(is_behind);
    let root = text.lines().find(|line| !is_behind(line));
    let lines = root.into_iter().chain(behind);
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn json_of(server: &Server, args: &Args, filter: Filter<'_>) -> Outcome {
    // With notes, the same keys are listed as in the plain list.
    let is_listed = |table: &str, binding: &Binding| {
        let is_usual = filter.table.is_some() || [ROOT, PREFIX].contains(&table);
        let is_told = args.all || binding.note.is_some();
        !args.notes || (is_usual && is_told && !binding.key.is_mouse())
    };
    let all: Vec<Json> = server
        .model
        .key_tables
        .list(filter)
        .filter(|(table, binding)| is_listed(table, binding))
        .map(|(table, binding)| {
            serde_json::json!({
                "table": table,
                "key": binding.key.to_string(),
                "repeat": binding.repeat == Repeat::Repeats,
                "note": binding.note,
                "command": print_sequences(&binding.commands),
            })
        })
        .collect();
    match &args.key {
        Some(name) if all.is_empty() => Err(format!("unknown key: {name}")),
        _ => Ok(json(&Json::from(all))),
    }
}
