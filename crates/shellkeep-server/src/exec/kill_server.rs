//! Ends everything.

use shellkeep_command::cmd::kill_server::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Ending, Rest, Server};

pub(super) fn run(server: &mut Server, args: &Args) -> Outcome {
    let rest = if args.keep {
        let saved = server.check_saved();
        saved.map_err(|why| format!("not ended: {why}"))?;
        Rest::Kept
    } else {
        Rest::Archived
    };
    server.ending = Some(Ending::Killed(rest));
    Ok(Reply::default())
}
