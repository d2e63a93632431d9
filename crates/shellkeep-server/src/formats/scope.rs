//! The scope of a format: the things its variables are about.

use std::borrow::Cow;
use std::collections::HashMap;

use shellkeep_command::format::{self, LocalTime, Loop, Named, Position, Source};
use shellkeep_command::options::{Scopes, View};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use crate::model::{Client, Model, Pane, Seconds, Session, Window};
use crate::process::wall;

/// A variable: its name, and the function for its value; None where it has no meaning.
pub(crate) type Variable = (&'static str, Getter);

pub(crate) type Getter = fn(&Scope<'_>) -> Option<Value>;

pub(crate) type Names = HashMap<&'static str, Getter>;

/// The value of a variable. Formats use its text; JSON also its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    /// A decimal number.
    Number(String),
    /// Seconds since 1970; 0 is never.
    Time(Seconds),
    Flag(bool),
    /// No value, with the text that tmux's formats have for it.
    Nothing(String),
}

impl Value {
    /// The text for a format.
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Nothing(text) => text,
            Self::Time(0) => String::new(),
            Self::Time(seconds) => seconds.to_string(),
            Self::Flag(is) => u8::from(is).to_string(),
        }
    }

    /// The text for a list of all variables, which shows times that never were, too.
    pub(crate) fn into_listed(self) -> String {
        match self {
            Self::Time(seconds) => seconds.to_string(),
            other => other.into_text(),
        }
    }

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

/// The things that variables are about.
#[derive(Clone)]
pub(crate) struct Scope<'a> {
    pub(crate) model: &'a Model,
    names: &'static Names,
    pub(crate) client: Option<&'a Client>,
    pub(crate) session: Option<&'a Session>,
    /// The window's index in the session.
    pub(crate) index: Option<u32>,
    pub(crate) window: Option<&'a Window>,
    pub(crate) pane: Option<&'a Pane>,
    /// Variables of the moment: the mouse, the running hook, the listed buffer.
    pub(crate) extra: Vec<(&'static str, String)>,
    /// The kind of thing that a list is about.
    pub(crate) about: About,
}

/// The kind of thing that a list is about, for `#{session_format}` and the like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum About {
    /// A client, or nothing.
    #[default]
    Nothing,
    Pane,
    Window,
    Session,
}

impl<'a> Scope<'a> {
    /// The scope of the whole server, during the running command.
    pub(crate) fn new(model: &'a Model, names: &'static Names) -> Self {
        let hook = model.changes.running.hook.as_ref();
        Self {
            model,
            names,
            client: None,
            session: None,
            index: None,
            window: None,
            pane: None,
            extra: hook.map(|hook| hook.formats.clone()).unwrap_or_default(),
            about: About::Nothing,
        }
    }

    pub(crate) fn client(mut self, id: Option<ClientId>) -> Self {
        self.client = id.and_then(|id| self.model.clients.get(&id));
        self
    }

    /// Sets the client, and its session.
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

    /// Sets the session, with its current window and pane.
    pub(crate) fn session(mut self, id: SessionId) -> Self {
        self.session = self.model.sessions.get(&id);
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

    /// Sets the window by its index in the session.
    pub(crate) fn link(mut self, index: u32) -> Self {
        let link = self.session.and_then(|session| session.links.get(&index));
        self.index = link.map(|_| index);
        self.window = link.and_then(|link| self.model.windows.get(&link.window));
        self.pane = self
            .window
            .and_then(|window| self.model.panes.get(&window.active));
        self.about = About::Window;
        self
    }

    /// Sets the window, in the session where it was used last.
    pub(crate) fn window(self, id: WindowId) -> Self {
        match self.model.session_with(id) {
            Some(session) => {
                let scope = self.session(session);
                let index = scope.session.and_then(|session| session.index_of(id));
                index.map_or(scope.clone(), |index| scope.link(index))
            }
            None => self,
        }
    }

    pub(crate) fn pane(mut self, id: PaneId) -> Self {
        self.pane = self.model.panes.get(&id);
        self.about = About::Pane;
        self
    }

    /// Sets session, window and pane from a target.
    pub(crate) fn found(self, current: ResolvedTarget) -> Self {
        self.session(current.session)
            .link(current.index)
            .pane(current.pane)
    }

    /// Adds a variable of the moment.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.extra.push((name, value.into()));
        self
    }

    pub(crate) fn expand(&self, template: &str) -> String {
        format::expand(template, self)
    }

    /// Expands a template, and then `strftime` codes.
    pub(crate) fn expand_time(&self, template: &str) -> String {
        format::expand_time(template, self)
    }

    /// Whether a template expands to something true.
    pub(crate) fn is_true(&self, template: &str) -> bool {
        format::is_true(&self.expand(template))
    }

    fn variable(&self, name: &str) -> Option<String> {
        let mut extra = self.extra.iter().rev();
        if let Some((_, value)) = extra.find(|(known, _)| *known == name) {
            return Some(value.clone());
        }
        // A variable without a meaning in this scope exists, and is empty.
        let value = self.names.get(name)?;
        Some(value(self).map(Value::into_text).unwrap_or_default())
    }

    /// All variables with a value in this scope: those of the tables by name, then those of the moment.
    pub(crate) fn all(&self) -> Vec<(&'static str, Value)> {
        let known = self.names.iter();
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
        // tmux looks up options first. No option has the name of a variable (a test checks that), and variables are
        // more frequent.
        self.variable(name)
            .or_else(|| self.option(name))
            .or_else(|| self.environment(name))
            .map(Cow::Owned)
    }

    fn now(&self) -> i64 {
        self.model.now()
    }

    fn local_time(&self, seconds: i64) -> LocalTime {
        wall::local_time(seconds)
    }

    fn job(&self, command: &str) -> String {
        let session = self.session.map(|session| session.id);
        self.model
            .figures
            .format_jobs
            .printed(command, session, self.model.now())
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
                for session in self.model.sessions_by_name() {
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
            Named::Session => self.model.has_session_named(name),
            Named::Window => self.session.is_some_and(|session| {
                let windows = session.links.values();
                let windows = windows.filter_map(|link| self.model.windows.get(&link.window));
                windows.into_iter().any(|window| window.name == name)
            }),
        }
    }
}

impl Scope<'_> {
    /// The value of an option: that of the pane, window, session or server.
    pub(crate) fn option(&self, name: &str) -> Option<String> {
        let state = self.model;
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
        let value = own.or_else(|| self.model.environ.get(name))?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

pub(crate) fn flag(is: bool) -> Option<Value> {
    Some(Value::Flag(is))
}

pub(crate) fn number(value: impl ToString) -> Option<Value> {
    Some(Value::Number(value.to_string()))
}

pub(crate) fn time(value: Seconds) -> Option<Value> {
    Some(Value::Time(value))
}

pub(crate) fn text(value: impl Into<String>) -> Option<Value> {
    Some(Value::Text(value.into()))
}

/// A list of names; an empty one is no value, as in tmux.
pub(crate) fn some_names(names: &[String]) -> Option<Value> {
    (!names.is_empty()).then(|| Value::Text(names.join(",")))
}

pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
