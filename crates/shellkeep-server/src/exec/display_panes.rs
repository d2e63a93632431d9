//! Shows the panes' numbers.

use std::time::Duration;

use shellkeep_command::Script;
use shellkeep_command::cmd::display_panes::Args;

use super::Outcome;
use crate::event_loop::{NumberKeys, Patience, Server, front};
use crate::queue::Caller;

/// What is run for the pane that is chosen.
const SELECT: &str = "select-pane -t \"%%%\"";

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = super::client(server, caller, args.target.as_deref())?;
    let session = server
        .state
        .clients
        .get(&client)
        .and_then(|client| client.session);
    let options = server.state.session_options(session);
    let milliseconds = match &args.duration {
        Some(text) => super::number(text, "delay")?,
        None => options.number("display-panes-time").unsigned_abs(),
    };
    let template = args.template.clone();
    let keys = match args.ignore_keys {
        true => NumberKeys::Pass,
        false => NumberKeys::Choose,
    };
    let patience = match args.background {
        true => Patience::GoesOn,
        false => Patience::Waits,
    };
    let (asker, reply) = front::asker(&server.state, caller, client, patience);
    server.show_pane_numbers(
        client,
        Duration::from_millis(milliseconds),
        template.unwrap_or_else(|| Script::from(SELECT)),
        keys,
        asker,
    );
    Ok(reply)
}
