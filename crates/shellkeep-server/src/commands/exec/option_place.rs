//! Which set of options a command is about: tmux's rules for `-s`, `-g`, `-w`, `-p` and `-t`.

use shellkeep_command::Target;
use shellkeep_command::options::{OptionName, Scope, View};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{PaneId, SessionId, WindowId};

use crate::commands::queue::Caller;
use crate::commands::targets;
use crate::model::{Model, Options};
use crate::server::Server;

/// The command's flags.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub(crate) struct Asked<'a> {
    pub(crate) server: bool,
    pub(crate) global: bool,
    pub(crate) window: bool,
    pub(crate) pane: bool,
    pub(crate) target: Option<&'a str>,
    pub(crate) kind: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionSet {
    Server,
    Sessions,
    Windows,
    Session(SessionId),
    Window(WindowId),
    Pane(PaneId),
}

impl Asked<'_> {
    /// The resolved target, if it exists.
    pub(crate) fn found(&self, server: &Server, caller: &Caller) -> Option<ResolvedTarget> {
        targets::find(&server.model, caller, self.target, self.kind).ok()
    }

    /// The set an option belongs to.
    pub(crate) fn place_of(
        &self,
        server: &Server,
        caller: &Caller,
        name: &OptionName,
    ) -> Result<OptionSet, String> {
        let Some(spec) = name.spec() else {
            return self.place(server, caller);
        };
        let found = self.found(server, caller);
        match spec.scope {
            Scope::Server => Ok(OptionSet::Server),
            Scope::Session => self.session(found),
            Scope::Pane if self.pane => self.pane(found),
            Scope::Window | Scope::Pane => self.window(found),
        }
    }

    /// The set that the flags name, for user options and for listing all.
    pub(crate) fn place(&self, server: &Server, caller: &Caller) -> Result<OptionSet, String> {
        let found = self.found(server, caller);
        if self.server {
            Ok(OptionSet::Server)
        } else if self.pane {
            self.pane(found)
        } else if self.window {
            self.window(found)
        } else {
            self.session(found)
        }
    }

    fn session(&self, found: Option<ResolvedTarget>) -> Result<OptionSet, String> {
        match found {
            _ if self.global => Ok(OptionSet::Sessions),
            Some(found) => Ok(OptionSet::Session(found.session)),
            None => Err(self.missing("session")),
        }
    }

    fn window(&self, found: Option<ResolvedTarget>) -> Result<OptionSet, String> {
        match found {
            _ if self.global => Ok(OptionSet::Windows),
            Some(found) => Ok(OptionSet::Window(found.window)),
            None => Err(self.missing("window")),
        }
    }

    fn pane(&self, found: Option<ResolvedTarget>) -> Result<OptionSet, String> {
        match found {
            Some(found) => Ok(OptionSet::Pane(found.pane)),
            None => Err(self.missing("pane")),
        }
    }

    fn missing(&self, what: &str) -> String {
        match self.target {
            Some(target) => format!("no such {what}: {target}"),
            None => format!("no current {what}"),
        }
    }
}

impl OptionSet {
    pub(crate) fn scope(self) -> Scope {
        match self {
            Self::Server => Scope::Server,
            Self::Sessions | Self::Session(_) => Scope::Session,
            Self::Windows | Self::Window(_) => Scope::Window,
            Self::Pane(_) => Scope::Pane,
        }
    }

    /// The set, and its fallbacks.
    pub(crate) fn sets(self, state: &Model) -> Option<(&Options, View<'_>)> {
        let global = &state.options;
        Some(match self {
            Self::Server => (&global.server, View::default()),
            Self::Sessions => (&global.session, View::default()),
            Self::Windows => (&global.window, View::default()),
            Self::Session(id) => (&state.sessions.get(&id)?.options, global.sessions()),
            Self::Window(id) => (&state.windows.get(&id)?.options, View::of(&global.window)),
            Self::Pane(id) => {
                let pane = state.panes.get(&id)?;
                let window = state.windows.get(&pane.window);
                let parents = window.map_or(View::of(&global.window), |window| {
                    View::over(&window.options, &global.window)
                });
                (&pane.options, parents)
            }
        })
    }

    /// The set for changing, and its fallbacks.
    pub(crate) fn sets_mut(self, state: &mut Model) -> Option<(&mut Options, View<'_>)> {
        let global = &mut state.options;
        Some(match self {
            Self::Server => (&mut global.server, View::default()),
            Self::Sessions => (&mut global.session, View::default()),
            Self::Windows => (&mut global.window, View::default()),
            Self::Session(id) => (
                &mut state.sessions.get_mut(&id)?.options,
                View::of(&global.session),
            ),
            Self::Window(id) => (
                &mut state.windows.get_mut(&id)?.options,
                View::of(&global.window),
            ),
            Self::Pane(id) => {
                let pane = state.panes.get_mut(&id)?;
                let window = state.windows.get(&pane.window);
                let parents = match window {
                    Some(window) => View::over(&window.options, &global.window),
                    None => View::of(&global.window),
                };
                (&mut pane.options, parents)
            }
        })
    }

    /// Marks the notes of the set as due.
    pub(crate) fn note(self, server: &mut Server) {
        match self {
            Self::Server | Self::Sessions | Self::Windows => server.model.server_note_due(),
            Self::Session(id) => server.model.session_note_due(id),
            Self::Window(id) => server.model.window_note_due(id),
            Self::Pane(id) => {
                let window = server.model.panes.get(&id).map(|pane| pane.window);
                if let Some(window) = window {
                    server.model.window_note_due(window);
                }
            }
        }
    }
}
