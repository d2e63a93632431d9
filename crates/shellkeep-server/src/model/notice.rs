//! What has happened to the model, for hooks and control clients.

use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use crate::hibernation::report::Report;

/// Something that has happened to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    SessionCreated(SessionId),
    SessionClosed {
        id: SessionId,
        name: String,
    },
    SessionRenamed(SessionId),
    /// The session's current window has changed.
    SessionWindowChanged(SessionId),
    ClientAttached(ClientId),
    ClientDetached {
        client: ClientId,
        name: String,
        session: SessionId,
    },
    ClientSessionChanged(ClientId),
    ClientResized(ClientId),
    /// The client has become the one used last of those attached to its session.
    ClientActive(ClientId),
    ClientFocusIn(ClientId),
    ClientFocusOut(ClientId),
    WindowLinked {
        session: SessionId,
        window: WindowId,
    },
    WindowUnlinked {
        session: SessionId,
        /// The session's name: the session may be gone.
        name: String,
        window: WindowId,
    },
    WindowRenamed(WindowId),
    WindowLayoutChanged(WindowId),
    WindowResized(WindowId),
    /// The window's active pane has changed.
    WindowPaneChanged(WindowId),
    /// The pane's program has ended, and the pane is closed.
    PaneExited {
        pane: PaneId,
        window: WindowId,
    },
    /// The pane's program has ended, and the pane remains.
    PaneDied(PaneId),
    /// The pane is asleep.
    PaneHibernated(PaneId),
    /// The pane was to sleep and stays awake.
    PaneHibernateFailed {
        pane: PaneId,
        reason: String,
    },
    /// The pane is awake.
    PaneRevived {
        pane: PaneId,
        report: Box<Report>,
    },
    /// The pane was to wake and stays asleep.
    PaneReviveFailed {
        pane: PaneId,
        reason: String,
    },
    /// All panes of the session are asleep.
    SessionHibernated(SessionId),
    /// A pane of the session was to sleep and stays awake.
    SessionHibernateFailed {
        session: SessionId,
        reason: String,
    },
    /// The session was asleep, and one of its panes is awake.
    SessionRevived {
        session: SessionId,
        report: Box<Report>,
    },
    /// A pane of the session was to wake and stays asleep.
    SessionReviveFailed {
        session: SessionId,
        reason: String,
    },
    PaneModeChanged(PaneId),
    PaneTitleChanged(PaneId),
    PaneFocusIn(PaneId),
    PaneFocusOut(PaneId),
    PaneSetClipboard(PaneId),
    AlertBell {
        session: SessionId,
        window: WindowId,
    },
    AlertActivity {
        session: SessionId,
        window: WindowId,
    },
    AlertSilence {
        session: SessionId,
        window: WindowId,
    },
}
