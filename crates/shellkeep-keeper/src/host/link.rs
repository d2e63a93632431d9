//! Finds the keeper that an earlier server has left, or starts one.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream as StdUnixStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use nix::unistd::Pid;

use crate::keeper;

#[derive(Clone, Debug)]
pub struct KeeperConfig {
    pub socket: PathBuf,
    pub program: PathBuf,
    /// The limit on open files for programs.
    pub file_limit: Option<u64>,
    /// The file for its error messages.
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

    /// The reason for a broken connection, as far as it is known.
    pub(super) fn ended(&self, error: &io::Error) -> String {
        match &self.log {
            Some(log) => format!("it has ended ({error}); see {}", log.display()),
            None => format!("it has ended ({error})"),
        }
    }

    /// Makes the keeper's socket before the keeper runs. If the server dies at this moment, the next server finds this
    /// keeper instead of starting a second one. A keeper whose socket cannot be made is useless.
    fn listen(&self) -> io::Result<UnixListener> {
        keeper::listen(&self.socket).map_err(|error| {
            let socket = self.socket.display();
            io::Error::new(error.kind(), format!("{socket}: {error}"))
        })
    }
}

/// A connection to a keeper that was found, or was started and may not be running yet.
pub struct KeeperLink {
    pub(super) config: KeeperConfig,
    pub(super) stream: StdUnixStream,
    /// The keeper's process, if this server started it.
    pub(super) started: Option<Pid>,
}

impl KeeperLink {
    /// Finds the keeper that an earlier server has left, or starts one.
    ///
    /// # Errors
    /// When there is none and none can be started.
    pub fn open(config: KeeperConfig) -> io::Result<Self> {
        match StdUnixStream::connect(&config.socket) {
            Ok(stream) => Ok(Self {
                config,
                stream,
                started: None,
            }),
            Err(_) => Self::launch(config),
        }
    }

    /// Starts a keeper. Messages can be sent before it runs, because the connection is a socket pair.
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
        Ok(Self {
            config,
            stream,
            started: Some(Pid::from_raw(child.id().cast_signed())),
        })
    }
}
