//! Answers of command lines that wait until their changes are written into the page cache, so that the death of all
//! processes undoes nothing that was confirmed. Only the answer waits; nothing else is held up.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::action::Action;
use crate::clients::control_feed::{Barrier, ControlFeed};
use crate::commands::queue::{Origin, Queue, QueueId, Wait};
use crate::commands::reply::Reply;
use crate::model::Model;
use crate::persistence::state::Persistence;

#[derive(Default)]
pub(crate) struct Unwritten {
    /// Queues whose last changes belong to the current event and are not requested to be written yet.
    due: Vec<QueueId>,
    /// Queues whose changes are being written, and the revision they wait for.
    waiting: Vec<(u64, QueueId)>,
    /// Answers to control clients, in the same two stages.
    barred: Vec<BarredAnswer>,
    waiting_barred: Vec<(u64, BarredAnswer)>,
    /// The highest revision that is written.
    written: u64,
}

/// An answer to a control client that is held in the client's feed.
struct BarredAnswer {
    feed: Arc<ControlFeed>,
    barrier: Barrier,
}

impl Unwritten {
    /// Holds all further lines to a control client until the changes of the current event are written.
    pub(crate) fn bar(&mut self, feed: &Arc<ControlFeed>) {
        let (feed, barrier) = (feed.clone(), feed.bar());
        self.barred.push(BarredAnswer { feed, barrier });
    }
}

impl BarredAnswer {
    fn open(&self) {
        self.feed.open(self.barrier);
    }
}

/// Whether the current event has changed anything that is on disk.
fn has_kept_changes(model: &Model) -> bool {
    let due = &model.changes.notes;
    !due.sessions.is_empty()
        || !due.windows.is_empty()
        || due.server
        || due.keys
        || !model.changes.stored.closed_panes.is_empty()
        || !model.changes.stored.closed_sessions.is_empty()
}

/// Notes whether a command has changed anything that is on disk.
pub(crate) fn note_changes(model: &Model, queues: &mut BTreeMap<QueueId, Queue>, id: QueueId) {
    let is_changing = has_kept_changes(model);
    if let Some(queue) = queues.get_mut(&id) {
        queue.is_changing |= is_changing;
    }
}

/// Makes a queue wait with its answer until its changes are written. Returns whether it waits. A control client has an
/// answer to each command instead: see `control_lines::end_answer`.
pub(crate) fn hold_answer(
    model: &mut Model,
    persistence: &mut Persistence,
    queues: &mut BTreeMap<QueueId, Queue>,
    id: QueueId,
) -> bool {
    if persistence.keeping.is_none() {
        return false;
    }
    let queue = queues.get_mut(&id).filter(|queue| {
        let client = queue.caller.client;
        let client = client.and_then(|id| model.clients.get(&id));
        client.is_none_or(|client| client.control.is_none())
    });
    let queue = queue.filter(|queue| queue.caller.origin == Origin::CommandLine);
    let Some(queue) = queue.filter(|queue| queue.is_changing) else {
        return false;
    };
    queue.is_changing = false;
    queue.wait = Some(Wait::Written);
    persistence.unwritten.due.push(id);
    model.changes.is_unsettled = true;
    true
}

/// The changes of the current event were requested to be written: resumes queues whose changes are written already, and
/// has the writer report for the others. Returns whether any was resumed.
pub(crate) fn await_written(
    model: &mut Model,
    persistence: &mut Persistence,
    queues: &BTreeMap<QueueId, Queue>,
) -> bool {
    let due = std::mem::take(&mut persistence.unwritten.due);
    let barred = std::mem::take(&mut persistence.unwritten.barred);
    if due.is_empty() && barred.is_empty() {
        return false;
    }
    let Some(keeping) = &persistence.keeping else {
        return false;
    };
    let last = keeping.recorder.last_revision();
    if last <= persistence.unwritten.written {
        barred.iter().for_each(BarredAnswer::open);
        let has_resumed = !due.is_empty();
        due.into_iter()
            .for_each(|id| resume_written(model, queues, id));
        return has_resumed;
    }
    let barred = barred.into_iter().map(|answer| (last, answer));
    persistence.unwritten.waiting_barred.extend(barred);
    keeping.recorder.report_when_written(last);
    let waiting = due.into_iter().map(|id| (last, id));
    persistence.unwritten.waiting.extend(waiting);
    false
}

/// Everything up to this revision is written.
pub(crate) fn written(
    model: &mut Model,
    persistence: &mut Persistence,
    queues: &BTreeMap<QueueId, Queue>,
    revision: u64,
) {
    persistence.unwritten.written = persistence.unwritten.written.max(revision);
    persistence
        .unwritten
        .waiting_barred
        .retain(|(until, answer)| {
            let is_written = *until <= revision;
            if is_written {
                answer.open();
            }
            !is_written
        });
    let waiting = std::mem::take(&mut persistence.unwritten.waiting);
    let (done, waiting) = waiting
        .into_iter()
        .partition(|(until, _)| *until <= revision);
    persistence.unwritten.waiting = waiting;
    let done: Vec<(u64, QueueId)> = done;
    done.into_iter()
        .for_each(|(_, id)| resume_written(model, queues, id));
}

fn resume_written(model: &mut Model, queues: &BTreeMap<QueueId, Queue>, id: QueueId) {
    let queue = queues.get(&id);
    if queue.is_some_and(|queue| queue.wait == Some(Wait::Written)) {
        model.act(Action::Resume(id, Ok(Reply::default())));
    }
}
