//! `show-prompt-history`: lists the history of prompts.

use serde_json::json;
use shellkeep_command::cmd::show_prompt_history::Args;

use crate::commands::exec::listing;
use crate::commands::reply::{Outcome, Reply};
use crate::modes::prompt_line::PromptType;
use crate::server::Server;

pub(crate) fn run(server: &Server, args: &Args) -> Outcome {
    let kinds = kinds(args.prompt_type.as_deref())?;
    if args.json {
        let kinds = kinds.into_iter();
        let lists = kinds.map(
            |kind| json!({ "type": kind.name(), "lines": server.model.prompt_histories.of(kind) }),
        );
        return Ok(listing::json(&lists.collect()));
    }
    let mut out = String::new();
    for kind in kinds {
        out.push_str(&format!("History for {}:\n\n", kind.name()));
        for (number, line) in (1..).zip(server.model.prompt_histories.of(kind)) {
            out.push_str(&format!("{number}: {line}\n"));
        }
        out.push('\n');
    }
    Ok(Reply::text(out))
}

/// The prompt types: the one named, or all.
pub(crate) fn kinds(name: Option<&str>) -> Result<Vec<PromptType>, String> {
    match name {
        Some(name) => Ok(vec![PromptType::find(name)?]),
        None => Ok(PromptType::ALL.to_vec()),
    }
}
