//! What takes a client's keys before its panes do: a prompt, or pane numbers.

use shellkeep_command::parse::List;
use shellkeep_core::ClientId;

use crate::action::Action;
use crate::commands::queue::{Caller, Origin, Wait};
use crate::commands::reply::Reply;
use crate::model::{Asker, KeyGrab, Model, Prompt, Purpose};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// It was consumed.
    Taken,
    /// It is handled as usual.
    Passed,
    /// It is handled as usual, after the answer that it has ended.
    PassedLater,
}

/// Whether a command waits for the user's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerWait {
    Waits,
    Continues,
}

/// The user has answered: runs the resulting commands.
pub(crate) fn run_answer(model: &mut Model, asker: Asker, commands: Result<List, String>) {
    let Asker { caller, queue } = asker;
    model.act(Action::Answer {
        caller,
        queue,
        commands,
    });
}

/// The user has not answered.
pub(crate) fn dismissed(model: &mut Model, asker: Asker) {
    if let Some(queue) = asker.queue {
        model.act(Action::Dismiss(queue));
    }
}

/// The user has answered no, which fails the queue that waits.
pub(crate) fn refused(model: &mut Model, asker: Asker) {
    if let Some(queue) = asker.queue {
        model.act(Action::Refuse(queue));
    }
}

/// Sets what takes a client's keys. What took them before is dismissed.
pub(crate) fn set_key_grab(model: &mut Model, id: ClientId, key_grab: KeyGrab) {
    clear_key_grab(model, id);
    if let Some(client) = model.clients.get_mut(&id) {
        client.view.key_grab = Some(key_grab);
    }
    model.redraw_client(id);
}

/// Returns the keys to the panes.
pub(crate) fn clear_key_grab(model: &mut Model, id: ClientId) {
    let key_grab = model
        .clients
        .get_mut(&id)
        .and_then(|client| client.view.key_grab.take());
    let Some(key_grab) = key_grab else { return };
    model.redraw_client(id);
    drop_key_grab(model, key_grab);
}

/// Ends the wait for something that is closed without an answer.
pub(crate) fn drop_key_grab(model: &mut Model, key_grab: KeyGrab) {
    match key_grab {
        KeyGrab::Prompt(prompt) => prompt_dropped(model, *prompt),
        KeyGrab::PaneNumbers(numbers) => dismissed(model, numbers.asker),
    }
}

/// A prompt is closed without an answer.
fn prompt_dropped(model: &mut Model, prompt: Prompt) {
    match prompt.purpose {
        Purpose::Confirm(_) => refused(model, prompt.asker),
        Purpose::Template { .. } => dismissed(model, prompt.asker),
        Purpose::Tree { pane, question } => {
            if let Some(client) = prompt.asker.caller.client {
                model.act(Action::TreeAnswered {
                    client,
                    pane,
                    question,
                    answer: None,
                });
            }
        }
    }
}

/// The asker for the running command, and the reply with which the command waits. `client` is the client that is asked.
pub(crate) fn asker(
    model: &Model,
    caller: &Caller,
    client: ClientId,
    answer_wait: AnswerWait,
) -> (Asker, Reply) {
    let queue = model.running().filter(|_| answer_wait == AnswerWait::Waits);
    let wait = queue.map(|_| Wait::Prompt(client));
    let caller = Caller {
        client: Some(client),
        origin: Origin::Key,
        ..caller.clone()
    };
    let reply = Reply {
        wait,
        ..Reply::default()
    };
    (Asker { caller, queue }, reply)
}

pub(crate) fn has_prompt(model: &Model, id: ClientId) -> bool {
    let client = model.clients.get(&id);
    matches!(
        client.and_then(|client| client.view.key_grab.as_ref()),
        Some(KeyGrab::Prompt(_))
    )
}

pub(crate) fn prompt_mut(model: &mut Model, id: ClientId) -> Option<&mut Prompt> {
    match model.clients.get_mut(&id)?.view.key_grab.as_mut()? {
        KeyGrab::Prompt(prompt) => Some(prompt),
        _ => None,
    }
}
