//! `join-pane`: moves a pane into another window.

use shellkeep_command::Target;
use shellkeep_command::cmd::join_pane::Args;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::PaneId;
use shellkeep_core::layout::{SplitOptions, SplitSize};

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::notice::Notice;
use crate::panes::manage::{Left, Zoom};
use crate::panes::{manage, windows};
use crate::server::Server;
use crate::status::window_names;

/// A placeholder in the layout for a pane that is about to leave its place. No pane has this id.
const LEAVING: PaneId = PaneId(u32::MAX);

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let from = placing::source(server, caller, args.source.as_deref(), Target::Pane)?;
    let to = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    manage::unzoom(&mut server.model, to.window);
    manage::unzoom(&mut server.model, from.window);
    if from.pane == to.pane {
        return Err("source and target panes must be different".to_owned());
    }
    let size = size(args)?;
    let options = placing::split_options(args.horizontal, args.before, args.full, size);
    let left = join(server, &from, &to, options)?;
    manage::layout_changed(&mut server.model, from.window);
    if left == Left::Another {
        server.model.notify(Notice::WindowPaneChanged(from.window));
        window_names::name_window(&mut server.model, from.window);
    }
    if !args.detached {
        manage::select_pane_zoomed(&mut server.model, from.pane, Zoom::End);
        windows::select_window(&mut server.model, to.session, to.index);
    }
    if left == Left::Nothing {
        // The window has lost its last pane, which lives on elsewhere.
        windows::close_window(&mut server.model, from.window);
    } else {
        manage::layout_changed(&mut server.model, from.window);
    }
    manage::layout_changed(&mut server.model, to.window);
    Ok(Reply::default())
}

fn join(
    server: &mut Server,
    from: &ResolvedTarget,
    to: &ResolvedTarget,
    options: SplitOptions,
) -> Result<Left, String> {
    let too_small = |_| "create pane failed: pane too small".to_owned();
    let Some(window) = server.model.windows.get_mut(&to.window) else {
        return Err("no current window".to_owned());
    };
    if from.window != to.window {
        window
            .layout
            .join(to.pane, from.pane, options)
            .map_err(too_small)?;
        return Ok(manage::take_pane(&mut server.model, from.pane, to.window));
    }
    // Room is made before the pane leaves its old place, so it is in the layout twice for a moment.
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
    // As in tmux, a pane that is moved loses its mark.
    server.model.marked = server.model.marked.filter(|pane| *pane != from.pane);
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
            None => SplitSize::Cells(of(
                placing::number(text, 0, placing::MAX_NUMBER).map_err(wrong)?
            )),
        };
        return Ok(Some(size));
    }
    let Some(text) = &args.percent else {
        return Ok(None);
    };
    let percent = placing::number(text, 0, 100).map_err(wrong)?;
    Ok(Some(SplitSize::Percent(of(percent))))
}
