//! Types the prefix key, or the second one.

use shellkeep_command::Target;
use shellkeep_command::cmd::send_prefix::Args;
use shellkeep_term::key::encode_key;

use super::{Outcome, Reply, send_keys};
use crate::event_loop::{Server, Waker};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Pane)?;
    let name = if args.secondary { "prefix2" } else { "prefix" };
    let options = server.state.session_options(Some(found.session));
    let Some(key) = options.key(name).copied() else {
        return Ok(Reply::default());
    };
    let pane = server.state.panes.get(&found.pane);
    if pane.is_some_and(crate::state::Pane::is_in_mode) {
        send_keys::press(server, caller, found, &[key], 1)?;
        return Ok(Reply::default());
    }
    for pane in send_keys::receivers(server, found.pane) {
        server.wake(pane, Waker::User);
        if let Some(pane) = server.state.panes.get_mut(&pane) {
            let modes = pane.screen.lock().modes();
            let mut bytes = Vec::new();
            encode_key(&key, &modes, &mut bytes);
            pane.write(&bytes);
        }
    }
    Ok(Reply::default())
}
