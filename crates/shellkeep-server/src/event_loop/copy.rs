//! Copy mode: entering and leaving it, its commands, and what comes of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use shellkeep_copy::{
    Action, CopyCommand, CopyEffect, CopyMode, CopyOptions, EnterOptions, Frozen, ModeKeys, Pos,
    Text,
};
use shellkeep_core::{PaneId, Size};

use super::clipboard::ClipboardUse;
use super::{Server, buffers, clipboard, modes};
use crate::event::Event;
use crate::exec::{Outcome, Reply};
use crate::job::JobSpec;
use crate::notice::Notice;
use crate::queue::{Caller, Item, QueueId, Wait};
use crate::screen::Screen;
use crate::state::{Copy, Mode, Model, Pane, Reading, SharedText};

/// More rows than this are not searched, nor copied, while everybody waits.
const LONG_HISTORY: usize = 20_000;

/// What a long search comes to, or a long copy.
pub(crate) struct Searched {
    pane: PaneId,
    ticket: u64,
    reading: Reading,
    effects: Vec<CopyEffect>,
    caller: Caller,
}

/// What is known of a pane when a command runs.
struct Desk {
    options: CopyOptions,
    /// Where the mouse is in the pane, if a key of it led to the command.
    pointer: Option<Point>,
}

/// Where the mouse is in a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) row: u16,
    pub(super) col: u16,
    pub(super) is_wheel: bool,
}

impl Server {
    /// Shows what was printed in `source` in place of a pane's screen. A pane that is in copy mode stays there.
    pub(crate) fn enter_copy_mode(
        &mut self,
        id: PaneId,
        source: Option<PaneId>,
        mut options: EnterOptions,
    ) {
        let source = source.filter(|source| *source != id);
        let other = source.and_then(|source| self.state.panes.get(&source));
        let other = other.map(|pane| pane.screen.clone());
        if other.is_none() && self.raise_mode(id, "copy-mode") {
            return;
        }
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        options.search = pane.last_search.clone();
        let screen = match other {
            Some(other) => copy_of(&other, pane.size),
            None => pane.screen.clone(),
        };
        let reading = {
            let emulator = screen.lock();
            let frozen = Frozen::new(&emulator);
            let place = CopyMode::enter(frozen.cursor(), &frozen.text(&emulator), options);
            Reading { place, frozen }
        };
        let copy = Copy {
            reading: Some(reading),
            screen,
            count: None,
            spot: None,
            picture: None,
            ticket: 0,
        };
        let is_there = self.state.panes.get(&id).and_then(|it| it.mode_name()) == Some("copy-mode");
        if is_there {
            self.take_mode(id);
        }
        self.put_mode(id, Mode::Copy(Box::new(copy)));
    }

    /// Shows what lies below the mode of a pane again: mostly its screen.
    pub(crate) fn leave_mode(&mut self, id: PaneId) {
        let pane = self.state.panes.get(&id);
        if pane.is_some_and(|pane| matches!(pane.mode, Some(Mode::Tree(_)))) {
            return self.leave_tree(id);
        }
        let over = self.take_mode(id);
        let copy = over.as_ref().and_then(Mode::copy);
        if let Some(reading) = copy.and_then(|copy| copy.reading.as_ref())
            && let Some(pane) = self.state.panes.get_mut(&id)
        {
            pane.last_search = reading.place.remembered().cloned();
        }
    }

    /// Runs a command of copy mode: `send-keys -X`.
    ///
    /// # Errors
    /// If the pane is in no mode, or there is no such command.
    pub(crate) fn copy_command(
        &mut self,
        id: PaneId,
        words: &[&str],
        repeat: Option<u32>,
        caller: &Caller,
    ) -> Outcome {
        let desk = Desk {
            options: copy_options(&self.state, id),
            pointer: self.pointer_in(caller, id),
        };
        let command = CopyCommand::parse(words).map_err(|error| error.to_string());
        let copy = copy_mut(&mut self.state, id).ok_or("not in a mode")?;
        if copy.reading.is_none() {
            return Ok(self.try_again(id));
        }
        let command = command?;
        let count = repeat.or_else(|| copy.count.take()).unwrap_or(1);
        copy.count = None;
        if let Some(point) = desk.pointer.filter(|point| !point.is_wheel) {
            if command == CopyCommand::Do(Action::BeginSelection) {
                self.begin_drag(id, caller, point);
                return Ok(Reply::default());
            }
            copy.go(|place, text| place.point(point.row, point.col, text));
        }
        if copy.read(|place, text| takes_long(&command, place, text)) == Some(true) {
            return Ok(self.run_aside(id, (command, count), desk.options, caller));
        }
        let effects = copy.go(|place, text| place.run(&command, count, text, &desk.options));
        self.copy_effects(id, effects.unwrap_or_default(), caller);
        Ok(Reply::default())
    }

    /// A long search goes on: the command at hand is run when it is done.
    fn try_again(&self, id: PaneId) -> Reply {
        let queue = self
            .state
            .running()
            .and_then(|queue| self.commands.queues.get(&queue));
        let again = queue.map(|queue| Item {
            group: 0,
            ..queue.current.clone()
        });
        Reply {
            wait: Some(Wait::Copy(id)),
            next: again.into_iter().collect(),
            ..Reply::default()
        }
    }

    /// Searches or copies while everybody else goes on; the queue at hand waits.
    fn run_aside(
        &mut self,
        id: PaneId,
        (command, count): (CopyCommand, u32),
        options: CopyOptions,
        caller: &Caller,
    ) -> Reply {
        let picture = self.mode_picture(id);
        let events = self.events.clone();
        let Some(copy) = copy_mut(&mut self.state, id) else {
            return Reply::default();
        };
        let Some(mut reading) = copy.reading.take() else {
            return Reply::default();
        };
        copy.picture = picture;
        copy.ticket += 1;
        let (ticket, screen) = (copy.ticket, copy.screen.clone());
        let caller = caller.clone();
        let search = tokio::task::spawn_blocking(move || {
            let text = SharedText {
                frozen: &reading.frozen,
                screen: &screen,
            };
            let effects = unharmed(|| reading.place.run(&command, count, &text, &options));
            Searched {
                pane: id,
                ticket,
                reading,
                effects,
                caller,
            }
        });
        tokio::spawn(async move {
            match search.await {
                Ok(searched) => {
                    let _ = events.send(Event::Searched(Box::new(searched))).await;
                }
                Err(error) => tracing::error!(%error, "a search has failed"),
            }
        });
        Reply {
            wait: Some(Wait::Copy(id)),
            ..Reply::default()
        }
    }

    /// A long search is done.
    pub(super) fn searched(&mut self, searched: Searched) {
        let Searched {
            pane,
            ticket,
            reading,
            effects,
            caller,
        } = searched;
        if let Some(copy) = modes::searching(&mut self.state, pane, ticket) {
            copy.reading = Some(reading);
            copy.picture = None;
            let is_other_size = copy.size().cols() != copy.read(|_, text| text.cols()).unwrap_or(0);
            if is_other_size {
                copy.before_resize();
            }
            refit_modes(&mut self.state);
            self.copy_effects(pane, effects, &caller);
        }
        let wait = Some(Wait::Copy(pane));
        let waiting = self
            .commands
            .queues
            .iter()
            .filter(|(_, queue)| queue.wait == wait);
        let waiting: Vec<QueueId> = waiting.map(|(id, _)| *id).collect();
        for queue in waiting {
            self.resume(queue, Ok(Reply::default()));
        }
    }

    /// Does what a command of copy mode asked for.
    pub(super) fn copy_effects(&mut self, id: PaneId, effects: Vec<CopyEffect>, caller: &Caller) {
        let Some(window) = self.state.panes.get(&id).map(|pane| pane.window) else {
            return;
        };
        for effect in effects {
            match effect {
                CopyEffect::Copy {
                    text,
                    prefix,
                    clipboard,
                } => {
                    if clipboard {
                        copied(&mut self.state, id, text.as_bytes());
                    }
                    let secrecy = buffers::secrecy_of(&self.state, id);
                    clipboard::add_buffer(
                        &mut self.state,
                        text.as_bytes(),
                        prefix.as_deref(),
                        secrecy,
                    );
                }
                CopyEffect::Append { text, clipboard } => {
                    let whole = append(&mut self.state, id, &text);
                    if clipboard {
                        copied(&mut self.state, id, &whole);
                    }
                }
                CopyEffect::Pipe { command, text } => self.pipe(id, &command, text, caller),
                CopyEffect::Refresh => refreeze(&mut self.state, id),
                CopyEffect::Cancel => self.leave_mode(id),
                CopyEffect::Redraw => self.state.redraw_window(window),
            }
        }
    }

    /// Gives text to a command of the user's.
    fn pipe(&mut self, id: PaneId, command: &str, text: String, caller: &Caller) {
        let session = self.state.session_of(id);
        let mut scope = self.scope().client(caller.client);
        if let Some(place) = self.state.place_of(id) {
            scope = scope.found(place);
        }
        let command = scope.expand(command);
        let cwd = session.and_then(|id| self.state.sessions.get(&id));
        let spec = JobSpec {
            command,
            cwd: cwd.map(|session| session.cwd.clone()).unwrap_or_default(),
            environ: self.job_environ(session),
            umask: self.state.birth.umask,
            input: text.into_bytes(),
        };
        self.start_job(&spec, Box::new(|_, _| Ok(Reply::default())));
    }
}

/// The options copy mode looks at.
pub(super) fn copy_options(model: &Model, pane: PaneId) -> CopyOptions {
    let session = model.session_of(pane);
    let window = model.pane_options(pane);
    let server = model.options.server();
    CopyOptions {
        word_separators: model
            .session_options(session)
            .text("word-separators")
            .to_owned(),
        wrap_search: window.flag("wrap-search"),
        mode_keys: match window.text("mode-keys") {
            "vi" => ModeKeys::Vi,
            _ => ModeKeys::Emacs,
        },
        copy_command: server.text("copy-command").to_owned(),
        set_clipboard: clipboard::clipboard_use(model) != ClipboardUse::Off,
    }
}

/// Where the keys of a pane that is in a mode are looked up.
pub(crate) fn mode_table(model: &Model, pane: PaneId) -> Option<&'static str> {
    match model.panes.get(&pane)?.mode.as_ref()? {
        Mode::Clock | Mode::Tree(_) => None,
        Mode::Copy(_) | Mode::View(_) => Some(match model.pane_options(pane).text("mode-keys") {
            "vi" => "copy-mode-vi",
            _ => "copy-mode",
        }),
    }
}

/// A pane shows something else, or its screen again.
pub(crate) fn mode_changed(model: &mut Model, id: PaneId) {
    model.tell(Notice::PaneModeChanged(id));
    if let Some(pane) = model.panes.get(&id) {
        model.redraw_window(pane.window);
    }
}

/// Says how often the next command of a pane's mode is repeated.
///
/// # Errors
/// If it is in none.
pub(crate) fn set_mode_count(model: &mut Model, id: PaneId, count: u32) -> Result<(), String> {
    let pane = model.panes.get_mut(&id);
    let mode = pane.and_then(|pane| pane.mode.as_mut());
    let copy = mode.and_then(Mode::copy_mut);
    copy.ok_or_else(|| "not in a mode".to_owned())?.count = Some(count);
    Ok(())
}

/// A pane's copy mode.
pub(super) fn copy_mut(model: &mut Model, id: PaneId) -> Option<&mut Copy> {
    let mode = model.panes.get_mut(&id)?.mode.as_mut()?;
    mode.copy_mut()
}

/// Tells the clipboards of those who look what was copied.
fn copied(model: &mut Model, id: PaneId, data: &[u8]) {
    if let Some(pane) = model.panes.get(&id) {
        clipboard::tell_clipboards(model, pane.window, "", data);
        model.tell(Notice::PaneSetClipboard(id));
    }
}

/// Adds to the newest buffer, or makes one; gives back what it holds then.
fn append(model: &mut Model, id: PaneId, text: &str) -> Vec<u8> {
    let newest = model.buffers.newest();
    let (name, mut data) = match newest {
        Some(buffer) => (Some(buffer.name.clone()), buffer.data.to_vec()),
        None => (None, Vec::new()),
    };
    data.extend_from_slice(text.as_bytes());
    let secrecy = buffers::secrecy_of(model, id);
    if let Err(error) = clipboard::store_buffer(model, name.as_deref(), &data, secrecy) {
        tracing::warn!(error, "appending to a buffer");
    }
    data
}

/// The word at a place of a pane's screen.
pub(crate) fn word_on_screen(model: &Model, pane: &Pane, at: Pos) -> String {
    let options = copy_options(model, pane.id);
    let emulator = pane.screen.lock();
    let frozen = Frozen::new(&emulator);
    let text = frozen.text(&emulator);
    let place = CopyMode::enter(at, &text, EnterOptions::default());
    place.word_at(at, &text, &options)
}

/// Looks at the pane as it is now.
pub(super) fn refreeze(model: &mut Model, id: PaneId) {
    let options = copy_options(model, id);
    let Some(copy) = copy_mut(model, id) else {
        return;
    };
    let Some(reading) = copy.reading.as_mut() else {
        return;
    };
    let emulator = copy.screen.lock();
    let before = reading.frozen.text(&emulator).history_rows();
    reading.frozen = Frozen::new(&emulator);
    let text = reading.frozen.text(&emulator);
    let added = text.history_rows() as i64 - before as i64;
    reading.place.refresh(added, &text, &options);
}

/// Fits copy modes to panes that have got another size.
pub(super) fn refit_modes(model: &mut Model) {
    let panes = model.panes.iter();
    let panes = panes.filter(|(_, pane)| {
        let copy = pane.mode.as_ref().and_then(Mode::copy);
        copy.is_some_and(|copy| copy.spot.is_some() && copy.reading.is_some())
    });
    let panes: Vec<PaneId> = panes.map(|(id, _)| *id).collect();
    for id in panes {
        let options = copy_options(model, id);
        let Some(pane) = model.panes.get_mut(&id) else {
            continue;
        };
        let (size, own) = (pane.size, pane.screen.clone());
        let Some(copy) = pane.mode.as_mut().and_then(Mode::copy_mut) else {
            continue;
        };
        let (Some(spot), Some(reading)) = (copy.spot.take(), copy.reading.as_mut()) else {
            continue;
        };
        let mut emulator = copy.screen.lock();
        if !Arc::ptr_eq(&copy.screen, &own) {
            emulator.resize(size);
        }
        reading.frozen = Frozen::new(&emulator);
        let at = reading.frozen.place(&emulator, spot);
        let text = reading.frozen.text(&emulator);
        reading.place.resize(at, &text, &options);
        let window = pane.window;
        drop(emulator);
        model.redraw_window(window);
    }
}

/// A pane's text in a pane of another size, which must not change with it.
fn copy_of(screen: &Screen, size: Size) -> Arc<Screen> {
    let mut emulator = screen.lock().copied();
    emulator.resize(size);
    Screen::new(screen.pane(), emulator)
}

/// Runs a search. A panic would be a bug, and is logged as one; it must not leave those waiting who wait for the search.
fn unharmed(search: impl FnOnce() -> Vec<CopyEffect>) -> Vec<CopyEffect> {
    catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|_| {
        tracing::error!("a search was dropped after a panic; this is a bug in shellkeep");
        vec![CopyEffect::Redraw]
    })
}

/// Whether a command may have to read more than can be read while everybody waits.
fn takes_long(command: &CopyCommand, place: &CopyMode, text: &dyn Text) -> bool {
    if text.history_rows() <= LONG_HISTORY {
        return false;
    }
    is_search(command)
        || copies_selection(command)
            && place.selection().is_some_and(|selection| {
                selection.start.row.abs_diff(selection.end.row) > LONG_HISTORY as u64
            })
}

fn copies_selection(command: &CopyCommand) -> bool {
    match command {
        CopyCommand::Copy { .. } => true,
        CopyCommand::Do(action) => matches!(
            action,
            Action::AppendSelection | Action::AppendSelectionAndCancel
        ),
        _ => false,
    }
}

/// Whether a command may have to read all of the history.
fn is_search(command: &CopyCommand) -> bool {
    match command {
        CopyCommand::Search(..) | CopyCommand::SearchIncremental(..) | CopyCommand::GotoLine(_) => {
            true
        }
        CopyCommand::Do(action) => matches!(
            action,
            Action::SearchAgain
                | Action::SearchReverse
                | Action::HistoryTop
                | Action::NextPrompt
                | Action::PreviousPrompt
                | Action::NextParagraph
                | Action::PreviousParagraph
                | Action::NextMatchingBracket
                | Action::PreviousMatchingBracket
                | Action::SelectOutput
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_that_panics_still_comes_to_an_end() {
        assert_eq!(unharmed(|| panic!("a bug")), vec![CopyEffect::Redraw]);
        assert_eq!(unharmed(Vec::new), Vec::new());
    }
}
