//! Messages in place of the status line.

use std::time::Duration;

use shellkeep_core::{ClientId, Style};
use shellkeep_render::{Canvas, Frame, Rect, draw_message};

use crate::alarm::Alarm;
use crate::display::division::{Division, StatusPosition};
use crate::formats;
use crate::model::{Client, Message, MessageKeys, Model};
use crate::status::status_line::option_style;

/// Draws a client's message into the last of its status lines.
pub(crate) fn draw_client_message(
    model: &Model,
    client: &Client,
    message: &Message,
    division: &Division,
    frame: &mut Frame,
) {
    let style = message_style(model, client, "message-style");
    let mut canvas = Canvas::new(frame, message_row(division));
    draw_message(&mut canvas, 0, &message.text, style);
}

pub(crate) fn message_style(model: &Model, client: &Client, option: &str) -> Style {
    let options = model.session_options(client.session);
    let scope = formats::scope(model).client(Some(client.id));
    let scope = match client.session {
        Some(session) => scope.session(session),
        None => scope,
    };
    option_style(options, option, &scope, Style::default())
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// How long, if not for `display-time`; zero is until a key is pressed.
    pub(crate) delay: Option<Duration>,
    /// Keys do not remove it.
    pub(crate) ignores_keys: bool,
}

/// Shows a message on a client, with `#[…]` interpreted.
pub(crate) fn show_message(model: &mut Model, id: ClientId, text: &str, shown: Shown) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    let name = client.name();
    model.log_message(format!("{name} message: {text}"));
    put_message(model, id, text.to_owned(), shown);
}

/// Shows a message with its text as it is, for `display-time`.
pub(crate) fn show_plain_message(model: &mut Model, id: ClientId, text: &str) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    let name = client.name();
    model.log_message(format!("{name} message: {text}"));
    put_message(model, id, text.replace('#', "##"), Shown::default());
}

pub(crate) fn put_message(model: &mut Model, id: ClientId, text: String, shown: Shown) {
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
        client.view.message = Some(Message { text, keys, timer });
    }
    model.redraw_client(id);
}

pub(crate) fn clear_message(model: &mut Model, id: ClientId) {
    let client = model.clients.get_mut(&id);
    if client.is_some_and(|client| client.view.message.take().is_some()) {
        model.redraw_client(id);
    }
}

pub(crate) fn message_over(model: &mut Model, id: ClientId) {
    let client = model.clients.get(&id);
    let message = client.and_then(|client| client.view.message.as_ref());
    // The alarm may be that of a message which another one has replaced.
    if message.is_some_and(|message| message.timer.is_some()) {
        clear_message(model, id);
    }
}

/// The row of messages and the prompt: the last status line, or where a single one would be if there is none.
pub(crate) fn message_row(division: &Division) -> Rect {
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
