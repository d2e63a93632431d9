//! `clear-prompt-history`: drops the history of prompts.

use shellkeep_command::cmd::clear_prompt_history::Args;

use crate::commands::reply::{Outcome, Reply};
use crate::modes::prompt_history;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, args: &Args) -> Outcome {
    for kind in crate::commands::exec::show_prompt_history::kinds(args.prompt_type.as_deref())? {
        prompt_history::clear_prompt_history(&mut server.model, kind);
    }
    Ok(Reply::default())
}
