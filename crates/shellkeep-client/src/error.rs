//! Errors of the client itself, as opposed to errors of commands.

use std::io;
use std::path::PathBuf;

use shellkeep_command::CommandError;

/// Why a command could not be run. Each variant prints as one sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error(transparent)]
    Command(#[from] CommandError),
    /// There is no server, and this command does not start one.
    #[error("no server running on {}", .0.display())]
    NoServer(PathBuf),
    /// Whatever listens at the socket refuses connections.
    #[error("error connecting to {} ({})", .path.display(), reason(source))]
    Connect { path: PathBuf, source: io::Error },
    /// The socket cannot be made at the path that the user named.
    #[error("error creating {} ({})", .path.display(), reason(source))]
    Create { path: PathBuf, source: io::Error },
    #[error("cannot start the server: {0}")]
    Start(String),
    /// The socket belongs to another user.
    #[error("access not allowed: the server at {} is another user's", .0.display())]
    OtherUser(PathBuf),
    #[error("the server at {} does not answer; 'kill' it, no program will be lost", .0.display())]
    NoAnswer(PathBuf),
    /// The server closed the connection in the middle of a command.
    #[error("server exited unexpectedly")]
    Lost,
    /// A new server is running, but the session no longer exists.
    #[error("the session is gone")]
    SessionGone,
    #[error(
        "the server is {server} and this is {client}; run '{call} restart-server' to move your sessions over, no program will be ended"
    )]
    Version {
        server: String,
        client: String,
        /// How to address that server, such as `shellkeep -L work`.
        call: String,
    },
    #[error("the server at {} is not a shellkeep server", .0.display())]
    NotShellkeep(PathBuf),
    /// The command line does not fit into a message.
    #[error("the command line and environment are too long to be sent")]
    TooLong,
    /// A file that shellkeep itself needs.
    #[error("{}: {source}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{0}")]
    Usage(String),
    #[error("open terminal failed: {0}")]
    Terminal(io::Error),
}

/// The system's error text without the number that std appends, as tmux prints it.
fn reason(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(number) => nix::errno::Errno::from_raw(number).desc().to_owned(),
        None => error.to_string(),
    }
}
