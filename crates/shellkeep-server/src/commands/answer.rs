//! What is said to a caller: what its commands print, and what goes wrong.

use shellkeep_proto::FromServer;

use crate::action::Action;
use crate::clients::control;
use crate::commands::queue::{Caller, Origin};
use crate::commands::{printable, targets};
use crate::model::Model;
use crate::status::message;

/// A command's output goes to who asked for it.
pub(crate) fn print(model: &mut Model, caller: &Caller, text: Vec<u8>) {
    if control::say_in_answer(model, caller, &text) {
        return;
    }
    let client = caller.client.and_then(|id| model.clients.get(&id));
    match (caller.origin, client) {
        (Origin::CommandLine, Some(client)) => client.writer.say(FromServer::Stdout(text)),
        (Origin::Key, Some(client)) => {
            let id = client.id;
            model.act(Action::ShowText(id, text));
        }
        _ => tracing::debug!(?caller, "output nobody reads"),
    }
}

/// Says what is wrong to who asked for it.
pub(crate) fn complain(model: &mut Model, caller: &Caller, message: String) {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    if let Some(name) = client.map(crate::model::Client::name) {
        model.log_message(format!("{name} message: {message}"));
    }
    if control::say_in_answer(model, caller, message.as_bytes()) {
        return;
    }
    let client = caller.client.and_then(|id| model.clients.get(&id));
    match (caller.origin, client) {
        (Origin::CommandLine, Some(client)) if client.session.is_none() => {
            let line = printable::printable(format!("{message}\n").as_bytes());
            client.writer.say(FromServer::Stderr(line));
        }
        (Origin::Config, _) => model.complaints.add(message),
        (Origin::Key | Origin::CommandLine, Some(client)) if client.session.is_some() => {
            let id = client.id;
            let text = match begins_with_a_name(model, &message) {
                true => message,
                false => capitalized(&message),
            };
            message::show_plain_message(model, id, &text);
        }
        _ => model.log_message(message),
    }
}

/// A caller that does not wait: what is current stays so for it, and it has no command line to print on.
pub(crate) fn in_background(model: &Model, caller: &Caller) -> Caller {
    Caller {
        current: caller
            .current
            .or_else(|| targets::current(model, caller).place),
        origin: match caller.origin {
            Origin::CommandLine => Origin::Nobody,
            origin => origin,
        },
        ..caller.clone()
    }
}

/// Whether a message begins with the name of a session, such as `work:0.1: …`: that is written as it is.
fn begins_with_a_name(model: &Model, message: &str) -> bool {
    model.sessions.values().any(|session| {
        let rest = message.strip_prefix(&session.name);
        rest.is_some_and(|rest| rest.starts_with([':', ' ', ',']))
    })
}

/// With a capital at its beginning, as a sentence of its own has.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
