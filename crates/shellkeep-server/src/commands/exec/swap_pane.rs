//! `swap-pane`: swaps two panes.

use shellkeep_command::Target;
use shellkeep_command::cmd::swap_pane::Args;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{PaneId, WindowId};

use crate::commands::exec::placing;
use crate::commands::exec::split_window::panes_beside;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::notice::Notice;
use crate::panes::manage;
use crate::panes::manage::Zoom;
use crate::server::Server;
use crate::status::window_names;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let source = placing::source(server, caller, args.source.as_deref(), Target::Pane)?;
    let to = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let from = if args.up || args.down {
        ResolvedTarget {
            pane: neighbour(server, &to, args),
            ..to
        }
    } else {
        source
    };
    let zoomed: Vec<WindowId> = [from.window, to.window]
        .into_iter()
        .filter(|window| manage::unzoom(&mut server.model, *window) && args.keep_zoom)
        .collect();
    if from.pane != to.pane {
        swap(server, &from, &to);
        activate(server, &from, &to, args);
        manage::layout_changed(&mut server.model, from.window);
        if from.window != to.window {
            manage::layout_changed(&mut server.model, to.window);
        }
    }
    for window in zoomed {
        manage::zoom(&mut server.model, window);
    }
    Ok(Reply::default())
}

/// The pane before or after the target, wrapping around.
fn neighbour(server: &Server, to: &ResolvedTarget, args: &Args) -> PaneId {
    let panes = panes_beside(server, to);
    let at = panes.iter().position(|pane| *pane == to.pane).unwrap_or(0);
    let step = if args.down {
        1
    } else {
        panes.len().saturating_sub(1)
    };
    let neighbour = (at + step) % panes.len().max(1);
    panes.get(neighbour).copied().unwrap_or(to.pane)
}

fn swap(server: &mut Server, from: &ResolvedTarget, to: &ResolvedTarget) {
    let state = &mut server.model;
    if from.window == to.window {
        if let Some(window) = state.windows.get_mut(&from.window) {
            window.layout.swap(from.pane, to.pane);
        }
        return;
    }
    for (place, old, new) in [(from, from.pane, to.pane), (to, to.pane, from.pane)] {
        if let Some(window) = state.windows.get_mut(&place.window) {
            window.layout.replace(old, new);
            window.last_panes.retain(|last| *last != old);
        }
        if let Some(pane) = state.panes.get_mut(&new) {
            pane.window = place.window;
        }
        // As in tmux, a pane that is moved loses its mark.
        if state.marked == Some(new) {
            state.marked = None;
        }
    }
}

/// Sets the active panes afterwards: the target, or with `-d` the panes that are now in active places. Within one
/// window `-d` applies to the target alone, and an active source stays active.
fn activate(server: &mut Server, from: &ResolvedTarget, to: &ResolvedTarget, args: &Args) {
    if from.window == to.window {
        if !args.detached {
            return manage::select_pane_zoomed(&mut server.model, to.pane, Zoom::End);
        }
        // One after the other, as in tmux: the second may undo what the first has done.
        for (gone, come) in [(from.pane, to.pane), (to.pane, from.pane)] {
            let window = server.model.windows.get(&from.window);
            if window.is_some_and(|window| window.active == gone) {
                manage::select_pane_zoomed(&mut server.model, come, Zoom::End);
            }
        }
        return;
    }
    for (place, gone, come) in [(from, from.pane, to.pane), (to, to.pane, from.pane)] {
        let used = server.model.next_use();
        let Some(window) = server.model.windows.get_mut(&place.window) else {
            continue;
        };
        if window.active == gone {
            // The pane is in another window now and cannot be a last pane here; tmux drops the older ones, too.
            window.active = come;
            window.last_panes.clear();
        } else if !args.detached {
            window.select(come);
        } else {
            continue;
        }
        if let Some(pane) = server.model.panes.get_mut(&come) {
            pane.used = used;
        }
        server.model.notify(Notice::WindowPaneChanged(place.window));
        window_names::name_window(&mut server.model, place.window);
    }
}
