//! Clients in control mode: command lines in, answers and notices out.

use shellkeep_core::ClientId;
use shellkeep_proto::Role;

use crate::commands::queue::{Caller, Origin};
use crate::model::notice::Notice;
use crate::model::{Control, Model};

/// Whether a command was sent by the control client itself.
pub(crate) fn is_typed(caller: &Caller) -> bool {
    caller.origin == Origin::CommandLine
}

/// A client has said whether it is in control mode.
pub(crate) fn client_role(model: &mut Model, id: ClientId, role: Role) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    client.is_tmux = role.is_tmux;
    if role.is_control && client.control.is_none() {
        client.is_control = true;
        client.control = Some(Box::new(Control::new(client.writer.feed().clone())));
    }
}

/// A control client has no more commands running: continues with the next line, or ends it if its first command
/// attached it to nothing.
pub(crate) fn control_idle(model: &mut Model, id: ClientId, status: u8) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let is_attached = client.session.is_some();
    client.answer.is_owed = false;
    let Some(control) = &mut client.control else {
        return;
    };
    control.is_busy = false;
    let was_started = std::mem::replace(&mut control.is_started, true);
    if !was_started && !is_attached {
        control_exits(model, id, status);
    }
}

/// The control client that gets a caller's output.
pub(crate) fn answered<'a>(model: &'a mut Model, caller: &Caller) -> Option<&'a mut Control> {
    if !is_typed(caller) {
        return None;
    }
    control_of(model, caller.client?)
}

pub(crate) fn control_of(model: &mut Model, id: ClientId) -> Option<&mut Control> {
    model.clients.get_mut(&id)?.control.as_deref_mut()
}

/// Adds text to the current answer. `false` if the caller is not in control mode.
pub(crate) fn write_in_answer(model: &mut Model, caller: &Caller, text: &[u8]) -> bool {
    let Some(control) = answered(model, caller) else {
        return false;
    };
    match &mut control.block {
        Some(block) => {
            block.text.extend_from_slice(text);
            if text.last().is_some_and(|last| *last != b'\n') {
                block.text.push(b'\n');
            }
        }
        // The answer was ended already.
        None => control.feed.line(text.strip_suffix(b"\n").unwrap_or(text)),
    }
    true
}

/// The command waits for a pane's start, which takes no time. Notices of what happens meanwhile are held until its
/// answer is written.
pub(crate) fn hold_notices(model: &mut Model, caller: &Caller) {
    if let Some(control) = answered(model, caller)
        && let Some(block) = &mut control.block
    {
        block.holds_notices = true;
    }
}

/// Ends a control client once all notices are sent.
pub(crate) fn control_exits(model: &mut Model, id: ClientId, status: u8) {
    if let Some(control) = control_of(model, id) {
        control.exit.get_or_insert(status);
    }
}

pub(crate) fn end_control_clients(model: &mut Model) {
    let ending = model.clients.values().filter(|client| {
        let control = client.control.as_ref();
        control.is_some_and(|control| control.exit.is_some() && !control.has_exited)
    });
    let ending: Vec<ClientId> = ending.map(|client| client.id).collect();
    for id in ending {
        end_control_client(model, id);
    }
}

fn end_control_client(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let session = client.session.take();
    client.answer.is_owed = false;
    let name = client.name();
    if let Some(control) = &mut client.control {
        control.has_exited = true;
        control.timer = None;
        control.feed.line(b"%exit");
        if !control.waits_to_exit || control.is_spent {
            control.feed.end(control.exit.unwrap_or_default());
        }
    }
    if let Some(session) = session {
        model.notify(Notice::ClientDetached {
            client: id,
            name,
            session,
        });
        model.session_changed(session);
    }
}
