//! Checks whether a session can be shown on a terminal.

use crate::commands::queue::Caller;
use crate::commands::targets;
use crate::model::Model;

/// Refuses what cannot work: no terminal, one that cannot be painted, or a pane of this server.
pub(crate) fn check_terminal(model: &Model, caller: &Caller) -> Result<(), String> {
    let Some(client) = targets::typist(model, caller) else {
        return Err("no current client".to_owned());
    };
    if client.control.is_some() {
        return Ok(());
    }
    let Some(tty) = client.tty() else {
        return Err("open terminal failed: not a terminal".to_owned());
    };
    if !client.terminal.caps.is_usable() {
        let term = client.context.env("TERM").unwrap_or_default();
        return Err(format!(
            "open terminal failed: a terminal of type '{term}' cannot be painted on; set TERM to what it is, e.g. xterm-256color"
        ));
    }
    let variable = match client.is_tmux {
        true => "TMUX",
        false => "SHELLKEEP",
    };
    let place = client.context.env(variable).unwrap_or_default();
    if !place.is_empty() && model.panes.values().any(|pane| pane.tty == tty) {
        return Err(format!(
            "sessions should be nested with care, unset ${variable} to force"
        ));
    }
    Ok(())
}
