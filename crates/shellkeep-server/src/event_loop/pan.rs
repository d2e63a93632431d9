//! Windows that are larger than a client's terminal: which part of them is shown.

use shellkeep_core::{ClientId, PaneId, WindowId, base64};

use super::{Server, buffers, clipboard, status};
use crate::queue::Caller;
use crate::scene::part_start;
use crate::state::{Client, Model};

/// Which way the part moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// The part of a window that is shown: where it begins, and how far down and right it could.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) window: WindowId,
    pub(crate) row: u16,
    pub(crate) col: u16,
    most: (u16, u16),
}

impl Server {
    /// Which part of its window a client shows; `None` if it shows all of it.
    pub(crate) fn part_shown(&self, client: &Client) -> Option<Part> {
        let window = self.state.current_window(client.session?)?;
        let (size, room) = (window.size(), status::room_of(&self.state, client));
        let most = (
            size.rows().saturating_sub(room.rows()),
            size.cols().saturating_sub(room.cols()),
        );
        if most == (0, 0) {
            return None;
        }
        let (row, col) = match client.pan {
            Some((panned, row, col)) if panned == window.id => (row, col),
            // Around the cursor, as the painter has it.
            _ => {
                let place = window.shown().place_of(window.active)?;
                let (row, col) = self.cursor_in(window.active)?;
                (
                    part_start(place.row + row, room.rows(), size.rows()),
                    part_start(place.col + col, room.cols(), size.cols()),
                )
            }
        };
        Some(Part {
            window: window.id,
            row: row.min(most.0),
            col: col.min(most.1),
            most,
        })
    }

    /// Where the cursor of what a pane shows is: of its program, or of what is in the place of that.
    fn cursor_in(&self, pane: PaneId) -> Option<(u16, u16)> {
        if let Some(picture) = self.mode_picture(pane) {
            let cursor = picture.cursor();
            return Some((cursor.row, cursor.col));
        }
        let cursor = self.state.panes.get(&pane)?.screen.lock().cursor();
        Some((cursor.row, cursor.col))
    }

    /// A client's terminal shows another part of the window than its status line says, which was the one from `last` on.
    pub(super) fn part_moved(&mut self, id: ClientId, last: (u16, u16)) {
        let client = self.state.clients.get(&id);
        let part = client.and_then(|client| self.part_shown(client));
        if part.is_some_and(|part| (part.row, part.col) != last) {
            self.state.redraw_client(id);
        }
    }

    /// Moves the part of the window that a client shows, as far as there is more of it.
    pub(crate) fn pan(&mut self, id: ClientId, direction: Direction, by: u16) {
        let client = self.state.clients.get(&id);
        let Some(part) = client.and_then(|client| self.part_shown(client)) else {
            return;
        };
        let (mut row, mut col) = (part.row, part.col);
        match direction {
            Direction::Up => row = row.saturating_sub(by),
            Direction::Down => row = row.saturating_add(by).min(part.most.0),
            Direction::Left => col = col.saturating_sub(by),
            Direction::Right => col = col.saturating_add(by).min(part.most.1),
        }
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.pan = Some((part.window, row, col));
        }
        self.state.redraw_client(id);
    }

    /// A part that was moved is forgotten where another window is shown, or all of it.
    pub(super) fn forget_pan(&mut self, id: ClientId) {
        let client = self.state.clients.get(&id);
        let Some((client, (panned, ..))) = client.and_then(|it| Some((it, it.pan?))) else {
            return;
        };
        let is_shown = self.part_shown(client).map(|part| part.window) == Some(panned);
        if !is_shown && let Some(client) = self.state.clients.get_mut(&id) {
            client.pan = None;
        }
    }
}

/// A terminal has told what is in its clipboard. Unasked, it is nobody's business.
pub(super) fn clipboard_told(model: &mut Model, id: ClientId, data: &[u8]) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let panes = std::mem::take(&mut client.clipboard.panes);
    if std::mem::take(&mut client.clipboard.is_for_buffer) {
        let secrecy = buffers::secrecy_for(model, &Caller::key(id));
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
        client.pan = None;
    }
    model.redraw_client(id);
}

/// Asks a client's terminal for its clipboard; the answer becomes a buffer, or goes to the program in a pane.
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
