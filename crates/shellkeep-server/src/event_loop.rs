//! The event loop: the only place where the model changes.

mod input;
mod show;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::lex::split_argv;
use shellkeep_command::{Command, CommandError};
use shellkeep_core::{ClientId, PaneId, SessionId, Size};
use shellkeep_keeper::{HostEvent, HostHandle, HostRequest, SpawnRequest};
use shellkeep_proto::{Core, FromServer, Leave, LeaveKind, RunRequest, Verb};
use shellkeep_render::Caps;
use shellkeep_term::Emulator;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use crate::bindings::Bindings;
use crate::courtesy::Courtesy;
use crate::event::Event;
use crate::exec::{self, Reply};
use crate::screen::Screen;
use crate::state::{Client, Pane, Seconds, Session, State};
use crate::{Clock, CloseDoor, memory};

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

/// The server's model and its lines to the outside.
pub(crate) struct Server {
    pub(crate) state: State,
    pub(crate) host: HostHandle,
    pub(crate) bindings: Bindings,
    /// The socket's path, for `$SHELLKEEP`.
    pub(crate) socket: PathBuf,
    pub(crate) ending: Option<Ending>,
    /// What was wrong with the configuration, for the first client that asks for something.
    pub(crate) complaints: Vec<String>,
    /// How many files inside each other are being read.
    pub(crate) source_depth: usize,
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
            bindings: Bindings::default(),
            socket,
            ending: None,
            complaints: Vec::new(),
            source_depth: 0,
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
            if catch_unwind(AssertUnwindSafe(|| self.handle(event))).is_err() {
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
            Event::Terminated => self.ending = Some(Ending::Terminated),
        }
    }

    /// Seconds since 1970.
    pub(crate) fn now(&self) -> Seconds {
        (self.clock)()
    }

    // ---- commands ----

    fn run_request(&mut self, id: ClientId, request: RunRequest) {
        let complaints = std::mem::take(&mut self.complaints);
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        if let Some(terminal) = &request.context.terminal {
            client.size = Size::new(terminal.rows, terminal.cols);
        }
        client.caps = exec::caps_of(&request.context);
        client.context = request.context;
        client.queue = split_argv(&request.argv).into();
        if client.queue.is_empty() {
            // The program's name alone: go on where the user was, or begin.
            let command = if self.state.sessions.is_empty() {
                "new-session"
            } else {
                "attach-session"
            };
            client.queue.push_back(vec![command.to_owned()]);
        }
        client.owes_answer = true;
        client.status = 0;
        for complaint in complaints {
            client
                .outbox
                .say(FromServer::Stderr(format!("{complaint}\n").into_bytes()));
        }
        self.advance(id);
    }

    /// Runs a client's commands until one has to wait for something.
    pub(crate) fn advance(&mut self, id: ClientId) {
        loop {
            let Some(client) = self.state.clients.get_mut(&id) else {
                return;
            };
            if client.waits_for.is_some() {
                return;
            }
            let Some(argv) = client.queue.pop_front() else {
                break;
            };
            let result = self.run_command(id, &argv);
            let Some(client) = self.state.clients.get_mut(&id) else {
                return;
            };
            match result {
                Ok(reply) => {
                    client.waits_for = reply.waits_for;
                    if !reply.stdout.is_empty() {
                        client.outbox.say(FromServer::Stdout(reply.stdout));
                    }
                }
                Err(message) => client.fail(&message),
            }
        }
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        if matches!(self.ending, Some(Ending::Restart(_))) {
            // The end of the line is the answer: it is over when the next server is there, not before.
            return;
        }
        // A client that was attached has its answer: the screen.
        if std::mem::take(&mut client.owes_answer) && client.session.is_none() {
            client.outbox.say(FromServer::Done(client.status));
        }
    }

    fn run_command(&mut self, id: ClientId, argv: &[String]) -> Result<Reply, String> {
        let command = match shellkeep_command::parse(argv) {
            Ok(command) => command,
            Err(CommandError::Help(text)) => return Ok(Reply::text(text)),
            Err(error) => return Err(error.to_string()),
        };
        let is_read_only = self
            .state
            .clients
            .get(&id)
            .is_some_and(|client| client.is_read_only);
        if is_read_only && !command.spec().traits.read_only {
            return Err("client is read-only".to_owned());
        }
        exec::execute(self, id, command)
    }

    /// Runs a command for nobody in particular: from the configuration.
    pub(crate) fn run_unattended(&mut self, argv: &[String]) -> Result<(), String> {
        let command = shellkeep_command::parse(argv).map_err(|error| error.to_string())?;
        match command {
            Command::SetOption(_) | Command::SourceFile(_) | Command::StartServer(_) => {
                exec::execute(self, exec::NOBODY, command).map(drop)
            }
            other => Err(format!(
                "{}: not supported in a configuration yet",
                other.spec().name
            )),
        }
    }

    fn core_request(&mut self, id: ClientId, request: &Core) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let target = request.word(0).to_owned();
        let argv: Vec<&str> = match request.verb {
            Verb::List => vec!["list-sessions"],
            Verb::Attach => {
                let colorterm = request.word(2);
                client.caps = Caps::detect(&exec::terminal_environment(request.word(1), colorterm));
                let mut argv = vec!["attach-session", "-t", &target];
                if request.word(3) == "read-only" {
                    argv.push("-r");
                }
                argv
            }
            Verb::Detach => vec!["detach-client", "-s", &target],
            Verb::Kill => vec!["kill-session", "-t", &target],
            // Everything worth keeping is already with the keeper.
            Verb::Checkpoint => vec!["start-server"],
            Verb::Restart => {
                client.context.program = target.clone().into_bytes();
                vec!["restart-server"]
            }
        };
        client.queue = [argv.iter().map(|word| (*word).to_owned()).collect()].into();
        client.owes_answer = true;
        client.status = 0;
        self.advance(id);
    }

    // ---- panes ----

    /// Opens a pane and has its program started.
    pub(crate) fn open_pane(&mut self, mut spawn: SpawnRequest) -> PaneId {
        let id = PaneId(self.state.next_pane);
        self.state.next_pane += 1;
        spawn.pane = id;
        let screen = Screen::new(Emulator::new(spawn.size, exec::emulator_config()));
        self.state
            .panes
            .insert(id, Pane::new(id, spawn.size, screen));
        self.host.request(HostRequest::Spawn(spawn));
        id
    }

    fn host_event(&mut self, event: HostEvent) {
        match event {
            HostEvent::Held(held) => {
                let id = held.pane;
                let events = self.events.clone();
                match self.state.panes.get_mut(&id) {
                    Some(pane) => pane.start(held, events, self.courtesy.clone()),
                    // Killed before it began.
                    None => self.host.request(HostRequest::Close(id)),
                }
                self.resume_waiting(id, None);
            }
            HostEvent::SpawnFailed { pane, reason } => {
                tracing::warn!(%pane, reason, "a program could not be started");
                self.resume_waiting(pane, Some(&reason));
                self.pane_ended(pane);
            }
            HostEvent::Exited { pane, exit } => {
                tracing::debug!(%pane, ?exit, "a program has ended");
                if let Some(pane) = self.state.panes.get_mut(&pane) {
                    pane.ended(exit);
                }
            }
        }
    }

    /// Goes on with the commands that waited for a pane's start.
    fn resume_waiting(&mut self, pane: PaneId, failure: Option<&str>) {
        let waiting = self
            .state
            .clients
            .values_mut()
            .filter(|c| c.waits_for == Some(pane));
        let waiting: Vec<ClientId> = waiting
            .map(|client| {
                client.waits_for = None;
                if let Some(reason) = failure {
                    client.fail(reason);
                }
                client.id
            })
            .collect();
        for id in waiting {
            self.advance(id);
        }
    }

    fn pane_ended(&mut self, pane: PaneId) {
        match self.state.session_of(pane) {
            Some(session) => self.close_session(session),
            None => self.drop_pane(pane),
        }
    }

    fn drop_pane(&mut self, pane: PaneId) {
        if self.state.panes.remove(&pane).is_some() {
            self.host.request(HostRequest::Close(pane));
        }
    }

    // ---- sessions ----

    pub(crate) fn add_session(&mut self, session: Session) {
        tracing::info!(session = %session.id, name = session.name, "session opened");
        let id = session.id;
        self.state.sessions.insert(id, session);
        self.remember_session(id);
        self.remember_server();
    }

    /// Ends a session and what runs in it.
    pub(crate) fn close_session(&mut self, id: SessionId) {
        let Some(session) = self.state.sessions.remove(&id) else {
            return;
        };
        tracing::info!(session = %id, name = session.name, "session closed");
        let watching: Vec<ClientId> = self.state.clients_of(id).map(|client| client.id).collect();
        for client in watching {
            self.release(
                client,
                Leave {
                    kind: LeaveKind::Exited,
                    text: "exited".to_owned(),
                },
            );
        }
        self.drop_pane(session.pane);
        self.host.request(HostRequest::Remember {
            key: memory::session_key(id),
            value: Vec::new(),
        });
        if self.state.sessions.is_empty() && self.state.options.server().flag("exit-empty") {
            self.ending.get_or_insert(Ending::Empty);
        }
    }

    /// Puts what the next server must know of a session where the PTYs are.
    pub(crate) fn remember_session(&self, id: SessionId) {
        if let Some(session) = self.state.sessions.get(&id)
            && let Some(pane) = self.state.panes.get(&session.pane)
        {
            let value = memory::session_note(session, pane);
            self.host.request(HostRequest::Remember {
                key: memory::session_key(id),
                value,
            });
        }
    }

    /// Puts what the next server must know of this one where the PTYs are.
    pub(crate) fn remember_server(&self) {
        let value = memory::server_note(&self.state);
        self.host.request(HostRequest::Remember {
            key: memory::SERVER_KEY.to_owned(),
            value,
        });
    }

    /// Takes over what an earlier server left with the keeper.
    pub(crate) fn recover(&mut self, recovered: shellkeep_keeper::host::Recovered) {
        let screens: BTreeMap<PaneId, Vec<u8>> = memory::screens(&recovered.notes);
        memory::restore_server(&recovered.notes, &mut self.state);
        let mut sessions = memory::sessions(&recovered.notes);
        for held in recovered.panes {
            let id = held.pane;
            let session = memory::session_with(id, &mut sessions, self.now(), &mut self.state);
            let remembered = screens
                .get(&id)
                .and_then(|bytes| exec::restore_screen(bytes));
            let has_screen = remembered.is_some();
            let emulator = remembered.map_or_else(
                || Emulator::new(session.size, exec::emulator_config()),
                |mut emulator| {
                    emulator.resize(session.size);
                    emulator
                },
            );
            let mut pane = Pane::new(id, session.size, Screen::new(emulator));
            pane.start(held, self.events.clone(), self.courtesy.clone());
            if !has_screen {
                pane.ask_to_repaint();
            }
            let key = memory::screen_key(id);
            self.host.request(HostRequest::Remember {
                key,
                value: Vec::new(),
            });
            self.state.panes.insert(id, pane);
            self.add_session(session.session);
        }
        let count = self.state.sessions.len();
        if count > 0 {
            tracing::info!(count, "sessions taken over from an earlier server");
        }
        self.apply_options();
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

    /// An orderly end leaves the screens behind, too.
    fn remember_screens(&self) {
        for pane in self.state.panes.values() {
            pane.stop_reading();
            let value = exec::dump_screen(&pane.screen.lock());
            self.host.request(HostRequest::Remember {
                key: memory::screen_key(pane.id),
                value,
            });
        }
    }
}
