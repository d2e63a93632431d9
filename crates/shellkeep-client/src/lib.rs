//! The client: sends what was typed, paints what it is sent, and knows nothing of terminals beyond raw
//! mode. If the server vanishes it brings one back and goes on.

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

/// How the program was called, beside the command.
#[derive(Clone, Debug, Default)]
pub struct Calling {
    /// Whether it speaks in control mode.
    pub control: ControlMode,
    /// It was called as `tmux`.
    pub is_tmux: bool,
    /// Whether to start a server, if that is not left to the command.
    pub start: Option<Start>,
    /// What the server is to take for the environment instead of what it is.
    pub environ: Vec<(&'static str, String)>,
    /// `-c`: run this shell command instead of a command of ours.
    pub shell_command: Option<String>,
    /// That shell is a login shell.
    pub is_login: bool,
    /// A server that is started logs more.
    pub is_verbose: bool,
}

impl Calling {
    /// The user says that the terminal shows UTF-8.
    pub fn say_utf8(&mut self) {
        self.environ.push(("LC_ALL", "C.UTF-8".to_owned()));
    }

    /// The user says which colours the terminal has.
    pub fn say_colors(&mut self, features: &str) {
        if features.split(',').any(|feature| feature == "RGB") {
            self.environ.push(("COLORTERM", "truecolor".to_owned()));
        } else if features.split(',').any(|feature| feature == "256") {
            self.environ.push(("COLORTERM", "256color".to_owned()));
        }
    }
}

/// Whether, and where, control mode is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlMode {
    /// The terminal shows sessions.
    #[default]
    Off,
    /// `-C`: lines in, lines out.
    Lines,
    /// `-CC`: the same, with a terminal emulator that understands it.
    Terminal,
}

/// How a command has ended.
enum Answer {
    /// It has ended with this status.
    Done(u8),
    /// The terminal shows a session.
    Attached(Attached),
    /// The server was about to end, and has not begun it.
    NotBegun,
}

/// The request to run a command, encoded.
fn question(argv: Vec<String>, calling: &Calling) -> Result<Vec<u8>, ClientError> {
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

/// How often a command is asked for anew when the server it met was about to end and did not begin it.
const MAX_TRIES: usize = 3;

/// Runs a command line and returns its exit status.
///
/// # Errors
/// One sentence, when it could not even be asked for.
pub fn run(place: &Locations, argv: &[String], calling: &Calling) -> Result<u8, ClientError> {
    let request = match asked::read(argv)? {
        Asked::Answered(status) => return Ok(status),
        Asked::OfServer(request) => request,
    };
    for _ in 0..MAX_TRIES {
        if let Some(status) = ask(place, &request, calling)? {
            return Ok(status);
        }
    }
    Err(ClientError::Lost)
}

/// Has a server run a command line; returns its exit status, or nothing if the server ended without beginning it.
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
    let question = question(request.argv.clone(), calling)?;
    if connection.say_bytes(&question).is_err() {
        // The server has got no whole question, so it has begun nothing. It is about to be replaced, or could not start and has
        // said why before it ended.
        return Ok(match hear_answer(&mut connection) {
            Ok(Answer::Done(status)) => Some(status),
            _ => None,
        });
    }
    if calling.control != ControlMode::Off {
        return control::speak(connection, calling.control).map(Some);
    }
    conclude(place, connection, request.restarts)
}

/// Reads the answer to a command; nothing if the server ended without beginning it.
fn conclude(
    place: &Locations,
    mut connection: Connection,
    restarts: bool,
) -> Result<Option<u8>, ClientError> {
    match hear_answer(&mut connection) {
        Ok(Answer::Done(status)) => Ok(Some(status)),
        Ok(Answer::NotBegun) => Ok(None),
        Ok(Answer::Attached(attached)) => attach::show(place, connection, attached).map(Some),
        // The line to the old server breaks when the new one takes over: that is the answer.
        Err(ClientError::Lost) if restarts => connect(place, Start::IfNeeded).map(|_| Some(0)),
        Err(error) => Err(error),
    }
}

/// What can still be asked of a server that speaks another version.
fn across_versions(
    place: &Locations,
    mut connection: Connection,
    request: &Request,
) -> Result<u8, ClientError> {
    if !request.begins_with_restart {
        return Err(connection.version_mismatch(&place.call));
    }
    let program = String::from_utf8_lossy(&context::gather().program).into_owned();
    connection.say(&FromClient::Core(Core {
        verb: Verb::Restart,
        words: vec![program],
    }))?;
    match hear_answer(&mut connection) {
        Ok(Answer::Done(status)) => Ok(status),
        Ok(Answer::Attached(_) | Answer::NotBegun) | Err(ClientError::Lost) => {
            connect(place, Start::IfNeeded).map(|_| 0)
        }
        Err(error) => Err(error),
    }
}

/// Prints what the command prints, until it has ended or shows a session.
fn hear_answer(connection: &mut Connection) -> Result<Answer, ClientError> {
    loop {
        match connection.hear()? {
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

/// Passes standard input until it ends, or can no longer be read.
fn pass_stdin(connection: &mut Connection) -> Result<(), ClientError> {
    let mut stdin = std::io::stdin().lock();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let count = match stdin.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        connection.say(&FromClient::Stdin(chunk[..count].to_vec()))?;
        if count == 0 {
            return Ok(());
        }
    }
}

/// Prints. A reader that has gone away (`ls | head -1`) is no error.
fn print(stream: &mut impl std::io::Write, bytes: &[u8]) {
    let _ = stream.write_all(bytes).and_then(|()| stream.flush());
}

/// One line to standard error, for a person.
pub fn complain(error: &ClientError) {
    let _ = writeln!(std::io::stderr(), "{error}");
}
