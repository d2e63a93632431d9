//! What the resolver has to know of a server.

use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};

/// A window's place in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its number.
    pub index: u32,
    /// The window.
    pub window: WindowId,
}

/// A pane's place in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneBox {
    /// The pane.
    pub pane: PaneId,
    /// Its number, counted from `pane-base-index`.
    pub index: u32,
    /// Its first row.
    pub top: u16,
    /// Its first column.
    pub left: u16,
    /// Its size.
    pub size: Size,
    /// When it was last active: the higher the later.
    pub used: u64,
}

/// A client as it can be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSpot {
    /// The client.
    pub client: ClientId,
    /// Its name: its terminal's path, for most.
    pub name: String,
    /// Its terminal's path.
    pub tty: String,
    /// The session it shows.
    pub session: Option<SessionId>,
}

/// The sessions, windows, panes and clients there are.
pub trait World {
    /// The sessions, the one used last first.
    fn sessions(&self) -> Vec<SessionId>;
    /// A session's name.
    fn session_name(&self, session: SessionId) -> Option<String>;
    /// The windows of a session, by index.
    fn links(&self, session: SessionId) -> Vec<Link>;
    /// The index of a session's current window.
    fn current_index(&self, session: SessionId) -> Option<u32>;
    /// The index of the window that was current before.
    fn last_index(&self, session: SessionId) -> Option<u32>;
    /// A window's name.
    fn window_name(&self, window: WindowId) -> Option<String>;
    /// A window's size.
    fn window_size(&self, window: WindowId) -> Size;
    /// The panes of a window, in their order.
    fn panes(&self, window: WindowId) -> Vec<PaneBox>;
    /// The pane of a window that is shown alone, if one is.
    fn zoomed(&self, _window: WindowId) -> Option<PaneId> {
        None
    }
    /// The active pane of a window.
    fn active_pane(&self, window: WindowId) -> Option<PaneId>;
    /// The pane that was active before.
    fn last_pane(&self, window: WindowId) -> Option<PaneId>;
    /// The window a pane is in.
    fn window_of(&self, pane: PaneId) -> Option<WindowId>;
    /// The marked pane.
    fn marked(&self) -> Option<Found>;
    /// The clients that show a session, the one used last first.
    fn clients(&self) -> Vec<ClientSpot>;
}

/// How much is meant by a target of a command that takes sessions, windows and panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All panes of the session.
    Session,
    /// All panes of the window.
    Window,
    /// The pane.
    Pane,
}

/// What was found: a pane with all it is in. Of a session it is the current window's active pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The session.
    pub session: SessionId,
    /// The window's number in the session.
    pub index: u32,
    /// The window.
    pub window: WindowId,
    /// The pane.
    pub pane: PaneId,
}

/// A place for a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The session.
    pub session: SessionId,
    /// The number; the first that is free if none was named.
    pub index: Option<u32>,
}

/// What is current for whoever asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Current {
    /// Where the command comes from: the caller's pane, or what its client shows.
    pub place: Option<Found>,
    /// The client it comes from.
    pub client: Option<ClientId>,
    /// Where the mouse was, in a binding of a mouse key.
    pub mouse: Option<Found>,
}

/// Why nothing was found, in tmux's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// There is nothing at all.
    #[error("no current target")]
    NoCurrent,
    /// `=` without a mouse event.
    #[error("no mouse target")]
    NoMouse,
    /// `~` without a marked pane.
    #[error("no marked target")]
    NoMarked,
    /// No such session, or several.
    #[error("can't find session: {0}")]
    Session(String),
    /// No such window, or several.
    #[error("can't find window: {0}")]
    Window(String),
    /// No such pane.
    #[error("can't find pane: {0}")]
    Pane(String),
    /// A pane where the place for a window is named.
    #[error("can't specify pane here")]
    PaneHere,
    /// No such client.
    #[error("can't find client: {0}")]
    Client(String),
    /// No client shows a session.
    #[error("no current client")]
    NoClient,
}
