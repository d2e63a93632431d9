//! Lines of control clients: each runs as commands, and is answered as a whole.

use std::io::Write as _;

use shellkeep_command::parse::{List, Parsed, parse_text};
use shellkeep_core::ClientId;

use crate::clients::control::{answered, control_exits, control_of, is_typed, write_in_answer};
use crate::clients::control_line::ControlLine;
use crate::commands::config::ConfigHost;
use crate::commands::queue::{Caller, Queue, QueueId, Wait};
use crate::commands::run;
use crate::model::{Block, Model};
use crate::persistence::written;
use crate::server::Server;

/// Whether an answer ends with `%end` or `%error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Done,
    Failed,
}

/// A control client has sent a line, or its input has ended.
pub(crate) fn control_line(server: &mut Server, id: ClientId, line: ControlLine) {
    let Some(control) = control_of(&mut server.model, id) else {
        return;
    };
    control.is_spent |= line.text.is_none();
    control.lines.push_back(line);
    server.model.changes.is_unsettled = true;
    run_lines(server, id);
}

/// Runs the lines of a client until a command has to wait.
fn run_lines(server: &mut Server, id: ClientId) {
    loop {
        let Some(control) = control_of(&mut server.model, id).filter(|control| !control.is_busy)
        else {
            return;
        };
        let Some(line) = control.lines.pop_front() else {
            return;
        };
        run_line(server, id, line.text.as_deref());
        // Only now may the next line be read.
        drop(line.permit);
    }
}

/// Resumes the lines of clients whose command has ended.
pub(crate) fn run_waiting_lines(server: &mut Server) {
    let waiting = server.model.clients.values().filter(|client| {
        let control = client.control.as_ref();
        control.is_some_and(|control| !control.is_busy && !control.lines.is_empty())
    });
    let waiting: Vec<ClientId> = waiting.map(|client| client.id).collect();
    for id in waiting {
        run_lines(server, id);
    }
    abandon_commands(server);
}

/// Ends clients whose input has ended while a command waits for something that may never come. As in tmux they do not
/// stay, and the commands after it do not run.
fn abandon_commands(server: &mut Server) {
    let is_spent = |queue: &Queue| {
        let client = queue.caller.client.filter(|_| is_typed(&queue.caller))?;
        let control = server.model.clients.get(&client)?.control.as_ref()?;
        let is_over = control.is_spent && control.is_started && control.exit.is_none();
        is_over.then_some(client)
    };
    let waiting = server.commands.queues.iter().filter(|(_, queue)| {
        let wait = queue.wait.as_ref();
        wait.is_some_and(Wait::is_endless)
    });
    let waiting = waiting.filter_map(|(id, queue)| Some((*id, is_spent(queue)?)));
    for (queue, client) in waiting.collect::<Vec<_>>() {
        end_answer(
            server,
            Some(queue),
            &Caller::command_line(client),
            Verdict::Done,
        );
        server.commands.queues.remove(&queue);
        if let Some(control) = control_of(&mut server.model, client) {
            control.lines.clear();
            let status = u8::from(control.has_failed);
            control_exits(&mut server.model, client, status);
        }
    }
}

/// Runs one line. An empty line and the end of input end the client.
fn run_line(server: &mut Server, id: ClientId, line: Option<&[u8]>) {
    let Some(control) = control_of(&mut server.model, id) else {
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
        return control_exits(&mut server.model, id, status);
    };
    let text = String::from_utf8_lossy(line);
    let caller = Caller::command_line(id);
    match read_line(&mut server.model, &text) {
        Ok(list) if list.is_empty() => {}
        Ok(list) => {
            if let Some(control) = control_of(&mut server.model, id) {
                control.is_busy = true;
            }
            run::run_list(server, caller, &list);
        }
        Err(message) => {
            begin_answer(server, &caller);
            write_in_answer(
                &mut server.model,
                &caller,
                format!("parse error: {message}\n").as_bytes(),
            );
            end_answer(server, None, &caller, Verdict::Failed);
        }
    }
}

/// Parses a line, as a whole or not at all.
fn read_line(model: &mut Model, text: &str) -> Result<List, String> {
    let outcome = parse_text(text, &mut ConfigHost(model));
    if let Some(error) = outcome.errors.into_iter().next() {
        return Err(error.message);
    }
    if let Some(fault) = outcome.list.commands().find_map(Parsed::fault) {
        return Err(fault.to_string());
    }
    Ok(outcome.list)
}

/// A command begins, and so does its answer.
pub(crate) fn begin_answer(server: &mut Server, caller: &Caller) {
    let time = server.model.now();
    let number = server.commands.next_answer;
    let Some(control) = answered(&mut server.model, caller) else {
        return;
    };
    control.block = Some(Block {
        time,
        number,
        // Output of a hook was not requested by the client.
        flags: u8::from(control.is_started && caller.hook.is_none()),
        text: Vec::new(),
        holds_notices: false,
    });
    server.commands.next_answer += 1;
}

/// A command has ended: writes its whole answer at once, so that nothing comes within it. If its queue has changed
/// something that is on disk, the answer and everything after it wait in the client's feed until that is written. The
/// commands do not wait, or answers, notices and hooks would come in another order.
pub(crate) fn end_answer(
    server: &mut Server,
    queue: Option<QueueId>,
    caller: &Caller,
    verdict: Verdict,
) {
    if let Some(id) = queue {
        written::note_changes(&server.model, &mut server.commands.queues, id);
    }
    let is_kept = server.persistence.keeping.is_some();
    let Some(control) = answered(&mut server.model, caller) else {
        return;
    };
    let Some(block) = control.block.take() else {
        return;
    };
    let feed = control.feed.clone();
    let queue = queue.and_then(|id| server.commands.queues.get_mut(&id));
    if is_kept && queue.is_some_and(|queue| std::mem::take(&mut queue.is_changing)) {
        server.persistence.unwritten.bar(&feed);
        server.model.changes.is_unsettled = true;
    }
    let Some(control) = answered(&mut server.model, caller) else {
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
