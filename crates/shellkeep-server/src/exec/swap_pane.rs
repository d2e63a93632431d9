//! Lets two panes change places.

use shellkeep_command::Target;
use shellkeep_command::cmd::swap_pane::Args;
use shellkeep_command::target::Found;
use shellkeep_core::{PaneId, WindowId};

use super::split_window::panes_beside;
use super::{Outcome, Reply, placing};
use crate::event_loop::{Server, Zoom, panes};
use crate::notice::Notice;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let source = placing::source(server, caller, args.source.as_deref(), Target::Pane)?;
    let to = super::find(server, caller, args.target.as_deref(), Target::Pane)?;
    let from = if args.up || args.down {
        Found {
            pane: beside(server, &to, args),
            ..to
        }
    } else {
        source
    };
    let zoomed: Vec<WindowId> = [from.window, to.window]
        .into_iter()
        .filter(|window| panes::unzoom(&mut server.state, *window) && args.keep_zoom)
        .collect();
    if from.pane != to.pane {
        swap(server, &from, &to);
        activate(server, &from, &to, args);
        panes::layout_changed(&mut server.state, from.window);
        if from.window != to.window {
            panes::layout_changed(&mut server.state, to.window);
        }
    }
    for window in zoomed {
        panes::zoom(&mut server.state, window);
    }
    Ok(Reply::default())
}

/// The pane before or after the target, going around.
fn beside(server: &Server, to: &Found, args: &Args) -> PaneId {
    let panes = panes_beside(server, to);
    let at = panes.iter().position(|pane| *pane == to.pane).unwrap_or(0);
    let step = if args.down {
        1
    } else {
        panes.len().saturating_sub(1)
    };
    let beside = (at + step) % panes.len().max(1);
    panes.get(beside).copied().unwrap_or(to.pane)
}

fn swap(server: &mut Server, from: &Found, to: &Found) {
    let state = &mut server.state;
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
        // A mark is on a pane where it was.
        if state.marked == Some(new) {
            state.marked = None;
        }
    }
}

/// Which panes are active then: the target, or with `-d` those in the places where one was; in one window that holds for the
/// target alone, and a source that was active stays so.
fn activate(server: &mut Server, from: &Found, to: &Found, args: &Args) {
    if from.window == to.window {
        if !args.detached {
            return server.select_pane_zoomed(to.pane, Zoom::End);
        }
        // One after the other, as in tmux: what the first has made active, the second may change back.
        for (gone, come) in [(from.pane, to.pane), (to.pane, from.pane)] {
            let window = server.state.windows.get(&from.window);
            if window.is_some_and(|window| window.active == gone) {
                server.select_pane_zoomed(come, Zoom::End);
            }
        }
        return;
    }
    for (place, gone, come) in [(from, from.pane, to.pane), (to, to.pane, from.pane)] {
        let used = server.state.next_use();
        let Some(window) = server.state.windows.get_mut(&place.window) else {
            continue;
        };
        if window.active == gone {
            // It is elsewhere now and cannot be gone back to, and who was active before it is forgotten.
            window.active = come;
            window.last_panes.clear();
        } else if !args.detached {
            window.select(come);
        } else {
            continue;
        }
        if let Some(pane) = server.state.panes.get_mut(&come) {
            pane.used = used;
        }
        server.state.tell(Notice::WindowPaneChanged(place.window));
        server.name_window(place.window);
    }
}
