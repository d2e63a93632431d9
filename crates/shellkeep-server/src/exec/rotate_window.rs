//! Moves every pane of a window one place on.

use shellkeep_command::Target;
use shellkeep_command::cmd::rotate_window::Args;
use shellkeep_core::layout::Rotation;

use super::{Outcome, Reply};
use crate::event_loop::{Server, Zoom, panes};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = super::find(server, caller, args.target.as_deref(), Target::Window)?;
    let was_zoomed = panes::unzoom(&mut server.state, found.window);
    let Some(window) = server.state.windows.get_mut(&found.window) else {
        return Ok(Reply::default());
    };
    let place = window.layout.index_of(window.active);
    let way = if args.down {
        Rotation::Down
    } else {
        Rotation::Up
    };
    window.layout.rotate(way);
    // The place stays active, not the pane.
    let active = place.and_then(|place| window.panes().get(place).copied());
    if let Some(active) = active {
        server.select_pane_zoomed(active, Zoom::End);
    }
    panes::layout_changed(&mut server.state, found.window);
    if was_zoomed && args.keep_zoom {
        panes::zoom(&mut server.state, found.window);
    }
    Ok(Reply::default())
}
