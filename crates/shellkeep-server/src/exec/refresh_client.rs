//! Paints a terminal anew, or changes what a client sees, hears and how large it is.

use shellkeep_command::cmd::refresh_client::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Direction, Server, control_settings, pan, subscriptions};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::client(server, caller, args.target.as_deref())?;
    // The first of several is the one that counts, as in tmux.
    let directions = [
        (args.left, Direction::Left),
        (args.right, Direction::Right),
        (args.up, Direction::Up),
        (args.down, Direction::Down),
    ];
    let direction = directions.into_iter().find(|(is_set, _)| *is_set);
    if args.follow_cursor || direction.is_some() {
        let by = adjustment(args.adjustment.as_deref())?;
        match direction.filter(|_| !args.follow_cursor) {
            Some((_, direction)) => server.pan(id, direction, by),
            None => pan::follow_cursor(&mut server.state, id),
        }
        return Ok(Reply::default());
    }
    if let Some(pane) = &args.clipboard {
        let pane = match pane {
            Some(pane) => Some(super::pane(server, caller, Some(pane))?),
            None => None,
        };
        pan::ask_for_clipboard(&mut server.state, id, pane);
        return Ok(Reply::default());
    }
    // As in tmux, the older name is heeded first, and the other as well.
    for flags in [&args.old_client_flags, &args.client_flags]
        .into_iter()
        .flatten()
    {
        control_settings::set_client_flags(&mut server.state, id, flags)?;
    }
    let is_control = server
        .state
        .clients
        .get(&id)
        .is_some_and(|client| client.control.is_some());
    let concerns_control =
        args.size.is_some() || !args.subscriptions.is_empty() || !args.pane_states.is_empty();
    if concerns_control && !is_control {
        return Err("not a control client".to_owned());
    }
    if let Some(size) = &args.size {
        server.set_control_size(id, size)?;
    }
    for subscription in &args.subscriptions {
        subscriptions::subscribe(&mut server.state, id, subscription);
    }
    for state in &args.pane_states {
        control_settings::set_pane_flow(&mut server.state, id, state);
    }
    if is_control || concerns_control {
        return Ok(Reply::default());
    }
    server.state.redraw_client(id);
    if args.status {
        return Ok(Reply::default());
    }
    if let Some(client) = server.state.clients.get(&id) {
        client.writer.repaint();
    }
    Ok(Reply::default())
}

/// How far to move: a number from 1 on.
fn adjustment(text: Option<&str>) -> Result<u16, String> {
    let Some(text) = text else { return Ok(1) };
    match text.parse::<i64>() {
        Ok(by @ 1..) if by <= i64::from(i32::MAX) => Ok(u16::try_from(by).unwrap_or(u16::MAX)),
        Ok(1..) => Err("adjustment too large".to_owned()),
        Ok(_) => Err("adjustment too small".to_owned()),
        Err(_) => Err("adjustment invalid".to_owned()),
    }
}
