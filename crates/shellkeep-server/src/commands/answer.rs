//! Where output and errors of commands go, by the caller's origin.

use shellkeep_proto::FromServer;

use crate::action::Action;
use crate::clients::control;
use crate::commands::queue::{Caller, Origin};
use crate::commands::{printable, targets};
use crate::model::Model;
use crate::status::message;

/// Prints a command's output to its caller.
pub(crate) fn print(model: &mut Model, caller: &Caller, text: Vec<u8>) {
    if control::write_in_answer(model, caller, &text) {
        return;
    }
    let client = caller.client.and_then(|id| model.clients.get(&id));
    match (caller.origin, client) {
        (Origin::CommandLine, Some(client)) => client.writer.send(FromServer::Stdout(text)),
        (Origin::Key, Some(client)) => {
            let id = client.id;
            model.act(Action::ShowText(id, text));
        }
        _ => tracing::debug!(?caller, "dropped output of a background command"),
    }
}

/// Shows an error to the caller.
pub(crate) fn complain(model: &mut Model, caller: &Caller, message: String) {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    if let Some(name) = client.map(crate::model::Client::name) {
        model.log_message(format!("{name} message: {message}"));
    }
    if control::write_in_answer(model, caller, message.as_bytes()) {
        return;
    }
    let client = caller.client.and_then(|id| model.clients.get(&id));
    match (caller.origin, client) {
        (Origin::CommandLine, Some(client)) if client.session.is_none() => {
            let line = printable::printable(format!("{message}\n").as_bytes());
            client.writer.send(FromServer::Stderr(line));
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

/// The caller for commands that run in the background: with the same current target, and without a command line to
/// print to.
pub(crate) fn in_background(model: &Model, caller: &Caller) -> Caller {
    Caller {
        current: caller
            .current
            .or_else(|| targets::current(model, caller).place),
        origin: match caller.origin {
            Origin::CommandLine => Origin::Background,
            origin => origin,
        },
        ..caller.clone()
    }
}

/// Whether a message begins with the name of a session, as in `work:0.1: …`. Such a message is not capitalised.
fn begins_with_a_name(model: &Model, message: &str) -> bool {
    model.sessions.values().any(|session| {
        let rest = message.strip_prefix(&session.name);
        rest.is_some_and(|rest| rest.starts_with([':', ' ', ',']))
    })
}

/// The text with a capital first letter, as a sentence.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
