//! Types the prefix key.

use shellkeep_command::cmd::send_prefix::Args;
use shellkeep_term::key::encode_key;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::pane(server, caller, args.target.as_deref())?;
    let session = server
        .state
        .session_of(id)
        .and_then(|id| server.state.sessions.get(&id));
    let global = &server.state.options;
    let options = session.map_or_else(
        || global.sessions(),
        |session| global.session(&session.options),
    );
    let prefix = options.key("prefix").copied();
    if let (Some(key), Some(pane)) = (prefix, server.state.panes.get_mut(&id)) {
        let modes = pane.screen.lock().modes();
        let mut bytes = Vec::new();
        encode_key(&key, &modes, &mut bytes);
        pane.write(&bytes);
    }
    Ok(Reply::default())
}
