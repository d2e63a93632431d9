//! The server's end of the line to the keeper: requests go in at one channel, events come out at
//! another. A test plays the keeper by holding the other ends.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, PipeWriter};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream as StdUnixStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Weak};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::sync::mpsc;

use crate::keeper::{self, Ahead};
use crate::process::{self, Background, Forked, Hurry};
use crate::protocol::{
    FromKeeper, LISTEN_VERSION, NOBODY, SLUICE_VERSION, SpawnRequest, ToKeeper, VERSION,
};
use crate::pty::{Master, Pty};
use crate::sluice;
use crate::wire::{Inbox, Outbox};

/// So many descriptors a server has left when it takes on another pane.
pub const SPARE_FILES: usize = 16;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
    /// Nobody saw it: the keeper that could have reaped it was killed.
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

    /// The signal that ended it.
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

/// What the server asks for.
#[derive(Debug)]
pub enum HostRequest {
    /// Run a program on a new PTY. Answered by `Held` or `SpawnFailed`.
    Spawn(SpawnRequest),
    /// Let a pane's PTY go.
    Close(PaneId),
    /// What runs on one pane's PTY, and the PTY, are another's from now on.
    Pass {
        /// Whose it was.
        from: PaneId,
        /// Whose it is.
        to: PaneId,
    },
    /// Kill what runs in a pane and let its PTY go, once the keeper has every note that was asked for before: whoever
    /// takes over must not meet a dead program of which no note says why.
    End {
        /// The pane.
        pane: PaneId,
        /// Its program.
        pid: i32,
    },
    /// Keep a note for the next server; an empty value forgets it.
    Remember {
        /// Name of the note.
        key: String,
        /// Its content.
        value: Vec<u8>,
    },
    /// The socket was taken away, and the keeper's may have gone with it: make that anew, or the next server would not find the keeper.
    Listen,
    /// Let everything go and end the keeper.
    Shutdown,
}

/// What the server hears.
pub enum HostEvent {
    /// A program runs.
    Held(Held),
    /// A program does not run.
    SpawnFailed {
        /// Its pane.
        pane: PaneId,
        /// Why, for the user.
        reason: String,
    },
    /// A program has ended. Its last output may still be unread.
    Exited {
        /// Its pane.
        pane: PaneId,
        /// How.
        exit: Exit,
    },
}

/// A pane with a PTY.
#[derive(Clone)]
pub struct Held {
    /// Which pane.
    pub pane: PaneId,
    /// The process on it.
    pub pid: u32,
    /// Its device, e.g. `/dev/pts/3`.
    pub tty: String,
    /// The server's end.
    pub pty: Arc<dyn Pty>,
    /// How its program ended, if it has.
    pub exit: Option<Exit>,
}

/// Where requests go in. Never blocks: the event loop must not wait for anybody.
#[derive(Clone)]
pub struct HostHandle(mpsc::UnboundedSender<HostRequest>);

impl HostHandle {
    /// A handle and the end that a keeper, or a test, listens at. Unbounded, since each request
    /// stands for a command of a user and is taken up at once.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "one request per command, taken up at once"
    )]
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<HostRequest>) {
        let (tx, rx) = mpsc::unbounded_channel();
        (Self(tx), rx)
    }

    /// Asks for something. After the host's end, requests fall silent, as the server is ending too.
    pub fn request(&self, request: HostRequest) {
        let _ = self.0.send(request);
    }
}

/// What a keeper had when this server came.
#[derive(Default)]
pub struct Recovered {
    /// Its panes.
    pub panes: Vec<Held>,
    /// Its notes.
    pub notes: BTreeMap<String, Vec<u8>>,
}

/// How to find or start the keeper.
#[derive(Clone, Debug)]
pub struct KeeperConfig {
    /// Its socket.
    pub socket: PathBuf,
    /// The program to start.
    pub program: PathBuf,
    /// The limit on open files that programs should see.
    pub file_limit: Option<u64>,
    /// Where its complaints go.
    pub log: Option<PathBuf>,
}

/// A connection to the keeper that a new server has found or started.
pub struct KeeperHost {
    config: KeeperConfig,
    line: Line,
    child: Option<Pid>,
    panes: BTreeMap<PaneId, KnownPane>,
    notes: BTreeMap<String, Vec<u8>>,
    /// Asked for and not yet answered: asked again if the keeper dies over it.
    pending: BTreeMap<PaneId, SpawnRequest>,
    /// Sluices the keeper has handed over, whose panes follow.
    sluices: BTreeMap<PaneId, OwnedFd>,
    /// What the keeper understands.
    version: u32,
    /// The keeper has started something ahead and has not told of it yet.
    is_ahead: bool,
}

struct KnownPane {
    pty: Weak<dyn Pty>,
    pid: u32,
    tty: String,
}

struct Line {
    stream: UnixStream,
    inbox: Inbox,
    outbox: Outbox,
}

impl KeeperConfig {
    /// The hidden subcommand and its arguments.
    fn args(&self) -> Vec<String> {
        let mut args = vec![
            "__keeper".to_owned(),
            self.socket.to_string_lossy().into_owned(),
        ];
        args.extend(self.file_limit.map(|limit| limit.to_string()));
        args
    }

    fn log_file(&self) -> Option<File> {
        keeper::open_log(self.log.as_deref()?)
    }
}

/// Makes a forked process the keeper.
fn be_keeper(
    config: &KeeperConfig,
    line: StdUnixStream,
    door: Option<UnixListener>,
) -> io::Result<()> {
    nix::unistd::dup2_stdin(&line)?;
    let null = File::options().write(true).open("/dev/null")?;
    match door {
        Some(door) => nix::unistd::dup2_stdout(&door)?,
        None => nix::unistd::dup2_stdout(&null)?,
    }
    nix::unistd::dup2_stderr(config.log_file().as_ref().unwrap_or(&null))?;
    // Before it closes whatever it has inherited: these would be closed once more at its end, by then somebody else's.
    drop((line, null));
    keeper::run(&config.socket, config.file_limit)
}

/// The line to a keeper that was made with the server, before it is known whether it is needed: while the server finds out, it
/// gets ready. Without a word it ends with the line.
pub struct EarlyKeeper {
    line: StdUnixStream,
    /// Where what it starts ahead waits, if that is wanted.
    gate: Option<PipeWriter>,
}

impl EarlyKeeper {
    /// Takes this process into the background to be a server, and makes a keeper that would be found at `socket`. That starts, for
    /// [`NOBODY`] and at a gate, what `ahead` says, if anything. Must run before any thread is started.
    ///
    /// # Errors
    /// When the system refuses to fork.
    pub fn daemonise(
        socket: PathBuf,
        log: Option<PathBuf>,
        ahead: Option<impl FnOnce() -> Option<SpawnRequest>>,
    ) -> io::Result<Self> {
        let is_ahead = ahead.is_some();
        let lines = || {
            let gate = is_ahead.then(io::pipe).transpose()?;
            Ok((StdUnixStream::pair()?, gate.unzip()))
        };
        let hurry = if is_ahead { Hurry::Yes } else { Hurry::No };
        match process::daemonise(hurry, lines)? {
            (Background::First, ((line, _), (_, gate))) => Ok(Self { line, gate }),
            (Background::Second(alone), ((ours, theirs), (gate, servers))) => {
                // None of the first client's line may be left here, nor of the server's end of ours or of its side of the gate.
                let is_moved = nix::unistd::dup2_stdin(theirs).is_ok();
                drop((ours, servers));
                let ahead = ahead.map(|ahead| ahead()).zip(gate);
                let ahead = ahead.map(|(request, gate)| Ahead {
                    request,
                    gate,
                    alone,
                });
                let is_well = is_moved && keeper::wait(socket, log, ahead).is_ok();
                process::leave(i32::from(!is_well))
            }
        }
    }

    /// Has it be the keeper, with its socket there from this moment on.
    fn take(self, config: KeeperConfig) -> io::Result<KeeperLink> {
        let door = keeper::listen(&config.socket)?;
        let mut outbox = Outbox::default();
        outbox.push(ToKeeper::Listen.encode(), Some(door.into()));
        outbox.send(&self.line)?;
        Ok(KeeperLink {
            config,
            stream: self.line,
            child: None,
            is_new: true,
            is_ahead: self.gate.is_some(),
            gate: self.gate,
        })
    }
}

/// The way to a keeper: found, or started and not waited for.
pub struct KeeperLink {
    config: KeeperConfig,
    stream: StdUnixStream,
    /// The keeper, if it is a child of this process.
    child: Option<Pid>,
    /// It holds nothing yet but what it has started ahead.
    is_new: bool,
    /// It starts something ahead.
    is_ahead: bool,
    gate: Option<PipeWriter>,
}

impl KeeperLink {
    /// Finds the keeper that an earlier server has left, takes the one that was made with this server, or makes one by forking, which is faster than
    /// starting the program anew: the first prompt of the day waits for it. Only while there is no other
    /// thread in this process.
    ///
    /// # Errors
    /// When no keeper can be had.
    pub fn open(config: KeeperConfig, early: Option<EarlyKeeper>) -> io::Result<Self> {
        if let Ok(stream) = StdUnixStream::connect(&config.socket) {
            return Ok(Self {
                config,
                stream,
                child: None,
                is_new: false,
                is_ahead: false,
                gate: None,
            });
        }
        if let Some(Ok(link)) = early.map(|early| early.take(config.clone())) {
            return Ok(link);
        }
        let (stream, theirs) = StdUnixStream::pair()?;
        let door = keeper::listen(&config.socket).ok();
        match process::fork()? {
            Forked::Parent(child) => Ok(Self {
                config,
                stream,
                child: Some(child),
                is_new: true,
                is_ahead: false,
                gate: None,
            }),
            Forked::Child => {
                drop(stream);
                process::leave(i32::from(be_keeper(&config, theirs, door).is_err()))
            }
        }
    }

    /// Starts a keeper. It is asked for things before it even runs: the line is a socket pair. Its socket is there before it runs,
    /// too: should this server die at this moment, the next one finds this keeper instead of starting another beside it.
    fn launch(config: KeeperConfig) -> io::Result<Self> {
        let (stream, theirs) = StdUnixStream::pair()?;
        let log = config.log_file();
        let door = keeper::listen(&config.socket).ok();
        let mut command = Command::new(&config.program);
        command
            .args(config.args())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(door.map_or_else(Stdio::null, |door| Stdio::from(OwnedFd::from(door))))
            .stderr(log.map_or_else(Stdio::null, Stdio::from));
        let child = command.spawn().map_err(|error| {
            let program = config.program.display();
            io::Error::new(error.kind(), format!("cannot start {program}: {error}"))
        })?;
        let child = Pid::from_raw(child.id().cast_signed());
        Ok(Self {
            config,
            stream,
            child: Some(child),
            is_new: true,
            is_ahead: false,
            gate: None,
        })
    }

    /// Where what the keeper has started ahead waits to be told what it is, and ends if this is dropped. [`HostEvent::Held`] or
    /// [`HostEvent::SpawnFailed`] of [`NOBODY`] tells of it.
    pub fn take_gate(&mut self) -> Option<PipeWriter> {
        self.gate.take()
    }
}

impl KeeperHost {
    /// Takes up the line, and with it whatever an earlier server left.
    ///
    /// # Errors
    /// When the keeper does not answer and no other can be started.
    pub async fn connect(link: KeeperLink) -> io::Result<(Self, Recovered)> {
        let is_new = link.is_new;
        let mut host = Self::new(link)?;
        if is_new {
            return Ok((host, Recovered::default()));
        }
        match host.recover().await {
            Ok(recovered) => Ok((host, recovered)),
            // It is dying: it cannot be asked for anything, so a new one is needed.
            Err(error) => {
                tracing::error!(%error, "the keeper does not answer");
                let link = KeeperLink::launch(host.config)?;
                Ok((Self::new(link)?, Recovered::default()))
            }
        }
    }

    fn new(link: KeeperLink) -> io::Result<Self> {
        Ok(Self {
            config: link.config,
            line: Line::new(link.stream)?,
            child: link.child,
            panes: BTreeMap::new(),
            notes: BTreeMap::new(),
            pending: BTreeMap::new(),
            sluices: BTreeMap::new(),
            // Of this build, unless it says otherwise.
            version: VERSION,
            is_ahead: link.is_ahead,
        })
    }

    async fn recover(&mut self) -> io::Result<Recovered> {
        self.line.say(&ToKeeper::Hello { version: VERSION }, None);
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

    /// Serves requests until the server drops its handle or asks for the end.
    pub async fn run(
        mut self,
        mut requests: mpsc::UnboundedReceiver<HostRequest>,
        events: mpsc::Sender<HostEvent>,
    ) {
        loop {
            tokio::select! {
                request = requests.recv() => match request {
                    Some(HostRequest::Shutdown) => {
                        self.line.say(&ToKeeper::Shutdown, None);
                        // The end of the line is the keeper's answer.
                        while self.line.hear().await.is_ok() {}
                        self.reap();
                        return;
                    }
                    Some(HostRequest::End { pane, pid }) => self.end(pane, pid).await,
                    Some(HostRequest::Spawn(spawn)) if !self.line.has_room() => {
                        let reason = "the server has as many files open as it may".to_owned();
                        let failed = HostEvent::SpawnFailed { pane: spawn.pane, reason };
                        // Nobody listens any more: that is met with the next message.
                        let _ = events.send(failed).await;
                    }
                    Some(request) => self.request(request),
                    // This server ends and leaves everything to the next one, to the last word.
                    None => {
                        let _ = self.line.flush().await;
                        return;
                    }
                },
                message = self.line.hear() => match message {
                    Ok(message) => {
                        if let Some(event) = self.understand(message)
                            && events.send(event).await.is_err()
                        {
                            // Nobody listens any more; what they asked for last must still go out.
                            while let Some(request) = requests.recv().await {
                                match request {
                                    HostRequest::End { pane, pid } => self.end(pane, pid).await,
                                    request => self.request(request),
                                }
                            }
                            let _ = self.line.flush().await;
                            return;
                        }
                    }
                    Err(error) => {
                        tracing::error!(%error, "the keeper is gone; starting another");
                        if let Err(error) = self.relaunch() {
                            tracing::error!(%error, "no keeper can be started");
                            return;
                        }
                        if std::mem::take(&mut self.is_ahead) {
                            let reason = "the keeper that started it is gone".to_owned();
                            let failed = HostEvent::SpawnFailed { pane: NOBODY, reason };
                            // Nobody listens any more: that is met with the next message.
                            let _ = events.send(failed).await;
                        }
                    }
                },
            }
        }
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

    fn request(&mut self, request: HostRequest) {
        let message = match request {
            HostRequest::Spawn(spawn) => {
                self.pending.insert(spawn.pane, spawn.clone());
                ToKeeper::Spawn(spawn)
            }
            HostRequest::Close(pane) | HostRequest::End { pane, .. } => {
                self.panes.remove(&pane);
                self.pending.remove(&pane);
                ToKeeper::Close { pane }
            }
            HostRequest::Remember { key, value } => {
                if value.is_empty() {
                    self.notes.remove(&key);
                } else {
                    self.notes.insert(key.clone(), value.clone());
                }
                ToKeeper::Remember { key, value }
            }
            HostRequest::Pass { from, to } => return self.pass(from, to),
            HostRequest::Listen => return self.listen_anew(),
            HostRequest::Shutdown => ToKeeper::Shutdown,
        };
        let is_spawn = matches!(message, ToKeeper::Spawn(_));
        self.line.say(&message, None);
        if is_spawn {
            // The kernel likes to run whoever is woken where it is woken: the keeper would have to wait for this processor until
            // the server has done all else that a new pane needs, with another one idle.
            std::thread::yield_now();
        }
    }

    /// Has the keeper listen at its socket again, if that is gone.
    fn listen_anew(&mut self) {
        if self.version < LISTEN_VERSION || self.config.socket.exists() {
            return;
        }
        match keeper::listen(&self.config.socket) {
            Ok(door) => self.line.say(&ToKeeper::Listen, Some(door.into())),
            Err(error) => tracing::error!(%error, "cannot make the keeper's socket anew"),
        }
    }

    /// Has the keeper hold a PTY by another name. For a moment it holds it by both: a server that dies in between leaves nothing that
    /// the next one would not find.
    fn pass(&mut self, from: PaneId, to: PaneId) {
        let Some(known) = self.panes.remove(&from) else {
            return;
        };
        self.hand_over(to, &known);
        self.panes.insert(to, known);
        self.line.say(&ToKeeper::Close { pane: from }, None);
    }

    /// Gives the keeper a PTY of ours to hold.
    fn hand_over(&mut self, pane: PaneId, known: &KnownPane) {
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
        let (pid, tty) = (known.pid, known.tty.clone().into_bytes());
        let adopt = ToKeeper::Adopt { pane, pid, tty };
        self.line.say(&adopt, Some(master));
        let sluice = pty.sluice().map(|fd| fd.try_clone_to_owned());
        if let Some(Ok(sluice)) = sluice {
            self.line.say(&ToKeeper::Sluice { pane }, Some(sluice));
        }
    }

    fn understand(&mut self, message: FromKeeper) -> Option<HostEvent> {
        match message {
            FromKeeper::Held {
                pane,
                pid,
                tty,
                exit,
            } => {
                let fd = self.line.inbox.take_fd()?;
                self.pending.remove(&pane);
                self.is_ahead &= pane != NOBODY;
                let tty = String::from_utf8_lossy(&tty).into_owned();
                let sluice = self.sluice_of(pane);
                let pty: Arc<dyn Pty> = match Master::new(fd, sluice) {
                    Ok(master) => Arc::new(master),
                    Err(error) => {
                        let reason = format!("cannot watch the terminal: {error}");
                        return Some(HostEvent::SpawnFailed { pane, reason });
                    }
                };
                let known = KnownPane {
                    pty: Arc::downgrade(&pty),
                    pid,
                    tty: tty.clone(),
                };
                self.panes.insert(pane, known);
                let exit = exit.map(Exit::from_raw);
                Some(HostEvent::Held(Held {
                    pane,
                    pid,
                    tty,
                    pty,
                    exit,
                }))
            }
            FromKeeper::SpawnFailed { pane, reason } => {
                self.pending.remove(&pane);
                self.is_ahead &= pane != NOBODY;
                Some(HostEvent::SpawnFailed { pane, reason })
            }
            FromKeeper::Exited { pane, status } => Some(HostEvent::Exited {
                pane,
                exit: Exit::from_raw(status),
            }),
            FromKeeper::Sluice { pane } => {
                if let Some(sluice) = self.line.inbox.take_fd() {
                    self.sluices.insert(pane, sluice);
                }
                None
            }
            FromKeeper::Hello { version, .. } => {
                self.version = version;
                None
            }
            FromKeeper::Memory { .. } | FromKeeper::Listed => None,
        }
    }

    /// The sluice a pane had, or a new one of which the keeper holds a copy. A pane can do without.
    fn sluice_of(&mut self, pane: PaneId) -> Option<OwnedFd> {
        if let Some(sluice) = self.sluices.remove(&pane) {
            return Some(sluice);
        }
        if self.version < SLUICE_VERSION {
            return None;
        }
        let sluice = sluice::open()
            .inspect_err(|error| tracing::warn!(%pane, %error, "no sluice"))
            .ok()?;
        let copy = sluice.try_clone().ok()?;
        self.line.say(&ToKeeper::Sluice { pane }, Some(copy));
        Some(sluice)
    }

    /// A new keeper learns all that the dead one knew: this server still holds every master.
    fn relaunch(&mut self) -> io::Result<()> {
        self.reap();
        let link = KeeperLink::launch(self.config.clone())?;
        self.line = Line::new(link.stream)?;
        self.child = link.child;
        self.version = VERSION;
        // From the end: a session is named after its windows are.
        for (key, value) in self.notes.iter().rev() {
            let (key, value) = (key.clone(), value.clone());
            self.line.say(&ToKeeper::Remember { key, value }, None);
        }
        let panes = std::mem::take(&mut self.panes);
        for (pane, known) in &panes {
            self.hand_over(*pane, known);
        }
        self.panes = panes;
        for spawn in self.pending.values() {
            self.line.say(&ToKeeper::Spawn(spawn.clone()), None);
        }
        Ok(())
    }

    /// A keeper that this server started is its child and must not stay a zombie.
    fn reap(&mut self) {
        if let Some(child) = self.child.take() {
            // Its end of the line is closed, so it has ended, or is about to.
            let _ = waitpid(child, None);
        }
    }
}

impl Line {
    /// Whether another pane leaves descriptors for everything else. Without any, what the keeper sends cannot even be received,
    /// and nothing of what all other panes print can be saved.
    fn has_room(&self) -> bool {
        let more = (0..SPARE_FILES).map_while(|_| self.stream.as_fd().try_clone_to_owned().ok());
        more.collect::<Vec<OwnedFd>>().len() == SPARE_FILES
    }

    fn new(stream: StdUnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let stream = UnixStream::from_std(stream)?;
        Ok(Self {
            stream,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
        })
    }

    fn say(&mut self, message: &ToKeeper, fd: Option<OwnedFd>) {
        self.outbox.push(message.encode(), fd);
        // What does not go out at once goes out in `hear`, which also meets the error.
        let _ = self.outbox.send(self.stream.as_fd());
    }

    /// Sends what has not gone out yet.
    async fn flush(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            self.stream.writable().await?;
            let (stream, outbox) = (&self.stream, &mut self.outbox);
            would_block_is_fine(stream.try_io(Interest::WRITABLE, || outbox.send(stream)))?;
        }
        Ok(())
    }

    /// The next message. Safe to cancel: whatever was read stays in the inbox.
    async fn hear(&mut self) -> io::Result<FromKeeper> {
        loop {
            while let Some(frame) = self.inbox.next_frame()? {
                // An unknown kind comes from a later version and is not meant for us.
                if let Some(message) = FromKeeper::decode(&frame) {
                    return Ok(message);
                }
            }
            let mut interest = Interest::READABLE;
            if !self.outbox.is_empty() {
                interest |= Interest::WRITABLE;
            }
            let ready = self.stream.ready(interest).await?;
            if ready.is_writable() && !self.outbox.is_empty() {
                let (stream, outbox) = (&self.stream, &mut self.outbox);
                would_block_is_fine(stream.try_io(Interest::WRITABLE, || outbox.send(stream)))?;
            }
            if ready.is_readable() {
                let (stream, inbox) = (&self.stream, &mut self.inbox);
                let result = stream.try_io(Interest::READABLE, || inbox.receive(stream));
                match result {
                    Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                    other => would_block_is_fine(other.map(drop))?,
                }
            }
        }
    }
}

fn would_block_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            Ok(())
        }
        other => other,
    }
}
