//! `send-prefix`: sends the prefix key, or the second one, to a pane's program.

use shellkeep_command::Target;
use shellkeep_command::cmd::send_prefix::Args;

use crate::commands::exec::{send_keys, sleeping};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::{Typed, Waker};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let name = if args.secondary { "prefix2" } else { "prefix" };
    let options = server.model.session_options(Some(found.session));
    let Some(key) = options.key(name).copied() else {
        return Ok(Reply::default());
    };
    let pane = server.model.panes.get(&found.pane);
    if pane.is_some_and(crate::model::Pane::is_in_mode) {
        send_keys::press(server, caller, found, &[key], 1)?;
        return Ok(Reply::default());
    }
    for pane in send_keys::receivers(server, found.pane) {
        sleeping::wake(server, pane, Waker::User);
        if let Some(pane) = server.model.panes.get_mut(&pane) {
            pane.type_in(&[Typed::Key(key.into())], 1);
        }
    }
    Ok(Reply::default())
}
