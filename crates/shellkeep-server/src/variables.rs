//! What a format's variables are worth: the model, seen from one client, session, window and pane.

mod client;
mod copy;
mod pane;
mod server;
mod session;
mod window;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use shellkeep_command::format::{self, LocalTime, Loop, Named, Position, Source};
use shellkeep_command::options::{Scopes, View};
use shellkeep_command::target::Found;
use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use crate::event_loop;
use crate::event_loop::Server;
use crate::state::{Client, Pane, Seconds, Session, Window};

/// A variable: its name, and what it is worth here; nothing where it has no meaning.
pub(crate) type Variable = (&'static str, Getter);

type Getter = fn(&Scope<'_>) -> Option<Value>;

/// What a variable is worth. Formats want its text; JSON wants to know what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    /// In decimal.
    Number(String),
    /// Seconds since 1970; 0 is never.
    Time(Seconds),
    Flag(bool),
    /// Nothing, for which tmux's formats have these words.
    Nothing(String),
}

impl Value {
    /// As a format shows it.
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Nothing(text) => text,
            Self::Time(0) => String::new(),
            Self::Time(seconds) => seconds.to_string(),
            Self::Flag(is) => u8::from(is).to_string(),
        }
    }

    /// As a list of all variables shows it: a time that never was, too.
    pub(crate) fn into_listed(self) -> String {
        match self {
            Self::Time(seconds) => seconds.to_string(),
            other => other.into_text(),
        }
    }

    /// As JSON has it.
    pub(crate) fn into_json(self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Number(text) => match text.parse::<i64>() {
                Ok(number) => number.into(),
                Err(_) => text.into(),
            },
            Self::Time(0) | Self::Nothing(_) => serde_json::Value::Null,
            Self::Time(seconds) => seconds.into(),
            Self::Flag(is) => is.into(),
        }
    }
}

// The tables, by what their variables are about.
pub(crate) use client::TABLE as CLIENT;
pub(crate) use pane::{TABLE as PANE, current_path};
pub(crate) use server::TABLE as SERVER;
pub(crate) use session::TABLE as SESSION;
pub(crate) use window::TABLE as WINDOW;

/// Those of the tables with these names.
pub(crate) fn named(names: &[&'static str]) -> Vec<Variable> {
    let known = names.iter().filter_map(|name| BY_NAME.get_key_value(name));
    known.map(|(name, value)| (*name, *value)).collect()
}

/// All of them by name. A list of a thousand panes asks twenty thousand times.
static BY_NAME: LazyLock<HashMap<&'static str, Getter>> = LazyLock::new(|| {
    let tables = [SERVER, CLIENT, SESSION, WINDOW, PANE, copy::TABLE];
    tables.into_iter().flatten().copied().collect()
});

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
    /// A client, or nothing at all.
    #[default]
    Nothing,
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
            extra: self.hook_formats(),
            about: About::Nothing,
        }
    }

    /// What formats know of the hook that runs.
    fn hook_formats(&self) -> Vec<(&'static str, String)> {
        let running = self
            .state
            .running()
            .and_then(|id| self.commands.queues.get(&id));
        let hook = running.and_then(|queue| queue.current.hook.as_ref());
        hook.map(|hook| hook.formats.clone()).unwrap_or_default()
    }
}

impl<'a> Scope<'a> {
    /// Seen by a client.
    pub(crate) fn client(mut self, id: Option<ClientId>) -> Self {
        self.client = id.and_then(|id| self.server.state.clients.get(&id));
        self
    }

    /// Seen by a client, in the session it shows.
    pub(crate) fn of_client(self, id: ClientId) -> Self {
        let scope = self.client(Some(id));
        match scope.client.and_then(|client| client.session) {
            Some(session) => Self {
                about: About::Nothing,
                ..scope.session(session)
            },
            None => scope,
        }
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
        let mut extra = self.extra.iter().rev();
        if let Some((_, value)) = extra.find(|(known, _)| *known == name) {
            return Some(value.clone());
        }
        // A variable that has no meaning here is known all the same, and worth nothing.
        let value = BY_NAME.get(name)?;
        Some(value(self).map(Value::into_text).unwrap_or_default())
    }

    /// Every variable that is worth something here: those of the tables by name, then those of the moment.
    pub(crate) fn all(&self) -> Vec<(&'static str, Value)> {
        let known = BY_NAME.iter();
        let known = known.filter_map(|(name, value)| Some((*name, value(self)?)));
        let mut all: Vec<(&'static str, Value)> = known.collect();
        all.sort_by_key(|(name, _)| *name);
        let extra = self.extra.iter().cloned();
        all.extend(extra.map(|(name, value)| (name, Value::Text(value))));
        all
    }
}

impl Source for Scope<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        // tmux asks for options first; none is called like a variable (a test sees to it), and variables are
        // asked for most.
        self.variable(name)
            .or_else(|| self.option(name))
            .or_else(|| self.environment(name))
            .map(Cow::Owned)
    }

    fn now(&self) -> i64 {
        self.server.state.now()
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
                for session in event_loop::sessions_by_name(&self.server.state) {
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
        let pane = match (self.pane, self.window) {
            (Some(pane), _) => state.pane_options(pane.id),
            (None, Some(window)) => state.window_options(window.id),
            (None, None) => View::of(&state.options.window),
        };
        let scopes = Scopes {
            server: state.options.server(),
            session: state.session_options(self.session.map(|session| session.id)),
            pane,
        };
        scopes.in_format(name)
    }

    fn environment(&self, name: &str) -> Option<String> {
        let own = self.session.and_then(|session| session.environ.get(name));
        let value = own.or_else(|| self.server.state.environ.get(name))?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

/// True or false.
fn flag(is: bool) -> Option<Value> {
    Some(Value::Flag(is))
}

fn number(value: impl ToString) -> Option<Value> {
    Some(Value::Number(value.to_string()))
}

fn time(value: Seconds) -> Option<Value> {
    Some(Value::Time(value))
}

fn text(value: impl Into<String>) -> Option<Value> {
    Some(Value::Text(value.into()))
}

/// A list of names; none at all is no value, as in tmux.
fn some_names(names: &[String]) -> Option<Value> {
    (!names.is_empty()).then(|| Value::Text(names.join(",")))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_one_table_and_are_no_options() {
        let tables = [SERVER, CLIENT, SESSION, WINDOW, PANE, copy::TABLE];
        let names: Vec<&str> = tables
            .into_iter()
            .flatten()
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(names.len(), BY_NAME.len(), "a name stands twice");
        for name in names {
            // Variables are looked up before options, which is right only while this holds.
            assert!(shellkeep_command::options::known(name).is_none(), "{name}");
        }
    }

    /// Those of the manual of tmux 3.3a, and what `display-message -a` has beside them.
    const TMUX: &str = include_str!("variables/tmux-3.3a-variables.txt");

    /// What is worth something only for a moment: they are given to a scope by whoever lists buffers or commands, or runs a hook.
    const OF_A_MOMENT: &[&str] = &[
        "buffer_created",
        "buffer_name",
        "buffer_sample",
        "buffer_size",
        "command",
        "command_list_alias",
        "command_list_name",
        "command_list_usage",
        "hook",
        "hook_client",
        "hook_pane",
        "hook_session",
        "hook_session_name",
        "hook_window",
        "hook_window_name",
        "line",
    ];

    #[test]
    fn variables_of_tmux_are_all_known() {
        let missing: Vec<&str> = TMUX
            .lines()
            .filter(|name| !BY_NAME.contains_key(name) && !OF_A_MOMENT.contains(name))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(TMUX.lines().count() > 180);
    }

    #[test]
    fn value_is_what_it_is_in_json() {
        assert_eq!(Value::Number("-7".to_owned()).into_json(), -7);
        assert_eq!(Value::Flag(true).into_json(), true);
        assert_eq!(Value::Text("7".to_owned()).into_json(), "7");
        assert_eq!(Value::Flag(true).into_text(), "1");
    }
}
