//! The keeper process: one poll loop over its socket, the connection to the server, and SIGCHLD. It never reads the
//! output of a program.

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

/// How often to set up the watch again when the socket's directory vanishes at the same time.
const MAX_WATCH_ATTEMPTS: usize = 8;

/// The most connections without a hello. When more come, the oldest is closed, because a newer one may be the next
/// server.
const MAX_PENDING_CONNECTIONS: usize = 64;

/// While there is a server, a connection without a hello is closed after this time. The server's own limit is the same.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);

/// The most refused connections that are logged. The log is never truncated, and any process of the user could fill the
/// disk with it.
const MAX_LOGGED_REFUSALS: usize = 100;

/// Descriptors for everything but panes and connections, including those that starting a program needs.
const RESERVED_FILES: usize = 64;

/// How long after SIGTERM the keeper still ends when its server ends. A system that shuts down sends SIGTERM to both,
/// and the server needs the programs until it has saved them, which takes less than this. If the server dies later for
/// another reason, the keeper must keep the programs.
const SIGTERM_VALIDITY: Duration = Duration::from_secs(120);

/// Runs the keeper in this process until it is told to end. Its standard input is the connection to the server that
/// started it, and its standard output may be the listening socket for later servers at `path`; if not, the keeper
/// makes that socket. `file_limit` is the limit on open files for programs, if the server has raised its own.
///
/// # Errors
/// When the socket cannot be made, or poll fails.
pub fn run(path: &Path, file_limit: Option<u64>) -> io::Result<()> {
    process::settle();
    process::outlive_file_sizes();
    Role::Keeper.take_on();
    let line = detach()?;
    let listener = match inherited_listener() {
        Some(listener) => listener,
        None => listen(path)?,
    };
    Keeper::new(path.to_owned(), line, listener, file_limit)?.keep()
}

/// Detaches this process, and returns the connection to the server.
fn detach() -> io::Result<UnixStream> {
    process::heed_usr1();
    nix::unistd::setsid()?;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// The listening socket that the server has left as standard output.
fn inherited_listener() -> Option<UnixListener> {
    let stdout = io::stdout();
    let is_listening = getsockopt(&stdout.as_fd(), AcceptConn).ok()?;
    let listener = is_listening.then(|| stdout.as_fd().try_clone_to_owned().ok())??;
    Some(adopt_listener(listener))
}

/// Takes over a listening socket of another process. After another `listen(2)`, a process that connects sees the
/// credentials of this process instead of those of the process that made the socket.
fn adopt_listener(listener: OwnedFd) -> UnixListener {
    // If it fails, connections are still accepted.
    let _ = nix::sys::socket::listen(&listener, Backlog::MAXALLOWABLE);
    listener.into()
}

struct Keeper {
    /// Readable when a child has ended (SIGCHLD).
    children: UnixStream,
    /// Readable when SIGTERM has arrived.
    sigterm: UnixStream,
    /// When the last SIGTERM arrived.
    terminated: Option<Instant>,
    path: PathBuf,
    listener: UnixListener,
    line: Option<ServerConnection>,
    /// Watches the socket's directory while there is no server, which would do that otherwise.
    watch: Option<Watch>,
    /// Connections without a hello. A client that only checks whether there is a keeper sends none, and must not
    /// replace the server.
    pending: Vec<PendingConnection>,
    panes: BTreeMap<PaneId, HeldPane>,
    /// Typed input that no program has read. The pane may be asleep, and then is not in `panes`.
    inputs: BTreeMap<PaneId, OwnedFd>,
    notes: BTreeMap<String, Vec<u8>>,
    limit: Option<FileLimit>,
    /// How many connections were refused.
    refused: usize,
}

struct ServerConnection {
    stream: UnixStream,
    inbox: Inbox,
    outbox: Outbox,
    /// The protocol version of the server.
    version: u32,
}

/// A connection that has not sent a hello. The list has the oldest first.
struct PendingConnection {
    line: ServerConnection,
    since: Instant,
}

struct HeldPane {
    master: OwnedFd,
    /// The pipe through which the pane's output goes to the journal.
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
        // Programs must not inherit these descriptors, and no other process may read from the terminals.
        if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
            nix::unistd::dup2_stdin(&null)?;
            nix::unistd::dup2_stdout(&null)?;
        }
        let hear_of = |signal| -> io::Result<UnixStream> {
            let (pipe, signal_end) = UnixStream::pair()?;
            pipe.set_nonblocking(true)?;
            signal_hook::low_level::pipe::register(signal, signal_end)?;
            Ok(pipe)
        };
        Ok(Self {
            children: hear_of(libc::SIGCHLD)?,
            sigterm: hear_of(libc::SIGTERM)?,
            terminated: None,
            path,
            listener,
            line: Some(ServerConnection::new(first)?),
            watch: None,
            pending: Vec::new(),
            panes: BTreeMap::new(),
            inputs: BTreeMap::new(),
            notes: BTreeMap::new(),
            limit: FileLimit::raise(file_limit),
            refused: 0,
        })
    }

    fn keep(mut self) -> io::Result<()> {
        // Checked first, since a keeper without a server and without panes would never get an event.
        while !self.is_useless() && !self.is_terminated() && !self.poll_once()? {}
        // Only if it is our own socket: a later keeper may have made another at this path.
        let _ = std::fs::remove_file(&self.path);
        Ok(())
    }

    /// Waits for events once and handles them. Returns `true` when the keeper has to end.
    fn poll_once(&mut self) -> io::Result<bool> {
        let signals = [&self.children, &self.sigterm];
        let mut fds = signals
            .map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN))
            .to_vec();
        let line_at = fds.len();
        if let Some(line) = &self.line {
            let mut wanted = PollFlags::POLLIN;
            wanted.set(PollFlags::POLLOUT, !line.outbox.is_empty());
            fds.push(PollFd::new(line.stream.as_fd(), wanted));
        }
        let callers_at = fds.len();
        for caller in &self.pending {
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
            is_over = self.read_server();
        }
        is_over |= self.read_pending(&ready[callers_at..door_at]);
        if ready[door_at..watch_at].contains(&true) {
            self.accept();
        }
        if ready[watch_at..].contains(&true) {
            self.ensure_socket();
        }
        self.close_silent_connections();
        self.flush();
        Ok(is_over)
    }

    /// The time until the oldest connection without a hello is closed.
    fn poll_timeout(&self) -> PollTimeout {
        let oldest = self.pending.first().filter(|_| self.line.is_some());
        let Some(oldest) = oldest else {
            return PollTimeout::NONE;
        };
        let left = HELLO_TIMEOUT.saturating_sub(oldest.since.elapsed());
        // Rounded up, because a poll that returns too early would be repeated at once.
        let millis = left.as_millis() + 1;
        PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX)
    }

    /// Closes connections that have sent no hello for too long. Without a server they stay, because one of them may be
    /// the next server. If that was stopped before its hello and found the connection closed, it would start another
    /// keeper and lose the programs of this one.
    fn close_silent_connections(&mut self) {
        if self.line.is_none() {
            return;
        }
        let is_late = |caller: &PendingConnection| caller.since.elapsed() >= HELLO_TIMEOUT;
        let first = self.pending.iter().position(|caller| !is_late(caller));
        let late = first.unwrap_or(self.pending.len());
        for caller in self.pending.drain(..late).collect::<Vec<_>>() {
            self.refuse(&caller.line.stream, "it sent no hello in time");
        }
    }

    /// Whether the server has died before it gave the keeper anything to hold. A later server has no use for such a
    /// keeper.
    fn is_useless(&self) -> bool {
        let has_nothing = self.panes.is_empty() && self.notes.is_empty();
        has_nothing && self.line.is_none() && self.pending.is_empty()
    }

    /// Whether SIGTERM came recently and no server needs the keeper any more.
    fn is_terminated(&self) -> bool {
        let terminated = self.terminated;
        self.line.is_none() && terminated.is_some_and(|at| at.elapsed() < SIGTERM_VALIDITY)
    }

    fn accept(&mut self) {
        let Ok((stream, _)) = self.listener.accept() else {
            return;
        };
        let peer = getsockopt(&stream, PeerCredentials);
        if !peer.is_ok_and(|peer| peer.uid() == getuid().as_raw()) {
            return self.refuse(&stream, "another user");
        }
        if self.pending.len() >= MAX_PENDING_CONNECTIONS {
            let oldest = self.pending.remove(0);
            self.refuse(&oldest.line.stream, "it sent no hello, and others came");
        }
        if let Ok(line) = ServerConnection::new(stream) {
            let since = Instant::now();
            self.pending.push(PendingConnection { line, since });
        }
    }

    /// Logs a refused connection, and why it was refused.
    fn refuse(&mut self, stream: &UnixStream, why: &str) {
        self.refused += 1;
        if self.refused > MAX_LOGGED_REFUSALS {
            return;
        }
        let peer = getsockopt(stream, PeerCredentials);
        let (pid, uid) = peer.map_or((0, 0), |peer| (peer.pid(), peer.uid()));
        let more = if self.refused == MAX_LOGGED_REFUSALS {
            "; further ones are not logged"
        } else {
            ""
        };
        let line = format!("connection refused: {why} (process {pid} of user {uid}){more}\n");
        let _ = io::stderr().write_all(line.as_bytes());
    }

    /// Reads from new connections. A process that sends a hello becomes the server: the server's lock ensures that the
    /// newest is the only one. A process that disconnects or sends anything else is not a server.
    fn read_pending(&mut self, ready: &[bool]) -> bool {
        let mut is_over = false;
        for (index, caller) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            if !ready[index] {
                self.pending.push(caller);
                continue;
            }
            let PendingConnection { mut line, since } = caller;
            let is_open = line.receive();
            match line.inbox.next_frame() {
                Ok(Some(frame)) if is_hello(&frame) => {
                    self.handle_message(&frame, &mut line);
                    (self.line, self.watch) = (Some(line), None);
                    // More messages may have arrived with the hello, or the end of the connection.
                    is_over |= self.read_server();
                }
                Ok(None) if is_open => self.pending.push(PendingConnection { line, since }),
                // A client has only checked whether there is a keeper.
                Ok(None) if line.inbox.is_empty() => {}
                Ok(None) => self.refuse(&line.stream, "it left in the middle of a word"),
                Ok(Some(_)) => self.refuse(&line.stream, "it is no server"),
                Err(error) => self.refuse(&line.stream, &error.to_string()),
            }
        }
        is_over
    }

    /// Reads and executes the messages of the server. Returns `true` when the keeper has to end.
    fn read_server(&mut self) -> bool {
        let Some(mut line) = self.line.take() else {
            return false;
        };
        let mut is_open = line.receive();
        loop {
            match line.inbox.next_frame() {
                Ok(Some(frame)) => {
                    if self.handle_message(&frame, &mut line) {
                        // Closing the connection confirms the end. It happens only after the socket is removed.
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
            self.forget_server();
        }
        false
    }

    fn forget_server(&mut self) {
        self.line = None;
        self.ensure_socket();
    }

    fn handle_message(&mut self, frame: &[u8], line: &mut ServerConnection) -> bool {
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
                    self.listener = adopt_listener(listener);
                }
            }
            None => {}
        }
        false
    }

    /// Sends a server everything that the keeper holds.
    fn list(&self, line: &mut ServerConnection) {
        let pid = std::process::id();
        line.send(
            &FromKeeper::Hello {
                version: VERSION,
                pid,
            },
            None,
        );
        for (key, value) in &self.notes {
            line.send(
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
                line.send(&FromKeeper::TransitPipe { pane: *pane }, Some(transit_pipe));
            }
            line.send_held(*pane, held);
        }
        if line.version >= INPUT_VERSION {
            for (pane, file) in &self.inputs {
                if let Ok(file) = file.try_clone() {
                    line.send(&FromKeeper::Input { pane: *pane }, Some(file));
                }
            }
        }
        line.send(&FromKeeper::Listed, None);
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
                line.send_held(pane, &held);
                self.panes.insert(pane, held);
            }
            Err(reason) => line.send(&FromKeeper::SpawnFailed { pane, reason }, None),
        }
    }

    /// Starts a program under the limit on open files that programs should have.
    fn spawn_limited(&self, request: &SpawnRequest) -> Result<Spawned, String> {
        let Some(limit) = self.limit else {
            return spawn(request);
        };
        // Starting a program needs a few descriptors, which must be available under that limit too.
        let has_room =
            (self.panes.len() + MAX_PENDING_CONNECTIONS + RESERVED_FILES) as u64 <= limit.soft();
        if has_room {
            return limit.given_back(|| spawn(request));
        }
        let spawned = spawn(request)?;
        limit.give_back_to(spawned.pid);
        Ok(spawned)
    }

    /// Reaps all children that have ended. If the child's pane was closed, its status is dropped.
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
        // The kernel may have given the pid of an ended program, whose pane still exists, to a new one.
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
            line.send(&exited, None);
        }
    }

    fn flush(&mut self) {
        let Some(line) = &mut self.line else { return };
        match line.outbox.send(&line.stream) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => self.forget_server(),
        }
    }

    /// Makes the socket again if it is gone, and watches it. Without a server, no other process would notice that a
    /// cleaner of temporary files has removed it.
    fn ensure_socket(&mut self) {
        if self.line.is_some() {
            return;
        }
        for _ in 0..MAX_WATCH_ATTEMPTS {
            // The watch has to exist before the socket is checked, or a removal in between would be missed.
            let watch = Watch::new(&self.path);
            let is_near = watch.is_near;
            self.watch = Some(watch);
            if !self.path.exists()
                && let Ok(listener) = listen(&self.path)
            {
                self.listener = listener;
            }
            // If the directory was made just now, it has to be watched itself.
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

    /// Reads everything that has arrived. Returns `false` when the other side has closed the connection.
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

    fn send(&mut self, message: &FromKeeper, fd: Option<OwnedFd>) {
        // Every message of the keeper fits into a frame: its content came in a frame of the same size, or is as short
        // as a path.
        if let Some(frame) = message.encode(self.version) {
            self.outbox.push(frame, fd);
        }
    }

    fn send_held(&mut self, pane: PaneId, held: &HeldPane) {
        let (pid, tty, exit) = (held.pid, held.tty.clone(), held.exit);
        match held.master.try_clone() {
            Ok(master) => self.send(
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
                self.send(&FromKeeper::SpawnFailed { pane, reason }, None);
            }
        }
    }
}

/// Empties a pipe whose bytes only announce a signal.
fn drain(mut pipe: &UnixStream) {
    let mut bytes = [0u8; 64];
    while matches!(pipe.read(&mut bytes), Ok(count) if count > 0) {}
}

fn is_hello(frame: &[u8]) -> bool {
    matches!(ToKeeper::decode(frame), Some(ToKeeper::Hello { .. }))
}

pub(crate) fn open_log(path: &Path) -> Option<File> {
    shellkeep_files::open(
        path,
        shellkeep_files::Access::Append,
        shellkeep_files::ANY_SIZE,
    )
    .ok()
}

/// Makes a listening socket at `path` for this user only, and replaces whatever is there.
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
