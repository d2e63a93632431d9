//! The keeper process: one poll loop over its socket, the server's connection and SIGCHLD.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::sockopt::{AcceptConn, PeerCredentials};
use nix::sys::socket::{Backlog, getsockopt};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus};
use nix::unistd::{Pid, getuid};
use shellkeep_core::PaneId;

use crate::process::{self, FileLimit, Role};
use crate::protocol::{BEFORE_BINCODE, FromKeeper, INPUT_VERSION, SpawnRequest, ToKeeper, VERSION};
use crate::spawn::{Spawned, spawn};
use crate::watch::Watch;
use crate::wire::{Inbox, Outbox};

/// How many times the socket's directory is looked up when it vanishes in between.
const MAX_LOOKS: usize = 8;

/// So many connections may be open without a hello. When more come, the oldest is closed: a newer one may be the next server.
const CALLERS: usize = 64;

/// A connection that has not said hello for so long is closed while there is a server. As long as the server's own limit.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);

/// So many refused connections are logged: the log is never shortened, and any process of the user could fill the disk with it.
const COMPLAINTS: usize = 100;

/// Descriptors that are no pane's and no caller's, with those that starting a program takes.
const SPARE: usize = 64;

/// A keeper that gets SIGTERM waits for so long for its server to end: a system that goes down sends it to both, and the server still needs
/// the programs. Longer than a server takes for that; a server that is killed later must find the programs.
const SIGTERM_COUNTS: Duration = Duration::from_secs(120);

/// Makes this process the keeper, until it is told to end. The line to the server that started it is its
/// standard input; later servers find it at `path`, where its standard output listens, or it does so itself. `file_limit` is the limit on open files that programs
/// should see, where the server has raised its own.
///
/// # Errors
/// When its socket cannot be made, or polling itself fails.
pub fn run(path: &Path, file_limit: Option<u64>) -> io::Result<()> {
    process::settle();
    process::outlive_file_sizes();
    Role::Keeper.take_on();
    let line = begin()?;
    let listener = match inherited_listener() {
        Some(listener) => listener,
        None => listen(path)?,
    };
    Keeper::new(path.to_owned(), line, listener, file_limit)?.keep()
}

/// What a keeper does first; its line to the server.
fn begin() -> io::Result<UnixStream> {
    process::heed_usr1();
    nix::unistd::setsid()?;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// What the server that started this process has it listen at.
fn inherited_listener() -> Option<UnixListener> {
    let stdout = io::stdout();
    let is_listening = getsockopt(&stdout.as_fd(), AcceptConn).ok()?;
    let listener = is_listening.then(|| stdout.as_fd().try_clone_to_owned().ok())??;
    Some(taken_over(listener))
}

/// A listening socket of another process. From now on a process that connects is told that this process listens, not the one that made it.
fn taken_over(listener: OwnedFd) -> UnixListener {
    // Connections are accepted all the same.
    let _ = nix::sys::socket::listen(&listener, Backlog::MAXALLOWABLE);
    listener.into()
}

struct Keeper {
    /// Readable when a child has ended (SIGCHLD).
    children: UnixStream,
    /// Readable when SIGTERM has arrived.
    sigterm: UnixStream,
    /// When SIGTERM last came.
    terminated: Option<Instant>,
    path: PathBuf,
    listener: UnixListener,
    line: Option<ServerConnection>,
    /// Over the socket, as long as there is no server to look after it.
    watch: Option<Watch>,
    /// Connections that have not said hello yet. A client that only looks whether a keeper is here says nothing, and must not
    /// cost the server its line.
    callers: Vec<Caller>,
    panes: BTreeMap<PaneId, HeldPane>,
    /// What was typed into panes and no program has. Such a pane may sleep, and is none of `panes` then.
    inputs: BTreeMap<PaneId, OwnedFd>,
    notes: BTreeMap<String, Vec<u8>>,
    limit: Option<FileLimit>,
    /// How many connections were refused.
    refused: usize,
}

/// The connection to the one server.
struct ServerConnection {
    stream: UnixStream,
    inbox: Inbox,
    outbox: Outbox,
    /// What the server understands.
    version: u32,
}

/// A connection that has not said hello yet, the oldest first in their list.
struct Caller {
    line: ServerConnection,
    since: Instant,
}

struct HeldPane {
    master: OwnedFd,
    /// Where its output passes through on the way to the journal.
    transit_pipe: Option<OwnedFd>,
    pid: u32,
    tty: Vec<u8>,
    exit: Option<i32>,
}

impl Keeper {
    fn new(
        path: PathBuf,
        first: UnixStream,
        listener: UnixListener,
        file_limit: Option<u64>,
    ) -> io::Result<Self> {
        // The terminals' programs must not inherit them, and no other process reads from them.
        if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
            nix::unistd::dup2_stdin(&null)?;
            nix::unistd::dup2_stdout(&null)?;
        }
        let hear_of = |signal| -> io::Result<UnixStream> {
            let (hears, signal_end) = UnixStream::pair()?;
            hears.set_nonblocking(true)?;
            signal_hook::low_level::pipe::register(signal, signal_end)?;
            Ok(hears)
        };
        Ok(Self {
            children: hear_of(libc::SIGCHLD)?,
            sigterm: hear_of(libc::SIGTERM)?,
            terminated: None,
            path,
            listener,
            line: Some(ServerConnection::new(first)?),
            watch: None,
            callers: Vec::new(),
            panes: BTreeMap::new(),
            inputs: BTreeMap::new(),
            notes: BTreeMap::new(),
            limit: FileLimit::raise(file_limit),
            refused: 0,
        })
    }

    /// Serves until it is time to end.
    fn keep(mut self) -> io::Result<()> {
        // It may be of no use from the start: then nothing would ever happen to it.
        while !self.is_of_no_use() && !self.is_terminated() && !self.turn()? {}
        // Only our own socket: a later keeper may have put its own there.
        let _ = std::fs::remove_file(&self.path);
        Ok(())
    }

    /// Waits for one round of events and handles them. `true` when it is time to end.
    fn turn(&mut self) -> io::Result<bool> {
        let signals = [&self.children, &self.sigterm];
        let mut fds = signals
            .map(|hears| PollFd::new(hears.as_fd(), PollFlags::POLLIN))
            .to_vec();
        let line_at = fds.len();
        if let Some(line) = &self.line {
            let mut wanted = PollFlags::POLLIN;
            wanted.set(PollFlags::POLLOUT, !line.outbox.is_empty());
            fds.push(PollFd::new(line.stream.as_fd(), wanted));
        }
        let callers_at = fds.len();
        for caller in &self.callers {
            fds.push(PollFd::new(caller.line.stream.as_fd(), PollFlags::POLLIN));
        }
        let door_at = fds.len();
        fds.push(PollFd::new(self.listener.as_fd(), PollFlags::POLLIN));
        let watch_at = fds.len();
        fds.extend(self.watch.iter().flat_map(Watch::fds));
        match poll(&mut fds, self.poll_timeout()) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let ready: Vec<bool> = fds.iter().map(|fd| fd.any() == Some(true)).collect();
        drop(fds);
        if ready[0] {
            drain(&self.children);
            self.reap();
        }
        if ready[1] {
            drain(&self.sigterm);
            self.terminated = Some(Instant::now());
        }
        let mut is_over = false;
        if self.line.is_some() && ready[line_at] {
            is_over = self.serve_line();
        }
        is_over |= self.hear_callers(&ready[callers_at..door_at]);
        if ready[door_at..watch_at].contains(&true) {
            self.accept();
        }
        if ready[watch_at..].contains(&true) {
            self.ensure_socket();
        }
        self.close_silent_callers();
        self.flush();
        Ok(is_over)
    }

    /// When the oldest connection that says nothing is to be closed; never, as long as there is none.
    fn poll_timeout(&self) -> PollTimeout {
        let oldest = self.callers.first().filter(|_| self.line.is_some());
        let Some(oldest) = oldest else {
            return PollTimeout::NONE;
        };
        let left = HELLO_TIMEOUT.saturating_sub(oldest.since.elapsed());
        // Rounded up: a poll that ends too early would be repeated at once.
        let millis = left.as_millis() + 1;
        PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX)
    }

    /// Closes connections that have said nothing for too long. Without a server they stay, since one of them may be the next
    /// server: one that was stopped on its way to its hello would start another keeper, and lose the programs of this one.
    fn close_silent_callers(&mut self) {
        if self.line.is_none() {
            return;
        }
        let is_late = |caller: &Caller| caller.since.elapsed() >= HELLO_TIMEOUT;
        let first = self.callers.iter().position(|caller| !is_late(caller));
        let late = first.unwrap_or(self.callers.len());
        for caller in self.callers.drain(..late).collect::<Vec<_>>() {
            self.refuse(&caller.line.stream, "it said nothing for too long");
        }
    }

    /// The server has died before it gave the keeper anything to hold, so the keeper is of no use to a later one.
    fn is_of_no_use(&self) -> bool {
        let has_nothing = self.panes.is_empty() && self.notes.is_empty();
        has_nothing && self.line.is_none() && self.callers.is_empty()
    }

    /// Whether it was told to end by SIGTERM, and no server needs it any more.
    fn is_terminated(&self) -> bool {
        let terminated = self.terminated;
        self.line.is_none() && terminated.is_some_and(|at| at.elapsed() < SIGTERM_COUNTS)
    }

    fn accept(&mut self) {
        let Ok((stream, _)) = self.listener.accept() else {
            return;
        };
        let peer = getsockopt(&stream, PeerCredentials);
        if !peer.is_ok_and(|peer| peer.uid() == getuid().as_raw()) {
            return self.refuse(&stream, "another user");
        }
        if self.callers.len() >= CALLERS {
            let oldest = self.callers.remove(0);
            self.refuse(&oldest.line.stream, "it said nothing, and others came");
        }
        if let Ok(line) = ServerConnection::new(stream) {
            let since = Instant::now();
            self.callers.push(Caller { line, since });
        }
    }

    /// Logs a refused connection, and why it was refused.
    fn refuse(&mut self, stream: &UnixStream, why: &str) {
        self.refused += 1;
        if self.refused > COMPLAINTS {
            return;
        }
        let peer = getsockopt(stream, PeerCredentials);
        let (pid, uid) = peer.map_or((0, 0), |peer| (peer.pid(), peer.uid()));
        let more = if self.refused == COMPLAINTS {
            "; no more of them are told of"
        } else {
            ""
        };
        let line = format!("connection refused: {why} (process {pid} of user {uid}){more}\n");
        let _ = io::stderr().write_all(line.as_bytes());
    }

    /// Reads from new connections. A process that says hello is the server from now on, since the server's
    /// lock makes sure that the newest is the only one; one that leaves or says anything else is not a server.
    fn hear_callers(&mut self, ready: &[bool]) -> bool {
        let mut is_over = false;
        for (index, caller) in std::mem::take(&mut self.callers).into_iter().enumerate() {
            if !ready[index] {
                self.callers.push(caller);
                continue;
            }
            let Caller { mut line, since } = caller;
            let is_open = line.receive();
            match line.inbox.next_frame() {
                Ok(Some(frame)) if is_hello(&frame) => {
                    self.obey(&frame, &mut line);
                    (self.line, self.watch) = (Some(line), None);
                    // Messages may have come with the hello, or the end of the connection.
                    is_over |= self.serve_line();
                }
                Ok(None) if is_open => self.callers.push(Caller { line, since }),
                // It only looked whether a keeper is here.
                Ok(None) if line.inbox.is_empty() => {}
                Ok(None) => self.refuse(&line.stream, "it left in the middle of a word"),
                Ok(Some(_)) => self.refuse(&line.stream, "it is no server"),
                Err(error) => self.refuse(&line.stream, &error.to_string()),
            }
        }
        is_over
    }

    /// Reads the server's messages and carries them out. `true` when one says to end.
    fn serve_line(&mut self) -> bool {
        let Some(mut line) = self.line.take() else {
            return false;
        };
        let mut is_open = line.receive();
        loop {
            match line.inbox.next_frame() {
                Ok(Some(frame)) => {
                    if self.obey(&frame, &mut line) {
                        // Its end is the answer, and comes when the socket is gone, too.
                        self.line = Some(line);
                        return true;
                    }
                }
                Ok(None) => break,
                Err(_) => {
                    is_open = false;
                    break;
                }
            }
        }
        if is_open {
            self.line = Some(line);
        } else {
            self.line_is_lost();
        }
        false
    }

    /// The connection to the server is closed.
    fn line_is_lost(&mut self) {
        self.line = None;
        self.ensure_socket();
    }

    fn obey(&mut self, frame: &[u8], line: &mut ServerConnection) -> bool {
        match ToKeeper::decode(frame) {
            Some(ToKeeper::Hello { version }) => {
                line.version = version;
                self.list(line);
            }
            Some(ToKeeper::Spawn(request)) => self.spawn(&request, line),
            Some(ToKeeper::Adopt { pane, pid, tty }) => {
                if let Some(master) = line.inbox.take_fd() {
                    self.panes.insert(
                        pane,
                        HeldPane {
                            master,
                            transit_pipe: None,
                            pid,
                            tty,
                            exit: None,
                        },
                    );
                }
            }
            Some(ToKeeper::TransitPipe { pane }) => {
                let transit_pipe = line.inbox.take_fd();
                if let Some(held) = self.panes.get_mut(&pane) {
                    held.transit_pipe = transit_pipe;
                }
            }
            Some(ToKeeper::Input { pane }) => {
                self.inputs
                    .extend(line.inbox.take_fd().map(|file| (pane, file)));
            }
            Some(ToKeeper::ForgetInput { pane }) => {
                self.inputs.remove(&pane);
            }
            Some(ToKeeper::Close { pane }) => {
                self.panes.remove(&pane);
            }
            Some(ToKeeper::Remember { key, value }) if value.is_empty() => {
                self.notes.remove(&key);
            }
            Some(ToKeeper::Remember { key, value }) => {
                self.notes.insert(key, value);
            }
            Some(ToKeeper::Shutdown) => return true,
            Some(ToKeeper::Listen) => {
                if let Some(listener) = line.inbox.take_fd() {
                    self.listener = taken_over(listener);
                }
            }
            None => {}
        }
        false
    }

    /// Tells a server all that is held.
    fn list(&self, line: &mut ServerConnection) {
        let pid = std::process::id();
        line.say(
            &FromKeeper::Hello {
                version: VERSION,
                pid,
            },
            None,
        );
        for (key, value) in &self.notes {
            line.say(
                &FromKeeper::Memory {
                    key: key.clone(),
                    value: value.clone(),
                },
                None,
            );
        }
        for (pane, held) in &self.panes {
            if let Some(transit_pipe) = held
                .transit_pipe
                .as_ref()
                .and_then(|fd| fd.try_clone().ok())
            {
                line.say(&FromKeeper::TransitPipe { pane: *pane }, Some(transit_pipe));
            }
            line.say_held(*pane, held);
        }
        if line.version >= INPUT_VERSION {
            for (pane, file) in &self.inputs {
                if let Ok(file) = file.try_clone() {
                    line.say(&FromKeeper::Input { pane: *pane }, Some(file));
                }
            }
        }
        line.say(&FromKeeper::Listed, None);
    }

    fn spawn(&mut self, request: &SpawnRequest, line: &mut ServerConnection) {
        let pane = request.pane;
        match self.spawn_limited(request) {
            Ok(spawned) => {
                let (master, pid, tty) = (spawned.master, spawned.pid, spawned.tty);
                let held = HeldPane {
                    master,
                    transit_pipe: None,
                    pid,
                    tty,
                    exit: None,
                };
                line.say_held(pane, &held);
                self.panes.insert(pane, held);
            }
            Err(reason) => line.say(&FromKeeper::SpawnFailed { pane, reason }, None),
        }
    }

    /// Starts a program under the limit on open files that it should see.
    fn spawn_limited(&self, request: &SpawnRequest) -> Result<Spawned, String> {
        let Some(limit) = self.limit else {
            return spawn(request);
        };
        // Starting takes a few descriptors, which must be had under that limit as well.
        let has_room = (self.panes.len() + CALLERS + SPARE) as u64 <= limit.soft();
        if has_room {
            return limit.given_back(|| spawn(request));
        }
        let spawned = spawn(request)?;
        limit.give_back_to(spawned.pid);
        Ok(spawned)
    }

    /// Collects every ended child. A child whose pane was closed is reaped and forgotten.
    fn reap(&mut self) {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG;
        while let Ok(status) = nix::sys::wait::waitid(Id::All, flags) {
            let (pid, raw) = match status {
                WaitStatus::Exited(pid, code) => (pid, (code & 0xff) << 8),
                WaitStatus::Signaled(pid, signal, _) => (pid, signal as i32),
                WaitStatus::StillAlive => break,
                _ => continue,
            };
            self.note_exit(pid, raw);
        }
    }

    fn note_exit(&mut self, pid: Pid, status: i32) {
        let pid = process::as_u32(pid);
        // The kernel reuses the pid of a program that has ended and whose pane stays.
        let is_its = |held: &HeldPane| held.pid == pid && held.exit.is_none();
        let Some((pane, held)) = self.panes.iter_mut().find(|(_, held)| is_its(held)) else {
            return;
        };
        held.exit = Some(status);
        let exited = FromKeeper::Exited {
            pane: *pane,
            status,
            pid: Some(pid),
        };
        if let Some(line) = &mut self.line {
            line.say(&exited, None);
        }
    }

    fn flush(&mut self) {
        let Some(line) = &mut self.line else { return };
        match line.outbox.send(&line.stream) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => self.line_is_lost(),
        }
    }

    /// Without a server no other process would notice that a cleaner of temporary files took the socket away: it is made anew, now and
    /// whenever it goes.
    fn ensure_socket(&mut self) {
        if self.line.is_some() {
            return;
        }
        for _ in 0..MAX_LOOKS {
            // Before it is looked for, or it might go in between.
            let watch = Watch::new(&self.path);
            let is_near = watch.is_near;
            self.watch = Some(watch);
            if !self.path.exists()
                && let Ok(listener) = listen(&self.path)
            {
                self.listener = listener;
            }
            // A directory that was made just now is to be watched itself.
            if is_near || !self.path.exists() {
                return;
            }
        }
    }
}

impl ServerConnection {
    fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            version: BEFORE_BINCODE,
        })
    }

    /// Reads all there is. `false` when the other side is gone.
    fn receive(&mut self) -> bool {
        loop {
            match self.inbox.receive(&self.stream) {
                Ok(0) => return false,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
    }

    fn say(&mut self, message: &FromKeeper, fd: Option<OwnedFd>) {
        // All that it says fits: it holds nothing that did not come in a frame of the same size, or is longer than a path.
        if let Some(frame) = message.encode(self.version) {
            self.outbox.push(frame, fd);
        }
    }

    fn say_held(&mut self, pane: PaneId, held: &HeldPane) {
        let (pid, tty, exit) = (held.pid, held.tty.clone(), held.exit);
        match held.master.try_clone() {
            Ok(master) => self.say(
                &FromKeeper::Held {
                    pane,
                    pid,
                    tty,
                    exit,
                },
                Some(master),
            ),
            Err(error) => {
                let reason = format!("cannot hand the terminal over: {error}");
                self.say(&FromKeeper::SpawnFailed { pane, reason }, None);
            }
        }
    }
}

/// Empties a pipe whose bytes only say that a signal has come.
fn drain(mut hears: &UnixStream) {
    let mut bytes = [0u8; 64];
    while matches!(hears.read(&mut bytes), Ok(count) if count > 0) {}
}

fn is_hello(frame: &[u8]) -> bool {
    matches!(ToKeeper::decode(frame), Some(ToKeeper::Hello { .. }))
}

/// Opens the keeper's log.
pub(crate) fn open_log(path: &Path) -> Option<File> {
    shellkeep_files::open(
        path,
        shellkeep_files::Access::Append,
        shellkeep_files::ANY_SIZE,
    )
    .ok()
}

/// A private socket at `path`, in place of whatever was left there.
pub(crate) fn listen(path: &Path) -> io::Result<UnixListener> {
    if let Some(parent) = path.parent() {
        shellkeep_files::make_dir(parent)?;
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
