//! Shows a session on this terminal until the client or the server ends it.
//!
//! Where possible the server opens the terminal itself, reads the keys and paints the frames. The client then only
//! keeps the terminal raw, handles signals, and restores the terminal. Otherwise all bytes pass through the client.

use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::getppid;
use shellkeep_core::SessionId;
use shellkeep_proto::{
    Agreement, Attached, Core, FromClient, FromServer, Leave, LeaveKind, RunRequest, Verb,
};

use crate::connect::{Connection, Start, connect};
use crate::locations::Locations;
use crate::signals::{LOST_TERMINAL, Notice, Signals};
use crate::tty::{self, RawTerminal};
use crate::{Answer, ClientError, context, receive_answer};

/// A server that is lost this soon after its start counts as a quick loss, because the next one may fail just as fast.
const QUICK_LOSS: Duration = Duration::from_millis(30);
/// After this many quick losses in a row, each start waits for [`RESTART_PAUSE_MILLIS`].
const MAX_QUICK_LOSSES: usize = 10;
const RESTART_PAUSE_MILLIS: u8 = 100;
/// The client gives up when quick losses have gone on for this long.
const MAX_RESTART_TIME: Duration = Duration::from_secs(120);

enum AttachEnd {
    Left(Leave),
    /// The terminal is gone, or a signal ended this client. Holds the line to print.
    Ended(&'static str),
    Lost,
}

/// Shows the session until it ends; returns the exit status.
pub(crate) fn show(
    place: &Locations,
    connection: Connection,
    attached: Attached,
) -> Result<u8, ClientError> {
    let signals = Signals::listen().map_err(ClientError::Terminal)?;
    let Attached {
        session,
        name,
        enter,
        leave,
        is_direct,
        is_read_only,
    } = attached;
    let terminal = RawTerminal::take(enter, leave).map_err(ClientError::Terminal)?;
    let unsent = Vec::new();
    let mut shown = ShownSession {
        connection,
        terminal,
        signals,
        is_direct,
        unsent,
        session,
        name,
        is_read_only,
    };
    let mut losses = Losses::default();
    loop {
        let since = Instant::now();
        match shown.run() {
            AttachEnd::Left(leave) => {
                drop(shown);
                if leave.kind == LeaveKind::Exec {
                    return Err(become_command(&leave.text));
                }
                crate::print(&mut io::stdout(), format!("[{}]\n", leave.text).as_bytes());
                if leave.kind == LeaveKind::HangUp {
                    let _ = kill(getppid(), Signal::SIGHUP);
                }
                return Ok(u8::from(leave.kind == LeaveKind::ServerExited));
            }
            AttachEnd::Ended(exit_line) => {
                // No error: the server restores the terminal of a client that vanishes without a message.
                let _ = shown.send(&FromClient::Pause);
                drop(shown);
                crate::print(&mut io::stdout(), format!("[{exit_line}]\n").as_bytes());
                return Ok(1);
            }
            AttachEnd::Lost => {}
        }
        if since.elapsed() >= QUICK_LOSS {
            losses = Losses::default();
        }
        match reattach(place, &shown, &mut losses) {
            Ok((connection, attached)) => {
                shown.session = attached.session;
                shown.name = attached.name;
                shown.connection = connection;
                shown.is_direct = attached.is_direct;
                let terminal = &mut shown.terminal;
                terminal
                    .prepare_anew(attached.enter, attached.leave)
                    .map_err(ClientError::Terminal)?;
            }
            Err(error) => {
                let name = std::mem::take(&mut shown.name);
                drop(shown);
                let text = format!("[server lost, session {name} did not come back]\n");
                crate::print(&mut io::stdout(), text.as_bytes());
                return Err(error);
            }
        }
    }
}

struct ShownSession {
    connection: Connection,
    terminal: RawTerminal,
    signals: Signals,
    /// The server owns the terminal, or it was offered the terminal and has not declined yet.
    is_direct: bool,
    /// Keys that were read but not sent to a server yet.
    unsent: Vec<u8>,
    /// The session to attach to again after a lost server.
    session: SessionId,
    name: String,
    is_read_only: bool,
}

impl ShownSession {
    fn run(&mut self) -> AttachEnd {
        match self.send_unsent().or_else(|| self.hand_over()) {
            Some(end) => end,
            None => loop {
                if let Some(end) = self.step() {
                    return end;
                }
            },
        }
    }

    /// Offers the terminal, which is raw and prepared, to the server.
    fn hand_over(&mut self) -> Option<AttachEnd> {
        if let Some(size) = tty::size()
            && let Some(end) = self.send(&FromClient::Resize(size))
        {
            return Some(end);
        }
        self.send(&FromClient::Ready)
    }

    /// Waits for keys, messages and signals, and handles them once.
    fn step(&mut self) -> Option<AttachEnd> {
        loop {
            match self.connection.buffered_message() {
                Ok(Some(message)) => {
                    if let Some(end) = self.handle_message(message) {
                        return Some(end);
                    }
                }
                Ok(None) => break,
                Err(_) => return Some(AttachEnd::Lost),
            }
        }
        let stdin = io::stdin();
        // Even with no events requested, poll reports that the terminal has hung up.
        let wanted = if self.is_direct {
            PollFlags::empty()
        } else {
            PollFlags::POLLIN
        };
        let mut fds = [
            PollFd::new(stdin.as_fd(), wanted),
            PollFd::new(self.connection.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.signals.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return Some(AttachEnd::Ended(LOST_TERMINAL)),
        }
        let [typed, received, signalled] = fds.map(|fd| fd.any() == Some(true));
        // A resize that came before the keys must reach the program before them.
        let signalled = signalled || self.signals.is_raised();
        if signalled && let Some(end) = self.handle_signals() {
            return Some(end);
        }
        if received && self.connection.receive().is_err() {
            return Some(AttachEnd::Lost);
        }
        if typed { self.pass_keys() } else { None }
    }

    fn pass_keys(&mut self) -> Option<AttachEnd> {
        let mut keys = [0; 4096];
        match io::stdin().lock().read(&mut keys) {
            Ok(0) => Some(AttachEnd::Ended(LOST_TERMINAL)),
            Ok(count) => {
                self.unsent.extend_from_slice(&keys[..count]);
                self.send_unsent()
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
            Err(_) => Some(AttachEnd::Ended(LOST_TERMINAL)),
        }
    }

    /// Sends the keys that were read. They stay queued if sending fails, and the next server gets them.
    fn send_unsent(&mut self) -> Option<AttachEnd> {
        if self.unsent.is_empty() {
            return None;
        }
        let end = self.send(&FromClient::Input(self.unsent.clone()));
        if end.is_none() {
            self.unsent.clear();
        }
        end
    }

    fn handle_message(&mut self, message: FromServer) -> Option<AttachEnd> {
        match message {
            FromServer::Output(bytes) => {
                if tty::write(&bytes).is_err() {
                    return Some(AttachEnd::Ended(LOST_TERMINAL));
                }
                // The server sends the next frame only after this, so a slow terminal is never more than one frame
                // behind.
                self.send(&FromClient::Painted)
            }
            FromServer::Leave(leave) => Some(AttachEnd::Left(leave)),
            FromServer::Suspend => self.suspend(),
            FromServer::Lock(command) => self.lock(&command),
            FromServer::Relay => {
                self.is_direct = false;
                None
            }
            // The server has switched to another session; the terminal is already prepared.
            FromServer::Attached(attached) => {
                self.session = attached.session;
                self.name = attached.name;
                self.is_read_only = attached.is_read_only;
                None
            }
            FromServer::Stdout(_)
            | FromServer::Stderr(_)
            | FromServer::ReadInput
            | FromServer::Done(_) => None,
        }
    }

    fn handle_signals(&mut self) -> Option<AttachEnd> {
        for notice in self.signals.take() {
            let end = match notice {
                Notice::Terminated | Notice::HungUp => notice.exit_line().map(AttachEnd::Ended),
                Notice::Nothing => None,
                // The server must release the terminal first. Its `Suspend` message then stops this process.
                Notice::Stop => self.send(&FromClient::Pause),
                Notice::Resized => {
                    tty::size().and_then(|size| self.send(&FromClient::Resize(size)))
                }
                // After SIGSTOP, which cannot be caught, the shell has used the terminal.
                Notice::Continued => self.resume(),
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Restores the terminal, stops this process, and takes the terminal again when continued.
    fn suspend(&mut self) -> Option<AttachEnd> {
        self.terminal.pause();
        crate::signals::stop();
        // Consume the SIGCONT of this stop, so that it is not handled twice.
        let continued = self.signals.take();
        let exit_line = continued.into_iter().find_map(Notice::exit_line);
        match exit_line {
            Some(words) => Some(AttachEnd::Ended(words)),
            None => self.resume(),
        }
    }

    /// Gives the terminal to a lock command, and takes it back when that command has ended.
    fn lock(&mut self, command: &str) -> Option<AttachEnd> {
        self.terminal.pause();
        // The lock must not show what was on the terminal before the client started, and must leave nothing there
        // itself.
        let _ = tty::write(b"\x1b[?1049h\x1b[H\x1b[2J");
        let status = Command::new("/bin/sh").arg("-c").arg(command).status();
        // SIGINT typed during the lock was meant for the lock command: it must neither end the lock nor the client.
        let _ = self.signals.take();
        let _ = tty::write(b"\x1b[?1049l");
        if let Err(error) = status {
            crate::print(
                &mut io::stderr(),
                format!("cannot lock: {error}\n").as_bytes(),
            );
        }
        self.resume()
    }

    fn resume(&mut self) -> Option<AttachEnd> {
        if self.terminal.resume().is_err() {
            return Some(AttachEnd::Ended(LOST_TERMINAL));
        }
        self.hand_over()
    }

    fn send(&mut self, message: &FromClient) -> Option<AttachEnd> {
        self.connection
            .send(message)
            .is_err()
            .then_some(AttachEnd::Lost)
    }
}

/// Replaces this process by a shell command. The text holds the shell and the command, with a NUL between them.
fn become_command(text: &str) -> ClientError {
    let (shell, command) = text.split_once('\0').unwrap_or(("/bin/sh", text));
    let mut program = std::process::Command::new(shell);
    ClientError::Terminal(program.arg("-c").arg(command).exec())
}

/// Reports that the server is gone, starts another one, and attaches again.
fn reattach(
    place: &Locations,
    shown: &ShownSession,
    losses: &mut Losses,
) -> Result<(Connection, Attached), ClientError> {
    print_at_bottom("server lost, coming back");
    while losses.count_and_wait(&shown.signals) {
        match try_attach(place, shown.session, shown.is_read_only) {
            // A server that is about to end or to hand over may have accepted the connection before it closed it.
            Err(ClientError::Lost) => {}
            result => return result,
        }
    }
    Err(ClientError::Lost)
}

#[derive(Default)]
struct Losses {
    count: usize,
    first: Option<Instant>,
}

impl Losses {
    /// Counts one more loss and pauses if there were many. Returns false when the client should give up.
    fn count_and_wait(&mut self, signals: &Signals) -> bool {
        self.count += 1;
        if self.count > MAX_QUICK_LOSSES {
            let mut fds = [PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
            let _ = poll(&mut fds, PollTimeout::from(RESTART_PAUSE_MILLIS));
        }
        self.first.get_or_insert_with(Instant::now).elapsed() < MAX_RESTART_TIME
    }
}

fn try_attach(
    place: &Locations,
    session: SessionId,
    is_read_only: bool,
) -> Result<(Connection, Attached), ClientError> {
    let mut connection = connect(place, Start::Again)?;
    let target = session.to_string();
    let context = context::gather();
    if matches!(connection.agreement, Agreement::Speak(_)) {
        let mut argv = ["attach-session", "-t", &target]
            .map(str::to_owned)
            .to_vec();
        if is_read_only {
            argv.push("-r".to_owned());
        }
        connection.send(&FromClient::Run(RunRequest { argv, context }))?;
    } else {
        let word = |name| context.env(name).unwrap_or_default().to_owned();
        let role = if is_read_only { "read-only" } else { "" };
        let words = vec![target, word("TERM"), word("COLORTERM"), role.to_owned()];
        connection.send(&FromClient::Core(Core {
            verb: Verb::Attach,
            words,
        }))?;
    }
    match receive_answer(&mut connection)? {
        Answer::Attached(attached) => Ok((connection, attached)),
        // The caller tries again with another server.
        Answer::NotBegun => Err(ClientError::Lost),
        Answer::Done(_) => Err(ClientError::SessionGone),
    }
}

fn print_at_bottom(text: &str) {
    let row = tty::size().unwrap_or_default().rows();
    let line = format!("\x1b[{row};1H\x1b[0;7m\x1b[K{text}\x1b[0m");
    // No error: without a terminal there is no place for the line.
    let _ = tty::write(line.as_bytes());
}
