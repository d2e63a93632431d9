//! Carries out the actions that components have requested.

use std::path::PathBuf;

use shellkeep_command::parse::List;
use shellkeep_core::{ClientId, PaneId, SessionId};

use crate::action::{Action, Awaited};
use crate::clients::keys;
use crate::commands::exec::sleeping;
use crate::commands::job::JobSpec;
use crate::commands::queue::{Caller, QueueId, Wait, items};
use crate::commands::reply::Reply;
use crate::commands::{answer, jobs, pending, run};
use crate::event_loop::process_notices;
use crate::hibernation::report::PaneOutcome;
use crate::hibernation::{fall_asleep, marks, policy_timer, waiting_commands, wake_many};
use crate::model::Behind;
use crate::modes::{tree, view};
use crate::panes::{sessions, shells};
use crate::persistence::{keeper_notes, recorder};
use crate::records;
use crate::server::Server;
use crate::shutdown::last_capture;

/// Carries out all requested actions, including those that they request in turn. Called by an action, it leaves those that
/// were requested behind that action.
pub(crate) fn carry_out(server: &mut Server) {
    let behind = server.model.changes.actions.behind();
    carry_out_before(server, behind);
}

/// Carries out all requested actions, also those behind one that has panicked.
pub(crate) fn carry_out_all(server: &mut Server) {
    carry_out_before(server, Behind::NOTHING);
}

fn carry_out_before(server: &mut Server, behind: Behind) {
    while let Some(action) = server.model.changes.actions.next(behind) {
        carry_out_one(server, action);
    }
}

#[expect(clippy::too_many_lines, reason = "a line or two for each action")]
fn carry_out_one(server: &mut Server, action: Action) {
    match action {
        Action::Resume(queue, outcome) => run::resume(server, queue, outcome),
        Action::Run(caller, items) => run::run_items_for(server, caller, items),
        Action::ShowText(client, text) => view::view(&mut server.model, client, &text),
        Action::AskKeeper(request) => server.host.request(request),
        Action::Wake(pane, waker) => sleeping::wake(server, pane, waker),
        Action::ForgetPointer(client) => forget_pointer(server, client),
        Action::SleepOutcome(outcome) => pass_outcome(server, &outcome, false),
        Action::WakeDryRun(outcome) => pass_outcome(server, &outcome, true),
        Action::WriteNotes => keeper_notes::write_notes(&mut server.model, &mut server.persistence),
        Action::EndShell(pane, attempt) => {
            fall_asleep::end_noted(&mut server.model, &mut server.hibernation, pane, attempt);
        }
        Action::CaptureDone(pane) => last_capture::last_capture_answered(
            &mut server.model,
            &mut server.shutdown,
            &mut server.hibernation,
            pane,
        ),
        Action::CaptureMissed(pane, reason) => last_capture::last_capture_settled(
            &mut server.model,
            &mut server.shutdown,
            pane,
            Some(&reason),
        ),
        Action::CloseSession(session) => sessions::close_session(&mut server.model, session),
        Action::PaneLeftAlone(pane) => {
            policy_timer::pane_left_alone(&server.model, &mut server.hibernation, pane)
        }
        Action::PolicyDue => policy_timer::round_due(&server.model, &mut server.hibernation),
        Action::Revived(took) => server.hibernation.sleeps.revivals.record(took),
        Action::ReleaseInput(pane, key) => {
            keeper_notes::write_notes(&mut server.model, &mut server.persistence);
            shells::release_input(&mut server.model, pane, key);
        }
        Action::PaneEnded(pane) => process_notices::pane_ended(server, pane),
        Action::End(ending) => drop(server.shutdown.ending.get_or_insert(ending)),
        Action::RunAgain(wait, awaited) => run_again(server, &wait, &awaited),
        Action::ResumeAll(wait, said) => {
            for queue in waiting_queues(server, &wait) {
                run::resume(server, queue, said.clone().map(Reply::text));
            }
        }
        Action::RunList(caller, list) => run::run_list(server, caller, &list),
        Action::Answer {
            caller,
            queue,
            commands,
        } => answered(server, caller, queue, commands),
        Action::Dismiss(queue) => dismiss(server, queue),
        Action::Refuse(queue) => {
            run::set_status(server, queue, 1);
            dismiss(server, queue);
        }
        Action::OverlayLeft {
            client,
            queue,
            status,
        } => overlay_left(server, client, queue, status),
        Action::CopyDone(pane) => copy_done(server, pane),
        Action::StartJob {
            session,
            command,
            input,
        } => start_job(server, session, command, input),
        Action::WriteFile(path, bytes) => write_file(server, path, bytes),
        Action::PutToSleep(caller, panes) => {
            marks::sleep_chosen(&mut server.model, &mut server.hibernation, &caller, &panes)
        }
        Action::KeepCommand(pane, entry) => {
            records::store::keep_command(&server.model, &server.persistence, pane, *entry);
        }
        Action::WakeAll(panes) => {
            wake_many::wake_all(&mut server.model, &mut server.hibernation, &panes)
        }
        Action::Press(client, event) => keys::press(&mut server.model, client, &event),
        Action::TreeActed(client, pane) => tree::tree_acted(&mut server.model, client, pane),
        Action::TreeAnswered {
            client,
            pane,
            question,
            answer,
        } => {
            let answer = answer.as_deref();
            tree::tree_answered(&mut server.model, client, pane, question, answer);
        }
    }
}

/// Handles the commands that follow from a user's answer: the queue that waits for it continues with them, or they run
/// on their own.
fn answered(
    server: &mut Server,
    caller: Caller,
    queue: Option<QueueId>,
    commands: Result<List, String>,
) {
    match (queue, commands) {
        (Some(queue), commands) if waits_for_answer(server, queue) => {
            let outcome = commands.map(|list| Reply {
                next: items(&list),
                ..Reply::default()
            });
            run::resume(server, queue, outcome);
        }
        (_, Ok(list)) => run::run_list(server, caller, &list),
        (_, Err(message)) => answer::complain(&mut server.model, &caller, message),
    }
}

fn dismiss(server: &mut Server, queue: QueueId) {
    if waits_for_answer(server, queue) {
        run::resume(server, queue, Ok(Reply::default()));
    }
}

fn waits_for_answer(server: &Server, queue: QueueId) -> bool {
    let queue = server.commands.queues.get(&queue);
    queue.is_some_and(|queue| matches!(queue.wait, Some(Wait::Prompt(_))))
}

fn overlay_left(server: &mut Server, client: ClientId, id: QueueId, status: u8) {
    let queue = server.commands.queues.get_mut(&id);
    if let Some(queue) = queue.filter(|it| it.wait == Some(Wait::Overlay(client))) {
        queue.status = status;
        run::resume(server, id, Ok(Reply::default()));
    }
}

fn copy_done(server: &mut Server, pane: PaneId) {
    let queues = server.commands.queues.iter();
    let waiting = queues.filter(|(_, queue)| queue.wait == Some(Wait::Copy(pane)));
    for queue in waiting.map(|(id, _)| *id).collect::<Vec<_>>() {
        run::resume(server, queue, Ok(Reply::default()));
    }
}

fn start_job(server: &mut Server, session: Option<SessionId>, command: String, input: Vec<u8>) {
    let cwd = session.and_then(|id| server.model.sessions.get(&id));
    let spec = JobSpec {
        command,
        cwd: cwd.map(|session| session.cwd.clone()).unwrap_or_default(),
        environ: jobs::job_environ(&server.model, session),
        umask: server.model.birth.umask,
        input,
    };
    pending::start_job(server, &spec, Box::new(|_, _| Ok(Reply::default())));
}

fn write_file(server: &Server, path: PathBuf, bytes: Vec<u8>) {
    match &server.persistence.keeping {
        Some(keeping) => keeping.recorder.write_file(path, bytes),
        // Without a store there is no recorder, but the user's file is written all the same.
        None => drop(tokio::task::spawn_blocking(move || {
            recorder::write_file(&path, &bytes);
        })),
    }
}

/// Forgets the mouse position of a command, unless commands of the binding still wait.
fn forget_pointer(server: &mut Server, id: ClientId) {
    let mut callers = server.commands.queues.values().map(|queue| &queue.caller);
    if !callers.any(|caller| caller.client == Some(id) && caller.mouse.is_some())
        && let Some(client) = server.model.clients.get_mut(&id)
    {
        client.input.mouse.pointer = None;
    }
}

fn pass_outcome(server: &mut Server, outcome: &PaneOutcome, is_dry: bool) {
    waiting_commands::pass_outcome(
        &mut server.model,
        &mut server.hibernation.jobs,
        outcome,
        is_dry,
    );
}

pub(crate) fn waiting_queues(server: &Server, wait: &Wait) -> Vec<QueueId> {
    let queues = server.commands.queues.iter();
    let waiting = queues.filter(|(_, queue)| queue.wait.as_ref() == Some(wait));
    waiting.map(|(id, _)| *id).collect()
}

/// Runs waiting commands again from their beginning, with what they have waited for.
fn run_again(server: &mut Server, wait: &Wait, awaited: &Awaited) {
    for id in waiting_queues(server, wait) {
        let Server {
            persistence,
            shutdown,
            ..
        } = &mut *server;
        match awaited.clone() {
            Awaited::Archive(archive) => persistence.archive = Some(archive),
            Awaited::Flushed(left) => shutdown.leaving.answer = Some(left),
            Awaited::LastCaptures(missed) => shutdown.leaving.captures.answer = Some(missed),
        }
        let outcome = run::run_again(server, id);
        server.persistence.archive = None;
        server.shutdown.leaving.answer = None;
        server.shutdown.leaving.captures.answer = None;
        run::resume(server, id, outcome);
    }
}
