//! The server's connection to the keeper: a task that takes requests from one channel and sends events to another. A
//! test can replace the keeper by holding the other ends.

mod backoff;
mod connection;
mod delivery;
mod handover;
mod input_notes;
mod ledger;
mod link;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::input_file::InputFile;
use crate::keeper;
use crate::protocol::{
    FromKeeper, INPUT_VERSION, LISTEN_VERSION, SpawnRequest, TRANSIT_PIPE_VERSION, ToKeeper,
    VERSION,
};
use crate::pty::{Master, Pty};
use crate::transit_pipe;

use backoff::RestartBackoff;
use connection::KeeperConnection;
pub use delivery::Delivery;
pub use handover::{Handover, Inherited, Ptys};
use ledger::{Answer, KnownPane, Ledger};
pub use ledger::{Generation, ProcessId};
pub use link::{KeeperConfig, KeeperLink};

/// File descriptors that the server keeps free when it starts another pane.
pub const SPARE_FILES: usize = 16;

/// The reason in the answer to a start whose pane was closed first.
const CLOSED_EARLY: &str = "its pane was closed before it started";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Status(i32),
    Signal(i32),
    /// The keeper that could have reaped the program was killed, so its status is unknown.
    Unseen,
}

impl Exit {
    /// The exit status, if the program was not killed by a signal.
    #[must_use]
    pub const fn status(self) -> Option<i32> {
        match self {
            Self::Status(status) => Some(status),
            Self::Signal(_) | Self::Unseen => None,
        }
    }

    #[must_use]
    pub const fn signal(self) -> Option<i32> {
        match self {
            Self::Signal(signal) => Some(signal),
            Self::Status(_) | Self::Unseen => None,
        }
    }

    /// Decodes a raw wait status.
    #[must_use]
    pub const fn from_raw(status: i32) -> Self {
        match status & 0x7f {
            0 => Self::Status((status >> 8) & 0xff),
            signal => Self::Signal(signal),
        }
    }
}

/// A request of the server to the keeper.
#[derive(Debug)]
pub enum HostRequest {
    /// Run a program on a new PTY. Answered by `Held` or `SpawnFailed` with this generation.
    Spawn {
        /// The number of this start.
        generation: Generation,
        spawn: SpawnRequest,
    },
    /// Drop a pane's PTY.
    Close(PaneId),
    /// Kill the process of a pane and drop its PTY, once the keeper has every note that was requested before. Otherwise
    /// the next server could find a dead program without a note that explains it.
    End { pane: PaneId, pid: i32 },
    /// Keep a note for the next server. An empty value deletes it.
    Remember { key: String, value: Vec<u8> },
    /// Have the keeper hold a pane's input file for the next server, because something was added to it.
    HoldInput {
        pane: PaneId,
        /// Typed input that no program has read.
        file: Arc<InputFile>,
    },
    /// Drop a pane's input file: a program has all of it, or none will get it.
    ForgetInput(PaneId),
    /// Write pending input to a program, once the keeper has everything that was requested before.
    Deliver(Delivery),
    /// The server's socket was removed, and the keeper's may be gone as well. Make it again, or the next server could
    /// not find the keeper.
    Listen,
    /// The server is about to restart. Keep these PTYs open until [`KeeperHost::run`] has returned what is handed over.
    HandOver(Ptys),
    /// Drop everything and end the keeper.
    Shutdown,
}

/// A report of the keeper to the server.
pub enum HostEvent {
    Held(Held),
    SpawnFailed {
        pane: PaneId,
        generation: Generation,
        reason: String,
    },
    /// A program has ended. The last of its output may still be unread.
    Exited {
        pane: PaneId,
        /// The process: the pane may have another one by now.
        process: ProcessId,
        exit: Exit,
    },
}

/// A pane with a PTY.
#[derive(Clone)]
pub struct Held {
    pub pane: PaneId,
    pub process: ProcessId,
    /// The path of its terminal device, e.g. `/dev/pts/3`.
    pub tty: String,
    pub pty: Arc<dyn Pty>,
    /// How its program ended, if it has ended.
    pub exit: Option<Exit>,
}

/// The sending end of the requests. Sending never blocks, because the event loop must not wait.
#[derive(Clone)]
pub struct HostHandle {
    requests: mpsc::UnboundedSender<HostRequest>,
    /// The number of the last start that was requested.
    last_start: Arc<AtomicU64>,
}

impl HostHandle {
    /// A handle, and the receiving end for a host or a test. Unbounded, because each request comes from a user's
    /// command and is handled at once.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "one request per command, taken up at once"
    )]
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<HostRequest>) {
        let (requests, rx) = mpsc::unbounded_channel();
        let last_start = Arc::new(AtomicU64::new(Generation::INHERITED.0));
        let handle = Self {
            requests,
            last_start,
        };
        (handle, rx)
    }

    /// Requests a program. The answer of the keeper has this generation.
    #[must_use = "the pane takes no other answer than the one to this start"]
    pub fn spawn(&self, spawn: SpawnRequest) -> Generation {
        let generation = Generation(self.last_start.fetch_add(1, Ordering::Relaxed) + 1);
        self.request(HostRequest::Spawn { generation, spawn });
        generation
    }

    /// Sends a request. When the host has ended, requests are dropped: the server is ending too.
    pub fn request(&self, request: HostRequest) {
        let _ = self.requests.send(request);
    }
}

/// What the keeper held when this server started.
#[derive(Default)]
pub struct Recovered {
    pub panes: Vec<Held>,
    /// Typed input that no program has read, also for panes that are asleep.
    pub inputs: BTreeMap<PaneId, Arc<InputFile>>,
    pub notes: BTreeMap<String, Vec<u8>>,
}

/// The connection to a keeper that this server has found or started.
pub struct KeeperHost {
    config: KeeperConfig,
    line: KeeperConnection,
    /// The keeper's process, if this server started it, or once it has answered.
    keeper: Option<Pid>,
    ledger: Ledger,
    notes: BTreeMap<String, Vec<u8>>,
    /// Typed input that no program has read.
    inputs: BTreeMap<PaneId, Arc<InputFile>>,
    /// Transit pipes from the keeper whose panes have not followed yet.
    transit_pipes: BTreeMap<PaneId, OwnedFd>,
    /// The version of the keepers that this server can start. It is this build's own, unless the program's file was
    /// replaced by another build.
    program_version: u32,
    /// When to start the next keeper, if there is none.
    backoff: RestartBackoff,
    /// Why there is no keeper.
    trouble: String,
    /// The PTYs that a restarting server hands over.
    handed_over: Vec<Arc<dyn Pty>>,
}

impl KeeperHost {
    /// Connects to the keeper and takes over everything that an earlier server has left: from the keeper or, if that
    /// has died, from what a restarting server left to this process.
    ///
    /// # Errors
    /// When the keeper does not answer and another one cannot be started.
    pub async fn connect(
        link: KeeperLink,
        inherited: Option<Inherited>,
    ) -> io::Result<(Self, Recovered)> {
        let is_new = link.started.is_some();
        if !is_new {
            crate::steps::reached("hello");
        }
        let mut host = Self::new(link)?;
        let mut recovered = Recovered::default();
        if !is_new {
            match host.recover().await {
                Ok(found) => recovered = found,
                // The keeper that was found is dying, so start another.
                Err(error) => {
                    tracing::error!(%error, "the keeper does not answer");
                    host = Self::new(KeeperLink::launch(host.config)?)?;
                }
            }
        }
        if let Some(inherited) = inherited {
            host.complete(&mut recovered, inherited);
        }
        for (pane, file) in input_notes::files_of(&recovered.notes) {
            host.inputs.entry(pane).or_insert(file);
        }
        recovered.inputs = host.inputs.clone();
        Ok((host, recovered))
    }

    /// Adds what the keeper should hold but does not, and has it hold that too. Nothing is missing unless the keeper
    /// has died during the restart.
    fn complete(&mut self, recovered: &mut Recovered, Inherited(inbox): Inherited) {
        let theirs = std::mem::replace(&mut self.line.inbox, inbox);
        let known: BTreeSet<PaneId> = recovered.panes.iter().map(|held| held.pane).collect();
        let mut notes = BTreeMap::new();
        let mut missing = Vec::new();
        let mut inputs = Vec::new();
        // A transit pipe and its descriptor come before the pane to which they belong.
        let mut transit_pipe = None;
        while let Ok(Some(frame)) = self.line.inbox.next_frame() {
            match FromKeeper::decode(&frame) {
                Some(FromKeeper::TransitPipe { .. }) => transit_pipe = self.line.inbox.take_fd(),
                Some(FromKeeper::Held { pane, .. }) if known.contains(&pane) => {
                    drop((transit_pipe.take(), self.line.inbox.take_fd()));
                }
                Some(held @ FromKeeper::Held { pane, .. }) => {
                    self.transit_pipes
                        .extend(transit_pipe.take().map(|transit_pipe| (pane, transit_pipe)));
                    if let Some(HostEvent::Held(held)) = self.understand(held) {
                        missing.push(held);
                    }
                }
                Some(FromKeeper::Memory { key, value }) => {
                    notes.insert(key, value);
                }
                Some(FromKeeper::Input { pane }) => {
                    inputs.extend(self.line.inbox.take_fd().map(|file| (pane, file)));
                }
                _ => {}
            }
        }
        self.line.inbox = theirs;
        for (pane, file) in inputs {
            if !self.inputs.contains_key(&pane) {
                self.hold_input(pane, Arc::new(InputFile::from_fd(file)));
            }
        }
        let has_notes = notes.keys().all(|key| self.notes.contains_key(key));
        if missing.is_empty() && has_notes {
            return;
        }
        tracing::warn!(
            panes = missing.len(),
            "the keeper has died during the restart"
        );
        // In reverse order of the keys, so that the notes of a session come before those of its windows.
        for (key, value) in notes.iter().rev() {
            let (key, value) = (key.clone(), value.clone());
            self.request(HostRequest::Remember { key, value });
        }
        for held in &missing {
            if let Some(known) = self.ledger.known(held.pane) {
                hand_over(&mut self.line, held.pane, known);
            }
        }
        recovered.notes = notes;
        recovered.panes.extend(missing);
    }

    fn new(link: KeeperLink) -> io::Result<Self> {
        // The version of a keeper that was found is unknown until it answers.
        let version = link.started.map_or(0, |_| VERSION);
        Ok(Self {
            config: link.config,
            line: KeeperConnection::open(link.stream, version)?,
            keeper: link.started,
            ledger: Ledger::default(),
            notes: BTreeMap::new(),
            inputs: BTreeMap::new(),
            transit_pipes: BTreeMap::new(),
            program_version: VERSION,
            backoff: RestartBackoff::new(Instant::now()),
            trouble: String::new(),
            handed_over: Vec::new(),
        })
    }

    async fn recover(&mut self) -> io::Result<Recovered> {
        let mut recovered = Recovered::default();
        loop {
            match self.line.next_message().await? {
                FromKeeper::Listed => break,
                FromKeeper::Memory { key, value } => {
                    recovered.notes.insert(key, value);
                }
                message => {
                    if let Some(HostEvent::Held(held)) = self.understand(message) {
                        recovered.panes.push(held);
                    }
                }
            }
        }
        self.notes = recovered.notes.clone();
        Ok(recovered)
    }

    /// Serves requests until the server drops its handle or requests the end. Returns what a restarting server hands
    /// over.
    pub async fn run(
        mut self,
        requests: mpsc::UnboundedReceiver<HostRequest>,
        events: mpsc::Sender<HostEvent>,
    ) -> Handover {
        self.serve(requests, events).await;
        let panes = self.ledger.panes().filter_map(|(id, known)| {
            Some(handover::Pane {
                id,
                pid: known.process.pid,
                tty: known.tty.clone(),
                pty: known.pty.upgrade()?,
            })
        });
        Handover {
            panes: panes.collect(),
            inputs: std::mem::take(&mut self.inputs),
            notes: std::mem::take(&mut self.notes),
        }
    }

    async fn serve(
        &mut self,
        mut requests: mpsc::UnboundedReceiver<HostRequest>,
        events: mpsc::Sender<HostEvent>,
    ) {
        loop {
            let retry = self.backoff.retry;
            tokio::select! {
                request = requests.recv() => match request {
                    Some(HostRequest::Shutdown) => {
                        self.line.send(&ToKeeper::Shutdown, None);
                        // The keeper confirms the request by closing the connection.
                        while self.line.next_message().await.is_ok() {}
                        return;
                    }
                    Some(HostRequest::End { pane, pid }) => self.end(pane, pid).await,
                    Some(HostRequest::Deliver(delivery)) => self.deliver(delivery).await,
                    Some(HostRequest::Spawn { generation, spawn }) => {
                        self.spawn(generation, spawn, &events).await;
                    }
                    Some(request) => self.request(request),
                    // This server ends and leaves everything to the next one. All requests must reach the keeper first.
                    None => {
                        let _ = self.line.flush().await;
                        return;
                    }
                },
                () = sleep_until(retry.unwrap_or_else(Instant::now)), if retry.is_some() => {
                    // Panes that were closed while there was no keeper are not requested from the next one.
                    let closed = self.ledger.lost();
                    refuse(&closed, CLOSED_EARLY, &events).await;
                    match self.relaunch() {
                        Ok(()) => self.backoff.started(Instant::now()),
                        Err(error) => self.lost(error.to_string(), &events).await,
                    }
                }
                message = self.line.next_message(), if retry.is_none() => match message {
                    Ok(message) => {
                        if let Some(event) = self.understand(message)
                            && events.send(event).await.is_err()
                        {
                            // The channel is closed, but the last requests in it must still be sent.
                            while let Some(request) = requests.recv().await {
                                match request {
                                    HostRequest::End { pane, pid } => self.end(pane, pid).await,
                                    HostRequest::Deliver(delivery) => self.deliver(delivery).await,
                                    request => self.request(request),
                                }
                            }
                            let _ = self.line.flush().await;
                            return;
                        }
                    }
                    Err(error) => {
                        self.reap();
                        self.lost(self.config.ended(&error), &events).await;
                    }
                },
            }
        }
    }

    /// Requests a program, or reports at once why it cannot be started.
    async fn spawn(
        &mut self,
        generation: Generation,
        spawn: SpawnRequest,
        events: &mpsc::Sender<HostEvent>,
    ) {
        let start = [(spawn.pane, generation)];
        if !self.line.has_room() {
            let reason = "the server has as many files open as it may";
            return refuse(&start, reason, events).await;
        }
        if !self.line.fits(&ToKeeper::Spawn(spawn.clone())) {
            return refuse(&start, "its environment is too large", events).await;
        }
        if self.backoff.is_over() {
            self.ledger.asked(generation, spawn);
            return self.refuse_unanswered(events).await;
        }
        self.request(HostRequest::Spawn { generation, spawn });
    }

    /// Handles the loss of the keeper, and plans the start of another one.
    async fn lost(&mut self, trouble: String, events: &mpsc::Sender<HostEvent>) {
        if let Some(pause) = self.backoff.failed(Instant::now()) {
            tracing::error!(trouble, ?pause, "the keeper is gone; starting another");
        }
        self.trouble = trouble;
        let lost = self.ledger.lost();
        refuse(&lost, "the keeper that started it is gone", events).await;
        if self.backoff.is_over() {
            self.refuse_unanswered(events).await;
        }
    }

    /// Refuses all pending starts, because no keeper can be started.
    async fn refuse_unanswered(&mut self, events: &mpsc::Sender<HostEvent>) {
        let reason = format!("cannot start the keeper: {}", self.trouble);
        refuse(&self.ledger.give_up(), &reason, events).await;
    }

    /// Ends a program that is already noted as ended. If the notes cannot be sent, the program lives on, and the notes
    /// of the next keeper show the next server what to do with it.
    async fn end(&mut self, pane: PaneId, pid: i32) {
        if self.line.flush().await.is_ok() {
            crate::steps::reached("told");
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            crate::steps::reached("ended");
        }
        self.request(HostRequest::Close(pane));
    }

    /// Writes pending input to a program, once the keeper has received everything requested before.
    async fn deliver(&mut self, delivery: Delivery) {
        // Without a keeper, no other server can take over, so the order does not matter.
        let _ = self.line.flush().await;
        crate::steps::reached("delivering");
        delivery.carry_out();
        crate::steps::reached("delivered");
    }

    fn request(&mut self, request: HostRequest) {
        let message = match request {
            HostRequest::Spawn { generation, spawn } => {
                self.ledger.asked(generation, spawn.clone());
                ToKeeper::Spawn(spawn)
            }
            HostRequest::Close(pane) | HostRequest::End { pane, .. } => {
                self.ledger.closed(pane);
                ToKeeper::Close { pane }
            }
            HostRequest::Remember { key, value } => return self.remember(key, value),
            HostRequest::HoldInput { pane, file } => return self.hold_input(pane, file),
            HostRequest::ForgetInput(pane) => return self.forget_input(pane),
            HostRequest::Deliver(delivery) => return delivery.carry_out(),
            HostRequest::Listen => return self.listen_anew(),
            HostRequest::HandOver(Ptys(ptys)) => return self.handed_over = ptys,
            HostRequest::Shutdown => ToKeeper::Shutdown,
        };
        self.line.send(&message, None);
    }

    fn remember(&mut self, key: String, value: Vec<u8>) {
        if value.is_empty() {
            self.notes.remove(&key);
        } else {
            self.notes.insert(key.clone(), value.clone());
        }
        self.line.send(&ToKeeper::Remember { key, value }, None);
    }

    /// Has the keeper hold an input file, or a copy of its content if the keeper knows no input files.
    fn hold_input(&mut self, pane: PaneId, file: Arc<InputFile>) {
        let held = self.inputs.insert(pane, file.clone());
        if self.line.version() < INPUT_VERSION {
            for (key, value) in input_notes::changes(pane, &file, &self.notes) {
                self.remember(key, value);
            }
        } else if !held.is_some_and(|held| Arc::ptr_eq(&held, &file)) {
            hand_over_input(&mut self.line, pane, &file);
        }
    }

    fn forget_input(&mut self, pane: PaneId) {
        self.inputs.remove(&pane);
        // Notes of an earlier server, or of a keeper that knows only notes.
        for key in input_notes::keys_of(pane, &self.notes) {
            self.remember(key, Vec::new());
        }
        if self.line.version() >= INPUT_VERSION {
            self.line.send(&ToKeeper::ForgetInput { pane }, None);
        }
    }

    /// Has the keeper listen at its socket again if the socket is gone.
    fn listen_anew(&mut self) {
        if self.line.version() < LISTEN_VERSION || self.config.socket.exists() {
            return;
        }
        match keeper::listen(&self.config.socket) {
            Ok(door) => self.line.send(&ToKeeper::Listen, Some(door.into())),
            Err(error) => tracing::error!(%error, "cannot make the keeper's socket anew"),
        }
    }

    fn understand(&mut self, message: FromKeeper) -> Option<HostEvent> {
        self.backoff.answered();
        match message {
            FromKeeper::Held {
                pane,
                pid,
                tty,
                exit,
            } => {
                let fd = self.line.inbox.take_fd()?;
                let generation = match self.ledger.answered(pane) {
                    Answer::Wanted(generation) => generation,
                    Answer::Abandoned(generation) => return Some(abandoned(pane, generation)),
                };
                let process = ProcessId { pid, generation };
                let tty = String::from_utf8_lossy(&tty).into_owned();
                let transit_pipe = self.transit_pipe_of(pane);
                let pty: Arc<dyn Pty> = match Master::new(fd, transit_pipe) {
                    Ok(master) => Arc::new(master),
                    Err(error) => {
                        return Some(HostEvent::SpawnFailed {
                            pane,
                            generation,
                            reason: format!("cannot watch the terminal: {error}"),
                        });
                    }
                };
                let known = KnownPane {
                    pty: Arc::downgrade(&pty),
                    process,
                    tty: tty.clone(),
                };
                self.ledger.holds(pane, known);
                let exit = exit.map(Exit::from_raw);
                Some(HostEvent::Held(Held {
                    pane,
                    process,
                    tty,
                    pty,
                    exit,
                }))
            }
            FromKeeper::SpawnFailed { pane, reason } => Some(match self.ledger.answered(pane) {
                Answer::Wanted(generation) => HostEvent::SpawnFailed {
                    pane,
                    generation,
                    reason,
                },
                Answer::Abandoned(generation) => abandoned(pane, generation),
            }),
            FromKeeper::Exited { pane, status, pid } => {
                let process = self.ledger.exited(pane, pid)?;
                let exit = Exit::from_raw(status);
                Some(HostEvent::Exited {
                    pane,
                    process,
                    exit,
                })
            }
            FromKeeper::TransitPipe { pane } => {
                if let Some(transit_pipe) = self.line.inbox.take_fd() {
                    self.transit_pipes.insert(pane, transit_pipe);
                }
                None
            }
            FromKeeper::Input { pane } => {
                let file = self.line.inbox.take_fd().map(InputFile::from_fd);
                self.inputs.extend(file.map(|file| (pane, Arc::new(file))));
                None
            }
            FromKeeper::Hello { version, pid } => {
                self.keeper = Some(Pid::from_raw(pid.cast_signed()));
                if !self.line.learn(version) {
                    self.start_over(version);
                }
                None
            }
            FromKeeper::Memory { .. } | FromKeeper::Listed => None,
        }
    }

    /// The transit pipe that the pane had, or a new one, of which the keeper holds a copy. `None` is no error: a pane
    /// works without one.
    fn transit_pipe_of(&mut self, pane: PaneId) -> Option<OwnedFd> {
        if let Some(transit_pipe) = self.transit_pipes.remove(&pane) {
            return Some(transit_pipe);
        }
        if self.line.version() < TRANSIT_PIPE_VERSION {
            return None;
        }
        let transit_pipe = transit_pipe::open()
            .inspect_err(|error| tracing::warn!(%pane, %error, "no transit pipe"))
            .ok()?;
        let copy = transit_pipe.try_clone().ok()?;
        self.line.send(&ToKeeper::TransitPipe { pane }, Some(copy));
        transit_pipe::get_ready();
        Some(transit_pipe)
    }

    /// The keeper that this server has started is older than the server, because the program's file was replaced by an
    /// older build. It has skipped messages that it does not know, so start another one and use the older protocol from
    /// the beginning.
    fn start_over(&mut self, version: u32) {
        tracing::warn!(
            version,
            "the keeper is older than this server; starting another"
        );
        self.program_version = version;
        self.reap();
        self.backoff.retry = Some(Instant::now());
    }

    /// Starts a new keeper and gives it everything that the last one held. This server still holds every master.
    fn relaunch(&mut self) -> io::Result<()> {
        let link = KeeperLink::launch(self.config.clone())?;
        self.line = KeeperConnection::open(link.stream, self.program_version)?;
        self.keeper = link.started;
        for (pane, file) in &self.inputs {
            // An older keeper held the input as notes.
            for key in input_notes::keys_of(*pane, &self.notes) {
                self.notes.remove(&key);
            }
            hand_over_input(&mut self.line, *pane, file);
        }
        // In reverse order of the keys, so that the notes of a session come before those of its windows.
        for (key, value) in self.notes.iter().rev() {
            let (key, value) = (key.clone(), value.clone());
            self.line.send(&ToKeeper::Remember { key, value }, None);
        }
        for (pane, known) in self.ledger.panes() {
            hand_over(&mut self.line, pane, known);
        }
        for spawn in self.ledger.to_ask_again() {
            self.line.send(&ToKeeper::Spawn(spawn), None);
        }
        Ok(())
    }

    /// Waits for a dead keeper, which is a child if this server, or the one that it replaced by `exec`, started it. A
    /// thread waits, because a keeper that has only closed the connection may live on, and the server must not wait for
    /// that.
    fn reap(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            let waiting = std::thread::Builder::new().name("reap".to_owned());
            // Without the thread it stays a zombie until the server ends. If it is not our child, the wait returns at
            // once.
            let _ = waiting.spawn(move || waitpid(keeper, None));
        }
    }
}

/// Reports to the event loop that these starts have failed.
async fn refuse(starts: &[(PaneId, Generation)], reason: &str, events: &mpsc::Sender<HostEvent>) {
    for (pane, generation) in starts.iter().copied() {
        let failed = HostEvent::SpawnFailed {
            pane,
            generation,
            reason: reason.to_owned(),
        };
        // If the event loop is gone, the next message of the keeper ends this task.
        let _ = events.send(failed).await;
    }
}

/// The answer for a pane that was closed before it was started. Commands may still be waiting for the start.
fn abandoned(pane: PaneId, generation: Generation) -> HostEvent {
    HostEvent::SpawnFailed {
        pane,
        generation,
        reason: CLOSED_EARLY.to_owned(),
    }
}

/// Gives one of the server's PTYs to the keeper to hold.
fn hand_over(line: &mut KeeperConnection, pane: PaneId, known: &KnownPane) {
    let Some(pty) = known.pty.upgrade() else {
        return;
    };
    let master = match pty.fd().map(|fd| fd.try_clone_to_owned()) {
        Some(Ok(master)) => master,
        Some(Err(error)) => {
            tracing::error!(%pane, %error, "cannot give the keeper a pane");
            return;
        }
        None => return,
    };
    let (pid, tty) = (known.process.pid, known.tty.clone().into_bytes());
    let adopt = ToKeeper::Adopt { pane, pid, tty };
    line.send(&adopt, Some(master));
    let transit_pipe = pty.transit_pipe().map(|fd| fd.try_clone_to_owned());
    if let Some(Ok(transit_pipe)) = transit_pipe {
        line.send(&ToKeeper::TransitPipe { pane }, Some(transit_pipe));
    }
}

/// Gives an input file to the keeper to hold.
fn hand_over_input(line: &mut KeeperConnection, pane: PaneId, file: &InputFile) {
    match file.fd().try_clone_to_owned() {
        Ok(file) => line.send(&ToKeeper::Input { pane }, Some(file)),
        Err(error) => tracing::error!(%pane, %error, "cannot give the keeper what was typed"),
    }
}

#[cfg(test)]
mod tests;
