//! `select-window`: makes another window of a session the current one.

use shellkeep_command::Target;
use shellkeep_command::cmd::select_window::Args;
use shellkeep_core::SessionId;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::Step;
use crate::panes::{sizes, windows};
use crate::server::Server;

/// Which windows a step may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    All,
    Alerted,
}

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    if args.next {
        return step(server, found.session, Step::Next, Among::All);
    }
    if args.previous {
        return step(server, found.session, Step::Previous, Among::All);
    }
    let session = server.model.sessions.get(&found.session);
    let is_shown = session.is_some_and(|session| session.current == found.index);
    if args.last || (args.toggle && is_shown) {
        return last(server, found.session);
    }
    windows::select_window(&mut server.model, found.session, found.index);
    if let Some(client) = caller.client {
        sizes::used(&mut server.model, client);
    }
    Ok(Reply::default())
}

/// Selects the next or previous window of a target session.
pub(crate) fn step_in(
    server: &mut Server,
    caller: &Caller,
    target: Option<&str>,
    way: Step,
    is_among_alerted: bool,
) -> Outcome {
    let session = targets::session(&server.model, caller, target)?;
    let among = match is_among_alerted {
        true => Among::Alerted,
        false => Among::All,
    };
    step(server, session, way, among)
}

fn step(server: &mut Server, id: SessionId, step: Step, among: Among) -> Outcome {
    let found = server.model.sessions.get(&id).and_then(|session| {
        let mut at = session.current;
        for _ in 0..session.links.len() {
            at = session.step(at, step)?;
            let link = session.links.get(&at)?;
            if at != session.current && (among == Among::All || link.alerts.any()) {
                return Some(at);
            }
        }
        None
    });
    match found {
        Some(index) => windows::select_window(&mut server.model, id, index),
        None if step == Step::Next => return Err("no next window".to_owned()),
        None => return Err("no previous window".to_owned()),
    }
    Ok(Reply::default())
}

pub(crate) fn last(server: &mut Server, id: SessionId) -> Outcome {
    let session = server.model.sessions.get(&id);
    let last = session.and_then(|session| session.last.first().copied());
    windows::select_window(&mut server.model, id, last.ok_or("no last window")?);
    Ok(Reply::default())
}
