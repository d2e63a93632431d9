//! What a client's mouse does.

use shellkeep_core::key::{MouseAction, MousePlace};
use shellkeep_core::style_text::Range;
use shellkeep_core::{PaneId, WindowId};
use shellkeep_term::key::{MouseButton, MouseEvent, MouseKind};

use crate::alarm::Timer;

/// What a client's mouse does.
#[derive(Default)]
pub(crate) struct Mouse {
    /// What led to the commands that are run for it, if it was the mouse.
    pub(crate) pointer: Option<Pointer>,
    /// Where it was last.
    pub(crate) last: (u16, u16),
    /// The button that went down last.
    pub(crate) button: u8,
    /// The button it is dragged with.
    pub(crate) dragged: Option<u8>,
    /// What is dragged, if that is ours to do.
    pub(crate) drag: Option<Drag>,
    pub(crate) clicks: Option<Clicks>,
    /// Runs while a selection is dragged beyond an edge.
    pub(crate) scroll: Option<Timer>,
}

/// A click that others may follow.
pub(crate) struct Clicks {
    /// Whether one more makes three.
    pub(crate) is_second: bool,
    pub(crate) pointer: Pointer,
    pub(crate) _timer: Timer,
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
    pub(crate) action: Option<MouseAction>,
    /// What it did was told to programs already.
    pub(crate) is_echo: bool,
}

/// Something dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    /// The end of a selection in a pane's copy mode.
    Selection(PaneId),
    /// A border of a window.
    Border(WindowId),
}

/// What became of an event.
pub(crate) enum Deed {
    Key(MouseAction, (u16, u16)),
    Drag(Drag),
    /// It moved with no button held.
    Move,
    Nothing,
}

impl Mouse {
    /// What an event means after those before it.
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
