//! The mouse: events become keys that can be bound, or go to the program under the mouse.

use std::time::Duration;

use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::key::{Key, KeyCode, Modifiers, MouseAction, MouseKey, MousePlace};
use shellkeep_core::style_text::Range;
use shellkeep_core::{ClientId, PaneId};
use shellkeep_term::MouseProtocol;
use shellkeep_term::key::{MouseButton, MouseEvent, encode_key, encode_mouse};

use crate::action::Action;
use crate::alarm::Alarm;
use crate::clients::keys::Bound;
use crate::clients::{drag, keys};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::model::{Clicks, Deed, Model, Pointer};
use crate::modes::{copy_drag, menu, tree};
use crate::panes::place;

/// The longest time between two clicks of a double or triple click.
const CLICK_TIME: Duration = Duration::from_millis(300);

/// How many rows the wheel scrolls in a program on the alternate screen that does not use the mouse.
const WHEEL_ROWS: usize = 3;

pub(crate) fn mouse(model: &mut Model, id: ClientId, event: MouseEvent) {
    if !keys::is_reader(model, id) && menu::overlay_mouse(model, id, &event) {
        return;
    }
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let Some(session) = client.session else {
        return;
    };
    if !model.session_options(Some(session)).flag("mouse") {
        let client = model.clients.get(&id);
        if let Some(pane) = client.and_then(|client| model.pane_of(client)) {
            pass_mouse(model, id, pane, &event);
        }
        return;
    }
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let from = client.input.mouse.last;
    let deed = client.input.mouse.deed(&event);
    client.input.mouse.last = (event.row, event.col);
    match deed {
        Deed::Nothing => {}
        Deed::Move => {
            if let Some(pane) = point(model, id, event, from, (event.row, event.col))
                && pane.place == MousePlace::Pane
                && let Some(pane) = pane.pane
            {
                pass_mouse(model, id, pane, &event);
            }
        }
        Deed::Drag(drag) => drag::drag_to(model, id, drag, &event, from),
        Deed::Key(action, at) => {
            if let Some(pointer) = point(model, id, event, from, at) {
                acted(model, id, action, pointer);
            }
        }
    }
}

/// Counts clicks, and looks the key up.
fn acted(model: &mut Model, id: ClientId, action: MouseAction, pointer: Pointer) {
    let action = match action {
        MouseAction::Down(button) => count_clicks(model, id, button, pointer),
        other => other,
    };
    press_mouse(model, id, action, pointer);
}

/// The time for a further click is over.
pub(crate) fn clicked_enough(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let clicks = client.input.mouse.clicks.take();
    if let Some(clicks) = clicks.filter(|clicks| clicks.is_second) {
        let pointer = Pointer {
            is_echo: true,
            ..clicks.pointer
        };
        let button = pointer.event.button.number().unwrap_or(1);
        press_mouse(model, id, MouseAction::DoubleClick(button), pointer);
    }
}

/// Looks a mouse key up, and passes the event on if it is not bound.
fn press_mouse(model: &mut Model, id: ClientId, action: MouseAction, pointer: Pointer) {
    let place = pointer.place;
    let code = KeyCode::Mouse(MouseKey { action, place });
    let held = Modifiers::SHIFT | Modifiers::META | Modifiers::CTRL;
    let key = Key::new(code, pointer.event.mods & held);
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let Some(session) = client.session else {
        return;
    };
    let pointer = Pointer {
        action: Some(action),
        ..pointer
    };
    client.input.mouse.pointer = Some(pointer);
    let found = pointed_at(model, &pointer, session);
    let pane = found.map(|found| found.pane);
    match keys::bound(model, id, key, pane) {
        Bound::To(table, binding) => {
            let caller = Caller {
                current: found,
                mouse: found,
                key: Some(key),
                ..Caller::key(id)
            };
            keys::run_binding(model, caller, id, &table, &binding);
        }
        Bound::Nothing => {
            if let (MousePlace::Pane, Some(pane)) = (place, pointer.pane) {
                pass_pointer(model, id, pane, &pointer);
            }
        }
        Bound::Taken => {}
    }
    model.act(Action::ForgetPointer(id));
}

/// Passes the event that led to a command to the program under the mouse: `send-keys -M`.
///
/// # Errors
/// If the command was not caused by the mouse.
pub(crate) fn send_mouse(model: &mut Model, caller: &Caller) -> Outcome {
    let pointer = caller.client.and_then(|id| {
        let client = model.clients.get(&id)?;
        client.input.mouse.pointer
    });
    let found = caller.mouse.zip(pointer).zip(caller.client);
    let ((found, pointer), id) = found.ok_or("no mouse target")?;
    pass_pointer(model, id, found.pane, &pointer);
    Ok(Reply::default())
}

/// Passes a mouse event to the tree under it, or to the program.
fn pass_pointer(model: &mut Model, id: ClientId, pane: PaneId, pointer: &Pointer) {
    let at = (pointer.event.row, pointer.event.col);
    let is_taken = pointer
        .action
        .is_some_and(|action| tree::tree_mouse(model, id, pane, action, at));
    if !is_taken && !pointer.is_echo {
        pass_mouse(model, id, pane, &pointer.event);
    }
}

/// What is at a position of a client's terminal.
fn point(
    model: &Model,
    id: ClientId,
    event: MouseEvent,
    from: (u16, u16),
    (row, col): (u16, u16),
) -> Option<Pointer> {
    let client = model.clients.get(&id)?;
    let mut pointer = Pointer {
        event,
        from,
        place: MousePlace::StatusDefault,
        pane: None,
        range: None,
        action: None,
        is_echo: false,
    };
    if place::status_area(model, id)?.contains(row, col) {
        pointer.range = place::status_range(model, id, row, col);
        pointer.place = match pointer.range {
            None => MousePlace::StatusDefault,
            Some(Range::None) => return None,
            Some(Range::Left) => MousePlace::StatusLeft,
            Some(Range::Right) => MousePlace::StatusRight,
            Some(Range::Window(_)) => MousePlace::Status,
        };
        return Some(pointer);
    }
    let window = model.current_window(client.session?)?;
    let (row, col) = place::in_window(model, client, (row, col))?;
    let layout = window.shown();
    let inside = layout.pane_at(row, col);
    // The title above the first pane counts as a border.
    let border = || {
        layout
            .pane_near(row, col)
            .or_else(|| layout.pane_at(row + 1, col))
    };
    pointer.place = match inside {
        Some(_) => MousePlace::Pane,
        None => MousePlace::Border,
    };
    pointer.pane = Some(inside.or_else(border)?);
    Some(pointer)
}

/// Passes a mouse event to a pane's program, if the program wants it.
fn pass_mouse(model: &mut Model, id: ClientId, pane: PaneId, event: &MouseEvent) {
    let client = model.clients.get(&id);
    let Some(client) = client.filter(|client| !client.is_read_only) else {
        return;
    };
    let Some((row, col)) = place::in_pane(model, client, pane, (event.row, event.col)) else {
        return;
    };
    let Some(pane) = model.panes.get_mut(&pane) else {
        return;
    };
    // In a sleeping pane, the mode was set by a program that is gone.
    if pane.is_in_mode() || pane.input_off || pane.is_asleep() {
        return;
    }
    let event = MouseEvent { row, col, ..*event };
    let mut bytes = Vec::new();
    {
        let emulator = pane.screen.lock();
        let modes = emulator.modes();
        let has_wheel = emulator.is_alternate() && modes.mouse == MouseProtocol::Off;
        match event.button {
            MouseButton::WheelUp if has_wheel => arrows("Up", &modes, &mut bytes),
            MouseButton::WheelDown if has_wheel => arrows("Down", &modes, &mut bytes),
            _ => {
                encode_mouse(&event, &modes, &mut bytes);
            }
        }
    }
    if !bytes.is_empty() {
        pane.write(&bytes);
    }
}

/// Whether a wheel key should scroll the program in a pane instead of entering copy mode: the program is on the
/// alternate screen, which has no history.
pub(crate) fn wheel_goes_to_program(model: &Model, caller: &Caller, pane: PaneId) -> bool {
    let point = copy_drag::pointer_in(model, caller, pane);
    let Some(pane) = model.panes.get(&pane) else {
        return false;
    };
    point.is_some_and(|point| point.is_wheel)
        && !pane.is_in_mode()
        && pane.screen.lock().is_alternate()
}

/// Whether a press is a single, double or triple click.
fn count_clicks(model: &mut Model, id: ClientId, button: u8, pointer: Pointer) -> MouseAction {
    let timer = model.set_alarm(Alarm::Click(id), CLICK_TIME);
    let Some(client) = model.clients.get_mut(&id) else {
        return MouseAction::Down(button);
    };
    let before = client.input.mouse.clicks.take();
    let before = before.filter(|clicks| {
        let then = clicks.pointer;
        let is_same_button = then.event.button == pointer.event.button;
        is_same_button && (then.place, then.pane) == (pointer.place, pointer.pane)
    });
    let (action, is_second) = match before {
        Some(clicks) if clicks.is_second => return MouseAction::TripleClick(button),
        Some(_) => (MouseAction::SecondClick(button), true),
        None => (MouseAction::Down(button), false),
    };
    client.input.mouse.clicks = Some(Clicks {
        is_second,
        pointer,
        _timer: timer,
    });
    action
}

/// The part of the screen that the mouse is over.
fn pointed_at(
    model: &Model,
    pointer: &Pointer,
    session: shellkeep_core::SessionId,
) -> Option<ResolvedTarget> {
    let shown = model.place_in(session)?;
    match (pointer.pane, pointer.range) {
        (Some(pane), _) => Some(ResolvedTarget { pane, ..shown }),
        (None, Some(Range::Window(index))) => {
            let window = model.sessions.get(&session)?.links.get(&index)?.window;
            let pane = model.windows.get(&window)?.active;
            Some(ResolvedTarget {
                session,
                index,
                window,
                pane,
            })
        }
        _ => Some(shown),
    }
}

/// The cursor keys that stand for one notch of the wheel.
fn arrows(name: &str, modes: &shellkeep_term::Modes, out: &mut Vec<u8>) {
    if let Ok(key) = name.parse::<Key>() {
        for _ in 0..WHEEL_ROWS {
            encode_key(&key, modes, out);
        }
    }
}
