//! Forgets what was typed at prompts.

use shellkeep_command::cmd::clear_prompt_history::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;

pub(super) fn run(server: &mut Server, args: &Args) -> Outcome {
    for kind in super::show_prompt_history::kinds(args.prompt_type.as_deref())? {
        server.clear_prompt_history(kind);
    }
    Ok(Reply::default())
}
