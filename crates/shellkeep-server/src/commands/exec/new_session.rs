//! `new-session`: opens a session.

use std::collections::BTreeMap;

use shellkeep_command::cmd::attach_session;
use shellkeep_command::cmd::new_session::{Args, Extent};
use shellkeep_command::options::{Change, View, find};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{SessionId, Size};
use shellkeep_keeper::SpawnRequest;
use shellkeep_proto::Context;

use crate::clients::control_settings;
use crate::commands::exec::describe_terminal::describe_terminal;
use crate::commands::exec::placing;
use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{targets, terminal_check};
use crate::display::division;
use crate::formats;
use crate::model::notice::Notice;
use crate::model::{Environ, Link, Options, Session, Standing, clean_name};
use crate::panes::shim::StartedAs;
use crate::panes::spawn::{NewProgram, variables};
use crate::panes::windows::{Show, Taken};
use crate::panes::{manage, runtime_files, sessions, sizes, spawn, windows};
use crate::server::Server;
use crate::status::window_names;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if args.group.is_some() && (!args.command.is_empty() || args.window_name.is_some()) {
        return Err("command or window name given with target".to_owned());
    }
    let name = match &args.name {
        Some(name) => Some(read_name(&expand(server, caller, name))?),
        None => None,
    };
    if let Some(name) = name
        .as_deref()
        .filter(|name| server.model.has_session_named(name))
    {
        if !args.attach_existing {
            return Err(format!("duplicate session: {name}"));
        }
        return attach(server, caller, args, name);
    }
    let group = match &args.group {
        Some(name) => Some(Group::find(server, caller, name)?),
        None => None,
    };
    if let Some(kept) = group.as_ref().filter(|group| group.is_kept())
        && args.private
    {
        return Err(format!(
            "a private session cannot have the windows of {}, which are kept",
            kept.name
        ));
    }
    let is_attached =
        targets::typist(&server.model, caller).is_some_and(|client| client.session.is_some());
    let is_shown = !args.detached && caller.client.is_some();
    if is_shown && !is_attached {
        terminal_check::check_terminal(&server.model, caller)?;
        let again = {
            let (caller, args) = (caller.clone(), args.clone());
            move |server: &mut Server| run(server, &caller, &args)
        };
        let wait = caller
            .client
            .and_then(|id| describe_terminal(server, id, again));
        if let Some(wait) = wait {
            return Ok(wait);
        }
    }
    let opened = open(server, caller, args, name, group)?;
    let id = opened.found.session;
    if is_shown && let Some(client) = caller.client {
        if let Some(flags) = &args.client_flags {
            control_settings::set_client_flags(&mut server.model, client, flags)?;
        }
        sessions::show_session(&mut server.model, client, id);
    }
    let reply = if args.print {
        let format = args.format.as_deref().unwrap_or("#{session_name}:");
        placing::printed(server, caller, opened.found, Some(format))
    } else {
        Reply::default()
    };
    Ok(Reply {
        wait: opened.is_started.then_some(Wait::Pane(opened.found.pane)),
        ..reply
    })
}

struct Opened {
    found: ResolvedTarget,
    /// A program was started for it.
    is_started: bool,
}

fn open(
    server: &mut Server,
    caller: &Caller,
    args: &Args,
    name: Option<String>,
    group: Option<Group>,
) -> Result<Opened, String> {
    let (context, terminal) = match targets::typist(&server.model, caller) {
        Some(client) => (
            client.context.clone(),
            client.tty().map(|_| client.terminal.size),
        ),
        None => (Context::default(), None),
    };
    let (id, name) = match name {
        Some(name) => (SessionId(server.model.next.session), name),
        None => unused_name(server, group.as_ref()),
    };
    let mut environ = session_environ(server, &context, args)?;
    if targets::typist(&server.model, caller).is_some_and(|client| client.is_tmux) {
        // The session was opened through `tmux`, so its programs find themselves in tmux.
        environ.set_hidden("TMUX", server.model.socket.display().to_string());
    }
    let directory = args.directory.as_deref();
    let directory = directory.map(|text| expand(server, caller, text));
    let program = NewProgram {
        command: &args.command,
        directory: directory.as_deref(),
        environment: Vec::new(),
        size: size(server, caller, id, args, terminal),
        pane: None,
        started_as: StartedAs::Pane,
    };
    let spawn = spawn::spawn_request(&server.model, caller, id, &environ, &program);
    server.model.next.session = id.0 + 1;
    let (now, used) = (server.model.now(), server.model.next_use());
    let group_name = group.as_ref().map(|group| group.claim(server));
    let is_private = args.private || group.as_ref().is_some_and(|group| group.is_private);
    let options = own_options(args, own_size(server, args, terminal));
    sessions::insert_session(
        &mut server.model,
        &server.persistence,
        Session {
            id,
            name,
            created: now,
            idleness: None,
            activity: now,
            used,
            last_attached: None,
            cwd: spawn.cwd.clone(),
            links: BTreeMap::new(),
            current: 0,
            last: Vec::new(),
            environ,
            options,
            group: group_name,
            standing: Standing {
                is_private,
                ..standing(args, &context)
            },
        },
    );
    if let Some(links) = group.and_then(|group| group.links) {
        // tmux opens a window and closes it at once, which uses up their ids.
        server.model.next.window += 1;
        server.model.next.pane += 1;
        let first = links.keys().next().copied().unwrap_or(0);
        if let Some(session) = server.model.sessions.get_mut(&id) {
            session.current = first;
        }
        windows::take_links(&mut server.model, id, &links);
        server.model.notify(Notice::SessionCreated(id));
        let found = server.model.place_in(id).ok_or("no current window")?;
        return Ok(Opened {
            found,
            is_started: false,
        });
    }
    open_first_window(server, caller, args, id, spawn)
}

/// Opens the first window of a session that is in no group.
fn open_first_window(
    server: &mut Server,
    caller: &Caller,
    args: &Args,
    id: SessionId,
    spawn: SpawnRequest,
) -> Result<Opened, String> {
    let pane = spawn.pane;
    let window = windows::open_window(&mut server.model, spawn);
    manage::started_with(&mut server.model, pane, &args.command);
    let name = args.window_name.as_deref();
    let name = name.map(|name| placing::expand_in(server, caller, id, name));
    window_names::name_new_window(&mut server.model, window, id, name);
    let placed =
        windows::place_window(&mut server.model, window, id, None, Taken::Stays, Show::New);
    server.model.notify(Notice::SessionCreated(id));
    let index = placed.map_err(|_| "create window failed".to_owned())?;
    Ok(Opened {
        found: ResolvedTarget {
            session: id,
            index,
            window,
            pane,
        },
        is_started: true,
    })
}

/// The origin and tags of a new session, from flags and environment.
fn standing(args: &Args, context: &Context) -> Standing {
    let by_environment = || context.env("SHELLKEEP_CREATED_BY").map(str::to_owned);
    Standing {
        origin: args.created_by.clone().or_else(by_environment),
        tags: args.tags.clone(),
        ..Standing::default()
    }
}

/// `-A`: attaches to a session that exists.
fn attach(server: &mut Server, caller: &Caller, args: &Args, name: &str) -> Outcome {
    let args = attach_session::Args {
        target: Some(format!("={name}")),
        detach_others: args.detach_others,
        hang_up_others: args.hang_up_others,
        keep_environment: args.keep_environment,
        client_flags: args.client_flags.clone(),
        ..attach_session::Args::default()
    };
    crate::commands::exec::attach_session::run(server, caller, &args)
}

fn expand(server: &Server, caller: &Caller, text: &str) -> String {
    let current = targets::current(&server.model, caller).place;
    let scope = formats::scope(&server.model).client(caller.client);
    match current {
        Some(found) => scope.found(found).expand(text),
        None => scope.expand(text),
    }
}

fn read_name(name: &str) -> Result<String, String> {
    clean_name(name).ok_or_else(|| format!("invalid session: {name}"))
}

/// The group a new session joins.
struct Group {
    name: String,
    /// The session that becomes the first of the group, if there is no group yet.
    founder: Option<SessionId>,
    /// The windows of the group; none if it has no sessions.
    links: Option<BTreeMap<u32, Link>>,
    /// The group's windows must not be on disk.
    is_private: bool,
}

impl Group {
    /// The group of the session that the name denotes, or the group of that name.
    fn find(server: &Server, caller: &Caller, name: &str) -> Result<Self, String> {
        let sessions = &server.model.sessions;
        let found = targets::session(&server.model, caller, Some(name)).ok();
        let found = found.and_then(|id| sessions.get(&id));
        let member = found.or_else(|| {
            let is_member = |session: &&Session| session.group.as_deref() == Some(name);
            sessions.values().find(is_member)
        });
        let Some(member) = member else {
            return Ok(Self {
                name: read_name(name)?,
                founder: None,
                links: None,
                is_private: false,
            });
        };
        Ok(Self {
            name: member.group.clone().unwrap_or_else(|| member.name.clone()),
            founder: Some(member.id),
            links: Some(member.links.clone()),
            is_private: member.standing.is_private,
        })
    }

    /// Whether it has windows that are on disk.
    fn is_kept(&self) -> bool {
        self.links.is_some() && !self.is_private
    }

    /// Puts its first session into the group. Returns the group's name.
    fn claim(&self, server: &mut Server) -> String {
        if let Some(founder) = self.founder
            && let Some(session) = server.model.sessions.get_mut(&founder)
            && session.group.is_none()
        {
            session.group = Some(self.name.clone());
            server.model.session_note_due(founder);
        }
        self.name.clone()
    }
}

/// The initial size of its windows: as for the client that shows it, as for other attached clients, or the default
/// size.
fn size(
    server: &Server,
    caller: &Caller,
    id: SessionId,
    args: &Args,
    terminal: Option<Size>,
) -> Size {
    if !args.detached
        && let Some(terminal) = terminal
    {
        let rows = terminal
            .rows()
            .saturating_sub(division::status_rows(&server.model, id))
            .max(1);
        return Size::new(rows, terminal.cols());
    }
    let by_clients = sizes::size_by_clients(&server.model, id, caller.client);
    by_clients.unwrap_or_else(|| own_size(server, args, terminal))
}

/// The size of its windows without clients.
fn own_size(server: &Server, args: &Args, terminal: Option<Size>) -> Size {
    let default = sizes::default_size(&server.model, None);
    Size::new(
        side(args.rows, default.rows(), terminal.map(Size::rows)),
        side(args.cols, default.cols(), terminal.map(Size::cols)),
    )
}

/// One side of a session without clients: as given, or that of the caller's terminal.
fn side(given: Option<Extent>, default: u16, terminal: Option<u16>) -> u16 {
    match given {
        None => default,
        Some(Extent::Cells(cells)) => cells,
        Some(Extent::Terminal) => terminal.unwrap_or(default),
    }
}

/// The option for `-x` and `-y`, which hold for later windows, too.
fn own_options(args: &Args, size: Size) -> Options {
    let mut options = Options::default();
    if args.rows.is_some() || args.cols.is_some() {
        let text = format!("{}x{}", size.cols(), size.rows());
        let changed = find("default-size")
            .and_then(|name| options.change(&name, Change::Set(Some(&text)), View::default()));
        if let Err(error) = changed {
            tracing::error!(%error, "cannot set default-size");
        }
    }
    options
}

/// A free name: like tmux, the session's id, after the name of its group if it has one.
fn unused_name(server: &Server, group: Option<&Group>) -> (SessionId, String) {
    let mut names = (server.model.next.session..).map(|number| {
        let name = match group {
            Some(group) => format!("{}-{number}", group.name),
            None => number.to_string(),
        };
        (SessionId(number), name)
    });
    let unused = names.find(|(_, name)| !server.model.has_session_named(name));
    unused.unwrap_or((SessionId(server.model.next.session), String::new()))
}

fn session_environ(server: &Server, context: &Context, args: &Args) -> Result<Environ, String> {
    let mut environ = Environ::default();
    let options = server.model.options.sessions();
    if !args.keep_environment {
        for name in options.texts("update-environment") {
            match context.env(name) {
                Some(value) => {
                    environ.set(name, runtime_files::passed_on(&server.model, name, value))
                }
                None => environ.remove(name),
            }
        }
    }
    for (name, value) in variables(&args.environment)? {
        environ.set(name, value);
    }
    Ok(environ)
}
