//! The settings of `refresh-client` for a client: flags, sizes in control mode, and the output of panes.

use std::time::Duration;

use shellkeep_core::{ClientId, PaneId, Size, WindowId};

use crate::clients::control;
use crate::clients::control_feed::{Flow, Silence};
use crate::model::Model;
use crate::panes::sizes;

/// `refresh-client -C`: `WxH` or `W,H` for the client, `@ID:WxH` for one window, `@ID:` to remove that.
///
/// # Errors
/// If the text is no size.
pub(crate) fn set_control_size(model: &mut Model, id: ClientId, text: &str) -> Result<(), String> {
    let (window, size) = match text.strip_prefix('@').and_then(|rest| rest.split_once(':')) {
        Some((number, size)) => {
            let number = number.parse().map_err(|_| bad_size())?;
            (Some(WindowId(number)), size)
        }
        None => (None, text),
    };
    let size = match size {
        "" if window.is_some() => None,
        size => Some(parse_size(size)?),
    };
    let Some(client) = model.clients.get_mut(&id) else {
        return Ok(());
    };
    let session = client.session;
    let Some(control) = &mut client.control else {
        return Err("not a control client".to_owned());
    };
    match (window, size) {
        (None, Some(size)) => {
            control.size = Some(size);
            client.terminal.size = size;
        }
        (Some(window), Some(size)) => {
            control.window_sizes.insert(window, size);
        }
        (Some(window), None) => {
            control.window_sizes.remove(&window);
        }
        (None, None) => {}
    }
    sizes::used(model, id);
    if let Some(session) = session {
        model.session_changed(session);
    }
    Ok(())
}

/// Sets a client's flags from `-f`: names separated by commas, with `!` to clear one. As in tmux, an unknown flag is
/// ignored.
///
/// # Errors
/// For a flag of tmux that is not implemented.
pub(crate) fn set_client_flags(model: &mut Model, id: ClientId, flags: &str) -> Result<(), String> {
    for word in flags.split(',') {
        let (name, is_set) = match word.strip_prefix('!') {
            Some(name) => (name, false),
            None => (word, true),
        };
        let Some(client) = model.clients.get_mut(&id) else {
            return Ok(());
        };
        match name {
            "read-only" => client.is_read_only = is_set,
            "ignore-size" => {
                client.ignores_size = is_set;
                model.changes.are_sizes_due = true;
                continue;
            }
            "active-pane" => {
                client.own_panes = is_set.then(Default::default);
                model.redraw_client(id);
                continue;
            }
            _ => {}
        }
        let Some(control) = &mut client.control else {
            continue;
        };
        match name {
            "no-output" => {
                control.is_silent = is_set;
                let silence = if is_set { Silence::On } else { Silence::Off };
                control.feed.set_silent(silence);
            }
            "sleep-notices" => control.hears_sleep = is_set,
            "wait-exit" => control.waits_to_exit = is_set,
            _ if name == "pause-after" || name.starts_with("pause-after=") => {
                let seconds = name.split_once('=').and_then(|(_, age)| age.parse().ok());
                let age = is_set.then(|| Duration::from_secs(seconds.unwrap_or(0)));
                control.pause_after = age;
                control.feed.set_pause_after(age);
            }
            _ => {}
        }
    }
    Ok(())
}

/// `refresh-client -A`: `%ID:on`, `off`, `continue` or `pause`. As in tmux, anything else is ignored.
pub(crate) fn set_pane_flow(model: &mut Model, id: ClientId, text: &str) {
    let Some((pane, flow)) = text.split_once(':') else {
        return;
    };
    let Ok(pane) = pane.parse::<PaneId>() else {
        return;
    };
    if !model.panes.contains_key(&pane) {
        return;
    }
    let Some(control) = control::control_of(model, id) else {
        return;
    };
    let feed = &control.feed;
    match flow {
        "on" if feed.flow(pane) == Flow::Off => feed.set_flow(pane, Flow::On),
        "off" => feed.set_flow(pane, Flow::Off),
        "continue" if feed.flow(pane) == Flow::Paused => feed.set_flow(pane, Flow::On),
        "pause" if feed.flow(pane) != Flow::Paused => feed.set_flow(pane, Flow::Paused),
        _ => {}
    }
}

fn bad_size() -> String {
    "bad size argument".to_owned()
}

fn parse_size(text: &str) -> Result<Size, String> {
    let (cols, rows) = text
        .split_once('x')
        .or_else(|| text.split_once(','))
        .ok_or_else(bad_size)?;
    let side = |text: &str| text.parse::<u32>().map_err(|_| bad_size());
    let (cols, rows) = (side(cols)?, side(rows)?);
    let fits = |side: u32| {
        u16::try_from(side)
            .ok()
            .filter(|side| (1..=10_000).contains(side))
    };
    match (fits(rows), fits(cols)) {
        (Some(rows), Some(cols)) => Ok(Size::new(rows, cols)),
        _ => Err("size too small or too big".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_tmux_reads_them() {
        assert_eq!(parse_size("100x30"), Ok(Size::new(30, 100)));
        assert_eq!(parse_size("100,30"), Ok(Size::new(30, 100)));
        assert_eq!(parse_size("0x0"), Err("size too small or too big".into()));
        assert_eq!(
            parse_size("9999999x3"),
            Err("size too small or too big".into())
        );
        assert_eq!(parse_size("x"), Err("bad size argument".into()));
        assert_eq!(parse_size(""), Err("bad size argument".into()));
    }
}
