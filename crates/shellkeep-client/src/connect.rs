//! Connects to the server, and starts one if there is none. Two clients never start a server for the same socket at
//! once.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::getsockopt;
use nix::sys::socket::sockopt::PeerCredentials;
use nix::unistd::getuid;
use shellkeep_files::{Access, MAX_SMALL};
use shellkeep_proto::{Agreement, FrameDecoder, FromClient, FromServer, Hello};

use crate::ClientError;
use crate::holder::Holder;
use crate::locations::{Locations, SUFFIXES, beside};

/// How long to wait for the server's hello. A server sends it before anything else, so only one that hangs takes
/// longer.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait for the hello of a server that was just started: it may have to read thousands of sessions from a
/// slow disk.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How often to try, 20 ms apart, while another server holds the lock but does not listen.
const MAX_START_ATTEMPTS: usize = 250;

/// How often to signal a server that has lost its socket, 5 ms apart.
const MAX_WAKE_SIGNALS: usize = 1000;

/// The error for the default directory of sockets. One that the user has named gets another error.
const UNSAFE_DIRECTORY: &str =
    "the directory has unsafe permissions; chmod 700 it, or name another with -S";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Start none, even if none is running.
    Never,
    /// Start one if none is running.
    IfNeeded,
    /// Start one for a session that this client already shows. The directory of the socket is made again if it is gone.
    Again,
    /// Start one only if an earlier server has left programs running.
    IfHeld,
    /// Start one only if an earlier server has left programs running, or sessions in the store.
    IfKept,
    /// As `IfKept`, and sessions in the archive count as well.
    IfArchived,
}

/// Whether the store has sessions of a server with this label. A session file that cannot be read counts as one.
fn has_sessions(place: &Locations) -> bool {
    let sessions = match std::fs::read_dir(place.state_dir.join("sessions")) {
        Ok(sessions) => sessions,
        // Without permission to look, assume that there are sessions: the server then reports what is in its way.
        Err(error) => return error.kind() == ErrorKind::PermissionDenied,
    };
    let label = place.socket.file_name().unwrap_or_default();
    let label = format!("{:?}", label.to_string_lossy());
    // A search for the bytes is enough. The server parses the JSON, and starting it without need costs little.
    let wanted = format!("{LABEL}{label}");
    let mut sessions = sessions.flatten();
    sessions.any(|session| {
        let description = session.path().join("session.json");
        let Ok(text) = shellkeep_files::read(&description, MAX_SESSION) else {
            return true;
        };
        // A file without any label was truncated, so it may belong to this server.
        contains(&text, &wanted) || !contains(&text, LABEL)
    })
}

/// Larger than the description of any session.
const MAX_SESSION: u64 = 256 << 20;

/// The key in front of a server's label in `session.json`.
const LABEL: &str = "\"label\": ";

fn contains(text: &[u8], wanted: &str) -> bool {
    let mut windows = text.windows(wanted.len());
    windows.any(|window| window == wanted.as_bytes())
}

/// Whether the archive exists. It is shared by all servers.
fn has_archive(place: &Locations) -> bool {
    let months = std::fs::read_dir(place.state_dir.join("archive"));
    let mut months = months.into_iter().flatten().flatten();
    months.any(|month| std::fs::read_dir(month.path()).is_ok_and(|mut all| all.next().is_some()))
}

pub(crate) struct Connection {
    stream: UnixStream,
    decoder: FrameDecoder,
    server: Hello,
    pub(crate) agreement: Agreement,
}

/// Connects to the server, and starts one as far as `start` allows.
pub(crate) fn connect(place: &Locations, start: Start) -> Result<Connection, ClientError> {
    if let Some(dir) = place.public_dir() {
        check_public_dir(dir).map_err(|source| ClientError::File {
            path: dir.to_owned(),
            source,
        })?;
    }
    if let Some(connection) = try_connect(place)? {
        return Ok(connection);
    }
    if let Some(connection) = recover_socket(place)? {
        return Ok(connection);
    }
    let is_held = || UnixStream::connect(beside(&place.socket, ".keeper")).is_ok();
    let is_wanted = match start {
        Start::Never => false,
        Start::IfNeeded | Start::Again => true,
        Start::IfHeld => is_held(),
        Start::IfKept => is_held() || has_sessions(place),
        Start::IfArchived => is_held() || has_sessions(place) || has_archive(place),
    };
    if !is_wanted {
        return Err(ClientError::NoServer(place.socket.clone()));
    }
    if start != Start::Again {
        check_given_dir(place)?;
    }
    // Only one client at a time starts a server. A client that waits here finds the server running when it gets the
    // lock.
    let _lock = lock_start(place)?;
    if let Some(connection) = try_connect(place)? {
        return Ok(connection);
    }
    for _ in 0..MAX_START_ATTEMPTS {
        if let Some(connection) = launch(place)? {
            return Ok(connection);
        }
        if let Some(connection) = try_connect(place)? {
            return Ok(connection);
        }
        // Another server holds the lock: it is not listening yet, or is about to end, or is making a lost socket again.
        // None of these gives an event to wait for, so wait for a moment.
        let _ = poll(&mut [], PollTimeout::from(20u8));
    }
    Err(ClientError::NoAnswer(place.socket.clone()))
}

/// Finds a running server whose socket was removed, and has it make the socket again. A second server must not be
/// started beside it: the programs of the first one could not be reached.
fn recover_socket(place: &Locations) -> Result<Option<Connection>, ClientError> {
    if place.socket.exists() {
        return Ok(None);
    }
    let Some(holder) = Holder::find(place) else {
        return Ok(None);
    };
    for _ in 0..MAX_WAKE_SIGNALS {
        // A server that removed its own socket is about to end.
        if !holder.lives() {
            return try_connect(place);
        }
        holder.wake();
        if let Some(connection) = try_connect(place)? {
            return Ok(Some(connection));
        }
        let _ = poll(&mut [], PollTimeout::from(5u8));
    }
    Err(ClientError::NoAnswer(place.socket.clone()))
}

/// Connects if a server listens on the socket.
fn try_connect(place: &Locations) -> Result<Option<Connection>, ClientError> {
    match UnixStream::connect(&place.socket) {
        Ok(stream) => open(stream, place, HELLO_TIMEOUT),
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::ConnectionRefused
            ) =>
        {
            Ok(None)
        }
        Err(source) => Err(ClientError::Connect {
            path: place.socket.clone(),
            source,
        }),
    }
}

/// Exchanges hellos; `None` if the server closes the connection without one.
fn open(
    mut stream: UnixStream,
    place: &Locations,
    timeout: Duration,
) -> Result<Option<Connection>, ClientError> {
    check_server(&stream, place)?;
    if stream.write_all(&Hello::ours().encode()).is_err() {
        return Ok(None);
    }
    match Connection::open(stream, &place.socket, timeout) {
        // The server has just died: the kernel closes the connections of a process one by one.
        Err(ClientError::Lost) => Ok(None),
        result => result.map(Some),
    }
}

/// Refuses a server of another user before sending anything: a request holds the environment, which no other user may
/// see.
fn check_server(stream: &UnixStream, place: &Locations) -> Result<(), ClientError> {
    let peer = getsockopt(stream, PeerCredentials).map_err(|errno| ClientError::Connect {
        path: place.socket.clone(),
        source: errno.into(),
    })?;
    match peer.uid() == getuid().as_raw() {
        true => Ok(()),
        false => Err(ClientError::OtherUser(place.socket.clone())),
    }
}

/// Waits until the stream can be read or is closed; `false` if neither happens in time.
fn wait_readable(stream: &UnixStream, timeout: Duration) -> bool {
    let mut fds = [PollFd::new(stream.as_fd(), PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(timeout).unwrap_or(PollTimeout::MAX);
    // The poll starts again after a signal, so a signal can only lengthen the wait.
    loop {
        match poll(&mut fds, timeout) {
            Err(Errno::EINTR) => {}
            ready => return ready != Ok(0),
        }
    }
}

fn lock_start(place: &Locations) -> Result<Flock<File>, ClientError> {
    let path = beside(&place.socket, ".start");
    let failed = |source: io::Error| ClientError::File {
        path: path.clone(),
        source,
    };
    if let Some(dir) = place.socket.parent() {
        make_private_dir(dir, place).map_err(|source| ClientError::File {
            path: dir.to_owned(),
            source,
        })?;
    }
    loop {
        let file = shellkeep_files::open(&path, Access::Make, MAX_SMALL).map_err(failed)?;
        let lock = Flock::lock(file, FlockArg::LockExclusive)
            .map_err(|(_, errno)| failed(errno.into()))?;
        // A server that ends removes the lock file while holding the lock. The lock on a removed file protects nothing.
        if is_at(&lock, &path).map_err(failed)? {
            return Ok(lock);
        }
    }
}

/// Whether an open file is still the one at this path.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let ours = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Checks that the socket's directory exists if the user has named it. As in tmux, only the default directory is made.
///
/// # Errors
/// When it does not exist.
pub fn check_given_dir(place: &Locations) -> Result<(), ClientError> {
    let dir = place.socket.parent().unwrap_or(Path::new("/"));
    match std::fs::metadata(dir) {
        Err(source) if place.is_dir_given => Err(ClientError::Create {
            path: place.socket.clone(),
            source,
        }),
        _ => Ok(()),
    }
}

/// Makes the directory of the socket, or refuses one that other users can write to: in `/tmp` another user may have
/// made it first. The directory also holds scripts that shells read, and a user who could replace them would run
/// commands in every shell. So the check applies to a directory that the user has named as well. tmux, which keeps only
/// its socket there, accepts any.
fn make_private_dir(dir: &Path, place: &Locations) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    if !dir.exists() {
        shellkeep_files::make_dir(dir)?;
    }
    let metadata = std::fs::metadata(dir)?;
    let is_ours = metadata.uid() == nix::unistd::getuid().as_raw();
    let is_sticky = metadata.mode() & 0o1000 != 0;
    let is_open = metadata.mode() & 0o002 != 0
        || (metadata.mode() & 0o020 != 0 && !(place.is_dir_given && is_own_group(metadata.gid())));
    let is_foreign = !is_ours && metadata.uid() != 0;
    let sentence = match (is_foreign, is_open && !is_sticky) {
        (false, false) => {
            return match is_open {
                true => check_beside(place),
                false => Ok(()),
            };
        }
        _ if !place.is_dir_given => UNSAFE_DIRECTORY,
        (true, _) => {
            "the directory is another user's, who could replace what shells read beside the socket; name one in a directory of your own"
        }
        (false, true) => {
            "others may write to the directory, and could replace what shells read beside the socket; chmod go-w it, or name one elsewhere"
        }
    };
    Err(io::Error::other(sentence))
}

/// Whether this user is the only member of a group. Many systems make such a group for each user.
fn is_own_group(gid: u32) -> bool {
    use nix::unistd::{Gid, Group, User, getuid};
    let (Ok(Some(user)), Ok(Some(group))) = (
        User::from_uid(getuid()),
        Group::from_gid(Gid::from_raw(gid)),
    ) else {
        return false;
    };
    user.name == group.name && group.mem.iter().all(|member| *member == user.name)
}

/// In a directory with the sticky bit, other users cannot replace our files, but they may have made them first.
fn check_beside(place: &Locations) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let ours = nix::unistd::getuid().as_raw();
    for suffix in SUFFIXES {
        let path = beside(&place.socket, suffix);
        let found = std::fs::symlink_metadata(&path);
        if found.is_ok_and(|found| found.uid() != ours) {
            return Err(io::Error::other(format!(
                "{} is another user's; name another socket",
                path.display()
            )));
        }
    }
    Ok(())
}

/// As in tmux, refuses a directory that another user has made or can read, and a link to one.
fn check_public_dir(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = match std::fs::symlink_metadata(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if !metadata.is_dir() {
        return Err(io::Error::other("is not a directory"));
    }
    let is_ours = metadata.uid() == nix::unistd::getuid().as_raw();
    if !is_ours || metadata.mode() & 0o027 != 0 {
        return Err(io::Error::other(UNSAFE_DIRECTORY));
    }
    Ok(())
}

/// Starts the server in the background. This client is its first one, over a socket pair, and need not wait for the
/// listening socket. `None` if another server is running already.
fn launch(place: &Locations) -> Result<Option<Connection>, ClientError> {
    let (ours, theirs) = UnixStream::pair().map_err(not_started)?;
    execute(place, theirs).map_err(not_started)?;
    open(ours, place, START_TIMEOUT)
}

fn not_started(error: io::Error) -> ClientError {
    ClientError::Start(error.to_string())
}

/// Executes this program again as the server, with `line` as its standard input.
fn execute(place: &Locations, line: UnixStream) -> io::Result<()> {
    let mut command = place.server_command();
    command
        .stdin(OwnedFd::from(line))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    // Closes our copy of the server's end, or the connection would not break when the server dies.
    drop(command);
    // The started process forks and ends at once. The server is its child.
    child.wait()?;
    Ok(())
}

impl Connection {
    fn open(mut stream: UnixStream, path: &Path, timeout: Duration) -> Result<Self, ClientError> {
        let mut decoder = FrameDecoder::default();
        let server = loop {
            match Hello::decode(decoder.unread()) {
                Ok(Some((hello, length))) => {
                    decoder.skip(length);
                    break hello;
                }
                Ok(None) => {}
                Err(_) => return Err(ClientError::NotShellkeep(path.to_owned())),
            }
            if !wait_readable(&stream, timeout) {
                return Err(ClientError::NoAnswer(path.to_owned()));
            }
            let mut chunk = [0; 512];
            match stream.read(&mut chunk) {
                Ok(0) => return Err(ClientError::Lost),
                Ok(count) => decoder.feed(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(ClientError::Lost),
            }
        };
        let agreement = Hello::ours().agree(&server);
        Ok(Self {
            stream,
            decoder,
            server,
            agreement,
        })
    }

    pub(crate) fn version_mismatch(&self, call: &str) -> ClientError {
        let describe = |hello: &Hello| format!("{} (protocol {})", hello.build, hello.version);
        ClientError::Version {
            server: describe(&self.server),
            client: describe(&Hello::ours()),
            call: call.to_owned(),
        }
    }

    pub(crate) fn send(&mut self, message: &FromClient) -> Result<(), ClientError> {
        send(&mut self.stream, message)
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        self.stream.write_all(bytes).map_err(|_| ClientError::Lost)
    }

    pub(crate) fn sender(&self) -> Result<Sender, ClientError> {
        self.stream
            .try_clone()
            .map(Sender)
            .map_err(|_| ClientError::Lost)
    }

    /// The next message. Waits until there is one.
    pub(crate) fn next_message(&mut self) -> Result<FromServer, ClientError> {
        loop {
            if let Some(message) = self.buffered_message()? {
                return Ok(message);
            }
            self.receive()?;
        }
    }

    /// The next message, if one has arrived already.
    pub(crate) fn buffered_message(&mut self) -> Result<Option<FromServer>, ClientError> {
        loop {
            let frame = self.decoder.next_frame().map_err(|_| ClientError::Lost)?;
            let Some(frame) = frame else { return Ok(None) };
            // An unknown message number comes from a newer server, and is skipped.
            if let Some(message) = FromServer::decode(frame).map_err(|_| ClientError::Lost)? {
                return Ok(Some(message));
            }
        }
    }

    /// Reads what has arrived, and waits if there is nothing.
    pub(crate) fn receive(&mut self) -> Result<(), ClientError> {
        let mut chunk = [0; 1 << 14];
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(ClientError::Lost),
                Ok(count) => {
                    self.decoder.feed(&chunk[..count]);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(ClientError::Lost),
            }
        }
    }
}

/// The sending half of a connection, for another thread.
pub(crate) struct Sender(UnixStream);

impl Sender {
    pub(crate) fn send(&mut self, message: &FromClient) -> Result<(), ClientError> {
        send(&mut self.0, message)
    }
}

fn send(stream: &mut UnixStream, message: &FromClient) -> Result<(), ClientError> {
    let mut bytes = Vec::new();
    if !message.encode(&mut bytes) {
        return Err(ClientError::TooLong);
    }
    stream.write_all(&bytes).map_err(|_| ClientError::Lost)
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
