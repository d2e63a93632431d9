//! Clients in control mode: lines of commands in, answers and notices out.

use std::io::Write as _;

use shellkeep_command::parse::{List, Parsed, parse_text};
use shellkeep_core::ClientId;
use shellkeep_proto::Role;

use super::{Server, sessions};
use crate::config::Reader;
use crate::notice::Notice;
use crate::queue::{Caller, Origin, Queue, QueueId, Wait};
use crate::state::{Block, Control, ControlLine, Model};

/// How an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Done,
    Failed,
}

/// Whether a command was typed by its client.
fn is_typed(caller: &Caller) -> bool {
    caller.origin == Origin::CommandLine
}

impl Server {
    // ---- commands ----

    /// A client in control mode has read a line, or its input has ended.
    pub(super) fn control_line(&mut self, id: ClientId, line: ControlLine) {
        let Some(control) = control_of(&mut self.state, id) else {
            return;
        };
        control.is_spent |= line.text.is_none();
        control.lines.push_back(line);
        self.state.changes.is_unsettled = true;
        self.run_lines(id);
    }

    /// Runs what was read, until a command has to wait.
    fn run_lines(&mut self, id: ClientId) {
        loop {
            let Some(control) = control_of(&mut self.state, id).filter(|control| !control.is_busy)
            else {
                return;
            };
            let Some(line) = control.lines.pop_front() else {
                return;
            };
            self.run_line(id, line.text.as_deref());
            // Only now may another be read.
            drop(line.permit);
        }
    }

    /// Goes on with the lines of clients whose command has come to its end.
    pub(super) fn run_waiting_lines(&mut self) {
        let waiting = self.state.clients.values().filter(|client| {
            let control = client.control.as_ref();
            control.is_some_and(|control| !control.is_busy && !control.lines.is_empty())
        });
        let waiting: Vec<ClientId> = waiting.map(|client| client.id).collect();
        for id in waiting {
            self.run_lines(id);
        }
        self.abandon_commands();
    }

    /// Ends the clients whose input has ended while a command waits for something that may never come: as in tmux they do not stay for it,
    /// and what stood behind it is not run.
    fn abandon_commands(&mut self) {
        let is_spent = |queue: &Queue| {
            let client = queue.caller.client.filter(|_| is_typed(&queue.caller))?;
            let control = self.state.clients.get(&client)?.control.as_ref()?;
            let is_over = control.is_spent && control.is_started && control.exit.is_none();
            is_over.then_some(client)
        };
        let waiting = self.commands.queues.iter().filter(|(_, queue)| {
            let wait = queue.wait.as_ref();
            wait.is_some_and(Wait::is_endless)
        });
        let waiting = waiting.filter_map(|(id, queue)| Some((*id, is_spent(queue)?)));
        for (queue, client) in waiting.collect::<Vec<_>>() {
            self.end_answer(Some(queue), &Caller::command_line(client), Verdict::Done);
            self.commands.queues.remove(&queue);
            if let Some(control) = control_of(&mut self.state, client) {
                control.lines.clear();
                let status = u8::from(control.has_failed);
                control_exits(&mut self.state, client, status);
            }
        }
    }

    /// Runs one line. An empty one, and the end of the input, end the client.
    fn run_line(&mut self, id: ClientId, line: Option<&[u8]>) {
        let Some(control) = control_of(&mut self.state, id) else {
            return;
        };
        if control.has_exited {
            if line.is_none_or(<[u8]>::is_empty) {
                control.feed.end(control.exit.unwrap_or_default());
            }
            return;
        }
        let Some(line) = line.filter(|line| !line.is_empty()) else {
            let status = u8::from(control.has_failed);
            return control_exits(&mut self.state, id, status);
        };
        let text = String::from_utf8_lossy(line);
        let caller = Caller::command_line(id);
        match self.read_line(&text) {
            Ok(list) if list.is_empty() => {}
            Ok(list) => {
                if let Some(control) = control_of(&mut self.state, id) {
                    control.is_busy = true;
                }
                self.run_list(caller, &list);
            }
            Err(message) => {
                self.begin_answer(&caller);
                say_in_answer(
                    &mut self.state,
                    &caller,
                    format!("parse error: {message}\n").as_bytes(),
                );
                self.end_answer(None, &caller, Verdict::Failed);
            }
        }
    }

    /// Understands a line as a whole, or not at all.
    fn read_line(&mut self, text: &str) -> Result<List, String> {
        let outcome = parse_text(text, &mut Reader(self));
        if let Some(error) = outcome.errors.into_iter().next() {
            return Err(error.message);
        }
        if let Some(fault) = outcome.list.commands().find_map(Parsed::fault) {
            return Err(fault.to_string());
        }
        Ok(outcome.list)
    }

    // ---- answers ----

    /// A command begins: its answer does, too.
    pub(super) fn begin_answer(&mut self, caller: &Caller) {
        let time = self.state.now();
        let number = self.commands.next_answer;
        let Some(control) = answered(&mut self.state, caller) else {
            return;
        };
        control.block = Some(Block {
            time,
            number,
            // What a hook says was not asked for by the client.
            flags: u8::from(control.is_started && caller.hook.is_none()),
            text: Vec::new(),
            holds_notices: false,
        });
        self.commands.next_answer += 1;
    }

    /// The command has ended: the answer is given, as a whole, so that nothing stands within it. If the commands of its queue have
    /// changed something that is kept, the answer and all that is told behind it wait in the client's feed until that is written. The
    /// commands do not wait, or answers, notices and hooks would come in another order.
    pub(super) fn end_answer(&mut self, queue: Option<QueueId>, caller: &Caller, verdict: Verdict) {
        if let Some(id) = queue {
            self.note_changes(id);
        }
        let is_kept = self.persistence.keeping.is_some();
        let Some(control) = answered(&mut self.state, caller) else {
            return;
        };
        let Some(block) = control.block.take() else {
            return;
        };
        let feed = control.feed.clone();
        let queue = queue.and_then(|id| self.commands.queues.get_mut(&id));
        if is_kept && queue.is_some_and(|queue| std::mem::take(&mut queue.is_changing)) {
            self.persistence.unwritten.bar(&feed);
            self.state.changes.is_unsettled = true;
        }
        let Some(control) = answered(&mut self.state, caller) else {
            return;
        };
        control.has_failed |= verdict == Verdict::Failed;
        let end = match verdict {
            Verdict::Done => "%end",
            Verdict::Failed => "%error",
        };
        let guard = format!("{} {} {}", block.time, block.number, block.flags);
        let mut answer = format!("%begin {guard}\n").into_bytes();
        answer.extend_from_slice(&block.text);
        let _ = write!(answer, "{end} {guard}");
        control.feed.answer(answer);
        for line in std::mem::take(&mut control.held) {
            control.feed.line(line.as_bytes());
        }
    }

    // ---- the end ----
}

/// A client has said what kind it is.
pub(super) fn client_role(model: &mut Model, id: ClientId, role: Role) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    client.is_tmux = role.is_tmux;
    if role.is_control && client.control.is_none() {
        client.is_control = true;
        client.control = Some(Box::new(Control::new(client.writer.feed().clone())));
    }
}

/// The commands of a control client are done: goes on, or ends if they have shown it nothing.
pub(super) fn control_idle(model: &mut Model, id: ClientId, status: u8) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let is_attached = client.session.is_some();
    client.owes_answer = false;
    let Some(control) = &mut client.control else {
        return;
    };
    control.is_busy = false;
    let was_started = std::mem::replace(&mut control.is_started, true);
    if !was_started && !is_attached {
        control_exits(model, id, status);
    }
}

/// The control client a caller's output goes to.
fn answered<'a>(model: &'a mut Model, caller: &Caller) -> Option<&'a mut Control> {
    if !is_typed(caller) {
        return None;
    }
    control_of(model, caller.client?)
}

pub(super) fn control_of(model: &mut Model, id: ClientId) -> Option<&mut Control> {
    model.clients.get_mut(&id)?.control.as_deref_mut()
}

/// Adds to the answer; `false` if the caller is in no control mode.
pub(super) fn say_in_answer(model: &mut Model, caller: &Caller, text: &[u8]) -> bool {
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
        // Nobody waits for it any more.
        None => control.feed.line(text.strip_suffix(b"\n").unwrap_or(text)),
    }
    true
}

/// The command has to wait for a pane's start. That takes no time, but what happens meanwhile is to be told behind it.
pub(super) fn hold_notices(model: &mut Model, caller: &Caller) {
    if let Some(control) = answered(model, caller)
        && let Some(block) = &mut control.block
    {
        block.holds_notices = true;
    }
}

/// A client is to end, when all that happened was told.
pub(super) fn control_exits(model: &mut Model, id: ClientId, status: u8) {
    if let Some(control) = control_of(model, id) {
        control.exit.get_or_insert(status);
    }
}

/// Ends the clients that are to end.
pub(super) fn end_control_clients(model: &mut Model) {
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
    client.owes_answer = false;
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
        model.tell(Notice::ClientDetached {
            client: id,
            name,
            session,
        });
        sessions::session_changed(model, session);
    }
}
