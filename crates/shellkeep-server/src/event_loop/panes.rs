//! Panes come, go and move.

use shellkeep_command::parse::quote;
use shellkeep_core::layout::{NoSpace, SplitOptions};
use shellkeep_core::{PaneId, SessionId, Size, WindowId};
use shellkeep_keeper::{HostRequest, SpawnRequest};
use shellkeep_shell::Launch;
use shellkeep_term::{Config, Emulator};

use super::{Server, beside, sizes, wake};
use crate::exec;
use crate::keeping::Start;
use crate::notice::Notice;
use crate::screen::Screen;
use crate::state::{Backlog, Model, Pane, Window};

/// What becomes of a window's zoom when another of its panes becomes active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zoom {
    /// All panes are shown again.
    End,
    /// If one was shown alone, the new one is.
    Keep,
}

/// What a pane that was taken out of its window has left there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// A window without panes, which must not stay.
    Nothing,
    /// Panes, of which another is the active one now.
    Another,
    /// Panes, of which the same one is active.
    Others,
}

impl Server {
    /// Opens a pane in a window that is there or about to be, and has its program started.
    pub(super) fn open_pane(&mut self, window: WindowId, spawn: SpawnRequest) -> PaneId {
        let id = self.add_pane(window, spawn.pane, spawn.size);
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.start_path.clone_from(&spawn.cwd);
        }
        self.start_program(spawn, None);
        id
    }

    /// Has a program started in a pane, and keeps a note of how, for when it has to be done again. `revived` says how a shell that
    /// slept is to be started with its state; any other is a new one. The pane takes no other answer of the keeper than the one to this.
    pub(super) fn start_program(&mut self, mut spawn: SpawnRequest, revived: Option<Launch>) {
        let start = Start::of(&spawn);
        // A shell that comes back is mostly started as before, and ext4 takes a file to the disk at once that replaces another.
        let is_noted =
            revived.is_some() && wake::kept_start(&self.state, spawn.pane).as_ref() == Some(&start);
        if !is_noted {
            self.persistence.starts_due.push(start);
        }
        self.state.changes.is_starting = true;
        self.integrate(&mut spawn, revived);
        let pane = spawn.pane;
        let generation = self.host.spawn(spawn);
        if let Some(pane) = self.state.panes.get_mut(&pane) {
            pane.life.asked(generation);
        }
    }

    fn add_pane(&mut self, window: WindowId, id: PaneId, size: Size) -> PaneId {
        self.state.next_pane = self.state.next_pane.max(id.0 + 1);
        let emulator = Emulator::new(size, emulator_config(&self.state, window));
        let mut pane = Pane::new(id, window, size, Screen::new(id, emulator));
        pane.used = self.state.next_use();
        pane.keeps_input(Backlog::new(id, self.host.clone(), None));
        self.state.panes.insert(id, pane);
        self.persistence.unkept.push(id);
        self.state.server_note_due();
        id
    }

    /// Ends a pane and what runs in it; with the last one its window goes.
    pub(crate) fn close_pane(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let window_id = pane.window;
        let Some(window) = self.state.windows.get_mut(&window_id) else {
            return self.drop_pane(id, None);
        };
        if window.panes() == [id] || !window.layout.contains(id) {
            return self.close_window(window_id);
        }
        let was_active = window.active == id;
        window.remove(id);
        self.drop_pane(id, None);
        layout_changed(&mut self.state, window_id);
        if was_active {
            self.state.tell(Notice::WindowPaneChanged(window_id));
            self.name_window(window_id);
        }
    }

    /// Ends one of several panes of a window that becomes a new one: nobody is told of its panes.
    pub(crate) fn close_pane_quietly(&mut self, id: PaneId) {
        let window = self.state.panes.get(&id).map(|pane| pane.window);
        let Some(window) = window.and_then(|id| self.state.windows.get_mut(&id)) else {
            return;
        };
        let window_id = window.id;
        window.remove(id);
        self.drop_pane(id, None);
        fit_panes(&mut self.state, window_id);
        self.state.window_note_due(window_id);
        self.state.redraw_window(window_id);
    }

    /// Drops a pane, and says of which window it was, if that is gone too.
    pub(super) fn drop_pane(&mut self, pane: PaneId, closed_window: Option<&Window>) {
        self.sleep_told(pane, Err("it is gone".to_owned()));
        if let Some(gone) = self.state.panes.remove(&pane) {
            gone.forget_input();
            self.host.request(HostRequest::Close(pane));
            beside::remove_shell_dir(&self.state, pane);
            self.pane_closed(&gone, closed_window);
        }
        if self.state.marked == Some(pane) {
            self.state.marked = None;
        }
    }

    /// Makes a pane the active one of its window.
    pub(crate) fn select_pane(&mut self, id: PaneId) {
        self.select_pane_zoomed(id, Zoom::End);
    }

    /// Makes a pane the active one of its window, zoomed or not.
    pub(crate) fn select_pane_zoomed(&mut self, id: PaneId, zoom: Zoom) {
        let used = self.state.next_use();
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let window_id = pane.window;
        let Some(window) = self.state.windows.get_mut(&window_id) else {
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
        self.state.tell(Notice::WindowPaneChanged(window_id));
        self.name_window(window_id);
        if was_zoomed {
            return layout_changed(&mut self.state, window_id);
        }
        self.state.window_note_due(window_id);
        self.state.redraw_window(window_id);
    }

    /// Divides a window for one more pane, and has its program started. The caller says that the layout has changed, when it
    /// has said what else did.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(crate) fn split(
        &mut self,
        at: PaneId,
        options: SplitOptions,
        mut spawn: SpawnRequest,
    ) -> Result<PaneId, NoSpace> {
        let (window, new) = (
            divide(&mut self.state, at, spawn.pane, options)?,
            spawn.pane,
        );
        let layout = self.state.windows.get(&window).map(|w| &w.layout);
        if let Some(place) = layout.and_then(|layout| layout.place_of(new)) {
            spawn.size = Size::new(place.rows, place.cols);
        }
        self.open_pane(window, spawn);
        Ok(new)
    }

    /// Divides a window for one more pane in which nothing runs. The caller says that the layout has changed.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(crate) fn split_empty(
        &mut self,
        at: PaneId,
        options: SplitOptions,
    ) -> Result<PaneId, NoSpace> {
        let new = PaneId(self.state.next_pane);
        let window = divide(&mut self.state, at, new, options)?;
        let layout = self.state.windows.get(&window).map(|w| &w.layout);
        let place = layout.and_then(|layout| layout.place_of(new));
        let size = place.map_or_else(Size::default, |place| Size::new(place.rows, place.cols));
        self.add_pane(window, new, size);
        if let Some(pane) = self.state.panes.get_mut(&new) {
            pane.life.dies(0);
        }
        Ok(new)
    }

    /// Puts a pane that has others beside it into a window of its own, in no session yet.
    pub(crate) fn break_pane(&mut self, pane: PaneId) -> WindowId {
        let source = self.state.panes.get(&pane).map(|pane| pane.window);
        let from = source.and_then(|id| self.state.windows.get(&id));
        let size = from.map_or_else(Size::default, Window::size);
        let latest = from.and_then(|window| window.latest);
        let (id, now) = (WindowId(self.state.next_window), self.state.now());
        self.state.next_window += 1;
        self.state.server_note_due();
        let mut window = Window::new(id, pane, size, now);
        window.latest = latest;
        self.state.windows.insert(id, window);
        if let Some(from) = source {
            if take_pane(&mut self.state, pane, id) == Left::Another {
                self.state.tell(Notice::WindowPaneChanged(from));
                self.name_window(from);
            }
            layout_changed(&mut self.state, from);
        }
        fit_panes(&mut self.state, id);
        id
    }
}

/// How the emulator of a new pane is set up, as long as nothing of it is kept. No limit on its history means as much as
/// memory is spent on.
pub(super) fn emulator_config(model: &Model, window: WindowId) -> Config {
    emulator_config_in(model, model.session_with(window))
}

/// The same for all windows of a session.
pub(super) fn emulator_config_in(model: &Model, session: Option<SessionId>) -> Config {
    let usual = exec::emulator_config();
    let limit = model.session_options(session).number("history-limit");
    match usize::try_from(limit) {
        Ok(limit) if limit > 0 => Config {
            history_limit: limit,
            ..usual
        },
        _ => usual,
    }
}

/// Notes what a pane was started with: a command, or what is started in place of one.
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

/// Shows all panes of a window again, if one was shown alone; says whether it was.
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

/// Shows the active pane of a window alone.
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

/// Takes a pane out of its window, alive. The pane belongs to `to` from now on; what is left behind, the caller looks after.
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

/// A window's panes have other places: they are resized, and whoever looks sees it.
pub(crate) fn layout_changed(model: &mut Model, id: WindowId) {
    fit_panes(model, id);
    model.tell(Notice::WindowLayoutChanged(id));
    model.window_note_due(id);
    model.redraw_window(id);
}

/// Gives every pane of a window the size of its place; what a zoomed one hides, the size it will have when it is seen again.
pub(super) fn fit_panes(model: &mut Model, id: WindowId) {
    let Some(window) = model.windows.get(&id) else {
        return;
    };
    let shown = window.shown().places();
    let mut places = shown.clone();
    if window.zoomed.is_some() {
        let hidden = window.layout.places().into_iter();
        places.extend(hidden.filter(|(pane, _)| shown.iter().all(|(seen, _)| seen != pane)));
    }
    for (pane, place) in places {
        sizes::resize_pane(model, pane, Size::new(place.rows, place.cols));
    }
}
