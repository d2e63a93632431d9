//! The trees that panes show: filling them from the model, refreshing and leaving them.

use std::time::Duration;

use shellkeep_core::PaneId;

use crate::alarm::Alarm;
use crate::commands::queue::Caller;
use crate::commands::run_text::run_text;
use crate::model::{Mode, Model};
use crate::modes::overlay::tree::{Kind, Tree};
use crate::modes::{stack, tree_nodes};
use crate::panes::manage;

/// How often a tree is refreshed.
const REFRESH_INTERVAL: Duration = Duration::from_millis(500);

/// How long a change waits, so that simultaneous ones cause one refresh.
const REFRESH_DELAY: Duration = Duration::from_millis(20);

/// Takes a pane's tree out while `act` uses it together with the model.
pub(crate) fn with_tree<T>(
    model: &mut Model,
    id: PaneId,
    act: impl FnOnce(&Model, &mut Tree) -> T,
) -> Option<T> {
    let pane = model.panes.get_mut(&id)?;
    if !matches!(pane.mode, Some(Mode::Tree(_))) {
        return None;
    }
    let Some(Mode::Tree(mut tree)) = pane.mode.take() else {
        return None;
    };
    let outcome = act(model, &mut tree);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.mode = Some(Mode::Tree(tree));
    }
    Some(outcome)
}

/// Refreshes a tree now, and sets the timer.
pub(crate) fn refresh_tree(model: &mut Model, id: PaneId) {
    let is_empty = with_tree(model, id, |model, tree| {
        let (nodes, has_no_match) = tree_nodes::tree_nodes(model, tree);
        tree.has_no_match = has_no_match;
        tree.fill(nodes, model.changes.commands_run);
        tree_nodes::key_lines(model, tree);
        if let Some(pane) = model.panes.get(&id) {
            tree.follow(tree.list_rows(pane.size));
        }
        tree.is_hurried = false;
        // Options change by commands, not by themselves.
        if tree.setup.kind != Kind::Settings {
            tree.timer = Some(model.set_alarm(Alarm::Tree(id), REFRESH_INTERVAL));
        }
        tree.lines.is_empty()
    });
    match is_empty {
        None => {}
        Some(true) => leave_tree(model, id),
        Some(false) => {
            if let Some(pane) = model.panes.get(&id) {
                model.redraw_window(pane.window);
            }
        }
    }
}

/// A pane has fallen asleep or woken: refreshes the trees soon.
pub(crate) fn trees_due(model: &mut Model) {
    let panes = model.panes.values();
    let trees = panes.filter(|pane| matches!(pane.mode, Some(Mode::Tree(_))));
    for id in trees.map(|pane| pane.id).collect::<Vec<_>>() {
        with_tree(model, id, |model, tree| {
            if tree.setup.kind != Kind::Settings && !tree.is_hurried {
                tree.is_hurried = true;
                tree.timer = Some(model.set_alarm(Alarm::Tree(id), REFRESH_DELAY));
            }
        });
    }
}

/// Redraws a tree after a key that has only moved the selection: its hundreds of options and keys are not evaluated
/// again.
pub(crate) fn redraw_tree(model: &mut Model, id: PaneId) {
    let is_done = with_tree(model, id, |model, tree| {
        if !tree.is_up_to_date(model.changes.commands_run) {
            return false;
        }
        tree.fold();
        tree_nodes::key_lines(model, tree);
        if let Some(pane) = model.panes.get(&id) {
            tree.follow(tree.list_rows(pane.size));
        }
        true
    });
    match (is_done, model.panes.get(&id)) {
        (Some(true), Some(pane)) => model.redraw_window(pane.window),
        _ => refresh_tree(model, id),
    }
}

pub(crate) fn leave_tree(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let window_id = pane.window;
    if !matches!(pane.mode, Some(Mode::Tree(_))) {
        return;
    }
    let Some(Mode::Tree(tree)) = stack::take_mode(model, id) else {
        return;
    };
    if tree.has_zoomed
        && let Some(window) = model.windows.get_mut(&window_id)
    {
        window.unzoom();
        manage::layout_changed(model, window_id);
    }
}

pub(crate) fn run_each(model: &mut Model, caller: &Caller, commands: &[String]) {
    for command in commands {
        run_text(model, caller.clone(), command);
    }
}

/// Quoted as one word of a command.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
