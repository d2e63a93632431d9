//! Moves a pane into another window.

use shellkeep_command::Target;
use shellkeep_command::cmd::join_pane::Args;
use shellkeep_command::target::Found;
use shellkeep_core::PaneId;
use shellkeep_core::layout::{SplitOptions, SplitSize};

use super::{Outcome, Reply, placing};
use crate::event_loop::{Left, Server, Zoom, panes, windows};
use crate::notice::Notice;
use crate::queue::Caller;

/// Stands in a layout for a pane that is about to leave its place there. No pane ever has this number.
const LEAVING: PaneId = PaneId(u32::MAX);

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let from = placing::source(server, caller, args.source.as_deref(), Target::Pane)?;
    let to = super::find(server, caller, args.target.as_deref(), Target::Pane)?;
    panes::unzoom(&mut server.state, to.window);
    panes::unzoom(&mut server.state, from.window);
    if from.pane == to.pane {
        return Err("source and target panes must be different".to_owned());
    }
    let size = size(args)?;
    let options = placing::split_options(args.horizontal, args.before, args.full, size);
    let left = join(server, &from, &to, options)?;
    panes::layout_changed(&mut server.state, from.window);
    if left == Left::Another {
        server.state.tell(Notice::WindowPaneChanged(from.window));
        server.name_window(from.window);
    }
    if !args.detached {
        server.select_pane_zoomed(from.pane, Zoom::End);
        windows::select_window(&mut server.state, to.session, to.index);
    }
    if left == Left::Nothing {
        // Nothing of it is left; the pane lives on elsewhere.
        server.close_window(from.window);
    } else {
        panes::layout_changed(&mut server.state, from.window);
    }
    panes::layout_changed(&mut server.state, to.window);
    Ok(Reply::default())
}

fn join(
    server: &mut Server,
    from: &Found,
    to: &Found,
    options: SplitOptions,
) -> Result<Left, String> {
    let too_small = |_| "create pane failed: pane too small".to_owned();
    let Some(window) = server.state.windows.get_mut(&to.window) else {
        return Err("no current window".to_owned());
    };
    if from.window != to.window {
        window
            .layout
            .join(to.pane, from.pane, options)
            .map_err(too_small)?;
        return Ok(panes::take_pane(&mut server.state, from.pane, to.window));
    }
    // Room is made before the old place is given up, so the pane is there twice for a moment.
    let mut layout = window.layout.clone();
    layout.replace(from.pane, LEAVING);
    layout
        .join(to.pane, from.pane, options)
        .map_err(too_small)?;
    layout.remove(LEAVING);
    let left = match window.lose(from.pane) {
        true => Left::Another,
        false => Left::Others,
    };
    window.layout = layout;
    // A mark is on a pane where it was.
    server.state.marked = server.state.marked.filter(|pane| *pane != from.pane);
    Ok(left)
}

fn size(args: &Args) -> Result<Option<SplitSize>, String> {
    let of = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let wrong = |wrong| format!("size {wrong}");
    if let Some(text) = &args.size {
        let size = match text.strip_suffix('%') {
            Some(percent) => {
                SplitSize::Percent(of(placing::number(percent, 0, 100).map_err(wrong)?))
            }
            None => SplitSize::Cells(of(placing::number(text, 0, placing::MOST).map_err(wrong)?)),
        };
        return Ok(Some(size));
    }
    let Some(text) = &args.percent else {
        return Ok(None);
    };
    let percent = placing::number(text, 0, 100).map_err(wrong)?;
    Ok(Some(SplitSize::Percent(of(percent))))
}
