//! Passing keys to a prompt or pane numbers.

use shellkeep_core::ClientId;
use shellkeep_core::key::Key;

use crate::model::{KeyGrab, MessageKeys, Model};
use crate::modes::key_grab::Pressed;
use crate::modes::{pane_numbers, prompt};
use crate::status::message;

/// Passes a key to what takes a client's keys before its panes.
pub(crate) fn press_key_grab(model: &mut Model, id: ClientId, key: Key) -> Pressed {
    let Some(client) = model.clients.get(&id).filter(|client| !client.is_read_only) else {
        return Pressed::Passed;
    };
    match client.view.message.as_ref().map(|message| message.keys) {
        Some(MessageKeys::Ignored) => return Pressed::Taken,
        Some(MessageKeys::End) => message::clear_message(model, id),
        None => {}
    }
    let key_grab = model
        .clients
        .get(&id)
        .and_then(|client| client.view.key_grab.as_ref());
    match key_grab {
        Some(KeyGrab::Prompt(_)) => prompt::press_at_prompt(model, id, key),
        Some(KeyGrab::PaneNumbers(_)) => pane_numbers::press_at_numbers(model, id, key),
        None => Pressed::Passed,
    }
}
