//! A session on this terminal: keys out, frames in, until one side ends it.

use std::collections::VecDeque;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use shellkeep_core::SessionId;
use shellkeep_proto::{
    Agreement, Core, FromClient, FromServer, Leave, LeaveKind, RunRequest, Verb,
};

use crate::connect::{Connection, Start, connect};
use crate::place::Place;
use crate::signals::{Notice, Signals};
use crate::tty::{self, RawTerminal};
use crate::{Answer, ClientError, context, hear_answer};

/// So often may the server be lost within [`LOSS_TIME`] before we no longer bring it back.
const LOSSES: usize = 5;
const LOSS_TIME: Duration = Duration::from_secs(10);

/// What the server said when it showed a session here.
pub(crate) struct Attachment {
    pub(crate) session: SessionId,
    pub(crate) name: String,
    pub(crate) enter: Vec<u8>,
    pub(crate) leave: Vec<u8>,
}

/// How it ended.
enum End {
    /// The server said so.
    Left(Leave),
    /// The terminal is gone, or somebody ended this client.
    Ended,
    /// The server is gone.
    Lost,
}

/// Shows the session until it ends; returns the exit status.
pub(crate) fn show(
    place: &Place,
    mut connection: Connection,
    attachment: Attachment,
) -> Result<u8, ClientError> {
    let mut signals = Signals::listen().map_err(ClientError::Terminal)?;
    let Attachment {
        mut session,
        mut name,
        enter,
        leave,
    } = attachment;
    let mut terminal = RawTerminal::take(enter, leave).map_err(ClientError::Terminal)?;
    let mut losses = VecDeque::new();
    loop {
        match relay(&mut connection, &terminal, &mut signals) {
            End::Left(leave) => {
                drop(terminal);
                crate::print(&mut io::stdout(), format!("[{}]\n", leave.text).as_bytes());
                return Ok(u8::from(leave.kind == LeaveKind::ServerExited));
            }
            End::Ended => return Ok(1),
            End::Lost => {
                let again = come_back(place, session, &mut losses);
                match again {
                    Ok((new_connection, attachment)) => {
                        connection = new_connection;
                        session = attachment.session;
                        name = attachment.name;
                        terminal
                            .prepare_anew(attachment.enter, attachment.leave)
                            .map_err(ClientError::Terminal)?;
                    }
                    Err(error) => {
                        drop(terminal);
                        let text = format!("[server lost, session {name} did not come back]\n");
                        crate::print(&mut io::stdout(), text.as_bytes());
                        return Err(error);
                    }
                }
            }
        }
    }
}

/// Passes bytes both ways.
fn relay(connection: &mut Connection, terminal: &RawTerminal, signals: &mut Signals) -> End {
    let mut stdin = io::stdin().lock();
    loop {
        loop {
            match connection.heard() {
                Ok(Some(message)) => {
                    if let Some(end) = obey(connection, terminal, message) {
                        return end;
                    }
                }
                Ok(None) => break,
                Err(_) => return End::Lost,
            }
        }
        let mut fds = [
            PollFd::new(stdin.as_fd(), PollFlags::POLLIN),
            PollFd::new(connection.as_fd(), PollFlags::POLLIN),
            PollFd::new(signals.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return End::Ended,
        }
        let [typed, said, signalled] = fds.map(|fd| fd.any() == Some(true));
        if signalled && let Some(end) = heed(connection, terminal, signals) {
            return end;
        }
        if said && connection.receive().is_err() {
            return End::Lost;
        }
        if typed {
            let mut keys = [0; 4096];
            match stdin.read(&mut keys) {
                Ok(0) => return End::Ended,
                Ok(count) => {
                    if connection
                        .say(&FromClient::Input(keys[..count].to_vec()))
                        .is_err()
                    {
                        return End::Lost;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return End::Ended,
            }
        }
    }
}

/// Does what the server says.
fn obey(connection: &mut Connection, terminal: &RawTerminal, message: FromServer) -> Option<End> {
    match message {
        FromServer::Output(bytes) => {
            if tty::write(&bytes).is_err() {
                return Some(End::Ended);
            }
            // Only now may the next frame come: this is what keeps a slow terminal from falling behind.
            if connection.say(&FromClient::Painted).is_err() {
                return Some(End::Lost);
            }
        }
        FromServer::Leave(leave) => return Some(End::Left(leave)),
        FromServer::Suspend => return suspend(connection, terminal),
        FromServer::Attached { .. }
        | FromServer::Stdout(_)
        | FromServer::Stderr(_)
        | FromServer::Done(_) => {}
    }
    None
}

/// Does what signals say.
fn heed(connection: &mut Connection, terminal: &RawTerminal, signals: &mut Signals) -> Option<End> {
    for notice in signals.take() {
        match notice {
            Notice::End => return Some(End::Ended),
            Notice::Stop => {
                if let Some(end) = suspend(connection, terminal) {
                    return Some(end);
                }
            }
            Notice::Resized => {
                if let Some(size) = tty::size()
                    && connection.say(&FromClient::Resize(size)).is_err()
                {
                    return Some(End::Lost);
                }
            }
            // Stopped by SIGSTOP, which nobody can foresee: the shell has used the terminal meanwhile.
            Notice::Continued => {
                if let Some(end) = paint_anew(connection, terminal) {
                    return Some(end);
                }
            }
        }
    }
    None
}

/// Gives the terminal back, stops, and goes on when continued.
fn suspend(connection: &mut Connection, terminal: &RawTerminal) -> Option<End> {
    terminal.pause();
    crate::signals::stop();
    paint_anew(connection, terminal)
}

fn paint_anew(connection: &mut Connection, terminal: &RawTerminal) -> Option<End> {
    if terminal.resume().is_err() {
        return Some(End::Ended);
    }
    if let Some(size) = tty::size()
        && connection.say(&FromClient::Resize(size)).is_err()
    {
        return Some(End::Lost);
    }
    connection
        .say(&FromClient::Repaint)
        .is_err()
        .then_some(End::Lost)
}

/// The server is gone: says so, brings one back and attaches again.
fn come_back(
    place: &Place,
    session: SessionId,
    losses: &mut VecDeque<Instant>,
) -> Result<(Connection, Attachment), ClientError> {
    say_at_the_bottom("server lost, coming back");
    let now = Instant::now();
    losses.push_back(now);
    losses.retain(|loss| now.duration_since(*loss) < LOSS_TIME);
    if losses.len() > LOSSES {
        return Err(ClientError::Lost);
    }
    let mut connection = connect(place, Start::IfNeeded)?;
    let target = session.to_string();
    let context = context::gather();
    if matches!(connection.agreement, Agreement::Speak(_)) {
        let argv = ["attach-session", "-t", &target]
            .map(str::to_owned)
            .to_vec();
        connection.say(&FromClient::Run(RunRequest { argv, context }))?;
    } else {
        let size = tty::size().unwrap_or_default();
        let word = |name| context.env(name).unwrap_or_default().to_owned();
        let words = vec![target, word("TERM"), word("COLORTERM")];
        connection.say(&FromClient::Resize(size))?;
        connection.say(&FromClient::Core(Core {
            verb: Verb::Attach,
            words,
        }))?;
    }
    match hear_answer(&mut connection)? {
        Answer::Attached(attachment) => Ok((connection, attachment)),
        Answer::Done(_) => Err(ClientError::Lost),
    }
}

fn say_at_the_bottom(text: &str) {
    let row = tty::size().unwrap_or_default().rows();
    let line = format!("\x1b[{row};1H\x1b[0;7m\x1b[K{text}\x1b[0m");
    // If the terminal is gone as well, nobody is there to read it.
    let _ = tty::write(line.as_bytes());
}
