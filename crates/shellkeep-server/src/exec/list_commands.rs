//! Lists the command table.

use shellkeep_command::cmd::list_commands::Args;
use shellkeep_command::{Spec, TABLE, usage};

use super::{Outcome, Reply};

pub(super) fn run(args: &Args) -> Outcome {
    let specs: Vec<&Spec> = match &args.command {
        Some(name) => vec![shellkeep_command::find(name).map_err(|error| error.to_string())?],
        None => TABLE.iter().collect(),
    };
    Ok(Reply::text(specs.into_iter().map(line).collect::<String>()))
}

/// `new-session (new) [-d] …`, as tmux prints it.
fn line(spec: &Spec) -> String {
    let usage = usage(spec);
    let usage = usage.trim_start_matches(spec.name);
    let aliases: String = spec
        .aliases
        .iter()
        .map(|alias| format!(" ({alias})"))
        .collect();
    format!("{}{aliases}{usage}\n", spec.name)
}
