//! `respawn-window`: restarts the program of a window, and closes its other panes.

use shellkeep_command::Target;
use shellkeep_command::cmd::respawn_pane;
use shellkeep_command::cmd::respawn_window::Args;
use shellkeep_command::target::ResolvedTarget;

use crate::commands::exec::placing;
use crate::commands::exec::split_window::panes_beside;
use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::{manage, windows};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    let panes = panes_beside(server, &found);
    let is_dead = |pane| {
        let pane = server.model.panes.get(pane);
        pane.is_none_or(crate::model::Pane::is_dead)
    };
    if !args.kill && !panes.iter().all(is_dead) {
        let place = "#{session_name}:#{window_index}";
        let place = placing::expand(server, caller, found, place);
        return Err(format!(
            "respawn window failed: window {place} still active"
        ));
    }
    let Some(first) = panes.first().copied() else {
        return Ok(Reply::default());
    };
    let found = ResolvedTarget {
        pane: first,
        ..found
    };
    let args = respawn_pane::Args {
        kill: args.kill,
        directory: args.directory,
        environment: args.environment,
        target: None,
        command: args.command,
    };
    let spawn = crate::commands::exec::respawn_pane::request(server, caller, found, &args)?;
    manage::unzoom(&mut server.model, found.window);
    for pane in &panes[1..] {
        manage::close_pane_quietly(&mut server.model, *pane);
    }
    windows::select_window(&mut server.model, found.session, found.index);
    crate::commands::exec::respawn_pane::restart(server, found, spawn, &args);
    Ok(Reply {
        wait: Some(Wait::Pane(first)),
        ..Reply::default()
    })
}
