//! What happened to the model, for whoever wants to hear of it: hooks, control clients, the event stream.

use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use crate::hibernation::report::Report;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    SessionCreated(SessionId),
    SessionClosed {
        id: SessionId,
        name: String,
    },
    SessionRenamed(SessionId),
    /// Another of its windows is shown.
    SessionWindowChanged(SessionId),
    ClientAttached(ClientId),
    ClientDetached {
        client: ClientId,
        name: String,
        session: SessionId,
    },
    ClientSessionChanged(ClientId),
    ClientResized(ClientId),
    /// It has become the one used last of those that show its session.
    ClientActive(ClientId),
    ClientFocusIn(ClientId),
    ClientFocusOut(ClientId),
    WindowLinked {
        session: SessionId,
        window: WindowId,
    },
    WindowUnlinked {
        session: SessionId,
        /// The session's name: it may be gone with its windows.
        name: String,
        window: WindowId,
    },
    WindowRenamed(WindowId),
    WindowLayoutChanged(WindowId),
    WindowResized(WindowId),
    /// Another of its panes is active.
    WindowPaneChanged(WindowId),
    /// Its program has ended, and so did the pane.
    PaneExited {
        pane: PaneId,
        window: WindowId,
    },
    /// Its program has ended, and the pane remains.
    PaneDied(PaneId),
    /// It sleeps.
    PaneHibernated(PaneId),
    /// It was to sleep, and is awake.
    PaneHibernateFailed {
        pane: PaneId,
        reason: String,
    },
    /// It is awake again.
    PaneRevived {
        pane: PaneId,
        report: Box<Report>,
    },
    /// It was to wake, and sleeps on.
    PaneReviveFailed {
        pane: PaneId,
        reason: String,
    },
    /// All its panes sleep.
    SessionHibernated(SessionId),
    /// One of its panes was to sleep, and is awake.
    SessionHibernateFailed {
        session: SessionId,
        reason: String,
    },
    /// All of it slept, and one of its panes is awake again.
    SessionRevived {
        session: SessionId,
        report: Box<Report>,
    },
    /// One of its panes was to wake, and sleeps on.
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
