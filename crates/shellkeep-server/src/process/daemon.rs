//! The server as a process: going into the background, taking the lock, serving, and ending in order.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use nix::fcntl::{Flock, FlockArg};
use shellkeep_files::{ANY_SIZE, Access};
use shellkeep_keeper::host::{Handover, Inherited, KeeperConfig, KeeperHost, KeeperLink};
use shellkeep_keeper::process::{self, Role};
use shellkeep_keeper::{HostHandle, steps};
use shellkeep_proto::{FromServer, Hello};
use shellkeep_store::{Store, is_at, log_path, make_state_dir};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use crate::panes::shim;
use crate::process::listen::Door;
use crate::process::server_lock::ServerLock;
use crate::process::{keeper_socket, listen, logging, runtime_dir, server_lock, wall};
use crate::runtime_dir::beside;
use crate::{Birth, Ending, Idle, Parts, Timers};

/// How to run the server.
#[derive(Clone, Debug)]
pub struct DaemonConfig {
    pub socket: PathBuf,
    pub state_dir: PathBuf,
    /// The configuration, and whether the user has named it.
    pub config: Option<(PathBuf, ConfigOrigin)>,
    /// This program, which is also the keeper's.
    pub program: PathBuf,
    /// The descriptor of the lock, if this server replaces another one.
    pub lock_fd: Option<i32>,
    /// The descriptor of what the replaced server has handed over.
    pub handover_fd: Option<i32>,
    /// The limit on open files for programs, if the replaced server has raised its own.
    pub file_limit: Option<u64>,
    /// The value of `SHELLKEEP_LOG`.
    pub log_levels: Option<String>,
}

/// Where the configuration's name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigOrigin {
    /// The user has named it, so it must exist.
    Named,
    /// It is the default, and may be missing.
    Usual,
}

/// Runs the server to its end, in the background unless it replaces another one. Must be called first in `main`, while
/// the process has one thread.
///
/// # Errors
/// One sentence, if it cannot be started.
pub fn run(config: &DaemonConfig) -> io::Result<()> {
    // Before another process can send SIGUSR1, and while directory and umask are still the client's.
    process::ignore_usr1();
    process::outlive_file_sizes();
    let birth = Birth::here();
    let first = match config.lock_fd {
        Some(_) => None,
        None => {
            process::daemonise()?;
            Some(take_first_client()?)
        }
    };
    Role::Server.take_on();
    match prepare(config) {
        Ok(Some(prepared)) => serve(config, prepared, (first, birth)),
        // Another server runs: the client gets no answer here and connects to that one.
        Ok(None) => Ok(()),
        Err(error) => refuse(first, error),
    }
}

/// The connection to the client that has started this server, which is its standard input. The client need not wait for
/// the socket.
fn take_first_client() -> io::Result<UnixStream> {
    let stream = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
    Ok(stream)
}

/// Reports to the client that has started this server why it cannot run.
fn refuse(first: Option<UnixStream>, error: io::Error) -> io::Result<()> {
    if let Some(mut first) = first {
        let mut bytes = Hello::ours().encode();
        let reason = format!("cannot start the server: {error}\n");
        FromServer::Stderr(reason.into_bytes()).encode(&mut bytes);
        FromServer::Done(1).encode(&mut bytes);
        // The client may be gone already.
        let _ = first.write_all(&bytes);
    }
    Err(error)
}

/// What a server has before it runs.
struct Prepared {
    lock: Arc<ServerLock>,
    keeper: KeeperLink,
    /// What the replaced server, whose process this is, has handed over.
    inherited: Option<Inherited>,
    store: Result<Store, String>,
    /// The original limit on open files.
    file_limit: Option<u64>,
}

/// Everything before the runtime: lock, keeper, limits, log. `None` if another server runs.
fn prepare(config: &DaemonConfig) -> io::Result<Option<Prepared>> {
    let dir = config.socket.parent().unwrap_or(Path::new("/"));
    runtime_dir::ensure(dir)?;
    steps::look_in(&beside(&config.socket, ".stop-at"));
    if config.lock_fd.is_some() {
        steps::reached("replaced");
    }
    let Some(lock) = ServerLock::take(&config.socket, config.lock_fd)? else {
        return Ok(None);
    };
    let file_limit = process::FileLimit::raise(config.file_limit).map(process::FileLimit::soft);
    // The keeper's log is in it, too. The server runs without it, and begins its log when it can.
    let _ = make_state_dir(&config.state_dir);
    // Take the descriptor first, so that no child process inherits it.
    let inherited = config.handover_fd.map(Inherited::take).transpose();
    let keeper = KeeperLink::open(keeper_config(config, file_limit))?;
    steps::reached("keeper-found");
    let path = log_path(&config.state_dir, &label(&config.socket));
    logging::start(&path, config.log_levels.as_deref());
    if let Ok(file) = shellkeep_files::open(&path, Access::Append, ANY_SIZE) {
        let _ = nix::unistd::dup2_stderr(&file);
    }
    let store = Store::open_or_wait(&config.state_dir, &label(&config.socket));
    let store = store
        .inspect(|store| store.serves_at(&config.socket))
        .inspect_err(|error| tracing::error!(%error, "the store cannot be opened"))
        .map_err(|error| error.to_string());
    let inherited = inherited
        .inspect_err(
            |error| tracing::error!(%error, "the handover from the replaced server cannot be read"),
        )
        .unwrap_or_default();
    Ok(Some(Prepared {
        lock: Arc::new(lock),
        keeper,
        inherited,
        store,
        file_limit,
    }))
}

fn label(socket: &Path) -> String {
    socket
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn serve(
    config: &DaemonConfig,
    prepared: Prepared,
    (first, birth): (Option<UnixStream>, Birth),
) -> io::Result<()> {
    let Prepared {
        lock,
        keeper,
        inherited,
        store,
        file_limit,
    } = prepared;
    // One thread. A key and its echo then wake this process alone; with two threads tokio wakes the second one for
    // every other event, which made the echo slower, idle and in a flood. `flood_throttle` protects it better than a
    // second thread.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Poll for keys more often than after the default of 61 tasks, since a task may be a slice of a flood.
        .event_interval(16)
        // Threads for blocking work end soon afterwards, so that their time-out does not wake an idle server.
        .thread_keep_alive(Duration::from_secs(1))
        .build()?;
    wall::look_in(&beside(&config.socket, ".clock"));
    shellkeep_store::on_written(|path| {
        if path.file_name().is_some_and(|name| name == "screen.new") {
            steps::reached("written");
        }
    });
    let mut unheard = first.as_ref().and_then(|first| first.try_clone().ok());
    let ending = runtime.block_on(serve_async(
        config,
        (keeper, inherited, store),
        (first, birth),
        (lock.clone(), &mut unheard),
    ));
    let (ending, handover) = match ending {
        Ok(ended) => ended,
        Err(error) => return refuse(unheard, error),
    };
    runtime.shutdown_background();
    tracing::info!(?ending, "the server ends");
    match ending {
        Ending::Restart(program) => {
            let path = beside(&config.socket, ".handover");
            let handover = handover.keep_across_exec(&path);
            let handover = handover
                .inspect_err(
                    |error| tracing::error!(%error, "cannot pass the terminals on; only the keeper holds them"),
                )
                .ok();
            steps::reached("handed-over");
            let kept = (&*lock, handover, file_limit);
            let error = replace(config, &program, kept);
            tracing::error!(%error, "cannot execute the new program; continuing with this one");
            let error = replace(config, &config.program, kept);
            Err(error)
        }
        Ending::Empty | Ending::Killed(_) | Ending::Terminated => {
            tidy_up(&config.socket);
            // Held until the process is gone, together with the locks of the store: the next server must find both
            // free, or it would take the sessions for those of a running server.
            std::mem::forget(lock);
            Ok(())
        }
    }
}

/// Removes what a server leaves beside its socket, except for the lock. Not while a client starts another server, which
/// holds the file `.start`; a client that waits for that file then sees that it is gone.
fn tidy_up(socket: &Path) {
    let path = beside(socket, ".start");
    let Ok(turn) = server_lock::open(&path) else {
        return;
    };
    let Ok(turn) = Flock::lock(turn, FlockArg::LockExclusiveNonblock) else {
        return;
    };
    if !is_at(&turn, &path) {
        return;
    }
    for suffix in [".shells", ".agents"] {
        let _ = std::fs::remove_dir_all(beside(socket, suffix));
    }
    shim::remove(socket);
    let _ = std::fs::remove_file(&path);
}

fn keeper_config(config: &DaemonConfig, file_limit: Option<u64>) -> KeeperConfig {
    let socket = keeper_socket::keeper_socket(&config.socket);
    KeeperConfig {
        socket,
        program: config.program.clone(),
        file_limit,
        log: Some(
            config
                .state_dir
                .join(format!("{}.keeper.log", label(&config.socket))),
        ),
    }
}

async fn serve_async(
    config: &DaemonConfig,
    (keeper, inherited, store): (KeeperLink, Option<Inherited>, Result<Store, String>),
    (first, birth): (Option<UnixStream>, Birth),
    (lock, unheard): (Arc<ServerLock>, &mut Option<UnixStream>),
) -> io::Result<(Ending, Handover)> {
    // SIGUSR1 was ignored until now; see `ServerLock`.
    let asked = signal(SignalKind::user_defined1())?;
    let environ = environ();
    let (keeper, recovered) = KeeperHost::connect(keeper, inherited).await?;
    steps::reached("recovered");
    let (host, requests) = HostHandle::channel();
    let (host_tx, host_events) = mpsc::channel(256);
    let keeper = tokio::spawn(keeper.run(requests, host_tx));
    let door = Door::open(&config.socket, lock)?;
    let shutter = door.shutter();
    let keeper_line = host.clone();
    let (store, not_kept) = match store {
        Ok(store) => {
            let why = store.waits_because();
            (Some(store), why)
        }
        Err(why) => (None, Some(why)),
    };
    let mut running = crate::start(Parts {
        host,
        host_events,
        recovered,
        store,
        not_kept,
        environ,
        birth,
        config: read_config(config),
        socket: config.socket.clone(),
        program: Some(config.program.clone()),
        clock: wall_clock,
        timers: Timers::Kernel,
        idle: match &first {
            Some(_) => Idle::Ends,
            None => Idle::Stays,
        },
        close_door: Box::new(move |ending| {
            // After a restart the new server opens the same socket again; no client should find it missing meanwhile.
            if !matches!(ending, Ending::Restart(_)) {
                shutter.close();
            }
        }),
        event_slots: crate::EVENT_SLOTS,
    });
    let mut terminated = signal(SignalKind::terminate())?;
    if let Some(first) = first {
        first.set_nonblocking(true)?;
        let first = tokio::net::UnixStream::from_std(first)?;
        listen::welcome(&running.acceptor, first);
        // This client may be attached by now, and gets the server's own messages.
        *unheard = None;
    }
    tracing::info!(pid = std::process::id(), socket = %config.socket.display(), "the server is ready");
    let door = tokio::spawn(door.serve(running.acceptor.clone(), asked, keeper_line));
    let ending = loop {
        tokio::select! {
            ending = &mut running.ending => break ending.map_err(io::Error::other)?,
            _ = terminated.recv() => running.terminate().await,
        }
    };
    door.abort();
    // The notes must have reached the keeper.
    let handover = keeper.await.map_err(io::Error::other)?;
    Ok((ending, handover))
}

/// Executes another program, with the same pid and under the same lock.
fn replace(
    config: &DaemonConfig,
    program: &Path,
    (lock, handover, file_limit): (&ServerLock, Option<i32>, Option<u64>),
) -> io::Error {
    let fd = match lock.keep_across_exec() {
        Ok(fd) => fd,
        Err(error) => return error,
    };
    process::ignore_usr1();
    let mut command = Command::new(program);
    command.arg("__server").arg("--lock-fd").arg(fd.to_string());
    command
        .arg("--socket")
        .arg(&config.socket)
        .arg("--state-dir")
        .arg(&config.state_dir);
    if let Some(fd) = handover {
        command.arg("--handover-fd").arg(fd.to_string());
    }
    if let Some(limit) = file_limit {
        command.arg("--file-limit").arg(limit.to_string());
    }
    if let Some((path, origin)) = &config.config {
        let flag = if *origin == ConfigOrigin::Named {
            "--config"
        } else {
            "--usual-config"
        };
        command.arg(flag).arg(path);
    }
    command.exec()
}

fn read_config(config: &DaemonConfig) -> Option<(String, Result<String, String>)> {
    let (path, origin) = config.config.as_ref()?;
    let is_optional = *origin == ConfigOrigin::Usual;
    let text = match crate::commands::config::load(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if is_optional && error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => Err(shellkeep_shell::user_file::reason(&error)),
    };
    Some((path.display().to_string(), text))
}

fn environ() -> Vec<Vec<u8>> {
    let join =
        |(name, value): (OsString, OsString)| [name.into_vec(), value.into_vec()].join(&b'=');
    std::env::vars_os().map(join).collect()
}

fn wall_clock() -> i64 {
    i64::try_from(wall::now() / 1000).unwrap_or(i64::MAX)
}
