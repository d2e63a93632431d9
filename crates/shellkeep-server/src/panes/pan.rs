//! Windows larger than a client's terminal: which part is shown. Also questions to a client's terminal for its
//! clipboard.

use shellkeep_core::{ClientId, PaneId, base64};

use crate::clients::clipboard;
use crate::commands::queue::Caller;
use crate::display::part_shown::part_shown;
use crate::model::Model;
use crate::persistence::kept_buffers;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// The visible part of the window has moved since the status line was drawn, which showed the part from `last` on.
pub(crate) fn part_moved(model: &mut Model, id: ClientId, last: (u16, u16)) {
    let client = model.clients.get(&id);
    let part = client.and_then(|client| part_shown(model, client));
    if part.is_some_and(|part| (part.row, part.col) != last) {
        model.redraw_client(id);
    }
}

/// Moves the part of the window that a client shows, as far as the window extends.
pub(crate) fn pan(model: &mut Model, id: ClientId, direction: Direction, by: u16) {
    let client = model.clients.get(&id);
    let Some(part) = client.and_then(|client| part_shown(model, client)) else {
        return;
    };
    let (mut row, mut col) = (part.row, part.col);
    match direction {
        Direction::Up => row = row.saturating_sub(by),
        Direction::Down => row = row.saturating_add(by).min(part.most.0),
        Direction::Left => col = col.saturating_sub(by),
        Direction::Right => col = col.saturating_add(by).min(part.most.1),
    }
    if let Some(client) = model.clients.get_mut(&id) {
        client.view.pan = Some((part.window, row, col));
    }
    model.redraw_client(id);
}

/// Forgets the moved part if another window is shown, or all of this one fits.
pub(crate) fn forget_pan(model: &mut Model, id: ClientId) {
    let client = model.clients.get(&id);
    let Some((client, (panned, ..))) = client.and_then(|it| Some((it, it.view.pan?))) else {
        return;
    };
    let is_shown = part_shown(model, client).map(|part| part.window) == Some(panned);
    if !is_shown && let Some(client) = model.clients.get_mut(&id) {
        client.view.pan = None;
    }
}

/// A terminal has sent the contents of its clipboard. Without a question that is ignored.
pub(crate) fn clipboard_received(model: &mut Model, id: ClientId, data: &[u8]) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let panes = std::mem::take(&mut client.clipboard.panes);
    if std::mem::take(&mut client.clipboard.is_for_buffer) {
        let secrecy = kept_buffers::secrecy_for(model, &Caller::key(id));
        clipboard::add_buffer(model, data, None, secrecy);
    }
    let answer = format!("\x1b]52;;{}\x1b\\", base64::encode(data));
    for pane in panes {
        if let Some(pane) = model.panes.get_mut(&pane) {
            pane.reply(answer.as_bytes());
        }
    }
}

/// Shows the part around the cursor again.
pub(crate) fn follow_cursor(model: &mut Model, id: ClientId) {
    if let Some(client) = model.clients.get_mut(&id) {
        client.view.pan = None;
    }
    model.redraw_client(id);
}

/// Asks a client's terminal for its clipboard. The answer becomes a buffer, or goes to the program in a pane.
pub(crate) fn ask_for_clipboard(model: &mut Model, id: ClientId, pane: Option<PaneId>) {
    if let Some(client) = model.clients.get_mut(&id) {
        match pane {
            Some(pane) => {
                client.clipboard.panes.insert(pane);
            }
            None => client.clipboard.is_for_buffer = true,
        }
        client.writer.ask_clipboard();
    }
}
