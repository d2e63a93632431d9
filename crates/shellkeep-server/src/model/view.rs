//! What lies over the panes on a client's terminal, and how far its picture is up to date.

use shellkeep_core::WindowId;
use shellkeep_render::ClickRange;

use crate::alarm::Timer;
use crate::model::front::Front;
use crate::model::message::Message;
use crate::modes::overlay::Overlay;

/// What a client shows besides panes.
#[derive(Default)]
pub(crate) struct ClientView {
    /// What it shows has to be composed anew.
    pub(crate) is_stale: bool,
    /// Which part of a window that is larger it shows, if not the one around the cursor: the first row and column.
    pub(crate) pan: Option<(WindowId, u16, u16)>,
    /// What has the keyboard before the panes.
    pub(crate) front: Option<Front>,
    /// What lies over its panes and has its keys.
    pub(crate) overlay: Option<Overlay>,
    /// The message it shows.
    pub(crate) message: Option<Message>,
    /// What of its status lines can be clicked.
    pub(crate) status_clicks: Vec<StatusClick>,
    /// Runs until its status line is drawn again, and after how many seconds that is.
    pub(crate) status_timer: Option<(u64, Timer)>,
}

/// A part of a status line that means something when clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatusClick {
    /// The row of the terminal.
    pub(crate) row: u16,
    pub(crate) range: ClickRange,
}
