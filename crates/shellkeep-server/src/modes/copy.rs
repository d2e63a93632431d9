//! Copy mode: entering and leaving it, its commands, and their effects. Long searches run on a thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use shellkeep_copy::{
    Action as CopyAction, CopyCommand, CopyEffect, CopyMode, CopyOptions, EnterOptions, Frozen,
    Text,
};
use shellkeep_core::{PaneId, Size};
use tokio::sync::mpsc;

use crate::action::Action;
use crate::clients::clipboard;
use crate::commands::queue::{Caller, Item, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::event::Event;
use crate::formats;
use crate::model::notice::Notice;
use crate::model::{Copy, Mode, Model, Reading, SharedText};
use crate::modes::copy_drag::Point;
use crate::modes::copy_options::copy_options;
use crate::modes::searched::Searched;
use crate::modes::{copy_drag, copy_frame, stack};
use crate::panes::screen::Screen;
use crate::persistence::kept_buffers;

/// With more rows than this, a search or copy runs on a thread.
const LONG_HISTORY: usize = 20_000;

/// What is known of a pane when a command runs.
struct CommandContext {
    options: CopyOptions,
    /// The position of the mouse in the pane, if a mouse key is bound to the command.
    pointer: Option<Point>,
}

/// A call of a command of copy mode.
pub(crate) struct CopyCall<'a> {
    pub(crate) words: &'a [&'a str],
    pub(crate) repeat: Option<u32>,
    pub(crate) caller: &'a Caller,
    /// The running command, which is run again after a long search.
    pub(crate) current: Option<&'a Item>,
    /// The way into the loop for the end of a long search.
    pub(crate) events: &'a mpsc::Sender<Event>,
}

/// Enters copy mode in a pane, on the text of `source`. A pane that is in copy mode stays in it.
pub(crate) fn enter_copy_mode(
    model: &mut Model,
    id: PaneId,
    source: Option<PaneId>,
    mut options: EnterOptions,
) {
    let source = source.filter(|source| *source != id);
    let other = source.and_then(|source| model.panes.get(&source));
    let other = other.map(|pane| pane.screen.clone());
    if other.is_none() && stack::raise_mode(model, id, "copy-mode") {
        return;
    }
    let Some(pane) = model.panes.get(&id) else {
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
    let copy = Copy::new(reading, screen);
    let is_there = model.panes.get(&id).and_then(|it| it.mode_name()) == Some("copy-mode");
    if is_there {
        stack::take_mode(model, id);
    }
    stack::put_mode(model, id, Mode::Copy(Box::new(copy)));
}

/// Runs a command of copy mode: `send-keys -X`.
///
/// # Errors
/// If the pane is in no mode, or there is no such command.
pub(crate) fn copy_command(model: &mut Model, id: PaneId, call: CopyCall<'_>) -> Outcome {
    let CopyCall {
        words,
        repeat,
        caller,
        current,
        events,
    } = call;
    let context = CommandContext {
        options: copy_options(model, id),
        pointer: copy_drag::pointer_in(model, caller, id),
    };
    let command = CopyCommand::parse(words).map_err(|error| error.to_string());
    let copy = stack::copy_mut(model, id).ok_or("not in a mode")?;
    if copy.reading.is_none() {
        return Ok(try_again(id, current));
    }
    let command = command?;
    let count = repeat.or_else(|| copy.count.take()).unwrap_or(1);
    copy.count = None;
    if let Some(point) = context.pointer.filter(|point| !point.is_wheel) {
        if command == CopyCommand::Do(CopyAction::BeginSelection) {
            copy_drag::begin_drag(model, id, caller, point);
            return Ok(Reply::default());
        }
        copy.go(|place, text| place.point(point.row, point.col, text));
    }
    if copy.read(|place, text| takes_long(&command, place, text)) == Some(true) {
        return Ok(run_on_thread(
            model,
            id,
            (command, count),
            context.options,
            caller,
            events,
        ));
    }
    let effects = copy.go(|place, text| place.run(&command, count, text, &context.options));
    copy_effects(model, id, effects.unwrap_or_default(), caller);
    Ok(Reply::default())
}

/// A long search is under way: the running command is run again when it is done.
fn try_again(id: PaneId, current: Option<&Item>) -> Reply {
    let again = current.map(|item| Item {
        group: 0,
        ..item.clone()
    });
    Reply {
        wait: Some(Wait::Copy(id)),
        next: again.into_iter().collect(),
        ..Reply::default()
    }
}

/// Searches or copies on a thread; the running queue waits.
fn run_on_thread(
    model: &mut Model,
    id: PaneId,
    (command, count): (CopyCommand, u32),
    options: CopyOptions,
    caller: &Caller,
    events: &mpsc::Sender<Event>,
) -> Reply {
    let frame = copy_frame::mode_frame(model, id);
    let events = events.clone();
    let Some(copy) = stack::copy_mut(model, id) else {
        return Reply::default();
    };
    let Some(mut reading) = copy.reading.take() else {
        return Reply::default();
    };
    copy.search_frame = frame;
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
            Err(error) => tracing::error!(%error, "a search in copy mode has failed"),
        }
    });
    Reply {
        wait: Some(Wait::Copy(id)),
        ..Reply::default()
    }
}

/// A long search is done.
pub(crate) fn searched(model: &mut Model, searched: Searched) {
    let Searched {
        pane,
        ticket,
        reading,
        effects,
        caller,
    } = searched;
    if let Some(copy) = stack::searching(model, pane, ticket) {
        copy.reading = Some(reading);
        copy.search_frame = None;
        let is_other_size = copy.size().cols() != copy.read(|_, text| text.cols()).unwrap_or(0);
        if is_other_size {
            copy.before_resize();
        }
        refit_modes(model);
        copy_effects(model, pane, effects, &caller);
    }
    model.act(Action::CopyDone(pane));
}

/// Carries out the effects of a command of copy mode.
pub(crate) fn copy_effects(
    model: &mut Model,
    id: PaneId,
    effects: Vec<CopyEffect>,
    caller: &Caller,
) {
    let Some(window) = model.panes.get(&id).map(|pane| pane.window) else {
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
                    copied(model, id, text.as_bytes());
                }
                let secrecy = kept_buffers::secrecy_of(model, id);
                clipboard::add_buffer(model, text.as_bytes(), prefix.as_deref(), secrecy);
            }
            CopyEffect::Append { text, clipboard } => {
                let whole = append(model, id, &text);
                if clipboard {
                    copied(model, id, &whole);
                }
            }
            CopyEffect::Pipe { command, text } => pipe(model, id, &command, text, caller),
            CopyEffect::Refresh => refreeze(model, id),
            CopyEffect::Cancel => stack::leave_mode(model, id),
            CopyEffect::Redraw => model.redraw_window(window),
        }
    }
}

/// Runs a user's shell command with text as its input.
fn pipe(model: &mut Model, id: PaneId, command: &str, text: String, caller: &Caller) {
    let session = model.session_of(id);
    let mut scope = formats::scope(model).client(caller.client);
    if let Some(place) = model.place_of(id) {
        scope = scope.found(place);
    }
    let command = scope.expand(command);
    model.act(Action::StartJob {
        session,
        command,
        input: text.into_bytes(),
    });
}

/// The key table of the mode that a pane is in.
pub(crate) fn mode_table(model: &Model, pane: PaneId) -> Option<&'static str> {
    match model.panes.get(&pane)?.mode.as_ref()? {
        Mode::Clock | Mode::Tree(_) => None,
        Mode::Copy(_) | Mode::View(_) => Some(match model.pane_options(pane).text("mode-keys") {
            "vi" => "copy-mode-vi",
            _ => "copy-mode",
        }),
    }
}

/// Sets how often the next command of a pane's mode is repeated.
///
/// # Errors
/// If the pane is in no mode.
pub(crate) fn set_mode_count(model: &mut Model, id: PaneId, count: u32) -> Result<(), String> {
    let pane = model.panes.get_mut(&id);
    let mode = pane.and_then(|pane| pane.mode.as_mut());
    let copy = mode.and_then(Mode::copy_mut);
    copy.ok_or_else(|| "not in a mode".to_owned())?.count = Some(count);
    Ok(())
}

/// Sets the clipboards of clients that show the pane.
fn copied(model: &mut Model, id: PaneId, data: &[u8]) {
    if let Some(pane) = model.panes.get(&id) {
        clipboard::set_clipboards(model, pane.window, "", data);
        model.notify(Notice::PaneSetClipboard(id));
    }
}

/// Appends to the newest buffer, or adds one. Returns its new contents.
fn append(model: &mut Model, id: PaneId, text: &str) -> Vec<u8> {
    let newest = model.buffers.newest();
    let (name, mut data) = match newest {
        Some(buffer) => (Some(buffer.name.clone()), buffer.data.to_vec()),
        None => (None, Vec::new()),
    };
    data.extend_from_slice(text.as_bytes());
    let secrecy = kept_buffers::secrecy_of(model, id);
    if let Err(error) = clipboard::store_buffer(model, name.as_deref(), &data, secrecy) {
        tracing::warn!(error, "cannot append to a buffer");
    }
    data
}

/// Takes a new snapshot of the pane (`refresh-from-pane`).
pub(crate) fn refreeze(model: &mut Model, id: PaneId) {
    let options = copy_options(model, id);
    let Some(copy) = stack::copy_mut(model, id) else {
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

/// Adapts copy modes to panes that were resized.
pub(crate) fn refit_modes(model: &mut Model) {
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

/// A copy of a screen for a pane of another size, which must not resize the original.
fn copy_of(screen: &Screen, size: Size) -> Arc<Screen> {
    let mut emulator = screen.lock().copied();
    emulator.resize(size);
    Screen::new(screen.pane(), emulator)
}

/// Runs a search. A panic is a bug and is logged as one; the queue that waits must continue.
fn unharmed(search: impl FnOnce() -> Vec<CopyEffect>) -> Vec<CopyEffect> {
    catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|_| {
        tracing::error!("a search was dropped after a panic; this is a bug in shellkeep");
        vec![CopyEffect::Redraw]
    })
}

/// Whether a command may have to read so much that it must run on a thread.
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
            CopyAction::AppendSelection | CopyAction::AppendSelectionAndCancel
        ),
        _ => false,
    }
}

/// Whether a command may have to read the whole history.
fn is_search(command: &CopyCommand) -> bool {
    match command {
        CopyCommand::Search(..) | CopyCommand::SearchIncremental(..) | CopyCommand::GotoLine(_) => {
            true
        }
        CopyCommand::Do(action) => matches!(
            action,
            CopyAction::SearchAgain
                | CopyAction::SearchReverse
                | CopyAction::HistoryTop
                | CopyAction::NextPrompt
                | CopyAction::PreviousPrompt
                | CopyAction::NextParagraph
                | CopyAction::PreviousParagraph
                | CopyAction::NextMatchingBracket
                | CopyAction::PreviousMatchingBracket
                | CopyAction::SelectOutput
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
