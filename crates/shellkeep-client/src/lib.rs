//! The client: sends the command line, and writes what the server sends to the terminal. It must not know the model or
//! interpret terminal output. If the server vanishes, it starts another one and attaches again.

mod asked;
mod attach;
mod connect;
mod context;
mod control;
mod error;
mod forget;
mod holder;
mod locations;
mod shim;
mod signals;
mod tty;

pub use connect::{Start, check_given_dir};
pub use context::program;
pub use error::ClientError;
pub use locations::{CalledAs, Locations, is_in_real_tmux};

use std::io::{Read as _, Write as _};

use shellkeep_proto::{
    Agreement, Attached, Core, FromClient, FromServer, LeaveKind, Role, RunRequest, Verb,
};

use asked::{Asked, Request};
use connect::{Connection, connect};

/// How the program was called, apart from the command.
#[derive(Clone, Debug, Default)]
pub struct Calling {
    pub control: ControlMode,
    pub is_tmux: bool,
    /// When to start a server, if the flags decide that instead of the command.
    pub start: Option<Start>,
    /// Variables that replace those of the environment in the request to the server.
    pub environ: Vec<(&'static str, String)>,
    /// `-c`: the shell command to run instead of a command of shellkeep.
    pub shell_command: Option<String>,
    /// Run the shell of `-c` as a login shell.
    pub is_login: bool,
    /// Log more if a server is started.
    pub is_verbose: bool,
}

impl Calling {
    /// Handles `-u`: the terminal shows UTF-8, whatever the locale is.
    pub fn assume_utf8(&mut self) {
        self.environ.push(("LC_ALL", "C.UTF-8".to_owned()));
    }

    /// Handles `-2` and `-T`: which colours the terminal has.
    pub fn assume_colors(&mut self, features: &str) {
        if features.split(',').any(|feature| feature == "RGB") {
            self.environ.push(("COLORTERM", "truecolor".to_owned()));
        } else if features.split(',').any(|feature| feature == "256") {
            self.environ.push(("COLORTERM", "256color".to_owned()));
        }
    }
}

/// Whether control mode is spoken, and to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlMode {
    /// The terminal shows sessions.
    #[default]
    Off,
    /// `-C`: lines in, lines out.
    Lines,
    /// `-CC`: as `-C`, for a terminal emulator that speaks control mode itself.
    Terminal,
}

enum Answer {
    /// The command has ended with this status.
    Done(u8),
    /// The terminal shows a session.
    Attached(Attached),
    /// The server was about to end, and has not begun the command.
    NotBegun,
}

/// The request to run a command, encoded.
fn encode_request(argv: Vec<String>, calling: &Calling) -> Result<Vec<u8>, ClientError> {
    let is_control = calling.control != ControlMode::Off;
    let role = Role {
        is_control,
        is_tmux: calling.is_tmux,
    };
    let role = (is_control || calling.is_tmux).then_some(FromClient::Role(role));
    let mut context = context::gather();
    for (name, value) in &calling.environ {
        context::overrule(&mut context, name, value);
    }
    let run = FromClient::Run(RunRequest { argv, context });
    let mut bytes = Vec::new();
    let mut messages = role.into_iter().chain([run]);
    let is_said = messages.all(|message| message.encode(&mut bytes));
    is_said.then_some(bytes).ok_or(ClientError::TooLong)
}

/// How often a command is sent again to a new server because the last one was about to end and had not begun it.
const MAX_TRIES: usize = 3;

/// Runs a command line and returns its exit status.
///
/// # Errors
/// When the command could not be sent to a server. The error prints as one sentence.
pub fn run(place: &Locations, argv: &[String], calling: &Calling) -> Result<u8, ClientError> {
    let request = match asked::read(argv)? {
        Asked::Answered(status) => return Ok(status),
        Asked::ForServer(request) => request,
    };
    for _ in 0..MAX_TRIES {
        if let Some(status) = ask(place, &request, calling)? {
            return Ok(status);
        }
    }
    Err(ClientError::Lost)
}

/// Sends a command line to a server and returns its exit status; `None` if the server ended without beginning it.
fn ask(place: &Locations, request: &Request, calling: &Calling) -> Result<Option<u8>, ClientError> {
    let start = calling.start.unwrap_or(request.start);
    let mut connection = match (connect(place, start), &request.unknown) {
        (Err(ClientError::NoServer(_)), Some(error)) => {
            return Err(ClientError::Command(error.clone()));
        }
        (connected, _) => connected?,
    };
    if !matches!(connection.agreement, Agreement::Speak(_)) {
        return across_versions(place, connection, request).map(Some);
    }
    let request_bytes = encode_request(request.argv.clone(), calling)?;
    if connection.send_bytes(&request_bytes).is_err() {
        // The server has not received the whole request, so it has begun nothing. It is about to be replaced, or it
        // failed to start and has sent the reason before it ended.
        return Ok(match receive_answer(&mut connection) {
            Ok(Answer::Done(status)) => Some(status),
            _ => None,
        });
    }
    if calling.control != ControlMode::Off {
        return control::run(connection, calling.control).map(Some);
    }
    conclude(place, connection, request.restarts)
}

/// Reads the answer to a command; `None` if the server ended without beginning it.
fn conclude(
    place: &Locations,
    mut connection: Connection,
    restarts: bool,
) -> Result<Option<u8>, ClientError> {
    match receive_answer(&mut connection) {
        Ok(Answer::Done(status)) => Ok(Some(status)),
        Ok(Answer::NotBegun) => Ok(None),
        Ok(Answer::Attached(attached)) => attach::show(place, connection, attached).map(Some),
        // The connection to the old server breaks when the new server takes over. This is how `restart-server`
        // succeeds.
        Err(ClientError::Lost) if restarts => connect(place, Start::IfNeeded).map(|_| Some(0)),
        Err(error) => Err(error),
    }
}

/// Sends a command to a server of another version. Of the frozen core only `restart-server` is used here.
fn across_versions(
    place: &Locations,
    mut connection: Connection,
    request: &Request,
) -> Result<u8, ClientError> {
    if !request.begins_with_restart {
        return Err(connection.version_mismatch(&place.call));
    }
    let program = String::from_utf8_lossy(&context::gather().program).into_owned();
    connection.send(&FromClient::Core(Core {
        verb: Verb::Restart,
        words: vec![program],
    }))?;
    match receive_answer(&mut connection) {
        Ok(Answer::Done(status)) => Ok(status),
        Ok(Answer::Attached(_) | Answer::NotBegun) | Err(ClientError::Lost) => {
            connect(place, Start::IfNeeded).map(|_| 0)
        }
        Err(error) => Err(error),
    }
}

/// Prints the output of the command, until it has ended or attaches the client.
fn receive_answer(connection: &mut Connection) -> Result<Answer, ClientError> {
    loop {
        match connection.next_message()? {
            FromServer::Stdout(bytes) => print(&mut std::io::stdout(), &bytes),
            FromServer::Stderr(bytes) => print(&mut std::io::stderr(), &bytes),
            FromServer::Done(status) => return Ok(Answer::Done(status)),
            FromServer::Attached(attached) => return Ok(Answer::Attached(attached)),
            FromServer::Leave(leave) => {
                return Ok(match leave.kind {
                    LeaveKind::ServerExited => Answer::NotBegun,
                    _ => Answer::Done(0),
                });
            }
            FromServer::Output(_)
            | FromServer::Suspend
            | FromServer::Relay
            | FromServer::Lock(_) => {}
            FromServer::ReadInput => pass_stdin(connection)?,
        }
    }
}

/// Sends standard input until it ends or cannot be read any more.
fn pass_stdin(connection: &mut Connection) -> Result<(), ClientError> {
    let mut stdin = std::io::stdin().lock();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let count = match stdin.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        connection.send(&FromClient::Stdin(chunk[..count].to_vec()))?;
        if count == 0 {
            return Ok(());
        }
    }
}

/// Prints, and ignores a broken pipe (`ls | head -1`).
fn print(stream: &mut impl std::io::Write, bytes: &[u8]) {
    let _ = stream.write_all(bytes).and_then(|()| stream.flush());
}

/// Prints an error to standard error.
pub fn print_error(error: &ClientError) {
    let _ = writeln!(std::io::stderr(), "{error}");
}
