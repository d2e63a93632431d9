//! What a client shows besides panes, and whether its scene is up to date.

use shellkeep_core::WindowId;
use shellkeep_render::ClickRange;

use crate::alarm::Timer;
use crate::model::key_grab::KeyGrab;
use crate::model::message::Message;
use crate::modes::overlay::Overlay;

/// What a client shows besides panes.
#[derive(Default)]
pub(crate) struct ClientView {
    /// Its scene has to be composed anew.
    pub(crate) is_stale: bool,
    /// The part of a larger window that it shows, if it was moved there by `refresh-client`: first row and column.
    /// Otherwise the view follows the cursor.
    pub(crate) pan: Option<(WindowId, u16, u16)>,
    /// What takes its keys before the panes do.
    pub(crate) key_grab: Option<KeyGrab>,
    /// The menu, popup or tree that covers its panes and takes its keys.
    pub(crate) overlay: Option<Overlay>,
    pub(crate) message: Option<Message>,
    /// The parts of its status lines that can be clicked.
    pub(crate) status_clicks: Vec<StatusClick>,
    /// Runs until its status line is drawn again; and the interval in seconds.
    pub(crate) status_timer: Option<(u64, Timer)>,
}

/// A part of a status line that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatusClick {
    /// The row on the terminal.
    pub(crate) row: u16,
    pub(crate) range: ClickRange,
}
