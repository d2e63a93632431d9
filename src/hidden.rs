//! Hidden subcommands, which the program runs itself: the server and the keeper.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::IntoRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use shellkeep_client::{ClientError, Locations};
use shellkeep_files::{Access, MAX_SMALL};
use shellkeep_keeper::keeper;
use shellkeep_server::daemon::{self, ConfigOrigin, DaemonConfig};
use shellkeep_server::runtime_dir;

/// `__server --socket PATH --state-dir DIR [--config FILE | --usual-config FILE] [--lock-fd N --handover-fd N
/// --file-limit N]`
pub(crate) fn server(args: &[OsString]) -> u8 {
    let mut config = config("/".into(), "/".into());
    let mut in_foreground = false;
    for pair in args.chunks_exact(2) {
        let value = pair[1].clone();
        match pair[0].to_str() {
            Some("--socket") => config.socket = value.into(),
            Some("--state-dir") => config.state_dir = value.into(),
            Some("--config") => config.config = Some((value.into(), ConfigOrigin::Named)),
            Some("--usual-config") => config.config = Some((value.into(), ConfigOrigin::Usual)),
            Some("--lock-fd") => config.lock_fd = number(&value),
            Some("--handover-fd") => config.handover_fd = number(&value),
            Some("--file-limit") => config.file_limit = number(&value),
            Some("--log") => config.log_levels = value.into_string().ok(),
            Some("--in-foreground") => in_foreground = true,
            // A flag of a later version: that server is being replaced by this one.
            _ => {}
        }
    }
    if in_foreground {
        // A client locks before it starts a server. A server that a user starts by hand has to take the lock itself.
        match take_lock(&config.socket) {
            Ok(lock) => config.lock_fd = Some(lock.into_raw_fd()),
            Err(error) => return status(Err(error)),
        }
    }
    status(daemon::run(&config))
}

/// Opens the lock file of a socket's server, if no server holds the lock.
fn take_lock(socket: &Path) -> io::Result<File> {
    shellkeep_files::make_dir(socket.parent().unwrap_or(Path::new("/")))?;
    let path = runtime_dir::beside(socket, ".lock");
    let lock = shellkeep_files::open(&path, Access::Make, MAX_SMALL)?;
    // The server takes the lock again for itself. This only tests whether it is free.
    match Flock::lock(lock, FlockArg::LockExclusiveNonblock) {
        Ok(lock) => lock.unlock().map_err(|(_, errno)| errno.into()),
        Err((_, Errno::EWOULDBLOCK)) => Err(io::Error::other("a server is running already")),
        Err((_, errno)) => Err(errno.into()),
    }
}

/// `-D`: runs the server in this process, in the foreground. It stays even while it has no sessions.
pub(crate) fn foreground(place: &Locations) -> ClientError {
    if let Err(error) = shellkeep_client::check_given_dir(place) {
        return error;
    }
    let mut server = place.server_command();
    let path = server.get_program().into();
    server.args(["--in-foreground", "yes"]);
    let source = server.env("SHELLKEEP_EXIT_EMPTY", "off").exec();
    ClientError::File { path, source }
}

fn config(socket: PathBuf, state_dir: PathBuf) -> DaemonConfig {
    DaemonConfig {
        socket,
        state_dir,
        config: None,
        program: shellkeep_client::program(),
        lock_fd: None,
        handover_fd: None,
        file_limit: None,
        log_levels: std::env::var("SHELLKEEP_LOG").ok(),
    }
}

fn number<T: std::str::FromStr>(word: &OsString) -> Option<T> {
    word.to_str().and_then(|word| word.parse().ok())
}

/// `__keeper SOCKET [FILE-LIMIT]`, with the connection to the server as standard input.
pub(crate) fn keeper(args: &[OsString]) -> u8 {
    status(run_keeper(args))
}

fn run_keeper(args: &[OsString]) -> io::Result<()> {
    let path = args
        .first()
        .ok_or_else(|| io::Error::other("no socket named"))?;
    keeper::run(Path::new(path), args.get(1).and_then(number))
}

fn status(result: io::Result<()>) -> u8 {
    match result {
        Ok(()) => 0,
        Err(error) => {
            use std::io::Write as _;
            let _ = writeln!(io::stderr(), "shellkeep: {error}");
            1
        }
    }
}
