//! The state of a client's mouse between two events.

use shellkeep_core::key::{MouseAction, MousePlace};
use shellkeep_core::style_text::Range;
use shellkeep_core::{PaneId, WindowId};
use shellkeep_term::key::{MouseButton, MouseEvent, MouseKind};

use crate::alarm::Timer;

#[derive(Default)]
pub(crate) struct Mouse {
    /// The mouse event that led to the commands that run now, if any.
    pub(crate) pointer: Option<Pointer>,
    /// The position of the last event.
    pub(crate) last: (u16, u16),
    /// The button that was pressed last.
    pub(crate) button: u8,
    /// The button that is held while the mouse moves.
    pub(crate) dragged: Option<u8>,
    /// What is being dragged, if the server handles the drag itself.
    pub(crate) drag: Option<Drag>,
    pub(crate) clicks: Option<Clicks>,
    /// Runs while a selection is dragged beyond an edge.
    pub(crate) scroll: Option<Timer>,
}

/// A click that may become a double or triple click.
pub(crate) struct Clicks {
    /// The next click makes it a triple click.
    pub(crate) is_second: bool,
    pub(crate) pointer: Pointer,
    pub(crate) _timer: Timer,
}

/// A mouse event with the pane and part of the screen it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// The event, with the rows and columns of the terminal.
    pub(crate) event: MouseEvent,
    /// The position before the event.
    pub(crate) from: (u16, u16),
    pub(crate) place: MousePlace,
    /// The pane under the mouse, or the one whose border is.
    pub(crate) pane: Option<PaneId>,
    /// The part of the status line under the mouse.
    pub(crate) range: Option<Range>,
    /// The key name of the event, if it is a key.
    pub(crate) action: Option<MouseAction>,
    /// Programs were already sent this event.
    pub(crate) is_echo: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    /// The end of a selection in a pane's copy mode.
    Selection(PaneId),
    /// A border between panes of a window.
    Border(WindowId),
}

/// What an event means after the events before it.
pub(crate) enum Deed {
    Key(MouseAction, (u16, u16)),
    Drag(Drag),
    /// A move without a button.
    Move,
    Nothing,
}

impl Mouse {
    /// Works out what an event means after the events before it.
    pub(crate) fn deed(&mut self, event: &MouseEvent) -> Deed {
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
            // The drag began where the button was pressed.
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
