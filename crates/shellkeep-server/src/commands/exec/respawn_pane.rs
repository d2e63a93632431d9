//! `respawn-pane`: restarts the program of a pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::respawn_pane::Args;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_keeper::SpawnRequest;

use crate::commands::exec::placing;
use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::modes::stack;
use crate::panes::shim::StartedAs;
use crate::panes::spawn::{NewProgram, variables};
use crate::panes::{dead, manage, spawn};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let Some(pane) = server.model.panes.get(&found.pane) else {
        return Err(format!("can't find pane: {}", found.pane));
    };
    if !args.kill && !pane.is_dead() && !pane.is_asleep() {
        let place = "#{session_name}:#{window_index}.#{pane_index}";
        let place = placing::expand(server, caller, found, place);
        return Err(format!("respawn pane failed: pane {place} still active"));
    }
    let spawn = request(server, caller, found, args)?;
    restart(server, found, spawn, args);
    Ok(Reply {
        wait: Some(Wait::Pane(found.pane)),
        ..Reply::default()
    })
}

pub(crate) fn restart(
    server: &mut Server,
    found: ResolvedTarget,
    spawn: SpawnRequest,
    args: &Args,
) {
    stack::leave_mode(&mut server.model, found.pane);
    dead::restart_pane(&mut server.model, &server.persistence, found.pane, spawn);
    if !args.command.is_empty() {
        manage::started_with(&mut server.model, found.pane, &args.command);
    }
}

/// The program to start: as given, or the same as before, in the same directory.
pub(crate) fn request(
    server: &Server,
    caller: &Caller,
    found: ResolvedTarget,
    args: &Args,
) -> Result<SpawnRequest, String> {
    let no_pane = || format!("can't find pane: {}", found.pane);
    let pane = server.model.panes.get(&found.pane).ok_or_else(no_pane)?;
    let session = server.model.sessions.get(&found.session);
    let session = session.ok_or("no current session")?;
    let command = if args.command.is_empty() {
        &pane.argv
    } else {
        &args.command
    };
    let directory = args.directory.as_deref();
    let directory = directory.map(|text| placing::expand_in(server, caller, found.session, text));
    let program = NewProgram {
        command,
        directory: directory.as_deref(),
        environment: variables(&args.environment)?,
        size: pane.size,
        pane: Some(found.pane),
        started_as: StartedAs::Pane,
    };
    let mut spawn = spawn::spawn_request(
        &server.model,
        caller,
        found.session,
        &session.environ,
        &program,
    );
    if directory.is_none() && !pane.start_path.is_empty() {
        spawn.cwd.clone_from(&pane.start_path);
    }
    Ok(spawn)
}
