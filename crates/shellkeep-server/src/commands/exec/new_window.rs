//! `new-window`: opens a window.

use shellkeep_command::cmd::new_window::Args;
use shellkeep_command::target::{ResolvedTarget, Slot};
use shellkeep_core::SessionId;

use crate::commands::exec::placing;
use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::shim::StartedAs;
use crate::panes::spawn::{NewProgram, variables};
use crate::panes::windows::{InUse, Show, Taken};
use crate::panes::{manage, sizes, spawn, windows};
use crate::server::Server;
use crate::status::window_names;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let slot = placing::slot(server, caller, args.target.as_deref())?;
    let session = slot.session;
    let name = args.name.as_deref();
    let name = name.map(|name| placing::expand_in(server, caller, session, name));
    if args.select_existing
        && slot.index.is_none()
        && let Some(name) = &name
        && let Some(index) = named(server, session, name)?
    {
        if !args.detached {
            windows::select_window(&mut server.model, session, index);
        }
        return Ok(Reply::default());
    }
    let at = match placing::named_side(args.after, args.before) {
        Some(side) => index_beside(server, slot, side),
        None => slot.index,
    };
    let is_taken = |index| {
        let session = server.model.sessions.get(&session);
        session.is_some_and(|session| session.links.contains_key(&index))
    };
    if let Some(index) = at.filter(|index| !args.kill && is_taken(*index)) {
        return Err(format!("create window failed: index {index} in use"));
    }
    let environ = match server.model.sessions.get(&session) {
        Some(session) => session.environ.clone(),
        None => return Err("no current session".to_owned()),
    };
    let client = targets::client(&server.model, caller, None).ok();
    let directory = args.directory.as_deref();
    let directory = directory.map(|text| placing::expand_in(server, caller, session, text));
    let program = NewProgram {
        command: &args.command,
        directory: directory.as_deref(),
        environment: variables(&args.environment)?,
        size: sizes::new_window_size(&server.model, session, client),
        pane: None,
        started_as: StartedAs::Pane,
    };
    let spawn = spawn::spawn_request(&server.model, caller, session, &environ, &program);
    let pane = spawn.pane;
    let window = windows::open_window(&mut server.model, spawn);
    manage::started_with(&mut server.model, pane, &args.command);
    let show = if args.detached {
        Show::Later
    } else {
        Show::New
    };
    window_names::name_new_window(&mut server.model, window, session, name);
    let taken = if args.kill { Taken::Ends } else { Taken::Stays };
    let index = windows::place_window(&mut server.model, window, session, at, taken, show)
        .map_err(|InUse(index)| format!("create window failed: index {index} in use"))?;
    let found = ResolvedTarget {
        session,
        index,
        window,
        pane,
    };
    let reply = if args.print {
        placing::printed(server, caller, found, args.format.as_deref())
    } else {
        Reply::default()
    };
    Ok(Reply {
        wait: Some(Wait::Pane(pane)),
        ..reply
    })
}

/// The index next to another window; without that window, the index that was named.
fn index_beside(server: &mut Server, slot: Slot, side: crate::model::Side) -> Option<u32> {
    let session = server.model.sessions.get(&slot.session)?;
    let at = slot.index.unwrap_or(session.current);
    windows::make_room(&mut server.model, slot.session, at, side).or(slot.index)
}

/// The window of this name, if there is one.
fn named(server: &Server, session: SessionId, name: &str) -> Result<Option<u32>, String> {
    let Some(session) = server.model.sessions.get(&session) else {
        return Ok(None);
    };
    let is_named = |window| {
        let window = server.model.windows.get(window);
        window.is_some_and(|window| window.name == name)
    };
    let mut found = session
        .links
        .iter()
        .filter(|(_, link)| is_named(&link.window));
    let first = found.next().map(|(index, _)| *index);
    if found.next().is_some() {
        return Err(format!("multiple windows named {name}"));
    }
    Ok(first)
}
