//! `resize-pane`: resizes or zooms a pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::resize_pane::Args;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::layout::{Axis, BorderStatus, Direction, SplitSize};

use crate::clients::drag;
use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::panes::manage;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    if args.trim {
        trim(server, &found);
        return Ok(Reply::default());
    }
    if args.mouse {
        return drag::drag_border(&mut server.model, caller);
    }
    if args.zoom {
        if !manage::unzoom(&mut server.model, found.window) {
            zoom(server, &found);
        }
        return Ok(Reply::default());
    }
    manage::unzoom(&mut server.model, found.window);
    let by = match &args.adjustment {
        Some(text) => placing::number(text, 1, placing::MAX_NUMBER)
            .map_err(|wrong| format!("adjustment {wrong}"))?,
        None => 1,
    };
    let Some(window) = server.model.windows.get_mut(&found.window) else {
        return Ok(Reply::default());
    };
    let whole = window.size();
    if let Some(text) = &args.width {
        let cols = side(text, whole.cols()).map_err(|wrong| format!("width {wrong}"))?;
        window
            .layout
            .resize_pane_to(found.pane, Axis::Columns, cols);
    }
    if let Some(text) = &args.height {
        let rows = side(text, whole.rows()).map_err(|wrong| format!("height {wrong}"))?;
        let rows = rows.saturating_add(title_rows(&window.layout, &found));
        window.layout.resize_pane_to(found.pane, Axis::Rows, rows);
    }
    let by = u16::try_from(by).unwrap_or(u16::MAX);
    let ways = [
        (args.left, Direction::Left),
        (args.right, Direction::Right),
        (args.up, Direction::Up),
        (args.down, Direction::Down),
    ];
    if let Some((_, direction)) = ways.into_iter().find(|(is_given, _)| *is_given) {
        window.layout.resize_pane(found.pane, direction, by);
    }
    manage::layout_changed(&mut server.model, found.window);
    Ok(Reply::default())
}

/// A size in cells, or in percent of the window's.
fn side(text: &str, whole: u16) -> Result<u32, &'static str> {
    let of = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    match text.strip_suffix('%') {
        Some(percent) => {
            let percent = placing::number(percent, 0, 100)?;
            Ok(SplitSize::Percent(of(percent)).of(u32::from(whole)))
        }
        None => placing::number(text, 0, placing::MAX_NUMBER).map(of),
    }
}

/// The row of a pane's title at the edge of the window, which does not count as the pane's.
fn title_rows(layout: &shellkeep_core::layout::Layout, found: &ResolvedTarget) -> u32 {
    let place = layout.place_of(found.pane);
    let gives = place.is_some_and(|place| match layout.border_status() {
        BorderStatus::Off => false,
        BorderStatus::Top => place.row == 1,
        BorderStatus::Bottom => place.bottom() + 1 == layout.size().rows(),
    });
    u32::from(gives)
}

/// Zooms a pane and makes it the active one.
fn zoom(server: &mut Server, found: &ResolvedTarget) {
    manage::select_pane(&mut server.model, found.pane);
    manage::zoom(&mut server.model, found.window);
}

/// Removes the rows below the cursor: the rows above move down, with rows of the history coming back.
fn trim(server: &mut Server, found: &ResolvedTarget) {
    let Some(pane) = server.model.panes.get_mut(&found.pane) else {
        return;
    };
    if pane.is_in_mode() {
        return;
    }
    pane.screen.lock().trim_below_cursor();
    pane.screen.changed();
}
