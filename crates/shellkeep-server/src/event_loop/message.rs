//! Messages: a line that is shown for a while in place of the status line.

use std::time::Duration;

use shellkeep_core::{ClientId, Style};
use shellkeep_render::{Canvas, Frame, Rect, draw_message};

use super::Server;
use super::messages::Shown;
use super::status::{Division, StatusPosition, option_style};
use crate::alarm::{Alarm, Timer};
use crate::state::{Client, Model};

/// A message that is shown.
#[derive(Debug)]
pub(crate) struct Message {
    /// May have `#[…]` in it, which is obeyed.
    pub(crate) text: String,
    /// What keys do to it.
    pub(crate) keys: MessageKeys,
    timer: Option<Timer>,
}

/// What keys do to a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MessageKeys {
    /// Any key takes it away, and is a key like any other.
    #[default]
    End,
    /// Keys do nothing while it is shown.
    Ignored,
}

impl Server {
    /// Draws a client's message into the last of its status lines.
    pub(super) fn draw_client_message(
        &self,
        client: &Client,
        message: &Message,
        division: &Division,
        frame: &mut Frame,
    ) {
        let style = self.message_style(client, "message-style");
        let mut canvas = Canvas::new(frame, message_row(division));
        draw_message(&mut canvas, 0, &message.text, style);
    }

    /// The style of a client's messages.
    pub(super) fn message_style(&self, client: &Client, option: &str) -> Style {
        let options = self.state.session_options(client.session);
        let scope = self.scope().client(Some(client.id));
        let scope = match client.session {
            Some(session) => scope.session(session),
            None => scope,
        };
        option_style(options, option, &scope, Style::default())
    }
}

/// Puts a message on a client's terminal.
pub(super) fn put_message(model: &mut Model, id: ClientId, text: String, shown: Shown) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    let options = model.session_options(client.session);
    let usual = Duration::from_millis(options.number("display-time").unsigned_abs());
    let time = shown.delay.unwrap_or(usual);
    let timer = (!time.is_zero()).then(|| model.set_alarm(Alarm::Message(id), time));
    let keys = match shown.ignores_keys {
        true => MessageKeys::Ignored,
        false => MessageKeys::End,
    };
    if let Some(client) = model.clients.get_mut(&id) {
        client.message = Some(Message { text, keys, timer });
    }
    model.redraw_client(id);
}

/// Takes a client's message away.
pub(crate) fn clear_message(model: &mut Model, id: ClientId) {
    let client = model.clients.get_mut(&id);
    if client.is_some_and(|client| client.message.take().is_some()) {
        model.redraw_client(id);
    }
}

/// A message's time is over.
pub(super) fn message_over(model: &mut Model, id: ClientId) {
    let client = model.clients.get(&id);
    let message = client.and_then(|client| client.message.as_ref());
    // The alarm may be that of a message which another has replaced since.
    if message.is_some_and(|message| message.timer.is_some()) {
        clear_message(model, id);
    }
}

/// Where messages and the prompt are: in the last status line, or where the only one would be if there is none.
pub(super) fn message_row(division: &Division) -> Rect {
    let (window, status) = (division.window, division.status);
    let row = match (status.rows, division.position) {
        (0, StatusPosition::Top) => window.row,
        (0, StatusPosition::Bottom) => window.bottom().saturating_sub(1),
        _ => status.bottom() - 1,
    };
    Rect {
        row,
        rows: 1,
        ..status
    }
}
