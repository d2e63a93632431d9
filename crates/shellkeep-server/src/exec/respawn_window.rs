//! Runs a program anew in a window, which has one pane then.

use shellkeep_command::Target;
use shellkeep_command::cmd::{respawn_pane, respawn_window::Args};
use shellkeep_command::target::Found;

use super::split_window::panes_beside;
use super::{Outcome, Reply, placing};
use crate::event_loop::{Server, panes, windows};
use crate::queue::{Caller, Wait};

pub(super) fn run(server: &mut Server, caller: &Caller, args: Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    let panes = panes_beside(server, &found);
    let is_dead = |pane| {
        let pane = server.state.panes.get(pane);
        pane.is_none_or(crate::state::Pane::is_dead)
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
    let found = Found {
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
    let spawn = super::respawn_pane::request(server, caller, found, &args)?;
    panes::unzoom(&mut server.state, found.window);
    for pane in &panes[1..] {
        server.close_pane_quietly(*pane);
    }
    windows::select_window(&mut server.state, found.session, found.index);
    super::respawn_pane::restart(server, found, spawn, &args);
    Ok(Reply {
        wait: Some(Wait::Pane(first)),
        ..Reply::default()
    })
}
