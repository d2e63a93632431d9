//! The end of the server: everything is written, and clients are detached.

use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::ClientId;
use shellkeep_keeper::host::Ptys;
use shellkeep_keeper::{HostRequest, steps};
use shellkeep_proto::{FromServer, Leave, LeaveKind};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::clients::{control, control_notices};
use crate::commands::answer;
use crate::commands::queue::Wait;
use crate::event::Event;
use crate::event_loop;
use crate::event_loop::carry_out::{carry_out, waiting_queues};
use crate::inbox::Inbox;
use crate::model::notice::Notice;
use crate::model::{Model, Pane};
use crate::panes::show;
use crate::persistence::{archive, keep_changes, keeper_notes, kept_buffers};
use crate::server::Server;
use crate::shutdown::ending::{Ending, Rest};
use crate::shutdown::leaving;

/// How long a restart waits for the rest of incomplete keys and pastes, and for commands that clients have sent.
const LAST_INPUT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long the end waits for a client that does not read.
const GOODBYE_TIMEOUT: Duration = Duration::from_secs(1);

/// Ends the server: stops reading panes, writes what is left, and detaches clients.
pub(crate) async fn leave(server: &mut Server, ending: &Ending, inbox: &mut Inbox) {
    steps::reached("end-begun");
    if let Some(close) = server.shutdown.close_door.take() {
        close(ending);
    }
    if matches!(ending, Ending::Restart(_)) {
        close_intake(server, inbox, Late::Handled).await;
    }
    leave_panes(server, ending);
    steps::reached("leaving");
    flush_at_last(server, ending, inbox).await;
    steps::reached("end-written");
    if matches!(ending, Ending::Restart(_)) {
        // The masters are handed over until the next program has them. Otherwise the death of the keeper would hang up
        // every program.
        let panes = server.model.panes.values();
        let ptys = Ptys(panes.filter_map(Pane::pty).collect());
        server
            .model
            .outside
            .keeper
            .request(HostRequest::HandOver(ptys));
        answers_sent(&server.model).await;
        // Clients are sent nothing: their connections break, and they reconnect by themselves.
        return;
    }
    detach_clients(server);
    let _ = timeout(GOODBYE_TIMEOUT, see_off(server, inbox)).await;
    // A client may have connected just before the socket was closed. What it has sent is answered, or its next write
    // fails. If the connection broke without an answer, the client would not know whether its command was run.
    close_intake(server, inbox, Late::TurnedAway).await;
    answers_sent(&server.model).await;
    steps::reached("end-told");
}

/// What happens to an event that comes while the server ends.
#[derive(Clone, Copy)]
enum Late {
    /// It is handled as usual: programs go on, and no other server has it.
    Handled,
    /// A client's request is refused, so that the client asks the next server.
    TurnedAway,
}

impl Late {
    async fn take(self, server: &mut Server, event: Event) {
        match self {
            Self::Handled => event_loop::take_event(server, event).await,
            Self::TurnedAway => turn_away(server, event).await,
        }
    }
}

fn leave_panes(server: &mut Server, ending: &Ending) {
    if matches!(ending, Ending::Killed(_)) {
        let sessions = server.model.sessions.values();
        let closed = sessions.map(|session| Notice::SessionClosed {
            id: session.id,
            name: session.name.clone(),
        });
        let closed: Vec<Notice> = closed.collect();
        control_notices::notify_control_clients(&mut server.model, &closed);
    }
    match ending {
        Ending::Empty => kept_buffers::forget_buffers(&mut server.model, &server.persistence),
        Ending::Killed(Rest::Archived) => {
            keep_changes::archive_all(&mut server.model, &mut server.persistence);
            kept_buffers::forget_buffers(&mut server.model, &server.persistence);
        }
        Ending::Killed(Rest::Kept) | Ending::Terminated | Ending::Restart(_) => {
            keeper_notes::remember_screens(&server.model);
        }
    }
    if matches!(ending, Ending::Empty | Ending::Killed(_)) {
        server.model.outside.keeper.request(HostRequest::Shutdown);
    }
}

/// Writes what has come since the last flush. Where programs go on, they still get keys meanwhile.
async fn flush_at_last(server: &mut Server, ending: &Ending, inbox: &mut Inbox) {
    let Some(awaited) = leaving::flush(&mut server.model, &server.persistence) else {
        return;
    };
    let late = match ending {
        Ending::Terminated | Ending::Restart(_) => Late::Handled,
        Ending::Empty | Ending::Killed(_) => Late::TurnedAway,
    };
    while let Some(event) = inbox.recv().await {
        match event {
            Event::Flushed { number, .. } if number == awaited => return,
            event => late.take(server, event).await,
        }
    }
}

fn detach_clients(server: &mut Server) {
    answer_closing_commands(server);
    let leave = server_exited();
    let attached: Vec<ClientId> = server
        .model
        .clients
        .values()
        .filter(|c| c.session.is_some())
        .map(|c| c.id)
        .collect();
    for client in attached {
        show::release(&mut server.model, client, leave.clone());
    }
    carry_out(server);
    let control = server.model.clients.values();
    let control = control.filter(|client| client.control.is_some());
    for id in control.map(|client| client.id).collect::<Vec<_>>() {
        control::control_exits(&mut server.model, id, 0);
    }
    control::end_control_clients(&mut server.model);
    // `kill-server` is a command like any other, and its client waits for an answer.
    for client in server.model.clients.values_mut() {
        if std::mem::take(&mut client.answer.is_owed) {
            client.writer.send(FromServer::Done(client.answer.status));
        }
    }
}

/// Waits until the clients have read their last messages and are gone.
async fn see_off(server: &mut Server, inbox: &mut Inbox) {
    while !server.model.clients.is_empty() {
        match inbox.recv().await {
            Some(event) => turn_away(server, event).await,
            None => return,
        }
    }
}

/// Carries out no further requests, and tells the client to ask the next server.
async fn turn_away(server: &mut Server, event: Event) {
    match event {
        Event::Connected { .. } => event_loop::take_event(server, event).await,
        Event::Run { client, .. } => {
            if let Some(client) = server.model.clients.get(&client) {
                client.writer.send(FromServer::Leave(server_exited()));
            }
        }
        Event::Gone { client } => drop(server.model.clients.remove(&client)),
        _ => {}
    }
}

/// Everything is written, but the server ends before the recorder can report it: answers the commands that have closed
/// sessions.
fn answer_closing_commands(server: &mut Server) {
    for (number, said) in archive::take_closed(&mut server.persistence) {
        for queue in waiting_queues(server, &Wait::Kept(number)) {
            let queue = server.commands.queues.get(&queue);
            let caller = queue.map(|queue| queue.caller.clone()).unwrap_or_default();
            answer::print(&mut server.model, &caller, said.clone().into_bytes());
        }
    }
}

/// Stops reading clients, and handles everything that this process has read, because no other process has it.
async fn close_intake(server: &mut Server, inbox: &mut Inbox, late: Late) {
    server.shutdown.leaving.intake.close();
    let intake = server.shutdown.leaving.intake.clone();
    let drained = async { timeout(LAST_INPUT_TIMEOUT, intake.drained()).await };
    tokio::pin!(drained);
    loop {
        tokio::select! {
            _ = &mut drained => break,
            event = event_loop::next_event(server, inbox) => match event {
                Some(event) => late.take(server, event).await,
                None => return,
            },
        }
    }
    while let Some(event) = inbox.try_recv() {
        late.take(server, event).await;
    }
}

/// Waits until clients with outstanding requests were sent the answers that exist.
fn answers_sent(state: &Model) -> impl Future<Output = ()> + Send + use<> {
    let clients = state.clients.values();
    let askers = clients.filter(|client| client.session.is_none());
    let permits = Arc::new(Semaphore::new(state.clients.len()));
    for client in askers {
        if let Ok(permit) = permits.clone().try_acquire_owned() {
            client.writer.give_back(permit);
        }
    }
    let all = u32::try_from(state.clients.len()).unwrap_or(u32::MAX);
    async move {
        let _ = timeout(GOODBYE_TIMEOUT, permits.acquire_many(all)).await;
    }
}

fn server_exited() -> Leave {
    Leave {
        kind: LeaveKind::ServerExited,
        text: "server exited".to_owned(),
    }
}
