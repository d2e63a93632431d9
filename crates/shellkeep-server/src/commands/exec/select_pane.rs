//! `select-pane`: makes a pane the active one, or changes its mark, title, style or input.

use shellkeep_command::Target;
use shellkeep_command::cmd::select_pane::Args;
use shellkeep_command::options::{self, Change, View};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::PaneId;
use shellkeep_core::layout::Direction;

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::notice::Notice;
use crate::model::refusal;
use crate::panes::manage;
use crate::panes::manage::Zoom;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let mut found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let input = Input::of(args.enable_input, args.disable_input);
    let zoom = if args.keep_zoom {
        Zoom::Keep
    } else {
        Zoom::End
    };
    if args.last {
        return last(server, &found, input, zoom);
    }
    if args.mark || args.clear_mark {
        mark(server, &found, args);
        return Ok(Reply::default());
    }
    if let Some(style) = &args.style {
        set_style(server, found.pane, style)?;
    }
    if args.show_style {
        let options = server.model.pane_options(found.pane);
        return Ok(Reply::text(format!("{}\n", options.text("window-style"))));
    }
    if let Some(direction) = direction(args) {
        match neighbour(server, &found, direction) {
            Some(pane) => found.pane = pane,
            None => return Ok(Reply::default()),
        }
    }
    if let Some(input) = input {
        set_input(server, found.pane, input);
        return Ok(Reply::default());
    }
    if let Some(title) = &args.title {
        let title = placing::expand(server, caller, found, title);
        set_title(server, &found, &title);
        return Ok(Reply::default());
    }
    if select_own(server, caller, &found) {
        return Ok(Reply::default());
    }
    manage::select_pane_zoomed(&mut server.model, found.pane, zoom);
    Ok(Reply::default())
}

/// Selects a pane for this client alone, if it has active panes of its own. Returns whether it has.
fn select_own(server: &mut Server, caller: &Caller, found: &ResolvedTarget) -> bool {
    let client = caller
        .client
        .and_then(|id| server.model.clients.get_mut(&id));
    let Some(client) = client.filter(|client| client.session.is_some()) else {
        return false;
    };
    let Some(own) = &mut client.own_panes else {
        return false;
    };
    own.insert(found.window, found.pane);
    let id = client.id;
    server.model.redraw_client(id);
    true
}

/// Whether a pane takes input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    On,
    Off,
}

impl Input {
    pub(crate) fn of(enable: bool, disable: bool) -> Option<Self> {
        match (enable, disable) {
            (true, _) => Some(Self::On),
            (false, true) => Some(Self::Off),
            (false, false) => None,
        }
    }
}

fn set_input(server: &mut Server, id: PaneId, input: Input) {
    if let Some(pane) = server.model.panes.get_mut(&id) {
        pane.input_off = input == Input::Off;
        let window = pane.window;
        server.model.window_note_due(window);
        server.model.redraw_window(window);
    }
}

/// Selects the previously active pane; with two panes, the other one.
pub(crate) fn last(
    server: &mut Server,
    found: &ResolvedTarget,
    input: Option<Input>,
    zoom: Zoom,
) -> Outcome {
    let window = server.model.windows.get(&found.window);
    let last = window.and_then(|window| {
        let other = match window.panes() {
            [a, b] if *a == window.active => Some(*b),
            [a, _] => Some(*a),
            _ => None,
        };
        window.last_panes.first().copied().or(other)
    });
    let pane = last.ok_or("no last pane")?;
    match input {
        Some(input) => set_input(server, pane, input),
        None => manage::select_pane_zoomed(&mut server.model, pane, zoom),
    }
    Ok(Reply::default())
}

fn mark(server: &mut Server, found: &ResolvedTarget, args: &Args) {
    let window = server.model.windows.get(&found.window);
    let is_shown = window.is_some_and(|window| window.shown().contains(found.pane));
    if args.mark && !is_shown {
        return;
    }
    let marked = &mut server.model.marked;
    *marked = if args.clear_mark || *marked == Some(found.pane) {
        None
    } else {
        Some(found.pane)
    };
    server.model.redraw_all();
}

fn direction(args: &Args) -> Option<Direction> {
    let ways = [
        (args.left, Direction::Left),
        (args.right, Direction::Right),
        (args.up, Direction::Up),
        (args.down, Direction::Down),
    ];
    let chosen = ways.into_iter().find(|(is_given, _)| *is_given);
    chosen.map(|(_, direction)| direction)
}

fn neighbour(server: &Server, found: &ResolvedTarget, direction: Direction) -> Option<PaneId> {
    let layout = &server.model.windows.get(&found.window)?.layout;
    let used = |pane: PaneId| server.model.panes.get(&pane).map_or(0, |pane| pane.used);
    layout.neighbour(found.pane, direction, used)
}

fn set_style(server: &mut Server, id: PaneId, style: &str) -> Result<(), String> {
    let Some(pane) = server.model.panes.get_mut(&id) else {
        return Ok(());
    };
    for name in ["window-style", "window-active-style"] {
        let name = options::find(name).map_err(|error| refusal(&error))?;
        let parents = View::of(&server.model.options.window);
        pane.options
            .change(&name, Change::Set(Some(style)), parents)
            .map_err(|error| refusal(&error))?;
    }
    let window = pane.window;
    server.model.window_note_due(window);
    server.model.redraw_window(window);
    Ok(())
}

fn set_title(server: &mut Server, found: &ResolvedTarget, title: &str) {
    let Some(pane) = server.model.panes.get_mut(&found.pane) else {
        return;
    };
    let is_new = !pane.has_title || pane.screen.lock().title() != title;
    pane.screen.lock().set_title(title);
    pane.has_title = true;
    if is_new {
        server.model.notify(Notice::PaneTitleChanged(found.pane));
        server.model.window_note_due(found.window);
        server.model.redraw_session(found.session);
    }
}
