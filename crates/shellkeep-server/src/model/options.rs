//! The global options: those of the server, and the defaults of all sessions and all windows.

use shellkeep_command::options::{Level, OptionError, Scope, View};

pub(crate) use shellkeep_command::options::Options;

/// Names and values as text, as the notes have them.
type Pairs = Vec<(String, String)>;

/// The three global sets, which end every lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GlobalOptions {
    pub(crate) server: Options,
    pub(crate) session: Options,
    pub(crate) window: Options,
}

impl Default for GlobalOptions {
    fn default() -> Self {
        Self {
            server: Options::new(Level::Global),
            session: Options::new(Level::Global),
            window: Options::new(Level::Global),
        }
    }
}

impl GlobalOptions {
    /// The global set of a scope.
    pub(crate) fn of(&self, scope: Scope) -> &Options {
        match scope {
            Scope::Server => &self.server,
            Scope::Session => &self.session,
            Scope::Window | Scope::Pane => &self.window,
        }
    }

    pub(crate) fn of_mut(&mut self, scope: Scope) -> &mut Options {
        match scope {
            Scope::Server => &mut self.server,
            Scope::Session => &mut self.session,
            Scope::Window | Scope::Pane => &mut self.window,
        }
    }

    pub(crate) fn server(&self) -> View<'_> {
        View::of(&self.server)
    }

    pub(crate) fn sessions(&self) -> View<'_> {
        View::of(&self.session)
    }

    /// The options of a session that has these of its own.
    pub(crate) fn session<'a>(&'a self, own: &'a Options) -> View<'a> {
        View::over(own, &self.session)
    }

    /// The sets that the notes describe. An option of the table goes into the set it belongs to, whichever set it was
    /// noted in; a user option stays in the set it was noted in.
    pub(crate) fn restore(notes: &[(Scope, &Pairs)]) -> Self {
        let restore = |wanted: &[Scope]| {
            let noted = notes.iter().flat_map(|(scope, pairs)| {
                let pairs = pairs.iter();
                pairs.map(move |(name, text)| (*scope, name.as_str(), text.as_str()))
            });
            let here = noted.filter(|(noted, name, _)| {
                let bare = name.split('[').next().unwrap_or(name);
                let spec = shellkeep_command::options::known(bare);
                wanted.contains(&spec.map_or(*noted, |spec| spec.scope))
            });
            Options::restore(Level::Global, here.map(|(_, name, text)| (name, text)))
        };
        Self {
            server: restore(&[Scope::Server]),
            session: restore(&[Scope::Session]),
            window: restore(&[Scope::Window, Scope::Pane]),
        }
    }
}

/// The message for a name or value that is refused.
pub(crate) fn refusal(error: &OptionError) -> String {
    match error.hint() {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_command::options::{Change, find};

    use super::*;

    #[test]
    fn options_noted_are_restored_to_their_sets() {
        let mut options = GlobalOptions::default();
        for (scope, name, text) in [
            (Scope::Server, "escape-time", "7"),
            (Scope::Server, "@u", "server"),
            (Scope::Session, "status-format[0]", "a, b"),
            (Scope::Session, "@u", "session"),
            (Scope::Pane, "remain-on-exit", "on"),
            (Scope::Window, "@u", "window"),
        ] {
            let name = find(name).unwrap();
            let set = options.of_mut(scope);
            set.change(&name, Change::Set(Some(text)), View::default())
                .unwrap();
        }
        let [server, session, window]: [Pairs; 3] =
            [&options.server, &options.session, &options.window].map(|set| set.pairs().collect());
        let notes = [
            (Scope::Server, &server),
            (Scope::Session, &session),
            (Scope::Window, &window),
        ];
        assert_eq!(GlobalOptions::restore(&notes), options);
        // A server of an earlier version noted all options in one set.
        let old = vec![
            ("escape-time".to_owned(), "7".to_owned()),
            ("prefix".to_owned(), "C-a".to_owned()),
            ("update-environment".to_owned(), "A B".to_owned()),
        ];
        let restored = GlobalOptions::restore(&[(Scope::Server, &old)]);
        assert_eq!(restored.server().number("escape-time"), 7);
        let texts: Vec<_> = restored.sessions().texts("update-environment").collect();
        assert_eq!(texts, ["A", "B"]);
    }
}
