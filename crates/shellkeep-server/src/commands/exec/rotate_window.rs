//! `rotate-window`: moves every pane of a window to the next place.

use shellkeep_command::Target;
use shellkeep_command::cmd::rotate_window::Args;
use shellkeep_core::layout::Rotation;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::manage;
use crate::panes::manage::Zoom;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    let was_zoomed = manage::unzoom(&mut server.model, found.window);
    let Some(window) = server.model.windows.get_mut(&found.window) else {
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
        manage::select_pane_zoomed(&mut server.model, active, Zoom::End);
    }
    manage::layout_changed(&mut server.model, found.window);
    if was_zoomed && args.keep_zoom {
        manage::zoom(&mut server.model, found.window);
    }
    Ok(Reply::default())
}
