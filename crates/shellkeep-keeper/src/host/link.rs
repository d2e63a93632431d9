//! How a server gets its keeper: the one that an earlier server has left, the one that was made with it, or another one.

use std::fs::File;
use std::io::{self, PipeWriter, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream as StdUnixStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use nix::unistd::Pid;

#[cfg(doc)]
use super::HostEvent;
use crate::keeper::{self, Ahead};
use crate::process::{self, Background, Forked};
#[cfg(doc)]
use crate::protocol::NOBODY;
use crate::protocol::{SpawnRequest, ToKeeper};
use crate::wire::Outbox;

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

    /// What is known when its line is broken.
    pub(super) fn ended(&self, error: &io::Error) -> String {
        match &self.log {
            Some(log) => format!("it has ended ({error}); see {}", log.display()),
            None => format!("it has ended ({error})"),
        }
    }

    /// Its socket, which is there before it is: should the server die at this moment, the next one finds this keeper instead of starting another beside it.
    /// One whose socket cannot be made is of no use.
    fn listen(&self) -> io::Result<UnixListener> {
        keeper::listen(&self.socket).map_err(|error| {
            let socket = self.socket.display();
            io::Error::new(error.kind(), format!("{socket}: {error}"))
        })
    }
}

/// Makes a forked process the keeper.
fn be_keeper(config: &KeeperConfig, line: StdUnixStream, door: UnixListener) -> io::Result<()> {
    nix::unistd::dup2_stdin(&line)?;
    let null = File::options().write(true).open("/dev/null")?;
    nix::unistd::dup2_stdout(&door)?;
    nix::unistd::dup2_stderr(config.log_file().as_ref().unwrap_or(&null))?;
    // Before it closes whatever it has inherited: these would be closed once more at its end, by then somebody else's.
    drop((line, door, null));
    keeper::run(&config.socket, config.file_limit)
}

/// The line to a keeper that was made with the server, before it is known whether it is needed: while the server finds out, it
/// gets ready. Without a word it ends with the line.
pub struct EarlyKeeper {
    line: StdUnixStream,
    /// Where what it starts ahead waits, if there is anything.
    gate: Option<AheadGate>,
}

/// Where a program that a keeper has started ahead waits to be told what it is.
pub struct AheadGate(PipeWriter);

impl AheadGate {
    /// Lets it through with these words.
    ///
    /// # Errors
    /// When it is gone.
    pub fn say(mut self, words: &[u8]) -> io::Result<()> {
        self.0.write_all(words)
    }
}

impl EarlyKeeper {
    /// Takes this process into the background to be a server, and makes a keeper that would be found at `socket`. Must run before any thread
    /// is started.
    ///
    /// # Errors
    /// When the system refuses to fork.
    pub fn daemonise(socket: PathBuf, log: Option<PathBuf>) -> io::Result<Self> {
        match process::daemonise(StdUnixStream::pair)? {
            (Background::First, (line, _)) => Ok(Self { line, gate: None }),
            (Background::Second, (ours, theirs)) => {
                // None of the first client's line may be left here, nor of the server's end of ours.
                let is_moved = nix::unistd::dup2_stdin(theirs).is_ok();
                drop(ours);
                let is_well = is_moved && keeper::wait(socket, log).is_ok();
                process::leave(i32::from(!is_well))
            }
        }
    }

    /// Makes a keeper that would be found at `socket`, for a server that this process goes on to fork. It starts this, for [`NOBODY`] and at a
    /// gate. Keeper and server are children of this process as long as that lives; another process between them, whose only task would
    /// be to fork both and to end, took 0.4 of the 7 milliseconds until a prompt is there. Only while there is no other thread in this process, and
    /// no signal is caught.
    ///
    /// # Errors
    /// When the system refuses to fork.
    pub fn start_ahead(
        socket: PathBuf,
        log: Option<PathBuf>,
        request: SpawnRequest,
    ) -> io::Result<Self> {
        let (line, theirs) = StdUnixStream::pair()?;
        let (gate, pipe) = io::pipe()?;
        match process::fork()? {
            Forked::Parent(_) => Ok(Self {
                line,
                gate: Some(AheadGate(pipe)),
            }),
            Forked::Child => {
                let ahead = Ahead { request, gate };
                let is_well = keeper::wait_with(socket, log, theirs, ahead).is_ok();
                process::leave(i32::from(!is_well))
            }
        }
    }

    /// Takes this process, which was forked to be the server of this keeper, into the background: all that it has inherited is closed but for the
    /// way to the keeper and the three standard descriptors.
    ///
    /// # Errors
    /// When this process leads others.
    pub fn follow(&mut self) -> io::Result<()> {
        let mut needed = vec![self.line.as_fd()];
        needed.extend(self.gate.iter().map(|gate| gate.0.as_fd()));
        process::settle_with(&needed);
        nix::unistd::setsid()?;
        Ok(())
    }

    /// Has it be the keeper, which listens here from this moment on.
    fn take(self, config: KeeperConfig, door: UnixListener) -> io::Result<KeeperLink> {
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
    pub(super) config: KeeperConfig,
    pub(super) stream: StdUnixStream,
    /// The keeper, if it is a child of this process.
    pub(super) child: Option<Pid>,
    /// It holds nothing yet but what it has started ahead.
    pub(super) is_new: bool,
    /// It starts something ahead.
    pub(super) is_ahead: bool,
    gate: Option<AheadGate>,
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
        let door = config.listen()?;
        if let Some(early) = early
            && let Ok(link) = early.take(config.clone(), door.try_clone()?)
        {
            return Ok(link);
        }
        let (stream, theirs) = StdUnixStream::pair()?;
        match process::fork()? {
            Forked::Parent(child) => Ok(Self::to_child(config, stream, child)),
            Forked::Child => {
                drop(stream);
                process::leave(i32::from(be_keeper(&config, theirs, door).is_err()))
            }
        }
    }

    /// Starts a keeper. It is asked for things before it even runs: the line is a socket pair.
    pub(super) fn launch(config: KeeperConfig) -> io::Result<Self> {
        let (stream, theirs) = StdUnixStream::pair()?;
        let log = config.log_file();
        let door = config.listen()?;
        let mut command = Command::new(&config.program);
        command
            .args(config.args())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(OwnedFd::from(door)))
            .stderr(log.map_or_else(Stdio::null, Stdio::from));
        let child = command.spawn().map_err(|error| {
            let program = config.program.display();
            io::Error::new(error.kind(), format!("cannot start {program}: {error}"))
        })?;
        let child = Pid::from_raw(child.id().cast_signed());
        Ok(Self::to_child(config, stream, child))
    }

    /// The way to one that this process has started.
    fn to_child(config: KeeperConfig, stream: StdUnixStream, child: Pid) -> Self {
        Self {
            config,
            stream,
            child: Some(child),
            is_new: true,
            is_ahead: false,
            gate: None,
        }
    }

    /// Where what the keeper has started ahead waits to be told what it is. [`HostEvent::Held`] or
    /// [`HostEvent::SpawnFailed`] of [`NOBODY`] tells of it.
    pub fn take_gate(&mut self) -> Option<AheadGate> {
        self.gate.take()
    }
}
