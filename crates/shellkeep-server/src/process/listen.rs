//! The server's socket: accepting clients of the same user, and restoring the socket if it is removed.

use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use shellkeep_core::ClientId;
use shellkeep_keeper::{HostHandle, HostRequest};
use shellkeep_proto::{FromServer, Hello};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::UnixListener;
use tokio::signal::unix::Signal;
use tokio::sync::{mpsc, watch};

use crate::clients::connection;
use crate::clients::connection::Peer;
use crate::clients::intake::Intake;
use crate::event::Event;
use crate::process::server_lock::ServerLock;

/// How long a refused client is read.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct Acceptor {
    events: mpsc::Sender<Event>,
    escape_time: watch::Receiver<Duration>,
    intake: Intake,
    next: Arc<AtomicU32>,
}

impl Acceptor {
    pub(crate) fn new(
        events: mpsc::Sender<Event>,
        escape_time: watch::Receiver<Duration>,
        intake: Intake,
    ) -> Self {
        Self {
            events,
            escape_time,
            intake,
            next: Arc::default(),
        }
    }

    /// Serves a connection in a task of its own.
    pub fn accept<R, W>(&self, reader: R, writer: W)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        self.accept_from(Peer::default(), reader, writer);
    }

    /// Like [`Acceptor::accept`], for a client whose pid the kernel has reported. The pid that a client in a container
    /// knows of itself may be that of another process here.
    fn accept_from<R, W>(&self, peer: Peer, reader: R, writer: W)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let client = ClientId(self.next.fetch_add(1, Ordering::Relaxed));
        let (events, escape_time) = (self.events.clone(), self.escape_time.clone());
        tokio::spawn(connection::serve(
            (client, peer),
            (reader, writer),
            events,
            escape_time,
            self.intake.clone(),
        ));
    }
}

pub(crate) struct Door {
    path: PathBuf,
    listener: UnixListener,
    /// Device and inode, to see whether the file at the path still is this socket.
    identity: (u64, u64),
    lock: Arc<ServerLock>,
    is_closed: Arc<AtomicBool>,
}

pub(crate) struct Shutter {
    path: PathBuf,
    is_closed: Arc<AtomicBool>,
}

impl Shutter {
    /// Removes the socket for good. Connected clients stay.
    pub(crate) fn close(self) {
        self.is_closed.store(true, Ordering::SeqCst);
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Door {
    /// Opens the socket, replacing whatever is at the path. Only the holder of the lock may do so.
    pub(crate) fn open(path: &Path, lock: Arc<ServerLock>) -> io::Result<Self> {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let (listener, identity) = bind(path).map_err(named)?;
        Ok(Self {
            path: path.to_owned(),
            listener,
            identity,
            lock,
            is_closed: Arc::default(),
        })
    }

    pub(crate) fn shutter(&self) -> Shutter {
        Shutter {
            path: self.path.clone(),
            is_closed: self.is_closed.clone(),
        }
    }

    /// Accepts clients as long as the server runs. On the signal `asked` it restores its own socket if needed, and the
    /// keeper's.
    pub(crate) async fn serve(mut self, acceptor: Acceptor, mut asked: Signal, keeper: HostHandle) {
        let mut watch = DirectoryWatch::new(&self.path);
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => welcome(&acceptor, stream),
                    Err(error) => {
                        // Most likely there are no file descriptors left, until a client disconnects.
                        tracing::warn!(%error, "cannot accept a client");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
                _ = asked.recv() => self.ensure(&mut watch, &keeper),
                () = watch.changed() => self.ensure(&mut watch, &keeper),
            }
        }
    }

    /// Restores the socket if it was removed: by a cleaner of temporary files, or with the whole directory when the
    /// user has logged out.
    fn ensure(&mut self, watch: &mut DirectoryWatch, keeper: &HostHandle) {
        let is_there = identity(&self.path).is_ok_and(|found| found == self.identity);
        if is_there || self.is_closed.load(Ordering::SeqCst) {
            return;
        }
        tracing::warn!(path = %self.path.display(), "the socket was removed; creating it again");
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        let made = crate::process::runtime_dir::ensure(parent)
            .and_then(|()| self.lock.ensure())
            .and_then(|()| bind(&self.path));
        match made {
            Ok((listener, identity)) => {
                (self.listener, self.identity) = (listener, identity);
                *watch = DirectoryWatch::new(&self.path);
                keeper.request(HostRequest::Listen);
            }
            Err(error) => {
                tracing::error!(%error, "cannot create the socket; the next command tries again")
            }
        }
    }
}

/// Binds a socket, replacing whatever is at the path. Returns its identity, too.
fn bind(path: &Path) -> io::Result<(UnixListener, (u64, u64))> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok((listener, identity(path)?))
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = std::fs::symlink_metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Accepts a client, if it belongs to the same user.
pub(crate) fn welcome(acceptor: &Acceptor, stream: tokio::net::UnixStream) {
    match stream.peer_cred() {
        Ok(peer) if peer.uid() == nix::unistd::getuid().as_raw() => {
            let (reader, writer) = stream.into_split();
            // A process in another pid namespace has no pid here, or 0.
            let pid = peer.pid().and_then(|pid| u32::try_from(pid).ok());
            let pid = pid.filter(|pid| *pid > 0);
            let socket = Some(reader.as_ref().as_raw_fd());
            acceptor.accept_from(Peer { pid, socket }, reader, writer);
        }
        Ok(peer) => {
            tracing::warn!(uid = peer.uid(), "connection refused: another user");
            tokio::spawn(turn_away(stream));
        }
        Err(error) => tracing::warn!(%error, "connection refused: its user is not known"),
    }
}

/// Refuses another user's client. Its data is read first: closing a socket with unread data would discard the refusal,
/// too.
async fn turn_away(mut stream: tokio::net::UnixStream) {
    let mut words = Hello::ours().encode();
    FromServer::Stderr(b"access not allowed\n".to_vec()).encode(&mut words);
    FromServer::Done(1).encode(&mut words);
    let farewell = async {
        stream.write_all(&words).await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(REFUSAL_TIMEOUT, farewell).await;
}

/// Waits until a file is removed from the socket's directory, by inotify: an idle server must not poll.
struct DirectoryWatch {
    #[cfg(target_os = "linux")]
    inotify: Option<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>>,
}

#[cfg(target_os = "linux")]
impl DirectoryWatch {
    fn new(socket: &Path) -> Self {
        Self {
            inotify: Self::watch(socket).ok(),
        }
    }

    fn watch(socket: &Path) -> io::Result<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>> {
        use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC)?;
        let losses = AddWatchFlags::IN_DELETE
            | AddWatchFlags::IN_MOVED_FROM
            | AddWatchFlags::IN_DELETE_SELF
            | AddWatchFlags::IN_MOVE_SELF;
        inotify.add_watch(socket.parent().unwrap_or(Path::new("/")), losses)?;
        shellkeep_keeper::process::watch(inotify.into(), tokio::io::Interest::READABLE)
    }

    async fn changed(&self) {
        let Some(inotify) = &self.inotify else {
            return std::future::pending().await;
        };
        if let Ok(mut ready) = inotify.readable().await {
            let mut unread = [0; 4096];
            // The events are not evaluated, since the caller checks the socket itself.
            while nix::unistd::read(inotify.get_ref(), &mut unread).is_ok_and(|count| count > 0) {}
            ready.clear_ready();
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl DirectoryWatch {
    fn new(_socket: &Path) -> Self {
        Self {}
    }

    async fn changed(&self) {
        std::future::pending().await
    }
}
