//! `resize-window`: sets the size of a window.

use shellkeep_command::Target;
use shellkeep_command::cmd::resize_window::Args;
use shellkeep_core::Size;

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::sizes;
use crate::panes::sizes::SizeRule;
use crate::server::Server;
use crate::status::window_names;

/// The largest side of a window.
const MAX_SIDE: i64 = 10_000;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    let by = match &args.adjustment {
        Some(text) => placing::number(text, 1, placing::MAX_NUMBER)
            .map_err(|wrong| format!("adjustment {wrong}"))?,
        None => 1,
    };
    let Some(window) = server.model.windows.get(&found.window) else {
        return Ok(Reply::default());
    };
    let (mut rows, mut cols) = (
        i64::from(window.size().rows()),
        i64::from(window.size().cols()),
    );
    if let Some(text) = &args.width {
        cols = placing::number(text, 1, MAX_SIDE).map_err(|wrong| format!("width {wrong}"))?;
    }
    if let Some(text) = &args.height {
        rows = placing::number(text, 1, MAX_SIDE).map_err(|wrong| format!("height {wrong}"))?;
    }
    if args.left {
        cols -= if cols >= by { by } else { 0 };
    } else if args.right {
        cols += by;
    } else if args.up {
        rows -= if rows >= by { by } else { 0 };
    } else if args.down {
        rows += by;
    }
    let side = |cells: i64| u16::try_from(cells.clamp(1, MAX_SIDE)).unwrap_or(1);
    let by_clients = match (args.largest, args.smallest) {
        (true, _) => Some(SizeRule::Largest),
        (false, true) => Some(SizeRule::Smallest),
        (false, false) => None,
    };
    let size = match by_clients {
        Some(size_rule) => sizes::size_by(&server.model, found.window, size_rule)
            .unwrap_or_else(|| sizes::default_size(&server.model, Some(found.session))),
        None => Size::new(side(rows), side(cols)),
    };
    window_names::set_window_option(&mut server.model, found.window, "window-size", "manual");
    if let Some(window) = server.model.windows.get_mut(&found.window) {
        window.manual_size = Some(size);
    }
    sizes::resize_window(&mut server.model, found.window, size);
    Ok(Reply::default())
}
