//! `refresh-client`: redraws a client, or changes its size, flags, subscriptions and visible part.

use shellkeep_command::cmd::refresh_client::Args;

use crate::clients::{control_settings, subscriptions};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::pan;
use crate::panes::pan::Direction;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = targets::client(&server.model, caller, args.target.as_deref())?;
    // As in tmux, the first of several directions counts.
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
            Some((_, direction)) => pan::pan(&mut server.model, id, direction, by),
            None => pan::follow_cursor(&mut server.model, id),
        }
        return Ok(Reply::default());
    }
    if let Some(pane) = &args.clipboard {
        let pane = match pane {
            Some(pane) => Some(targets::pane(&server.model, caller, Some(pane))?),
            None => None,
        };
        pan::ask_for_clipboard(&mut server.model, id, pane);
        return Ok(Reply::default());
    }
    // As in tmux, the flags of the older option are set first.
    for flags in [&args.old_client_flags, &args.client_flags]
        .into_iter()
        .flatten()
    {
        control_settings::set_client_flags(&mut server.model, id, flags)?;
    }
    let is_control = server
        .model
        .clients
        .get(&id)
        .is_some_and(|client| client.control.is_some());
    let concerns_control =
        args.size.is_some() || !args.subscriptions.is_empty() || !args.pane_states.is_empty();
    if concerns_control && !is_control {
        return Err("not a control client".to_owned());
    }
    if let Some(size) = &args.size {
        control_settings::set_control_size(&mut server.model, id, size)?;
    }
    for subscription in &args.subscriptions {
        subscriptions::subscribe(&mut server.model, id, subscription);
    }
    for state in &args.pane_states {
        control_settings::set_pane_flow(&mut server.model, id, state);
    }
    if is_control || concerns_control {
        return Ok(Reply::default());
    }
    server.model.redraw_client(id);
    if args.status {
        return Ok(Reply::default());
    }
    if let Some(client) = server.model.clients.get(&id) {
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
