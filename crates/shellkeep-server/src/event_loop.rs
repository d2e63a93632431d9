//! The event loop: takes one event after another, has its component handle it, carries out the resulting actions, and
//! settles.
//!
//! Only this folder and the commands know all components. The loop never waits for a thread, a client, a pane or the
//! keeper.

pub(crate) mod carry_out;
pub(crate) mod client_gone;
pub(crate) mod format_jobs;
pub(crate) mod handle;
pub(crate) mod hooks_due;
pub(crate) mod leave;
pub(crate) mod process_notices;
pub(crate) mod recover;
pub(crate) mod settle;
pub(crate) mod show_stale;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::commands::settings;
use crate::event::Event;
use crate::event_loop::carry_out::{carry_out, carry_out_all};
use crate::event_loop::handle::handle;
use crate::event_loop::leave::leave;
use crate::event_loop::settle::settle;
use crate::inbox::Inbox;
use crate::model::RunningCommand;
use crate::persistence::recorder::MUCH_WORK;
use crate::persistence::written;
use crate::server::Server;
use crate::shutdown::ending::Ending;
use crate::shutdown::leaving;

/// How long the loop handles events before it yields to the tasks that read keys and paint echoes: the runtime has a
/// single thread.
const TURN_TIME: Duration = Duration::from_millis(4);

pub(crate) async fn run(mut server: Server, mut inbox: Inbox) -> Ending {
    let mut busy = Duration::ZERO;
    // The work done so far, and how much of it was reported to the recorder, which returns freed memory.
    let (mut events, mut reported) = (0, 0);
    loop {
        if let Some(ending) = leaving::take_ending(
            &mut server.model,
            &mut server.shutdown,
            &mut server.persistence,
            &mut server.hibernation,
        ) {
            leave(&mut server, &ending, &mut inbox).await;
            return ending;
        }
        let Some(event) = next_event(&mut server, &mut inbox).await else {
            return Ending::Terminated;
        };
        let began = std::time::Instant::now();
        take_event(&mut server, event).await;
        events += 1;
        let work = events + server.model.changes.commands_run;
        if work - reported >= MUCH_WORK
            && let Some(keeping) = &server.persistence.keeping
        {
            keeping.recorder.worked(work - reported);
            reported = work;
        }
        busy += began.elapsed();
        if busy >= TURN_TIME {
            busy = Duration::ZERO;
            tokio::task::yield_now().await;
        }
    }
}

/// Handles an event, and settles what follows from it.
pub(crate) async fn take_event(server: &mut Server, event: Event) {
    guarded(server, |server| {
        // Input to a program changes nothing but that program, and its echo must not wait for settling.
        server.model.changes.is_unsettled = !event.is_keys();
        handle_and_carry_out(server, event);
    });
    // The rest of the work for a new pane, such as making directories, is done while the keeper starts its program.
    if std::mem::take(&mut server.model.changes.is_starting) {
        tokio::task::yield_now().await;
    }
    if server.model.changes.is_unsettled {
        guarded(server, settle);
    }
    if std::mem::take(&mut server.model.changes.is_painting) {
        // The client's painter goes first.
        tokio::task::yield_now().await;
        guarded(server, settle);
    }
    let mut has_resumed = true;
    while std::mem::take(&mut has_resumed) {
        guarded(server, |server| {
            has_resumed = written::await_written(
                &mut server.model,
                &mut server.persistence,
                &server.commands.queues,
            );
            carry_out(server);
            if has_resumed {
                settle(server);
            }
        });
    }
}

pub(crate) fn configure(server: &mut Server, config: Option<(String, Result<String, String>)>) {
    settings::configure(server, config);
    carry_out(server);
    settle(server);
}

/// Handles an event, and carries out the actions that result.
pub(crate) fn handle_and_carry_out(server: &mut Server, event: Event) {
    handle(server, event);
    carry_out(server);
}

/// The next event, or the turn of a waiting queue.
pub(crate) async fn next_event(server: &mut Server, inbox: &mut Inbox) -> Option<Event> {
    if server.commands.slices.is_empty() {
        return inbox.recv().await;
    }
    // Tasks of panes and clients run in between.
    tokio::task::yield_now().await;
    let event = match server.commands.slices.lets_event_first() {
        true => inbox.try_recv(),
        false => None,
    };
    Some(event.unwrap_or(Event::NextSlice))
}

/// A panic is a bug, and is logged as one; it ends the event, not the sessions. Actions that were requested before it are carried out.
pub(crate) fn guarded(server: &mut Server, work: impl FnOnce(&mut Server)) {
    if catch_unwind(AssertUnwindSafe(|| work(server))).is_ok() {
        return;
    }
    tracing::error!("an event was dropped after a panic; this is a bug in shellkeep");
    // No command runs any more.
    server.model.changes.running = RunningCommand::default();
    server.commands.depth = 0;
    // An action is taken out of the list before it is carried out, so this ends.
    while catch_unwind(AssertUnwindSafe(|| carry_out_all(server))).is_err() {
        tracing::error!("an action was dropped after a panic; this is a bug in shellkeep");
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::action::Action;
    use crate::test_server;

    #[test]
    fn action_behind_one_that_panics_is_carried_out() {
        let temp = tempfile::tempdir().unwrap();
        let (mut server, _requests, _inbox) = test_server::server(temp.path(), "/bin/sh");
        guarded(&mut server, |server| {
            // It needs a runtime, and the test has none.
            let file = PathBuf::from("/nonexistent/file");
            server.model.act(Action::WriteFile(file, Vec::new()));
            server.model.act(Action::End(Ending::Terminated));
            carry_out(server);
        });
        let ending = server.shutdown.ending;
        assert!(matches!(ending, Some(Ending::Terminated)), "{ending:?}");
    }
}
