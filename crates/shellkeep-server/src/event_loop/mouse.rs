//! The mouse: what it does becomes keys with names, which are bound like any other, or goes to the program it is over.

use std::time::Duration;

use shellkeep_command::target::Found;
use shellkeep_core::key::{Key, KeyCode, Modifiers, MouseAction, MouseKey, MousePlace};
use shellkeep_core::style_text::Range;
use shellkeep_core::{ClientId, PaneId};
use shellkeep_term::MouseProtocol;
use shellkeep_term::key::{MouseButton, MouseEvent, MouseKind, encode_key, encode_mouse};

use super::copy::Point;
use super::drag::Drag;
use super::keys::Bound;
use super::{Server, keys, place};
use crate::alarm::{Alarm, Timer};
use crate::exec::{Outcome, Reply};
use crate::queue::Caller;
use crate::state::Model;

/// How soon clicks must follow each other to be a double or triple click.
const CLICK_TIME: Duration = Duration::from_millis(300);

/// Rows that a notch of the wheel moves in a program on the alternate screen that knows no mouse.
const WHEEL_ROWS: usize = 3;

/// What a client's mouse does.
#[derive(Default)]
pub(crate) struct Mouse {
    /// What led to the commands that are run for it, if it was the mouse.
    pub(crate) pointer: Option<Pointer>,
    /// Where it was last.
    last: (u16, u16),
    /// The button that went down last.
    button: u8,
    /// The button it is dragged with.
    dragged: Option<u8>,
    /// What is dragged, if that is ours to do.
    pub(super) drag: Option<Drag>,
    clicks: Option<Clicks>,
    /// Runs while a selection is dragged beyond an edge.
    pub(super) scroll: Option<Timer>,
}

/// A click that others may follow.
struct Clicks {
    /// Whether one more makes three.
    is_second: bool,
    pointer: Pointer,
    _timer: Timer,
}

/// The mouse at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// What it did, by the terminal's rows and columns.
    pub(crate) event: MouseEvent,
    /// Where it was before that.
    pub(crate) from: (u16, u16),
    pub(crate) place: MousePlace,
    /// The pane it is over, or whose border.
    pub(crate) pane: Option<PaneId>,
    /// What of the status line it is over.
    pub(crate) range: Option<Range>,
    /// What that is called.
    action: Option<MouseAction>,
    /// What it did was told to programs already.
    is_echo: bool,
}

/// What became of an event.
enum Deed {
    Key(MouseAction, (u16, u16)),
    Drag(Drag),
    /// It moved with no button held.
    Move,
    Nothing,
}

impl Mouse {
    /// What an event means after those before it.
    fn deed(&mut self, event: &MouseEvent) -> Deed {
        let at = (event.row, event.col);
        let button = event.button.number().unwrap_or(self.button);
        let is_wheel = matches!(event.button, MouseButton::WheelUp | MouseButton::WheelDown);
        if event.kind == MouseKind::Motion && event.button != MouseButton::None {
            return self.dragged_to(at, button);
        }
        if let Some(button) = self.dragged.filter(|_| !is_wheel) {
            self.stop();
            return Deed::Key(MouseAction::DragEnd(button), at);
        }
        match (event.kind, event.button) {
            (MouseKind::Motion, _) => Deed::Move,
            (MouseKind::Press, MouseButton::WheelUp) => Deed::Key(MouseAction::WheelUp, at),
            (MouseKind::Press, MouseButton::WheelDown) => Deed::Key(MouseAction::WheelDown, at),
            (MouseKind::Press, MouseButton::None) => Deed::Nothing,
            (MouseKind::Press, _) => {
                self.button = button;
                Deed::Key(MouseAction::Down(button), at)
            }
            (MouseKind::Release, _) if is_wheel => Deed::Nothing,
            (MouseKind::Release, _) => Deed::Key(MouseAction::Up(button), at),
        }
    }

    fn dragged_to(&mut self, at: (u16, u16), button: u8) -> Deed {
        if self.dragged.is_none() {
            // It began where the button went down.
            self.dragged = Some(button);
            return Deed::Key(MouseAction::Drag(button), self.last);
        }
        match self.drag {
            _ if at == self.last => Deed::Nothing,
            Some(drag) => Deed::Drag(drag),
            None => Deed::Key(MouseAction::Drag(button), at),
        }
    }

    fn stop(&mut self) {
        (self.dragged, self.drag, self.scroll) = (None, None, None);
    }
}

impl Server {
    pub(super) fn mouse(&mut self, id: ClientId, event: MouseEvent) {
        if !keys::is_reader(&self.state, id) && self.overlay_mouse(id, &event) {
            return;
        }
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(session) = client.session else {
            return;
        };
        if !self.state.session_options(Some(session)).flag("mouse") {
            let client = self.state.clients.get(&id);
            if let Some(pane) = client.and_then(|client| self.state.pane_of(client)) {
                self.pass_mouse(id, pane, &event);
            }
            return;
        }
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let from = client.mouse.last;
        let deed = client.mouse.deed(&event);
        client.mouse.last = (event.row, event.col);
        match deed {
            Deed::Nothing => {}
            Deed::Move => {
                if let Some(pane) = self.point(id, event, from, (event.row, event.col))
                    && pane.place == MousePlace::Pane
                    && let Some(pane) = pane.pane
                {
                    self.pass_mouse(id, pane, &event);
                }
            }
            Deed::Drag(drag) => self.drag_to(id, drag, &event, from),
            Deed::Key(action, at) => {
                if let Some(pointer) = self.point(id, event, from, at) {
                    self.acted(id, action, pointer);
                }
            }
        }
    }

    /// The mouse has done something somewhere: counts clicks, and looks the key up.
    fn acted(&mut self, id: ClientId, action: MouseAction, pointer: Pointer) {
        let action = match action {
            MouseAction::Down(button) => count_clicks(&mut self.state, id, button, pointer),
            other => other,
        };
        self.press_mouse(id, action, pointer);
    }

    /// No further click came in time.
    pub(super) fn clicked_enough(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let clicks = client.mouse.clicks.take();
        if let Some(clicks) = clicks.filter(|clicks| clicks.is_second) {
            let pointer = Pointer {
                is_echo: true,
                ..clicks.pointer
            };
            let button = pointer.event.button.number().unwrap_or(1);
            self.press_mouse(id, MouseAction::DoubleClick(button), pointer);
        }
    }

    /// Looks a key of the mouse up, and passes the event on if it is bound to nothing.
    fn press_mouse(&mut self, id: ClientId, action: MouseAction, pointer: Pointer) {
        let place = pointer.place;
        let code = KeyCode::Mouse(MouseKey { action, place });
        let held = Modifiers::SHIFT | Modifiers::META | Modifiers::CTRL;
        let key = Key::new(code, pointer.event.mods & held);
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(session) = client.session else {
            return;
        };
        let pointer = Pointer {
            action: Some(action),
            ..pointer
        };
        client.mouse.pointer = Some(pointer);
        let found = pointed_at(&self.state, &pointer, session);
        let pane = found.map(|found| found.pane);
        match self.bound(id, key, pane) {
            Bound::To(table, binding) => {
                let caller = Caller {
                    current: found,
                    mouse: found,
                    key: Some(key),
                    ..Caller::key(id)
                };
                self.run_binding(caller, id, &table, &binding);
            }
            Bound::Nothing => {
                if let (MousePlace::Pane, Some(pane)) = (place, pointer.pane) {
                    self.pass_pointer(id, pane, &pointer);
                }
            }
            Bound::Taken => {}
        }
        self.forget_pointer(id);
    }

    /// Forgets where the mouse was, unless commands that a key of it led to still wait for something.
    fn forget_pointer(&mut self, id: ClientId) {
        let mut callers = self.commands.queues.values().map(|queue| &queue.caller);
        if !callers.any(|caller| caller.client == Some(id) && caller.mouse.is_some())
            && let Some(client) = self.state.clients.get_mut(&id)
        {
            client.mouse.pointer = None;
        }
    }

    /// Where on a client's terminal something is.
    fn point(
        &self,
        id: ClientId,
        event: MouseEvent,
        from: (u16, u16),
        (row, col): (u16, u16),
    ) -> Option<Pointer> {
        let client = self.state.clients.get(&id)?;
        let mut pointer = Pointer {
            event,
            from,
            place: MousePlace::StatusDefault,
            pane: None,
            range: None,
            action: None,
            is_echo: false,
        };
        if place::status_area(&self.state, id)?.contains(row, col) {
            pointer.range = place::status_range(&self.state, id, row, col);
            pointer.place = match pointer.range {
                None => MousePlace::StatusDefault,
                Some(Range::None) => return None,
                Some(Range::Left) => MousePlace::StatusLeft,
                Some(Range::Right) => MousePlace::StatusRight,
                Some(Range::Window(_)) => MousePlace::Status,
            };
            return Some(pointer);
        }
        let window = self.state.current_window(client.session?)?;
        let (row, col) = self.in_window(client, (row, col))?;
        let layout = window.shown();
        let inside = layout.pane_at(row, col);
        // A title above the first pane is a border, too.
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

    /// The mouse by a pane's rows and columns, if a key of it led to a command.
    pub(super) fn pointer_in(&self, caller: &Caller, pane: PaneId) -> Option<Point> {
        let id = caller.client.filter(|_| caller.mouse.is_some())?;
        let client = self.state.clients.get(&id)?;
        let event = client.mouse.pointer?.event;
        let (row, col) = self.in_pane(client, pane, (event.row, event.col))?;
        Some(Point {
            row,
            col,
            is_wheel: event.button.is_wheel(),
        })
    }

    /// Passes the event that led to a command to the program the mouse is over: `send-keys -M`.
    ///
    /// # Errors
    /// If it was no event of the mouse.
    pub(crate) fn send_mouse(&mut self, caller: &Caller) -> Outcome {
        let pointer = caller.client.and_then(|id| {
            let client = self.state.clients.get(&id)?;
            client.mouse.pointer
        });
        let found = caller.mouse.zip(pointer).zip(caller.client);
        let ((found, pointer), id) = found.ok_or("no mouse target")?;
        self.pass_pointer(id, found.pane, &pointer);
        Ok(Reply::default())
    }

    /// Gives what the mouse did to the tree it is over, or to the program.
    fn pass_pointer(&mut self, id: ClientId, pane: PaneId, pointer: &Pointer) {
        let at = (pointer.event.row, pointer.event.col);
        let is_taken = pointer
            .action
            .is_some_and(|action| self.tree_mouse(id, pane, action, at));
        if !is_taken && !pointer.is_echo {
            self.pass_mouse(id, pane, &pointer.event);
        }
    }

    /// Gives a program an event of the mouse that is over it, if it wants it.
    fn pass_mouse(&mut self, id: ClientId, pane: PaneId, event: &MouseEvent) {
        let client = self.state.clients.get(&id);
        let Some(client) = client.filter(|client| !client.is_read_only) else {
            return;
        };
        let Some((row, col)) = self.in_pane(client, pane, (event.row, event.col)) else {
            return;
        };
        let Some(pane) = self.state.panes.get_mut(&pane) else {
            return;
        };
        // A program that is gone may have asked for it.
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

    /// Whether the wheel should move the program in a pane instead of entering copy mode: it is on the alternate screen, which has
    /// no history, and a key of the wheel led to the command.
    pub(crate) fn wheel_goes_to_program(&self, caller: &Caller, pane: PaneId) -> bool {
        let point = self.pointer_in(caller, pane);
        let Some(pane) = self.state.panes.get(&pane) else {
            return false;
        };
        point.is_some_and(|point| point.is_wheel)
            && !pane.is_in_mode()
            && pane.screen.lock().is_alternate()
    }
}

/// What a press is, after those before it.
fn count_clicks(model: &mut Model, id: ClientId, button: u8, pointer: Pointer) -> MouseAction {
    let timer = model.set_alarm(Alarm::Click(id), CLICK_TIME);
    let Some(client) = model.clients.get_mut(&id) else {
        return MouseAction::Down(button);
    };
    let before = client.mouse.clicks.take();
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
    client.mouse.clicks = Some(Clicks {
        is_second,
        pointer,
        _timer: timer,
    });
    action
}

/// What is meant by where the mouse is.
fn pointed_at(
    model: &Model,
    pointer: &Pointer,
    session: shellkeep_core::SessionId,
) -> Option<Found> {
    let shown = model.place_in(session)?;
    match (pointer.pane, pointer.range) {
        (Some(pane), _) => Some(Found { pane, ..shown }),
        (None, Some(Range::Window(index))) => {
            let window = model.sessions.get(&session)?.links.get(&index)?.window;
            let pane = model.windows.get(&window)?.active;
            Some(Found {
                session,
                index,
                window,
                pane,
            })
        }
        _ => Some(shown),
    }
}

/// What the cursor keys type that stand for a notch of the wheel.
fn arrows(name: &str, modes: &shellkeep_term::Modes, out: &mut Vec<u8>) {
    if let Ok(key) = name.parse::<Key>() {
        for _ in 0..WHEEL_ROWS {
            encode_key(&key, modes, out);
        }
    }
}
