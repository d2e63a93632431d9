//! What has the keyboard before the panes: a prompt, numbers of panes.

use shellkeep_command::parse::List;
use shellkeep_core::ClientId;
use shellkeep_core::key::Key;

use super::message::MessageKeys;
use super::pane_numbers::PaneNumbers;
use super::prompt::Prompt;
use super::{Server, message, status};
use crate::exec::Reply;
use crate::queue::{Caller, Origin, QueueId, Wait, items};
use crate::scene::Scene;
use crate::state::{Client, Model};

/// What has the keyboard before the panes. A client has one at a time: the next takes the place of the last.
#[derive(Debug)]
pub(crate) enum Front {
    Prompt(Box<Prompt>),
    PaneNumbers(PaneNumbers),
}

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// It was meant for what has the keyboard.
    Taken,
    /// It is a key like any other.
    Passed,
}

/// Who waits for the user's answer.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(crate) caller: Caller,
    /// The queue that goes on after the answer; `None` if nobody waits.
    pub(crate) queue: Option<QueueId>,
}

/// Whether a command waits for what the user answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    Waits,
    GoesOn,
}

impl Server {
    /// The user has answered, and these commands come of it.
    pub(super) fn run_answer(&mut self, asker: Asker, commands: Result<List, String>) {
        match (asker.queue, commands) {
            (Some(queue), commands) if self.is_waiting(queue) => {
                let outcome = commands.map(|list| Reply {
                    next: items(&list),
                    ..Reply::default()
                });
                self.resume(queue, outcome);
            }
            (_, Ok(list)) => self.run_list(asker.caller, &list),
            (_, Err(message)) => self.complain(&asker.caller, message),
        }
    }

    /// The user has not answered.
    pub(super) fn dismissed(&mut self, asker: Asker) {
        if let Some(queue) = asker.queue.filter(|queue| self.is_waiting(*queue)) {
            self.resume(queue, Ok(Reply::default()));
        }
    }

    fn is_waiting(&self, queue: QueueId) -> bool {
        let queue = self.commands.queues.get(&queue);
        queue.is_some_and(|queue| matches!(queue.wait, Some(Wait::Prompt(_))))
    }

    /// Gives something the keyboard; what had it before is dismissed.
    pub(crate) fn set_front(&mut self, id: ClientId, front: Front) {
        self.clear_front(id);
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.front = Some(front);
        }
        self.state.redraw_client(id);
    }

    /// Gives the keyboard back to the panes.
    pub(crate) fn clear_front(&mut self, id: ClientId) {
        let front = self
            .state
            .clients
            .get_mut(&id)
            .and_then(|client| client.front.take());
        let Some(front) = front else { return };
        self.state.redraw_client(id);
        self.drop_front(front);
    }

    /// Whoever waits for what was in front waits in vain.
    pub(super) fn drop_front(&mut self, front: Front) {
        match front {
            Front::Prompt(prompt) => self.prompt_dropped(*prompt),
            Front::PaneNumbers(numbers) => self.dismissed(numbers.asker),
        }
    }

    /// Offers a key to what stands before the panes.
    pub(super) fn press_front(&mut self, id: ClientId, key: Key) -> Pressed {
        let Some(client) = self
            .state
            .clients
            .get(&id)
            .filter(|client| !client.is_read_only)
        else {
            return Pressed::Passed;
        };
        match client.message.as_ref().map(|message| message.keys) {
            Some(MessageKeys::Ignored) => return Pressed::Taken,
            Some(MessageKeys::End) => message::clear_message(&mut self.state, id),
            None => {}
        }
        let front = self
            .state
            .clients
            .get(&id)
            .and_then(|client| client.front.as_ref());
        match front {
            Some(Front::Prompt(_)) => self.press_at_prompt(id, key),
            Some(Front::PaneNumbers(_)) => self.press_at_numbers(id, key),
            None => Pressed::Passed,
        }
    }

    /// Draws what stands before the panes, and a message.
    pub(super) fn add_front(&self, client: &Client, scene: &mut Scene) {
        let division = status::division(&self.state, client);
        let row = super::message::message_row(&division);
        self.add_hints(client, &division, scene);
        match &client.front {
            Some(Front::Prompt(prompt)) => {
                let mut col = 0;
                scene.cover(row, |frame| {
                    col = self.draw_client_prompt(client, prompt, &division, frame);
                });
                scene.hide_cursor(row.row, row.col + col);
            }
            Some(Front::PaneNumbers(_)) => scene.hide_cursor(0, 0),
            None => {}
        }
        if let Some(message) = &client.message {
            scene.cover(row, |frame| {
                self.draw_client_message(client, message, &division, frame);
            });
            scene.hide_cursor(row.row, 0);
        }
    }
}

/// Who asks, and what its command comes to for now. `client` is the one that is asked.
pub(crate) fn asker(
    model: &Model,
    caller: &Caller,
    client: ClientId,
    patience: Patience,
) -> (Asker, Reply) {
    let queue = model.running().filter(|_| patience == Patience::Waits);
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
