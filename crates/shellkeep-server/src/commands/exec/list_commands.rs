//! `list-commands`: lists the command table.

use serde_json::{Value as Json, json};
use shellkeep_command::cmd::list_commands::{Args, NAME};
use shellkeep_command::{Spec, TABLE, Target, clap_command, usage};

use crate::commands::exec::listing::{Listing, command_scope};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::server::Server;

const TEMPLATE: &str = "#{command_list_name}#{?command_list_alias, (#{command_list_alias}),} \
    #{command_list_usage}";

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let mut listing = Listing::new(args.format.as_deref(), TEMPLATE, args.json.into());
    let wanted = TABLE.iter().filter(|spec| match args.command.as_deref() {
        Some(name) => spec.name == name || spec.aliases.contains(&name),
        None => true,
    });
    for spec in wanted {
        let usage = usage(spec);
        let usage = usage.strip_prefix(spec.name).unwrap_or(&usage);
        let scope = command_scope(&server.model, caller, NAME)
            .with("command_list_name", spec.name)
            .with("command_list_alias", spec.aliases.join(", "))
            .with("command_list_usage", usage.trim_start());
        listing.add_object(&scope, || describe(spec));
    }
    Ok(listing.reply())
}

/// A command with everything the table has on it.
fn describe(spec: &Spec) -> Json {
    let command = clap_command(spec);
    let (mut flags, mut arguments) = (Vec::new(), Vec::new());
    for arg in command.get_arguments() {
        let names = arg.get_value_names().unwrap_or_default();
        let value = names
            .first()
            .filter(|_| arg.get_action().takes_values())
            .map(|name| name.to_string());
        let help = arg.get_help().map(ToString::to_string);
        let flag = match (arg.get_short(), arg.get_long()) {
            (Some(short), _) => Some(format!("-{short}")),
            (None, Some(long)) => Some(format!("--{long}")),
            (None, None) => None,
        };
        match flag {
            Some(flag) => flags.push(json!({ "flag": flag, "value": value, "help": help })),
            None => arguments.push(json!({
                "name": value,
                "help": help,
                "is_required": arg.is_required_set(),
                "is_many": arg.get_num_args().is_some_and(|count| count.max_values() > 1),
            })),
        }
    }
    json!({
        "command_list_name": spec.name,
        "command_list_alias": spec.aliases.first(),
        "command_list_usage": usage(spec),
        "aliases": spec.aliases,
        "help": command.get_about().map(ToString::to_string),
        "flags": flags,
        "arguments": arguments,
        "target": kind(spec.target),
        "source": kind(spec.source),
        "starts_server": spec.traits.starts_server,
        "read_only": spec.traits.read_only,
        "is_local": spec.is_local(),
    })
}

/// What kind of target `-t` or `-s` names.
fn kind(target: Target) -> Option<&'static str> {
    match target {
        Target::None => None,
        Target::Session => Some("session"),
        Target::Window => Some("window"),
        Target::WindowIndex => Some("window-index"),
        Target::Pane => Some("pane"),
        Target::Client => Some("client"),
    }
}
