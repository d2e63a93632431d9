//! `select-layout`: arranges the panes of a window.

use shellkeep_command::Target;
use shellkeep_command::cmd::select_layout::Args;
use shellkeep_core::WindowId;
use shellkeep_core::layout::{Layout, Preset, PresetOptions, SplitSize};

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::notice::Notice;
use crate::panes::manage;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let id = found.window;
    if args.next || args.previous {
        let turn = if args.next {
            Turn::Next
        } else {
            Turn::Previous
        };
        turn_layout(server, id, turn);
        return Ok(Reply::default());
    }
    let before = remember(server, id);
    if args.spread {
        if let Some(window) = server.model.windows.get_mut(&id) {
            window.layout.spread(found.pane);
        }
        changed(server, id);
        return Ok(Reply::default());
    }
    let preset = match &args.layout {
        _ if args.undo => None,
        Some(name) => Preset::find(name),
        None => server
            .model
            .windows
            .get(&id)
            .and_then(|window| window.preset),
    };
    if let Some(preset) = preset {
        apply(server, id, preset);
        return Ok(Reply::default());
    }
    let text = args
        .layout
        .clone()
        .or_else(|| before.clone().filter(|_| args.undo));
    if let Some(text) = text
        && let Err(error) = apply_text(server, id, &text)
    {
        if let Some(window) = server.model.windows.get_mut(&id) {
            window.old_layout = before;
        }
        return Err(format!("{error}: {text}"));
    }
    changed(server, id);
    Ok(Reply::default())
}

/// Which named layout comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Next,
    Previous,
}

/// Applies the next or previous named layout to a target window.
pub(crate) fn turn_layout_of(
    server: &mut Server,
    caller: &Caller,
    target: Option<&str>,
    turn: Turn,
) -> Outcome {
    let found = targets::find(&server.model, caller, target, Target::Window)?;
    turn_layout(server, found.window, turn);
    Ok(Reply::default())
}

fn turn_layout(server: &mut Server, id: WindowId, turn: Turn) {
    remember(server, id);
    let preset = server
        .model
        .windows
        .get(&id)
        .and_then(|window| window.preset);
    let preset = match (turn, preset) {
        (Turn::Next, Some(preset)) => preset.next(),
        (Turn::Previous, Some(preset)) => preset.previous(),
        (Turn::Next, None) => Preset::ALL[0],
        (Turn::Previous, None) => Preset::ALL[Preset::ALL.len() - 1],
    };
    apply(server, id, preset);
}

/// Notes the present layout, which is about to change. Returns the one noted before.
fn remember(server: &mut Server, id: WindowId) -> Option<String> {
    manage::unzoom(&mut server.model, id);
    let window = server.model.windows.get_mut(&id)?;
    let now = window.layout.to_text();
    window.old_layout.replace(now)
}

fn apply(server: &mut Server, id: WindowId, preset: Preset) {
    let options = preset_options(server, id);
    if let Some(window) = server.model.windows.get_mut(&id) {
        window.layout.apply(preset, &options);
        window.preset = Some(preset);
    }
    // As in tmux the notice is sent twice: when the layout is applied, and when the command ends.
    server.model.notify(Notice::WindowLayoutChanged(id));
    changed(server, id);
}

fn apply_text(server: &mut Server, id: WindowId, text: &str) -> Result<(), String> {
    let text = Layout::parse(text).map_err(|error| error.to_string())?;
    let Some(window) = server.model.windows.get_mut(&id) else {
        return Ok(());
    };
    let applied = window.layout.apply_text(&text);
    applied.map_err(|error| error.to_string())
}

fn changed(server: &mut Server, id: WindowId) {
    server.model.sizes_due();
    manage::layout_changed(&mut server.model, id);
}

fn preset_options(server: &Server, id: WindowId) -> PresetOptions {
    let options = server.model.window_options(id);
    let default = PresetOptions::default();
    let size = |name: &str, default| read_size(options.text(name)).unwrap_or(default);
    PresetOptions {
        main_pane_height: size("main-pane-height", default.main_pane_height),
        main_pane_width: size("main-pane-width", default.main_pane_width),
        other_pane_height: size("other-pane-height", default.other_pane_height),
        other_pane_width: size("other-pane-width", default.other_pane_width),
    }
}

fn read_size(text: &str) -> Option<SplitSize> {
    let read = |text| placing::number(text, 0, placing::MAX_NUMBER).ok();
    let of = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    match text.strip_suffix('%') {
        Some(percent) => read(percent).map(|percent| SplitSize::Percent(of(percent))),
        None => read(text).map(|cells| SplitSize::Cells(of(cells))),
    }
}
