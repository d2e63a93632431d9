//! What the resolver has to know of a server.

use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};

/// A window's place in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub index: u32,
    pub window: WindowId,
}

/// A pane's place in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneBox {
    pub pane: PaneId,
    /// Its number, counted from `pane-base-index`.
    pub index: u32,
    pub top: u16,
    pub left: u16,
    pub size: Size,
    /// When it was last active: the higher the later.
    pub used: u64,
}

/// A client as it can be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSpot {
    pub client: ClientId,
    /// Its name: its terminal's path, for most.
    pub name: String,
    pub tty: String,
    pub session: Option<SessionId>,
}

/// The sessions, windows, panes and clients there are.
pub trait World {
    /// The sessions, the one used last first.
    fn sessions(&self) -> Vec<SessionId>;
    fn session_name(&self, session: SessionId) -> Option<String>;
    /// The windows of a session, by index.
    fn links(&self, session: SessionId) -> Vec<Link>;
    /// The index of a session's current window.
    fn current_index(&self, session: SessionId) -> Option<u32>;
    /// The index of the window that was current before.
    fn last_index(&self, session: SessionId) -> Option<u32>;
    fn window_name(&self, window: WindowId) -> Option<String>;
    fn window_size(&self, window: WindowId) -> Size;
    /// The panes of a window, in their order.
    fn panes(&self, window: WindowId) -> Vec<PaneBox>;
    /// The pane of a window that is shown alone, if one is.
    fn zoomed(&self, _window: WindowId) -> Option<PaneId> {
        None
    }
    fn active_pane(&self, window: WindowId) -> Option<PaneId>;
    /// The pane that was active before.
    fn last_pane(&self, window: WindowId) -> Option<PaneId>;
    fn window_of(&self, pane: PaneId) -> Option<WindowId>;
    fn marked(&self) -> Option<ResolvedTarget>;
    /// The clients that show a session, the one used last first.
    fn clients(&self) -> Vec<ClientSpot>;
}

/// How much is meant by a target of a command that takes sessions, windows and panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Session,
    Window,
    Pane,
}

/// What a target resolves to: a pane with the window and the session that it is in. Of a session it is the current window's active
/// pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedTarget {
    pub session: SessionId,
    pub index: u32,
    pub window: WindowId,
    pub pane: PaneId,
}

/// A place for a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub session: SessionId,
    /// The number; the first that is free if none was named.
    pub index: Option<u32>,
}

/// What is current for the client or pane that a command comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Current {
    /// Where the command comes from: the caller's pane, or what its client shows.
    pub place: Option<ResolvedTarget>,
    /// The client it comes from.
    pub client: Option<ClientId>,
    /// Where the mouse was, in a binding of a mouse key.
    pub mouse: Option<ResolvedTarget>,
}

/// Why nothing was found, in tmux's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The server has no session.
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
    #[error("can't find pane: {0}")]
    Pane(String),
    /// A pane where the place for a window is named.
    #[error("can't specify pane here")]
    PaneHere,
    #[error("can't find client: {0}")]
    Client(String),
    /// No client shows a session.
    #[error("no current client")]
    NoClient,
}
