//! Resuming queues when what their command has waited for has come.

use shellkeep_core::ClientId;

use crate::commands::ids::{JobId, QueueId};
use crate::commands::job::JobEnd;
use crate::commands::queue::Wait;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{resume_queue, run};
use crate::server::Server;

pub(crate) fn job_ended(server: &mut Server, id: JobId, end: JobEnd) {
    server.commands.jobs.forget(id);
    let then = server.pending.jobs.remove(&id);
    let outcome_of = |server: &mut Server| match then {
        Some(then) => then(server, end),
        None => Ok(Reply::default()),
    };
    let Some(queue) = waiting_queue(server, &Wait::Job(id)) else {
        run::set_running(server, None);
        if let Err(message) = outcome_of(server) {
            tracing::info!(message, "a command after a shell command has failed");
        }
        return;
    };
    continue_queue(server, queue, outcome_of);
}

/// A client's standard input was read, or is larger than the command takes.
pub(crate) fn input_received(server: &mut Server, id: ClientId, input: Result<Vec<u8>, String>) {
    let then = server.pending.inputs.remove(&id);
    if let (Some(queue), Some(then)) = (waiting_queue(server, &Wait::Input(id)), then) {
        continue_queue(server, queue, |server| then(server, input?));
    }
}

/// A thread's work on files is done.
pub(crate) fn file_work_done(server: &mut Server, number: u64) {
    let rest = server.pending.files.remove(&number);
    // The queue is gone if its client is.
    if let (Some(queue), Some(rest)) = (waiting_queue(server, &Wait::Files(number)), rest) {
        continue_queue(server, queue, rest);
    }
}

/// Runs the rest of a queue's command, and resumes the queue with its outcome.
pub(crate) fn continue_queue(
    server: &mut Server,
    queue: QueueId,
    rest: impl FnOnce(&mut Server) -> Outcome,
) {
    let before = run::set_running(server, Some(queue));
    let outcome = rest(server);
    server.model.changes.running = before;
    run::resume(server, queue, outcome);
}

fn waiting_queue(server: &Server, wait: &Wait) -> Option<QueueId> {
    let mut queues = server.commands.queues.iter();
    let found = queues.find(|(_, queue)| queue.wait.as_ref() == Some(wait));
    found.map(|(id, _)| *id)
}

/// A part of a client's standard input has come, or its end.
pub(crate) fn stdin(server: &mut Server, id: ClientId, bytes: &[u8]) {
    let Some(client) = server.model.clients.get_mut(&id) else {
        return;
    };
    let Some(mut stdin) = client.answer.stdin.take() else {
        return;
    };
    let is_whole = bytes.is_empty();
    let taken = stdin.add(bytes);
    if !is_whole && taken.is_ok() {
        client.answer.stdin = Some(stdin);
        return;
    }
    resume_queue::input_received(server, id, taken.map(|()| stdin.into_bytes()));
}
