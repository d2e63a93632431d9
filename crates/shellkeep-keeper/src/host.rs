//! The server's end of the line to the keeper: requests go in at one channel, events come out at
//! another. A test plays the keeper by holding the other ends.

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
    FromKeeper, INPUT_VERSION, LISTEN_VERSION, SLUICE_VERSION, SpawnRequest, ToKeeper, VERSION,
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

/// The server keeps so many descriptors free when it takes on another pane.
pub const SPARE_FILES: usize = 16;

/// Why a requested start is refused.
const CLOSED_EARLY: &str = "its pane was closed before it started";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Status(i32),
    Signal(i32),
    /// Unknown: the keeper that could have reaped it was killed.
    Unseen,
}

impl Exit {
    /// The status it ended with by itself.
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

    /// Reads a raw wait status.
    #[must_use]
    pub const fn from_raw(status: i32) -> Self {
        match status & 0x7f {
            0 => Self::Status((status >> 8) & 0xff),
            signal => Self::Signal(signal),
        }
    }
}

/// What the server asks the keeper to do.
#[derive(Debug)]
pub enum HostRequest {
    /// Run a program on a new PTY. Answered by `Held` or `SpawnFailed`, which name the generation.
    Spawn {
        /// Which start of all it is.
        generation: Generation,
        spawn: SpawnRequest,
    },
    /// Let a pane's PTY go.
    Close(PaneId),
    /// Kill what runs in a pane and let its PTY go, once the keeper has every note that was asked for before: a server that
    /// takes over must not meet a dead program of which no note says why.
    End { pane: PaneId, pid: i32 },
    /// Keep a note for the next server; an empty value forgets it.
    Remember { key: String, value: Vec<u8> },
    /// Hold a pane's input file for the next server: something was added to it.
    HoldInput {
        pane: PaneId,
        /// What was typed and no program has.
        file: Arc<InputFile>,
    },
    /// Let go of a pane's input file: a program has all of it, or none will.
    ForgetInput(PaneId),
    /// Give a program what was typed before it could take it, once the keeper has all that was asked for before.
    Deliver(Delivery),
    /// The socket was taken away, and the keeper's may have gone with it: make that anew, or the next server would not find the keeper.
    Listen,
    /// The server is about to restart: have these stay open until [`KeeperHost::run`] has returned what is handed over.
    HandOver(Ptys),
    /// Let everything go and end the keeper.
    Shutdown,
}

/// What the keeper reports to the server.
pub enum HostEvent {
    Held(Held),
    SpawnFailed {
        pane: PaneId,
        generation: Generation,
        reason: String,
    },
    /// A program has ended. Its last output may still be unread.
    Exited {
        pane: PaneId,
        /// Which process: the pane may have been given another since.
        process: ProcessId,
        exit: Exit,
    },
}

/// A pane with a PTY.
#[derive(Clone)]
pub struct Held {
    pub pane: PaneId,
    pub process: ProcessId,
    /// Its device, e.g. `/dev/pts/3`.
    pub tty: String,
    pub pty: Arc<dyn Pty>,
    /// How its program ended, if it has.
    pub exit: Option<Exit>,
}

/// Where requests go in. Never blocks: the event loop must not wait.
#[derive(Clone)]
pub struct HostHandle {
    requests: mpsc::UnboundedSender<HostRequest>,
    /// The number of the last start that was asked for.
    last_start: Arc<AtomicU64>,
}

impl HostHandle {
    /// A handle and the end that a keeper, or a test, listens at. Unbounded, since each request
    /// stands for a command of a user and is taken up at once.
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

    /// Asks for a program. What the keeper says of it names this generation.
    #[must_use = "the pane takes no other answer than the one to this start"]
    pub fn spawn(&self, spawn: SpawnRequest) -> Generation {
        let generation = Generation(self.last_start.fetch_add(1, Ordering::Relaxed) + 1);
        self.request(HostRequest::Spawn { generation, spawn });
        generation
    }

    /// Sends a request. After the host's end requests are dropped: the server is ending too.
    pub fn request(&self, request: HostRequest) {
        let _ = self.requests.send(request);
    }
}

/// What a keeper had when this server came.
#[derive(Default)]
pub struct Recovered {
    pub panes: Vec<Held>,
    /// What was typed into panes, also into such as sleep, and no program has.
    pub inputs: BTreeMap<PaneId, Arc<InputFile>>,
    pub notes: BTreeMap<String, Vec<u8>>,
}

/// A connection to the keeper that a new server has found or started.
pub struct KeeperHost {
    config: KeeperConfig,
    line: KeeperConnection,
    /// The keeper's process, once it is known.
    keeper: Option<Pid>,
    ledger: Ledger,
    notes: BTreeMap<String, Vec<u8>>,
    /// What was typed and no program has.
    inputs: BTreeMap<PaneId, Arc<InputFile>>,
    /// Transit pipes the keeper has handed over, whose panes follow.
    transit_pipes: BTreeMap<PaneId, OwnedFd>,
    /// The version of the keepers that this server starts: of its own, unless a program of another build has been put in its place.
    program_version: u32,
    /// Without a keeper: when to start another.
    backoff: RestartBackoff,
    /// Why there is no keeper.
    trouble: String,
    /// The PTYs of a server that is about to restart.
    handed_over: Vec<Arc<dyn Pty>>,
}

impl KeeperHost {
    /// Takes up the line, and with it whatever an earlier server left: with the keeper, or, should that have died meanwhile, to the
    /// program that it has become.
    ///
    /// # Errors
    /// When the keeper does not answer and no other can be started.
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
                // The keeper that was found is dying, so a new one is needed.
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

    /// Adds what the keeper should hold and does not, and has it hold that, too. Nothing is missing unless a keeper has died since the
    /// server before this one ended.
    fn complete(&mut self, recovered: &mut Recovered, Inherited(inbox): Inherited) {
        let theirs = std::mem::replace(&mut self.line.inbox, inbox);
        let known: BTreeSet<PaneId> = recovered.panes.iter().map(|held| held.pane).collect();
        let mut notes = BTreeMap::new();
        let mut missing = Vec::new();
        let mut inputs = Vec::new();
        // A transit pipe stands before its pane, and its descriptor before the pane's.
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
        // From the end, since notes of a session follow those of its windows.
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
        // Of a keeper that was found nothing is known until it answers.
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
            match self.line.hear().await? {
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

    /// Serves requests until the server drops its handle or asks for the end. What a server hands over that is about to restart.
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
                        self.line.say(&ToKeeper::Shutdown, None);
                        // The end of the line is the keeper's answer.
                        while self.line.hear().await.is_ok() {}
                        return;
                    }
                    Some(HostRequest::End { pane, pid }) => self.end(pane, pid).await,
                    Some(HostRequest::Deliver(delivery)) => self.deliver(delivery).await,
                    Some(HostRequest::Spawn { generation, spawn }) => {
                        self.spawn(generation, spawn, &events).await;
                    }
                    Some(request) => self.request(request),
                    // This server ends and leaves everything to the next one, to the last word.
                    None => {
                        let _ = self.line.flush().await;
                        return;
                    }
                },
                () = sleep_until(retry.unwrap_or_else(Instant::now)), if retry.is_some() => {
                    // What was closed while there was no keeper is not asked of the next one.
                    let closed = self.ledger.lost();
                    refuse(&closed, CLOSED_EARLY, &events).await;
                    match self.relaunch() {
                        Ok(()) => self.backoff.started(Instant::now()),
                        Err(error) => self.lost(error.to_string(), &events).await,
                    }
                }
                message = self.line.hear(), if retry.is_none() => match message {
                    Ok(message) => {
                        if let Some(event) = self.understand(message)
                            && events.send(event).await.is_err()
                        {
                            // The server's end is closed; what it asked for last must still go out.
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

    /// Asks for a program, or says at once why there will be none.
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

    /// There is no keeper, and will be another: soon, if that has a chance.
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

    /// No keeper can start what was asked for.
    async fn refuse_unanswered(&mut self, events: &mpsc::Sender<HostEvent>) {
        let reason = format!("cannot start the keeper: {}", self.trouble);
        refuse(&self.ledger.give_up(), &reason, events).await;
    }

    /// Ends a program whose notes say so already. If they cannot be delivered it lives on: the next keeper's notes tell
    /// the server that comes after what to do with it.
    async fn end(&mut self, pane: PaneId, pid: i32) {
        if self.line.flush().await.is_ok() {
            crate::steps::reached("told");
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            crate::steps::reached("ended");
        }
        self.request(HostRequest::Close(pane));
    }

    /// Gives a program its input when the keeper has all that it was told before.
    async fn deliver(&mut self, delivery: Delivery) {
        // Without a keeper there is nothing that another server could take over.
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
        self.line.say(&message, None);
    }

    fn remember(&mut self, key: String, value: Vec<u8>) {
        if value.is_empty() {
            self.notes.remove(&key);
        } else {
            self.notes.insert(key.clone(), value.clone());
        }
        self.line.say(&ToKeeper::Remember { key, value }, None);
    }

    /// Has the keeper hold an input file, or what is in it.
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
        // Those of an earlier server, or of a keeper that knows of notes only.
        for key in input_notes::keys_of(pane, &self.notes) {
            self.remember(key, Vec::new());
        }
        if self.line.version() >= INPUT_VERSION {
            self.line.say(&ToKeeper::ForgetInput { pane }, None);
        }
    }

    /// Has the keeper listen at its socket again, if that is gone.
    fn listen_anew(&mut self) {
        if self.line.version() < LISTEN_VERSION || self.config.socket.exists() {
            return;
        }
        match keeper::listen(&self.config.socket) {
            Ok(door) => self.line.say(&ToKeeper::Listen, Some(door.into())),
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

    /// The transit pipe a pane had, or a new one of which the keeper holds a copy. A pane can do without.
    fn transit_pipe_of(&mut self, pane: PaneId) -> Option<OwnedFd> {
        if let Some(transit_pipe) = self.transit_pipes.remove(&pane) {
            return Some(transit_pipe);
        }
        if self.line.version() < SLUICE_VERSION {
            return None;
        }
        let transit_pipe = transit_pipe::open()
            .inspect_err(|error| tracing::warn!(%pane, %error, "no transit pipe"))
            .ok()?;
        let copy = transit_pipe.try_clone().ok()?;
        self.line.say(&ToKeeper::TransitPipe { pane }, Some(copy));
        transit_pipe::get_ready();
        Some(transit_pipe)
    }

    /// The keeper that this server has started is of an earlier version: an older build has been put in the place of this
    /// server's program. It has skipped what it was told, so the next one is told in words that it knows.
    fn start_over(&mut self, version: u32) {
        tracing::warn!(
            version,
            "the keeper is older than this server; starting another"
        );
        self.program_version = version;
        self.reap();
        self.backoff.retry = Some(Instant::now());
    }

    /// A new keeper learns all that the dead one knew: this server still holds every master.
    fn relaunch(&mut self) -> io::Result<()> {
        let link = KeeperLink::launch(self.config.clone())?;
        self.line = KeeperConnection::open(link.stream, self.program_version)?;
        self.keeper = link.started;
        for (pane, file) in &self.inputs {
            // An older keeper had notes of it.
            for key in input_notes::keys_of(*pane, &self.notes) {
                self.notes.remove(&key);
            }
            hand_over_input(&mut self.line, *pane, file);
        }
        // From the end, since notes of a session follow those of its windows.
        for (key, value) in self.notes.iter().rev() {
            let (key, value) = (key.clone(), value.clone());
            self.line.say(&ToKeeper::Remember { key, value }, None);
        }
        for (pane, known) in self.ledger.panes() {
            hand_over(&mut self.line, pane, known);
        }
        for spawn in self.ledger.to_ask_again() {
            self.line.say(&ToKeeper::Spawn(spawn), None);
        }
        Ok(())
    }

    /// Lets a dead keeper go, which is a child of this process if this server, or the one that it has replaced by `exec`, started it.
    /// A thread waits for it: a keeper that has only closed the line may live on, and the server must not wait for that.
    fn reap(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            let waiting = std::thread::Builder::new().name("reap".to_owned());
            // Without the thread it stays listed as long as the server runs. If it is not our child, the wait ends at once.
            let _ = waiting.spawn(move || waitpid(keeper, None));
        }
    }
}

/// Tells the event loop that these starts came to nothing.
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

/// The answer for a pane that was closed before the keeper gave it: commands may wait for the start all the same.
fn abandoned(pane: PaneId, generation: Generation) -> HostEvent {
    HostEvent::SpawnFailed {
        pane,
        generation,
        reason: CLOSED_EARLY.to_owned(),
    }
}

/// Gives the keeper a PTY of ours to hold.
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
    line.say(&adopt, Some(master));
    let transit_pipe = pty.transit_pipe().map(|fd| fd.try_clone_to_owned());
    if let Some(Ok(transit_pipe)) = transit_pipe {
        line.say(&ToKeeper::TransitPipe { pane }, Some(transit_pipe));
    }
}

/// Gives the keeper an input file to hold.
fn hand_over_input(line: &mut KeeperConnection, pane: PaneId, file: &InputFile) {
    match file.fd().try_clone_to_owned() {
        Ok(file) => line.say(&ToKeeper::Input { pane }, Some(file)),
        Err(error) => tracing::error!(%pane, %error, "cannot give the keeper what was typed"),
    }
}

#[cfg(test)]
mod tests;
