//! `display-panes`: shows the numbers of the panes.

use std::time::Duration;

use shellkeep_command::Script;
use shellkeep_command::cmd::display_panes::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::model::NumberKeys;
use crate::modes::key_grab::AnswerWait;
use crate::modes::{key_grab, pane_numbers};
use crate::server::Server;

/// The command for the chosen pane.
const SELECT: &str = "select-pane -t \"%%%\"";

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = targets::client(&server.model, caller, args.target.as_deref())?;
    let session = server
        .model
        .clients
        .get(&client)
        .and_then(|client| client.session);
    let options = server.model.session_options(session);
    let milliseconds = match &args.duration {
        Some(text) => crate::commands::exec::lookup::number(text, "delay")?,
        None => options.number("display-panes-time").unsigned_abs(),
    };
    let template = args.template.clone();
    let keys = match args.ignore_keys {
        true => NumberKeys::Pass,
        false => NumberKeys::Choose,
    };
    let answer_wait = match args.background {
        true => AnswerWait::Continues,
        false => AnswerWait::Waits,
    };
    let (asker, reply) = key_grab::asker(&server.model, caller, client, answer_wait);
    pane_numbers::show_pane_numbers(
        &mut server.model,
        client,
        Duration::from_millis(milliseconds),
        template.unwrap_or_else(|| Script::from(SELECT)),
        keys,
        asker,
    );
    Ok(reply)
}
