//! Runs the hooks that are due.

use crate::commands::hooks::{hook_items, is_there};
use crate::commands::queue::{Caller, Queue, QueueId, Wait};
use crate::commands::run;
use crate::model::HookDue;
use crate::server::Server;

/// Runs the hooks that are due, each in a queue of its own.
pub(crate) fn run_hooks(server: &mut Server) {
    // A command that waits for its program to start has an after-hook of its own, which runs first.
    let waits = |queue: Option<QueueId>| {
        let queue = queue.and_then(|id| server.commands.queues.get(&id));
        queue.is_some_and(|queue| matches!(queue.wait, Some(Wait::Pane(_))))
    };
    let due = std::mem::take(&mut server.model.changes.hooks).into_iter();
    let (later, now): (Vec<HookDue>, Vec<HookDue>) = due.partition(|due| waits(due.cause));
    server.model.changes.hooks = later;
    for HookDue { name, mut hook, .. } in now {
        let current = hook.current.filter(|found| is_there(&server.model, *found));
        let latest = || server.model.place_in(server.model.latest_session()?);
        hook.current = current.or_else(latest);
        let caller = Caller {
            current: hook.current,
            ..Caller::default()
        };
        let items = hook_items(&server.model, name, hook);
        if items.is_empty() {
            continue;
        }
        let mut queue = Queue::new(caller);
        queue.push_next(items, 0);
        run::start_queue(server, queue);
    }
}
