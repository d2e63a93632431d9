//! Reads a command line before there is a server: decides whether to start one, and answers what needs none. It reads a
//! line once, even if several servers are tried, and must not resolve aliases: the server parses the line again, since
//! only the server knows the user's aliases.

use shellkeep_command::parse::{Arg, NoHost, Parsed, from_words};
use shellkeep_command::{Command, CommandError, cmd, options};

use crate::connect::Start;
use crate::{ClientError, forget, print, shim};

/// What the client does with a command line.
pub(crate) enum Asked {
    /// The client has answered by itself, with this exit status.
    Answered(u8),
    /// A server has to run it.
    ForServer(Request),
}

#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) argv: Vec<String>,
    pub(crate) start: Start,
    pub(crate) restarts: bool,
    pub(crate) begins_with_restart: bool,
    /// An error for a name that is no command. It is kept for later, since the name may be an alias, which only the
    /// server knows.
    pub(crate) unknown: Option<CommandError>,
}

/// Reads a command line.
///
/// # Errors
/// When the line is wrong in a way that no server needs to be started to report.
pub(crate) fn read(argv: &[String]) -> Result<Asked, ClientError> {
    let words: Vec<Arg> = argv.iter().cloned().map(Arg::Text).collect();
    let list = from_words(&words, 0, &NoHost);
    let is_alone = list.commands().nth(1).is_none();
    let mut argv = argv.to_vec();
    let mut needs = Needs {
        server: argv.is_empty(),
        ..Needs::default()
    };
    let (mut restarts, mut begins_with_restart, mut unknown) = (false, false, None);
    for (index, parsed) in list.commands().enumerate() {
        let command = match parsed.command() {
            Ok(command) => command,
            Err(error @ CommandError::Unknown { .. }) => {
                unknown = unknown.or_else(|| (!is_alias(parsed)).then(|| error.clone()));
                continue;
            }
            Err(CommandError::Help(text)) => {
                print(&mut std::io::stdout(), text.as_bytes());
                return Ok(Asked::Answered(0));
            }
            Err(error) => return Err(ClientError::Command(error.clone())),
        };
        match command {
            Command::TmuxShim(args) => {
                let made = shim::make(&args.directory)?;
                print(&mut std::io::stdout(), made.as_bytes());
                return Ok(Asked::Answered(0));
            }
            Command::Forget(args) if is_alone && !args.yes => match forget::ask(args) {
                forget::Reply::Yes => argv.insert(1, "-y".to_owned()),
                forget::Reply::No => return Ok(Asked::Answered(1)),
                // The server's answer explains how to confirm without a prompt.
                forget::Reply::NotAsked => {}
            },
            _ => {}
        }
        needs.add(command);
        if command.spec().name == cmd::restart_server::NAME {
            restarts = true;
            begins_with_restart |= index == 0;
        }
    }
    Ok(Asked::ForServer(Request {
        argv,
        start: needs.start(),
        restarts,
        begins_with_restart,
        unknown,
    }))
}

/// What must exist before a command of this line can do anything.
#[derive(Clone, Copy, Debug, Default)]
struct Needs {
    /// A server, even one without sessions.
    server: bool,
    /// A running server or keeper, because the command ends it.
    running: bool,
    /// An archive, because the command reads nothing else.
    archive: bool,
}

impl Needs {
    fn add(&mut self, command: &Command) {
        let spec = command.spec();
        self.server |= spec.traits.starts_server;
        self.running |= spec.name == cmd::kill_server::NAME;
        self.archive |= match command {
            Command::ListSessions(args) => args.all,
            Command::Forget(_) => true,
            _ => false,
        };
    }

    fn start(self) -> Start {
        match self {
            Self { server: true, .. } => Start::IfNeeded,
            // A sleeping session does not have to be woken in order to be ended.
            Self { running: true, .. } => Start::IfHeld,
            Self { archive: true, .. } => Start::IfArchived,
            _ => Start::IfKept,
        }
    }
}

/// Whether the name is one of the built-in aliases. The user may have removed it.
fn is_alias(command: &Parsed) -> bool {
    let aliases = options::known("command-alias");
    let names = aliases.into_iter().flat_map(|spec| spec.default);
    let mut names = names.filter_map(|alias| Some(alias.split_once('=')?.0));
    let first = command.argv().first().map(Arg::text);
    names.any(|name| first.as_ref().is_some_and(|word| word == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Request {
        let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match read(&argv).unwrap() {
            Asked::ForServer(request) => request,
            Asked::Answered(status) => panic!("{line}: answered with {status}"),
        }
    }

    #[test]
    fn server_is_started_as_the_commands_need_it() {
        for (line, start) in [
            ("", Start::IfNeeded),
            ("new -d -s a", Start::IfNeeded),
            ("ls", Start::IfKept),
            ("ls -a", Start::IfArchived),
            ("forget -y a", Start::IfArchived),
            ("kill-server", Start::IfHeld),
            ("kill-server ; new -d", Start::IfNeeded),
            ("kill-server ; ls -a", Start::IfHeld),
        ] {
            assert_eq!(request(line).start, start, "{line:?}");
        }
    }

    #[test]
    fn restart_is_known_wherever_it_stands() {
        let first = request("restart-server ; ls");
        assert!(first.restarts && first.begins_with_restart);
        let second = request("ls ; restart-server");
        assert!(second.restarts && !second.begins_with_restart);
    }

    #[test]
    fn unknown_name_is_left_to_the_server_and_a_wrong_flag_is_not() {
        assert!(request("mine -x").unknown.is_some());
        assert!(request("split-pane").unknown.is_none());
        let wrong = read(&["ls".to_owned(), "-Q".to_owned()]);
        assert!(matches!(wrong, Err(ClientError::Command(_))));
    }
}
