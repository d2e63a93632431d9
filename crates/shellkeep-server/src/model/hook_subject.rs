//! The subject of a hook: the session, window, pane or client that an event was about.

use shellkeep_command::options::{OptionSpec, Options, Scope, Value};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use crate::commands::queue::Hook;
use crate::model::Model;
use crate::model::notice::Notice;

/// The subject of a notice, for `#{hook_session}` and the other `hook_` variables.
#[derive(Default)]
pub(crate) struct About {
    current: Option<ResolvedTarget>,
    formats: Vec<(&'static str, String)>,
}

impl About {
    fn at(current: Option<ResolvedTarget>) -> Self {
        Self {
            current,
            formats: Vec::new(),
        }
    }

    fn session(mut self, id: SessionId, name: &str) -> Self {
        self.formats.push(("hook_session", id.to_string()));
        self.formats.push(("hook_session_name", name.to_owned()));
        self
    }

    fn window(mut self, id: WindowId, name: &str) -> Self {
        self.formats.push(("hook_window", id.to_string()));
        self.formats.push(("hook_window_name", name.to_owned()));
        self
    }

    fn pane(mut self, id: PaneId) -> Self {
        self.formats.push(("hook_pane", id.to_string()));
        self
    }

    fn reason(self, reason: &str) -> Self {
        self.with(vec![("hook_reason", reason.to_owned())])
    }

    fn with(mut self, formats: Vec<(&'static str, String)>) -> Self {
        self.formats.extend(formats);
        self
    }

    pub(crate) fn hook(mut self, name: &str) -> Hook {
        self.formats.insert(0, ("hook", name.to_owned()));
        Hook {
            current: self.current,
            formats: self.formats,
        }
    }

    fn client(mut self, name: String) -> Self {
        self.formats.push(("hook_client", name));
        self
    }
}

/// Whether a hook is set in any scope. Most are not, and then no subject is computed.
pub(crate) fn is_hook_set(state: &Model, spec: &OptionSpec) -> bool {
    let has = |options: &Options| match options.get(spec.name) {
        Some(Value::Array(items)) => !items.is_empty(),
        _ => false,
    };
    if has(state.options.of(spec.scope)) {
        return true;
    }
    match spec.scope {
        Scope::Server => false,
        Scope::Session => state.sessions.values().any(|one| has(&one.options)),
        Scope::Window => state.windows.values().any(|one| has(&one.options)),
        Scope::Pane => {
            state.panes.values().any(|one| has(&one.options))
                || state.windows.values().any(|one| has(&one.options))
        }
    }
}

pub(crate) fn about(state: &Model, notice: &Notice) -> About {
    match notice {
        Notice::SessionCreated(id)
        | Notice::SessionRenamed(id)
        | Notice::SessionHibernated(id)
        | Notice::SessionWindowChanged(id) => about_session(state, *id),
        Notice::SessionRevived { session, report } => {
            about_session(state, *session).with(report.formats())
        }
        Notice::SessionHibernateFailed { session, reason }
        | Notice::SessionReviveFailed { session, reason } => {
            about_session(state, *session).reason(reason)
        }
        Notice::PaneRevived { pane, report } => about_pane(state, *pane).with(report.formats()),
        Notice::PaneHibernateFailed { pane, reason }
        | Notice::PaneReviveFailed { pane, reason } => about_pane(state, *pane).reason(reason),
        Notice::SessionClosed { id, name } => About::default().session(*id, name),
        Notice::ClientAttached(id)
        | Notice::ClientSessionChanged(id)
        | Notice::ClientActive(id)
        | Notice::ClientFocusIn(id)
        | Notice::ClientFocusOut(id)
        | Notice::ClientResized(id) => about_client(state, *id),
        Notice::ClientDetached { name, session, .. } => {
            About::at(state.place_in(*session)).client(name.clone())
        }
        Notice::WindowUnlinked {
            session,
            name,
            window,
        } => about_link(state, (*session, name), *window),
        Notice::WindowLinked { session, window }
        | Notice::AlertBell { session, window }
        | Notice::AlertActivity { session, window }
        | Notice::AlertSilence { session, window } => {
            let name = state.session_name(*session);
            about_link(state, (*session, &name), *window)
        }
        Notice::WindowRenamed(id)
        | Notice::WindowLayoutChanged(id)
        | Notice::WindowResized(id)
        | Notice::WindowPaneChanged(id) => {
            let window = state.windows.get(id);
            let current = window.and_then(|window| state.place_of(window.active));
            About::at(current).window(*id, window.map_or("", |window| &window.name))
        }
        Notice::PaneExited { pane, .. }
        | Notice::PaneDied(pane)
        | Notice::PaneHibernated(pane)
        | Notice::PaneModeChanged(pane)
        | Notice::PaneTitleChanged(pane)
        | Notice::PaneFocusIn(pane)
        | Notice::PaneFocusOut(pane)
        | Notice::PaneSetClipboard(pane) => about_pane(state, *pane),
    }
}

fn about_pane(state: &Model, id: PaneId) -> About {
    About::at(state.place_of(id)).pane(id)
}

fn about_session(state: &Model, id: SessionId) -> About {
    About::at(state.place_in(id)).session(id, &state.session_name(id))
}

fn about_client(state: &Model, id: ClientId) -> About {
    let Some(client) = state.clients.get(&id) else {
        return About::default();
    };
    let session = client.session;
    About::at(session.and_then(|id| state.place_in(id))).client(client.name())
}

/// A window in a session. If it is linked there no longer, there is no current target, so the hook's commands run on
/// what was used last.
fn about_link(state: &Model, (session, name): (SessionId, &str), id: WindowId) -> About {
    let window = state.windows.get(&id);
    let found = window.and_then(|window| {
        let index = state.sessions.get(&session)?.index_of(window.id)?;
        Some(ResolvedTarget {
            session,
            index,
            window: window.id,
            pane: window.active,
        })
    });
    About::at(found)
        .session(session, name)
        .window(id, window.map_or("", |window| &window.name))
}

/// The name of the hook that a notice runs.
pub(crate) fn name_of(notice: &Notice) -> &'static str {
    match notice {
        Notice::SessionCreated(_) => "session-created",
        Notice::SessionClosed { .. } => "session-closed",
        Notice::SessionRenamed(_) => "session-renamed",
        Notice::SessionWindowChanged(_) => "session-window-changed",
        Notice::ClientAttached(_) => "client-attached",
        Notice::ClientDetached { .. } => "client-detached",
        Notice::ClientSessionChanged(_) => "client-session-changed",
        Notice::ClientResized(_) => "client-resized",
        Notice::ClientActive(_) => "client-active",
        Notice::ClientFocusIn(_) => "client-focus-in",
        Notice::ClientFocusOut(_) => "client-focus-out",
        Notice::WindowLinked { .. } => "window-linked",
        Notice::WindowUnlinked { .. } => "window-unlinked",
        Notice::WindowRenamed(_) => "window-renamed",
        Notice::WindowLayoutChanged(_) => "window-layout-changed",
        Notice::WindowResized(_) => "window-resized",
        Notice::WindowPaneChanged(_) => "window-pane-changed",
        Notice::PaneExited { .. } => "pane-exited",
        Notice::PaneDied(_) => "pane-died",
        Notice::PaneHibernated(_) => "pane-hibernated",
        Notice::PaneHibernateFailed { .. } => "pane-hibernate-failed",
        Notice::PaneRevived { .. } => "pane-revived",
        Notice::PaneReviveFailed { .. } => "pane-revive-failed",
        Notice::SessionHibernateFailed { .. } => "session-hibernate-failed",
        Notice::SessionReviveFailed { .. } => "session-revive-failed",
        Notice::SessionHibernated(_) => "session-hibernated",
        Notice::SessionRevived { .. } => "session-revived",
        Notice::PaneModeChanged(_) => "pane-mode-changed",
        Notice::PaneTitleChanged(_) => "pane-title-changed",
        Notice::PaneFocusIn(_) => "pane-focus-in",
        Notice::PaneFocusOut(_) => "pane-focus-out",
        Notice::PaneSetClipboard(_) => "pane-set-clipboard",
        Notice::AlertBell { .. } => "alert-bell",
        Notice::AlertActivity { .. } => "alert-activity",
        Notice::AlertSilence { .. } => "alert-silence",
    }
}
