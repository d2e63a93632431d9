//! The server's door: its socket, who may come in, and that it stays where it is.

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

/// So long somebody who is turned away is listened to.
const FAREWELL: Duration = Duration::from_secs(1);

/// Lets clients in.
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

    /// The same for a client whose process is known: by the kernel's word, since what a client in a
    /// container calls its number is somebody else's here.
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

/// The socket, and what makes it ours.
pub(crate) struct Door {
    path: PathBuf,
    listener: UnixListener,
    /// Device and inode: what is at the path may be somebody else's by now.
    identity: (u64, u64),
    lock: Arc<ServerLock>,
    is_closed: Arc<AtomicBool>,
}

/// Closes the door from elsewhere.
pub(crate) struct Shutter {
    path: PathBuf,
    is_closed: Arc<AtomicBool>,
}

impl Shutter {
    /// Takes the socket away for good. Clients already inside stay.
    pub(crate) fn close(self) {
        self.is_closed.store(true, Ordering::SeqCst);
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Door {
    /// Opens the socket in place of whatever was left there, as only the holder of the lock may.
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

    /// Lets clients in for as long as the server runs, and looks after the socket when `asked` to, and with it after the keeper's.
    pub(crate) async fn serve(mut self, acceptor: Acceptor, mut asked: Signal, keeper: HostHandle) {
        let mut watch = DirectoryWatch::new(&self.path);
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => welcome(&acceptor, stream),
                    Err(error) => {
                        // Out of descriptors, most likely: it passes when somebody leaves.
                        tracing::warn!(%error, "cannot accept a client");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
                _ = asked.recv() => self.ensure(&mut watch, &keeper),
                () = watch.changed() => self.ensure(&mut watch, &keeper),
            }
        }
    }

    /// Makes the socket anew if a cleaner of temporary files took it away, or the system the whole directory, because its user was
    /// logged in nowhere.
    fn ensure(&mut self, watch: &mut DirectoryWatch, keeper: &HostHandle) {
        let is_there = identity(&self.path).is_ok_and(|found| found == self.identity);
        if is_there || self.is_closed.load(Ordering::SeqCst) {
            return;
        }
        tracing::warn!(path = %self.path.display(), "the socket was removed; making it anew");
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
                tracing::error!(%error, "cannot make the socket anew; the next command tries again")
            }
        }
    }
}

/// A socket in place of whatever was left there, and its identity.
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

/// Lets a client in, if it is one of ours.
pub(crate) fn welcome(acceptor: &Acceptor, stream: tokio::net::UnixStream) {
    match stream.peer_cred() {
        Ok(peer) if peer.uid() == nix::unistd::getuid().as_raw() => {
            let (reader, writer) = stream.into_split();
            // One that cannot be seen from here has no number, or zero.
            let pid = peer.pid().and_then(|pid| u32::try_from(pid).ok());
            let pid = pid.filter(|pid| *pid > 0);
            let socket = Some(reader.as_ref().as_raw_fd());
            acceptor.accept_from(Peer { pid, socket }, reader, writer);
        }
        Ok(peer) => {
            tracing::warn!(uid = peer.uid(), "connection refused: another user");
            tokio::spawn(turn_away(stream));
        }
        Err(error) => tracing::warn!(%error, "connection refused: nobody knows whose it is"),
    }
}

/// Tells somebody else's client that it may not come in, and hears it out: a line that is closed over what was not read takes what was said
/// along.
async fn turn_away(mut stream: tokio::net::UnixStream) {
    let mut words = Hello::ours().encode();
    FromServer::Stderr(b"access not allowed\n".to_vec()).encode(&mut words);
    FromServer::Done(1).encode(&mut words);
    let farewell = async {
        stream.write_all(&words).await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
}

/// Wakes when the socket's directory loses something. Not a periodic look: an idle server sleeps.
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
            // What exactly was lost does not matter: the caller looks for itself.
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
