//! Creating, closing, selecting and moving panes, and starting their programs.

use std::path::PathBuf;

use shellkeep_command::parse::quote;
use shellkeep_core::layout::{NoSpace, SplitOptions};
use shellkeep_core::{PaneId, SessionId, Size, WindowId};
use shellkeep_keeper::{Generation, HostRequest, SpawnRequest};
use shellkeep_shell::Launch;
use shellkeep_term::Emulator;

use crate::hibernation::outcome;
use crate::hibernation::shell_from::kept_start;
use crate::model::notice::Notice;
use crate::model::{Backlog, Model, Pane, ShellReport, Window};
use crate::panes::screen::Screen;
use crate::panes::{emulator, integration, runtime_files, shell_dir, sizes, windows};
use crate::persistence::keep_changes;
use crate::persistence::keeping::Start;
use crate::records::follow;
use crate::status::window_names;

/// What becomes of a window's zoom when another of its panes becomes active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zoom {
    End,
    /// If the window is zoomed, the new pane is zoomed.
    Keep,
}

/// What remains in a window that a pane was taken out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// No pane: the window must be closed.
    Nothing,
    /// Panes, and another one is active now.
    Another,
    /// Panes, and the active one is the same.
    Others,
}

/// Closes a pane and ends its program. With the last pane its window is closed.
pub(crate) fn close_pane(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let window_id = pane.window;
    let Some(window) = model.windows.get_mut(&window_id) else {
        return drop_pane(model, id, None);
    };
    if window.panes() == [id] || !window.layout.contains(id) {
        return windows::close_window(model, window_id);
    }
    let was_active = window.active == id;
    window.remove(id);
    drop_pane(model, id, None);
    layout_changed(model, window_id);
    if was_active {
        model.notify(Notice::WindowPaneChanged(window_id));
        window_names::name_window(model, window_id);
    }
}

/// Creates a pane in a window, which may not exist yet, and starts its program.
pub(crate) fn open_pane(model: &mut Model, window: WindowId, spawn: SpawnRequest) -> PaneId {
    let id = add_pane(model, window, spawn.pane, spawn.size);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.start_path.clone_from(&spawn.cwd);
    }
    start_program(model, spawn, None);
    id
}

/// Asks the keeper to start a program in a pane, and records how, so that it can be started again. `revived` is the
/// launch of a shell that comes back with its state. Only the answer to this request counts for the pane.
pub(crate) fn start_program(model: &mut Model, spawn: SpawnRequest, revived: Option<Launch>) {
    let start = Start::of(&spawn);
    // A revived shell is mostly started as before. Skip the write then: ext4 syncs a file at once that replaces
    // another.
    let is_noted = revived.is_some() && kept_start(model, spawn.pane).as_ref() == Some(&start);
    if !is_noted {
        model.changes.stored.starts.push(start);
    }
    let (pane, session) = (spawn.pane, model.session_of(spawn.pane));
    let asked = ask_for_program(model, session, spawn, revived);
    if let Some(pane) = model.panes.get_mut(&pane) {
        asked.become_program_of(pane);
    }
}

/// A program that the keeper was asked to start.
#[must_use]
pub(crate) struct AskedProgram {
    generation: Generation,
    /// The program file, if it is a shell with integration.
    shell: Option<PathBuf>,
    report: ShellReport,
}

impl AskedProgram {
    /// Makes it the program of a pane. Only the keeper's answer to this request counts for the pane.
    pub(crate) fn become_program_of(self, pane: &mut Pane) {
        pane.shell_program = self.shell;
        pane.shell_report = self.report;
        pane.life.asked(self.generation);
    }
}

/// Asks the keeper to start a program, with integration if it is a shell. This is the only place that does so: panes and popups come
/// here.
pub(crate) fn ask_for_program(
    model: &mut Model,
    session: Option<SessionId>,
    mut spawn: SpawnRequest,
    revived: Option<Launch>,
) -> AskedProgram {
    model.changes.is_starting = true;
    follow::shell_ended(model, spawn.pane);
    let shell = integration::integrate(model, session, &mut spawn, revived);
    let report = match &shell {
        Some(_) => ShellReport::expected(&shell_dir::shell_dir(model, spawn.pane)),
        None => ShellReport::default(),
    };
    AskedProgram {
        shell,
        report,
        generation: model.outside.keeper.spawn(spawn),
    }
}

fn add_pane(model: &mut Model, window: WindowId, id: PaneId, size: Size) -> PaneId {
    model.next.pane = model.next.pane.max(id.0 + 1);
    let emulator = Emulator::new(size, emulator::emulator_config_for(model, window));
    let mut pane = Pane::new(id, window, size, Screen::new(id, emulator));
    pane.used = model.next_use();
    pane.keeps_input(Backlog::new(id, model.outside.keeper.clone(), None));
    model.panes.insert(id, pane);
    model.changes.stored.new_panes.push(id);
    model.server_note_due();
    id
}

/// Closes one of several panes of a window that is about to be replaced, without notices about its panes.
pub(crate) fn close_pane_quietly(model: &mut Model, id: PaneId) {
    let window = model.panes.get(&id).map(|pane| pane.window);
    let Some(window) = window.and_then(|id| model.windows.get_mut(&id)) else {
        return;
    };
    let window_id = window.id;
    window.remove(id);
    drop_pane(model, id, None);
    sizes::fit_panes(model, window_id);
    model.window_note_due(window_id);
    model.redraw_window(window_id);
}

/// Drops a pane, with a notice; `closed_window` is its window if that is gone too.
pub(crate) fn drop_pane(model: &mut Model, pane: PaneId, closed_window: Option<&Window>) {
    outcome::report_outcome(model, pane, Err("it is gone".to_owned()));
    if let Some(gone) = model.panes.remove(&pane) {
        gone.forget_input();
        model.outside.keeper.request(HostRequest::Close(pane));
        runtime_files::remove_shell_dir(model, pane);
        keep_changes::pane_closed(model, &gone, closed_window);
    }
    if model.marked == Some(pane) {
        model.marked = None;
    }
}

/// Makes a pane the active one of its window.
pub(crate) fn select_pane(model: &mut Model, id: PaneId) {
    select_pane_zoomed(model, id, Zoom::End);
}

/// Like [`select_pane`], with the zoom kept or ended.
pub(crate) fn select_pane_zoomed(model: &mut Model, id: PaneId, zoom: Zoom) {
    let used = model.next_use();
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let window_id = pane.window;
    let Some(window) = model.windows.get_mut(&window_id) else {
        return;
    };
    if window.active == id {
        return;
    }
    pane.used = used;
    let was_zoomed = window.is_zoomed();
    window.unzoom();
    window.select(id);
    if was_zoomed && zoom == Zoom::Keep {
        window.zoom(id);
    }
    model.notify(Notice::WindowPaneChanged(window_id));
    window_names::name_window(model, window_id);
    if was_zoomed {
        return layout_changed(model, window_id);
    }
    model.window_note_due(window_id);
    model.redraw_window(window_id);
}

/// Splits a window and starts a program in the new pane. The caller sends the notice about the layout, to order it
/// after its others.
///
/// # Errors
/// If there is no room for it.
pub(crate) fn split(
    model: &mut Model,
    at: PaneId,
    options: SplitOptions,
    mut spawn: SpawnRequest,
) -> Result<PaneId, NoSpace> {
    let (window, new) = (divide(model, at, spawn.pane, options)?, spawn.pane);
    let layout = model.windows.get(&window).map(|w| &w.layout);
    if let Some(place) = layout.and_then(|layout| layout.place_of(new)) {
        spawn.size = Size::new(place.rows, place.cols);
    }
    open_pane(model, window, spawn);
    Ok(new)
}

/// Splits a window for a pane without a program. The caller sends the notice about the layout.
///
/// # Errors
/// If there is no room for it.
pub(crate) fn split_empty(
    model: &mut Model,
    at: PaneId,
    options: SplitOptions,
) -> Result<PaneId, NoSpace> {
    let new = PaneId(model.next.pane);
    let window = divide(model, at, new, options)?;
    let layout = model.windows.get(&window).map(|w| &w.layout);
    let place = layout.and_then(|layout| layout.place_of(new));
    let size = place.map_or_else(Size::default, |place| Size::new(place.rows, place.cols));
    add_pane(model, window, new, size);
    if let Some(pane) = model.panes.get_mut(&new) {
        pane.life.dies(0);
    }
    Ok(new)
}

/// Moves a pane that is not alone into a new window, which is in no session yet.
pub(crate) fn break_pane(model: &mut Model, pane: PaneId) -> WindowId {
    let source = model.panes.get(&pane).map(|pane| pane.window);
    let from = source.and_then(|id| model.windows.get(&id));
    let size = from.map_or_else(Size::default, Window::size);
    let latest = from.and_then(|window| window.latest);
    let (id, now) = (WindowId(model.next.window), model.now());
    model.next.window += 1;
    model.server_note_due();
    let mut window = Window::new(id, pane, size, now);
    window.latest = latest;
    model.windows.insert(id, window);
    if let Some(from) = source {
        if take_pane(model, pane, id) == Left::Another {
            model.notify(Notice::WindowPaneChanged(from));
            window_names::name_window(model, from);
        }
        layout_changed(model, from);
    }
    sizes::fit_panes(model, id);
    id
}

/// Records the command a pane was started with.
pub(crate) fn started_with(model: &mut Model, pane: PaneId, command: &[String]) {
    let options = model.session_options(model.session_of(pane));
    let default = options.text("default-command").to_owned();
    if let Some(pane) = model.panes.get_mut(&pane) {
        let words: Vec<String> = match command {
            [] if default.is_empty() => Vec::new(),
            [] => vec![quote(&default)],
            command => command.iter().map(|word| quote(word)).collect(),
        };
        pane.start_command = words.join(" ");
        command.clone_into(&mut pane.argv);
    }
}

/// Ends the zoom of a window. Returns whether it was zoomed.
pub(crate) fn unzoom(model: &mut Model, id: WindowId) -> bool {
    let Some(window) = model.windows.get_mut(&id) else {
        return false;
    };
    if !window.is_zoomed() {
        return false;
    }
    window.unzoom();
    layout_changed(model, id);
    true
}

/// Zooms the active pane of a window.
pub(crate) fn zoom(model: &mut Model, id: WindowId) {
    if let Some(window) = model.windows.get_mut(&id) {
        window.zoom(window.active);
        layout_changed(model, id);
    }
}

/// Makes room in the window of a pane.
fn divide(
    model: &mut Model,
    at: PaneId,
    new: PaneId,
    options: SplitOptions,
) -> Result<WindowId, NoSpace> {
    let window_id = model.panes.get(&at).ok_or(NoSpace)?.window;
    let window = model.windows.get_mut(&window_id).ok_or(NoSpace)?;
    window.unzoom();
    window.layout.split(at, new, options)?;
    Ok(window_id)
}

/// Takes a pane out of its window without ending it. It belongs to `to` from now on; the caller handles what remains in
/// the old window.
pub(crate) fn take_pane(model: &mut Model, id: PaneId, to: WindowId) -> Left {
    let Some(pane) = model.panes.get_mut(&id) else {
        return Left::Others;
    };
    let from = std::mem::replace(&mut pane.window, to);
    let Some(window) = model.windows.get_mut(&from) else {
        return Left::Others;
    };
    if model.marked == Some(id) {
        model.marked = None;
    }
    if window.panes() == [id] {
        return Left::Nothing;
    }
    let was_active = window.active == id;
    window.remove(id);
    if was_active {
        Left::Another
    } else {
        Left::Others
    }
}

/// The layout of a window has changed: its panes are resized and its clients redrawn.
pub(crate) fn layout_changed(model: &mut Model, id: WindowId) {
    sizes::fit_panes(model, id);
    model.notify(Notice::WindowLayoutChanged(id));
    model.window_note_due(id);
    model.redraw_window(id);
}
