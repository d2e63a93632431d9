//! The event loop: the only place where the model changes.

mod commands;
mod input;
mod jobs;
mod keep;
mod keys;
mod menu;
mod panes;
mod popup;
mod show;
mod spawn;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::bind::KeyTables;
use shellkeep_core::{ClientId, SessionId, WindowId};
use shellkeep_keeper::{HostHandle, HostRequest};
use shellkeep_proto::{FromServer, Leave, LeaveKind};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use crate::alarm::Alarm;
use crate::courtesy::Courtesy;
use crate::event::Event;
use crate::exec::Reply;
use crate::job::JobId;
use crate::notice::Notice;
use crate::queue::{Queue, QueueId};
use crate::state::{Client, Seconds, Session, State};
use crate::{Clock, CloseDoor};

use jobs::{FormatJobs, Job};

pub(crate) use jobs::Then;
pub(crate) use spawn::NewProgram;

/// How long the end waits for a client that does not read.
const GOODBYE_TIME: Duration = Duration::from_secs(1);

/// Why the server ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its last session has ended.
    Empty,
    /// `kill-server`: every program was ended.
    Killed,
    /// SIGTERM: the programs stay with the keeper, for the next server.
    Terminated,
    /// `restart-server`: this program takes over.
    Restart(PathBuf),
}

/// What has changed and must be told to the keeper, for the next server.
#[derive(Default)]
struct NotesDue {
    sessions: BTreeSet<SessionId>,
    windows: BTreeSet<WindowId>,
    server: bool,
}

/// The server's model and its lines to the outside.
pub(crate) struct Server {
    pub(crate) state: State,
    pub(crate) host: HostHandle,
    pub(crate) key_tables: KeyTables,
    /// The socket's path, for `$SHELLKEEP`.
    pub(crate) socket: PathBuf,
    pub(crate) ending: Option<Ending>,
    /// What was wrong with the configuration, for the first client that asks for something.
    pub(crate) complaints: Vec<String>,
    /// How many commands have led to the one being run, each by naming more to be run.
    pub(crate) depth: usize,
    /// Commands that are run, or wait for something.
    pub(crate) queues: BTreeMap<QueueId, Queue>,
    /// The queue whose command is being run.
    pub(crate) running: Option<QueueId>,
    next_queue: u32,
    /// Shell commands of ours that run.
    jobs: BTreeMap<JobId, Job>,
    next_job: u64,
    /// What happened and was not yet passed on.
    notices: Vec<Notice>,
    are_sizes_due: bool,
    due: NotesDue,
    /// When it began.
    pub(crate) started: Seconds,
    /// The configurations it has read.
    pub(crate) config_files: Vec<String>,
    /// What `#(…)` printed last, and when.
    pub(crate) format_jobs: FormatJobs,
    courtesy: Arc<Courtesy>,
    clock: Clock,
    events: mpsc::Sender<Event>,
    escape_time: watch::Sender<Duration>,
    /// Lets nobody in any more. A client that comes now must find no server, not one that is leaving.
    close_door: Option<CloseDoor>,
}

impl Server {
    pub(crate) fn new(
        host: HostHandle,
        clock: Clock,
        socket: PathBuf,
        events: mpsc::Sender<Event>,
        escape_time: watch::Sender<Duration>,
        close_door: CloseDoor,
    ) -> Self {
        Self {
            state: State::default(),
            host,
            key_tables: KeyTables::default(),
            socket,
            ending: None,
            complaints: Vec::new(),
            depth: 0,
            queues: BTreeMap::new(),
            running: None,
            next_queue: 0,
            jobs: BTreeMap::new(),
            next_job: 0,
            notices: Vec::new(),
            are_sizes_due: false,
            due: NotesDue::default(),
            started: clock(),
            config_files: Vec::new(),
            format_jobs: FormatJobs::default(),
            courtesy: Arc::new(Courtesy::new()),
            clock,
            events,
            escape_time,
            close_door: Some(close_door),
        }
    }

    /// Runs until something ends it.
    pub(crate) async fn run(mut self, mut inbox: mpsc::Receiver<Event>) -> Ending {
        loop {
            if let Some(ending) = self.ending.take() {
                if let Some(close) = self.close_door.take() {
                    close(&ending);
                }
                self.say_goodbye(&ending);
                if !matches!(ending, Ending::Restart(_)) {
                    let _ = timeout(GOODBYE_TIME, self.see_off(&mut inbox)).await;
                }
                return ending;
            }
            let Some(event) = inbox.recv().await else {
                return Ending::Terminated;
            };
            // A panic would be a bug, and is logged as one; it ends the event, not the sessions.
            let done = catch_unwind(AssertUnwindSafe(|| {
                self.handle(event);
                self.settle();
            }));
            if done.is_err() {
                tracing::error!("an event was dropped after a panic; this is a bug in shellkeep");
            }
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Connected {
                client,
                pid,
                outbox,
            } => {
                self.state
                    .clients
                    .insert(client, Client::new(client, pid, outbox));
            }
            Event::Run { client, request } => self.run_request(client, *request),
            Event::Core { client, request } => self.core_request(client, &request),
            Event::Typed { client, input } => self.typed(client, input),
            Event::Resized { client, size } => self.client_resized(client, size),
            Event::Ready { client } => self.client_ready(client),
            Event::Paused { client } => self.suspend(client),
            Event::Gone { client } => self.client_gone(client),
            Event::Host(event) => self.host_event(event),
            Event::Asked { pane, effects } => tracing::trace!(%pane, ?effects, "effects"),
            Event::Ended { pane } => self.pane_ended(pane),
            Event::JobEnded { job, end } => self.job_ended(job, end),
            Event::Alarm(alarm) => self.ring(&alarm),
            Event::Terminated => self.ending = Some(Ending::Terminated),
        }
    }

    fn ring(&mut self, alarm: &Alarm) {
        match alarm {
            Alarm::Repeat(client) => self.repeat_over(*client),
            Alarm::Queue(queue) => self.resume(*queue, Ok(Reply::default())),
            _ => {}
        }
    }

    /// What follows from an event, once for all that it changed: sizes, notes to the next server, pictures.
    fn settle(&mut self) {
        for notice in std::mem::take(&mut self.notices) {
            tracing::trace!(?notice, "notice");
        }
        self.fit_windows();
        self.write_notes();
        self.show_stale();
        self.start_format_jobs();
    }

    /// Something happened that others may want to hear of.
    pub(crate) fn tell(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    /// The version scripts ask for.
    pub(crate) fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The sessions in the order in which they are listed.
    pub(crate) fn sessions_by_name(&self) -> Vec<&Session> {
        let mut sessions: Vec<&Session> = self.state.sessions.values().collect();
        sessions.sort_by(|a, b| a.name.cmp(&b.name));
        sessions
    }

    /// Seconds since 1970.
    pub(crate) fn now(&self) -> Seconds {
        (self.clock)()
    }

    /// Passes options on to where they are needed.
    pub(crate) fn apply_options(&mut self) {
        let milliseconds = self.state.options.server().number("escape-time");
        let time = Duration::from_millis(milliseconds.unsigned_abs());
        self.escape_time.send_replace(time);
    }

    fn say_goodbye(&mut self, ending: &Ending) {
        match ending {
            Ending::Empty | Ending::Killed => self.host.request(HostRequest::Shutdown),
            Ending::Terminated => self.remember_screens(),
            // Clients are told nothing: their line breaks, and they come back by themselves.
            Ending::Restart(_) => return self.remember_screens(),
        }
        let leave = Leave {
            kind: LeaveKind::ServerExited,
            text: "server exited".to_owned(),
        };
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
        // `kill-server` is a command like any other and has its answer coming.
        for client in self.state.clients.values_mut() {
            if std::mem::take(&mut client.owes_answer) {
                client.outbox.say(FromServer::Done(client.status));
            }
        }
    }

    /// Waits until the clients have read what they were told and gone.
    async fn see_off(&mut self, inbox: &mut mpsc::Receiver<Event>) {
        while !self.state.clients.is_empty() {
            match inbox.recv().await {
                Some(Event::Gone { client }) => {
                    self.state.clients.remove(&client);
                }
                Some(_) => {}
                None => return,
            }
        }
    }
}
