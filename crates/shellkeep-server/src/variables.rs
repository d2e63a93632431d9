//! What a format's variables are worth: the model, seen from one client, session, window and pane.

mod client;
mod copy;
mod pane;
mod server;
mod session;
mod window;

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use shellkeep_command::format::{self, LocalTime, Loop, Named, Position, Source};
use shellkeep_command::options::View;
use shellkeep_command::target::Found;
use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use crate::event_loop::Server;
use crate::state::{Client, Pane, Session, Window};

/// A variable: its name, and what it is worth here; nothing where it has no meaning.
type Variable = (&'static str, fn(&Scope<'_>) -> Option<String>);

/// From where a format is seen.
#[derive(Clone)]
pub(crate) struct Scope<'a> {
    pub(crate) server: &'a Server,
    pub(crate) client: Option<&'a Client>,
    pub(crate) session: Option<&'a Session>,
    /// The window's number in the session.
    pub(crate) index: Option<u32>,
    pub(crate) window: Option<&'a Window>,
    pub(crate) pane: Option<&'a Pane>,
    /// What is worth something only for the moment: where the mouse is, which hook runs, which buffer is listed.
    pub(crate) extra: Vec<(&'static str, String)>,
    /// What kind of thing a list is about.
    pub(crate) about: About,
}

/// What kind of thing a list is about, for `#{session_format}` and its like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum About {
    #[default]
    Pane,
    Window,
    Session,
}

impl Server {
    /// Seen from nowhere in particular.
    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope {
            server: self,
            client: None,
            session: None,
            index: None,
            window: None,
            pane: None,
            extra: Vec::new(),
            about: About::Pane,
        }
    }
}

impl<'a> Scope<'a> {
    /// Seen by a client.
    pub(crate) fn client(mut self, id: Option<ClientId>) -> Self {
        self.client = id.and_then(|id| self.server.state.clients.get(&id));
        self
    }

    /// Seen from a session, in its current window and pane.
    pub(crate) fn session(mut self, id: SessionId) -> Self {
        self.session = self.server.state.sessions.get(&id);
        self.about = About::Session;
        let index = self.session.map(|session| session.current);
        match index {
            Some(index) => Self {
                about: About::Session,
                ..self.link(index)
            },
            None => self,
        }
    }

    /// Seen from a window of the session.
    pub(crate) fn link(mut self, index: u32) -> Self {
        let link = self.session.and_then(|session| session.links.get(&index));
        self.index = link.map(|_| index);
        self.window = link.and_then(|link| self.server.state.windows.get(&link.window));
        self.pane = self
            .window
            .and_then(|window| self.server.state.panes.get(&window.active));
        self.about = About::Window;
        self
    }

    /// Seen from a window, in the session where it was used last.
    pub(crate) fn window(self, id: WindowId) -> Self {
        match self.server.state.session_with(id) {
            Some(session) => {
                let scope = self.session(session);
                let index = scope.session.and_then(|session| session.index_of(id));
                index.map_or(scope.clone(), |index| scope.link(index))
            }
            None => self,
        }
    }

    /// Seen from a pane of the window.
    pub(crate) fn pane(mut self, id: PaneId) -> Self {
        self.pane = self.server.state.panes.get(&id);
        self.about = About::Pane;
        self
    }

    /// Seen from what is current somewhere.
    pub(crate) fn found(self, current: Found) -> Self {
        self.session(current.session)
            .link(current.index)
            .pane(current.pane)
    }

    /// With a variable of the moment.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.extra.push((name, value.into()));
        self
    }

    /// Fills a template in.
    pub(crate) fn expand(&self, template: &str) -> String {
        format::expand(template, self)
    }

    /// Fills a template in, with times.
    pub(crate) fn expand_time(&self, template: &str) -> String {
        format::expand_time(template, self)
    }

    /// Whether a template comes to something true.
    pub(crate) fn is_true(&self, template: &str) -> bool {
        format::is_true(&self.expand(template))
    }

    fn variable(&self, name: &str) -> Option<String> {
        if let Some((_, value)) = self.extra.iter().rev().find(|(known, _)| *known == name) {
            return Some(value.clone());
        }
        let (_, value) = table(name)?.iter().find(|(known, _)| *known == name)?;
        // A variable that has no meaning here is known all the same, and worth nothing.
        Some(value(self).unwrap_or_default())
    }

    /// Every variable that is worth something here, by name.
    pub(crate) fn all(&self) -> Vec<(&'static str, String)> {
        let tables = [
            server::TABLE,
            client::TABLE,
            session::TABLE,
            window::TABLE,
            pane::TABLE,
            copy::TABLE,
        ];
        let known = tables.into_iter().flatten();
        let known = known.filter_map(|(name, value)| Some((*name, value(self)?)));
        let mut all: Vec<(&'static str, String)> =
            known.chain(self.extra.iter().cloned()).collect();
        all.sort();
        all
    }
}

/// The table a name would be in.
fn table(name: &str) -> Option<&'static [Variable]> {
    let head = name.split('_').next().unwrap_or(name);
    let first = match head {
        "client" => client::TABLE,
        "session" => session::TABLE,
        "window" => window::TABLE,
        "pane" => pane::TABLE,
        _ => server::TABLE,
    };
    let tables = [
        first,
        server::TABLE,
        pane::TABLE,
        window::TABLE,
        session::TABLE,
        copy::TABLE,
    ];
    tables
        .into_iter()
        .find(|table| table.iter().any(|(known, _)| *known == name))
}

impl Source for Scope<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        self.option(name)
            .or_else(|| self.variable(name))
            .or_else(|| self.environment(name))
            .map(Cow::Owned)
    }

    fn now(&self) -> i64 {
        self.server.now()
    }

    fn local_time(&self, seconds: i64) -> LocalTime {
        let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
        let zone = TimeZone::system();
        let info = zone.to_offset_info(time);
        LocalTime::new(seconds, info.offset().seconds(), info.abbreviation())
    }

    fn job(&self, command: &str) -> String {
        self.server
            .format_job(command, self.session.map(|session| session.id))
    }

    fn for_each(&self, what: Loop, visit: &mut dyn FnMut(&dyn Source, Position)) {
        let at = |is_current| {
            if is_current {
                Position::Current
            } else {
                Position::Other
            }
        };
        match what {
            Loop::Sessions => {
                for session in self.server.sessions_by_name() {
                    let is_current = self.session.is_some_and(|own| own.id == session.id);
                    visit(&self.clone().session(session.id), at(is_current));
                }
            }
            Loop::Windows => {
                let Some(session) = self.session else { return };
                for index in session.links.keys() {
                    let is_current = *index == session.current;
                    visit(&self.clone().link(*index), at(is_current));
                }
            }
            Loop::Panes => {
                let Some(window) = self.window else { return };
                for pane in window.panes() {
                    let is_current = *pane == window.active;
                    visit(&self.clone().pane(*pane), at(is_current));
                }
            }
        }
    }

    fn search_pane(&self, fits: &dyn Fn(&str) -> bool) -> usize {
        let Some(pane) = self.pane else { return 0 };
        let emulator = pane.screen.lock();
        let found = emulator.rows().position(|row| fits(row.text().trim_end()));
        found.map_or(0, |row| row + 1)
    }

    fn has_name(&self, what: Named, name: &str) -> bool {
        match what {
            Named::Session => self.server.state.has_session_named(name),
            Named::Window => self.session.is_some_and(|session| {
                let windows = session.links.values();
                let windows =
                    windows.filter_map(|link| self.server.state.windows.get(&link.window));
                windows.into_iter().any(|window| window.name == name)
            }),
        }
    }
}

impl Scope<'_> {
    /// An option's value: the pane's and window's, the session's, the server's.
    pub(crate) fn option(&self, name: &str) -> Option<String> {
        let state = &self.server.state;
        let window = match (self.pane, self.window) {
            (Some(pane), _) => state.pane_options(pane.id),
            (None, Some(window)) => state.window_options(window.id),
            (None, None) => View::of(&state.options.window),
        };
        let session = state.session_options(self.session.map(|session| session.id));
        window
            .in_format(name)
            .or_else(|| session.in_format(name))
            .or_else(|| state.options.server().in_format(name))
    }

    fn environment(&self, name: &str) -> Option<String> {
        let own = self.session.and_then(|session| session.environ.get(name));
        let value = own.or_else(|| self.server.state.environ.get(name))?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

/// `1` or `0`.
fn flag(is: bool) -> Option<String> {
    Some(u8::from(is).to_string())
}

fn number(value: impl ToString) -> Option<String> {
    Some(value.to_string())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
