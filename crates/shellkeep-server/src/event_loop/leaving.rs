//! The server's end. It ends only when everything is written: what is not is in its memory alone. The loop does not wait for that;
//! the recorder says [`Event::Flushed`], and events are handled meanwhile.
//!
//! ```text
//! kill-server, restart-server ─► flush ─► the command is run again ─► leave: screens, flush, farewell
//! SIGTERM, last session ends  ─► flush ─► all written? ── yes ──────► leave
//!                                  └───── no: put off, again in two seconds ◄──┘
//! ```
//!
//! A system that goes down does not wait for ever, and kills the server anyway.

use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::{ClientId, PaneId};
use shellkeep_keeper::host::Ptys;
use shellkeep_keeper::{HostRequest, steps};
use shellkeep_proto::{FromServer, Leave, LeaveKind};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::last_capture::LastCaptures;
use super::{Ending, Idle, Rest, Server, control};
use crate::alarm::{Alarm, Timer};
use crate::call;
use crate::event::Event;
use crate::exec::Reply;
use crate::inbox::Inbox;
use crate::intake::Intake;
use crate::notice::Notice;
use crate::queue::{Caller, QueueId, Wait};
use crate::state::{Model, Pane};

/// How often it is tried again to write what could not be written.
const SAVE_RETRY: Duration = Duration::from_secs(2);

/// How long a restart waits for the rest of keys and pastes that have begun, and for commands that clients have sent.
const LAST_INPUT_TIME: Duration = Duration::from_secs(2);

/// How long the end waits for a client that does not read.
const GOODBYE_TIME: Duration = Duration::from_secs(1);

/// An end that waits until everything is written, and commands that do.
#[derive(Default)]
pub(crate) struct Leaving {
    /// Whether input of clients is read.
    pub(crate) intake: Intake,
    pending: Option<PendingEnd>,
    pub(super) captures: LastCaptures,
    /// SIGTERM has come.
    is_terminated: bool,
    /// What the recorder has answered, while the command runs that has waited for it: why something is not written.
    answer: Option<Option<String>>,
}

/// An end that cannot be yet.
struct PendingEnd {
    ending: Ending,
    stage: Stage,
    /// What would be lost, and why, if it was tried before.
    trouble: Option<String>,
    /// A second SIGTERM has come since: the server ends whatever is lost.
    is_urged: bool,
}

enum Stage {
    /// The server waits, by this number, for shells to tell their state: SIGTERM may have been sent to the shells as well.
    Capturing(u64),
    /// They have told it, or had their time.
    Captured,
    /// The recorder writes everything, and answers with this number.
    Saving(u64),
    /// Something could not be written. It is tried again when the timer rings.
    PutOff { _retry: Timer },
    /// Everything is written.
    Saved,
}

impl Leaving {
    /// Whether the server was told to end in order, and everything else with it, maybe.
    pub(super) fn is_terminated(&self) -> bool {
        self.is_terminated
    }

    /// Why the server does not end although it should.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.pending.as_ref()?.trouble.as_deref()
    }
}

impl Server {
    /// SIGTERM. The second one, while the end is put off, ends the server at once.
    pub(super) fn terminated(&mut self) {
        let pending = self.shutdown.leaving.pending.as_mut();
        let pending = pending.filter(|pending| pending.trouble.is_some());
        if let Some(pending) = pending.filter(|pending| pending.ending == Ending::Terminated) {
            pending.is_urged = true;
        }
        self.shutdown.ending = Some(Ending::Terminated);
        self.shutdown.leaving.is_terminated = true;
        self.leave_ended_panes();
    }

    /// The end that is due, unless it has to wait. Commands that end the server have waited before.
    pub(super) fn take_ending(&mut self) -> Option<Ending> {
        let ending = self.shutdown.ending.take()?;
        if !matches!(ending, Ending::Empty | Ending::Terminated) {
            return Some(ending);
        }
        let pending = self.shutdown.leaving.pending.take();
        let pending = pending.filter(|pending| pending.ending == ending);
        let stage = pending.as_ref().map(|pending| &pending.stage);
        let is_urged = pending.as_ref().is_some_and(|pending| pending.is_urged);
        let stage = match stage {
            Some(Stage::Saved) => return Some(ending),
            _ if is_urged => return Some(ending),
            Some(Stage::Saving(number)) => Stage::Saving(*number),
            Some(Stage::Capturing(number)) => Stage::Capturing(*number),
            None if ending == Ending::Terminated => {
                let panes: Vec<PaneId> = self.state.panes.keys().copied().collect();
                match self.begin_last_capture(&panes) {
                    Some(number) => Stage::Capturing(number),
                    None => match self.flush_noted() {
                        Some(number) => Stage::Saving(number),
                        None => return Some(ending),
                    },
                }
            }
            Some(Stage::PutOff { .. } | Stage::Captured) | None => match self.flush_noted() {
                Some(number) => Stage::Saving(number),
                None => return Some(ending),
            },
        };
        self.shutdown.leaving.pending = Some(PendingEnd {
            ending,
            stage,
            trouble: pending.and_then(|pending| pending.trouble),
            is_urged: false,
        });
        None
    }

    /// The same with what was noted since the last event.
    fn flush_noted(&mut self) -> Option<u64> {
        self.write_notes();
        self.flush()
    }

    /// Shells that an end waits for have told their state: it goes on. Whether there was one.
    pub(super) fn captured_before_leaving(&mut self, number: u64) -> bool {
        let pending = self.shutdown.leaving.pending.as_mut();
        let is_its =
            |it: &&mut PendingEnd| matches!(it.stage, Stage::Capturing(it) if it == number);
        let Some(pending) = pending.filter(is_its) else {
            return false;
        };
        pending.stage = Stage::Captured;
        self.shutdown.ending.get_or_insert(pending.ending.clone());
        true
    }

    /// Has the recorder write everything; the number that it answers with. Nothing if nothing is kept.
    fn flush(&mut self) -> Option<u64> {
        let recorder = self.persistence.keeping.as_ref()?.recorder.clone();
        let number = self.number_to_wait_for();
        recorder.flush(number);
        Some(number)
    }

    /// Whether the command that runs has waited for a flush, and so for all that comes before one.
    pub(crate) fn has_flushed(&self) -> bool {
        self.shutdown.leaving.answer.is_some()
    }

    /// Whether an orderly end would leave everything behind, for the command that runs. If that is not known yet, what to answer: the
    /// command is run again from its beginning when it is, and must have done nothing before.
    ///
    /// # Errors
    /// Why something that was shown would be lost.
    pub(crate) fn check_saved(&mut self, caller: &Caller) -> Result<Option<Reply>, String> {
        let Some(left) = self.shutdown.leaving.answer.take() else {
            let wait = self.flush_noted().map(Wait::Flush);
            return Ok(wait.map(|wait| Reply {
                wait: Some(wait),
                ..Reply::default()
            }));
        };
        match unsaved(&self.state, left) {
            Some(why) => Err(format!(
                "what was printed cannot be saved: {why} ({} doctor says what to do)",
                call::call_for(&self.state, caller)
            )),
            None => Ok(None),
        }
    }

    /// The recorder has written all that it can: the end that waits for it is due or put off, the commands that do are run again.
    pub(super) fn flushed(&mut self, number: u64, left: Option<String>) {
        steps::reached("end-saved");
        let pending = self.shutdown.leaving.pending.as_ref();
        if pending.is_some_and(|it| matches!(it.stage, Stage::Saving(it) if it == number)) {
            return self.end_or_put_off(left);
        }
        let wait = Some(Wait::Flush(number));
        let waiting = self
            .commands
            .queues
            .iter()
            .filter(|(_, queue)| queue.wait == wait);
        let waiting: Vec<QueueId> = waiting.map(|(id, _)| *id).collect();
        for id in waiting {
            self.shutdown.leaving.answer = Some(left.clone());
            let outcome = self.run_again(id);
            self.shutdown.leaving.answer = None;
            self.resume(id, outcome);
        }
    }

    fn end_or_put_off(&mut self, left: Option<String>) {
        if self.is_end_unwanted() {
            return self.shutdown.leaving.pending = None;
        }
        let why = unsaved(&self.state, left);
        let retry = why
            .is_some()
            .then(|| self.state.set_alarm(Alarm::Leave, SAVE_RETRY));
        let Some(pending) = &mut self.shutdown.leaving.pending else {
            return;
        };
        let Some(retry) = retry else {
            pending.stage = Stage::Saved;
            self.shutdown.ending.get_or_insert(pending.ending.clone());
            return;
        };
        if pending.trouble.is_none() {
            tracing::error!(ending = ?pending.ending, why, "cannot end yet");
        }
        pending.trouble = why;
        pending.stage = Stage::PutOff { _retry: retry };
        self.state.redraw_all();
    }

    /// Whether the server was to end for want of sessions or of use, and has them again. A client that came meanwhile is answered:
    /// when it goes, the end is due again.
    fn is_end_unwanted(&self) -> bool {
        let pending = self.shutdown.leaving.pending.as_ref();
        let is_empty = pending.is_some_and(|pending| pending.ending == Ending::Empty);
        let is_used_again = self.shutdown.idle == Idle::Ends && !self.is_unused();
        is_empty && (!self.state.sessions.is_empty() || is_used_again)
    }

    /// Tries again to end, if that is still wanted.
    pub(super) fn leave_again(&mut self) {
        if self.is_end_unwanted() {
            self.shutdown.leaving.pending = None;
        }
        if let Some(pending) = &self.shutdown.leaving.pending {
            self.shutdown.ending.get_or_insert(pending.ending.clone());
        }
    }

    /// Ends: nothing is read from panes any more, what is left is written, clients are let go.
    pub(super) async fn leave(&mut self, ending: &Ending, inbox: &mut Inbox) {
        steps::reached("end-begun");
        if let Some(close) = self.shutdown.close_door.take() {
            close(ending);
        }
        if matches!(ending, Ending::Restart(_)) {
            handle_last_input(self, inbox).await;
        }
        self.leave_panes(ending);
        steps::reached("leaving");
        self.flush_at_last(ending, inbox).await;
        steps::reached("end-written");
        if matches!(ending, Ending::Restart(_)) {
            // Until the next program has them, or the death of the keeper would end every program.
            let panes = self.state.panes.values();
            let ptys = Ptys(panes.filter_map(Pane::pty).collect());
            self.host.request(HostRequest::HandOver(ptys));
            answers_sent(&self.state).await;
            // Clients are told nothing: their line breaks, and they come back by themselves.
            return;
        }
        self.say_goodbye();
        let _ = timeout(GOODBYE_TIME, self.see_off(inbox)).await;
        steps::reached("end-told");
    }

    fn leave_panes(&mut self, ending: &Ending) {
        if matches!(ending, Ending::Killed(_)) {
            let sessions = self.state.sessions.values();
            let closed = sessions.map(|session| Notice::SessionClosed {
                id: session.id,
                name: session.name.clone(),
            });
            let closed: Vec<Notice> = closed.collect();
            self.tell_control_clients(&closed);
        }
        match ending {
            Ending::Empty => self.forget_buffers(),
            Ending::Killed(Rest::Archived) => {
                self.archive_all();
                self.forget_buffers();
            }
            Ending::Killed(Rest::Kept) | Ending::Terminated | Ending::Restart(_) => {
                self.remember_screens();
            }
        }
        if matches!(ending, Ending::Empty | Ending::Killed(_)) {
            self.host.request(HostRequest::Shutdown);
        }
    }

    /// Has what came since the last flush written. Where programs go on, keys that come meanwhile still go to them.
    async fn flush_at_last(&mut self, ending: &Ending, inbox: &mut Inbox) {
        let Some(awaited) = self.flush() else {
            return;
        };
        let goes_on = matches!(ending, Ending::Terminated | Ending::Restart(_));
        while let Some(event) = inbox.recv().await {
            match event {
                Event::Flushed { number, .. } if number == awaited => return,
                event if goes_on => self.take_event(event).await,
                event => self.turn_away(event).await,
            }
        }
    }

    fn say_goodbye(&mut self) {
        self.tell_closers();
        let leave = server_exited();
        let attached: Vec<ClientId> = self
            .state
            .clients
            .values()
            .filter(|c| c.session.is_some())
            .map(|c| c.id)
            .collect();
        for client in attached {
            self.release(client, leave.clone());
        }
        let control = self.state.clients.values();
        let control = control.filter(|client| client.control.is_some());
        for id in control.map(|client| client.id).collect::<Vec<_>>() {
            control::control_exits(&mut self.state, id, 0);
        }
        control::end_control_clients(&mut self.state);
        // `kill-server` is a command like any other and has its answer coming.
        for client in self.state.clients.values_mut() {
            if std::mem::take(&mut client.owes_answer) {
                client.writer.say(FromServer::Done(client.status));
            }
        }
    }

    /// Waits until the clients have read what they were told and gone.
    async fn see_off(&mut self, inbox: &mut Inbox) {
        while !self.state.clients.is_empty() {
            match inbox.recv().await {
                Some(event) => self.turn_away(event).await,
                None => return,
            }
        }
    }

    /// Does nothing any more that a client asks for, and tells it so: it can ask the next server.
    async fn turn_away(&mut self, event: Event) {
        match event {
            Event::Connected { .. } => self.take_event(event).await,
            Event::Run { client, .. } => {
                if let Some(client) = self.state.clients.get(&client) {
                    client.writer.say(FromServer::Leave(server_exited()));
                }
            }
            Event::Gone { client } => drop(self.state.clients.remove(&client)),
            _ => {}
        }
    }
}

/// Why something that was shown is not on disk, behind a flush that has left this.
fn unsaved(model: &Model, left: Option<String>) -> Option<String> {
    let trouble = |pane: &Pane| {
        let lag = pane.screen.with_record(|record| {
            let trouble = record.lag().1.map(str::to_owned);
            trouble.filter(|_| !record.is_written())
        });
        lag.flatten()
    };
    model.panes.values().find_map(trouble).or(left)
}

/// Handles all that clients have sent and this program has read: no other has it.
async fn handle_last_input(server: &mut Server, inbox: &mut Inbox) {
    server.shutdown.leaving.intake.close();
    let intake = server.shutdown.leaving.intake.clone();
    let drained = async { timeout(LAST_INPUT_TIME, intake.drained()).await };
    tokio::pin!(drained);
    loop {
        tokio::select! {
            _ = &mut drained => break,
            event = server.next_event(inbox) => match event {
                Some(event) => server.take_event(event).await,
                None => return,
            },
        }
    }
    while let Some(event) = inbox.try_recv() {
        server.take_event(event).await;
    }
}

/// Waits until clients that have asked for something have been sent the answers that there are.
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
        let _ = timeout(GOODBYE_TIME, permits.acquire_many(all)).await;
    }
}

fn server_exited() -> Leave {
    Leave {
        kind: LeaveKind::ServerExited,
        text: "server exited".to_owned(),
    }
}

#[cfg(test)]
mod tests;
