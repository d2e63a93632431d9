//! The option table: every option once, with its type, scope, default and meaning.

/// Whose option it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The server's.
    Server,
    /// A session's, with a global value for those that have not set it.
    Session,
}

/// What values it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `on` or `off`.
    Flag,
    /// A whole number in this range.
    Number {
        /// Lowest.
        min: u32,
        /// Highest.
        max: u32,
    },
    /// Any text.
    Text,
    /// A key's name.
    Key,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// Whose it is.
    pub scope: Scope,
    /// What values it takes.
    pub kind: Kind,
    /// What it is when nobody sets it.
    pub default: &'static str,
    /// What it does, in a sentence.
    pub text: &'static str,
}

/// Every option.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "default-command",
        scope: Scope::Session,
        kind: Kind::Text,
        default: "",
        text: "Command run in a new pane; a login shell if empty",
    },
    OptionSpec {
        name: "default-shell",
        scope: Scope::Session,
        kind: Kind::Text,
        default: "",
        text: "The shell for new panes; if empty, $SHELL of the client that started the server",
    },
    OptionSpec {
        name: "default-terminal",
        scope: Scope::Server,
        kind: Kind::Text,
        default: "",
        text: "TERM in new panes; if empty, tmux-256color where it is known, else screen-256color",
    },
    OptionSpec {
        name: "escape-time",
        scope: Scope::Server,
        kind: Kind::Number {
            min: 0,
            max: 10_000,
        },
        default: "10",
        text: "Milliseconds to wait after an Escape for the rest of a key",
    },
    OptionSpec {
        name: "exit-empty",
        scope: Scope::Server,
        kind: Kind::Flag,
        default: "on",
        text: "Whether the server ends when its last session has ended",
    },
    OptionSpec {
        name: "prefix",
        scope: Scope::Session,
        kind: Kind::Key,
        default: "C-b",
        text: "The key that introduces a binding",
    },
    OptionSpec {
        name: "update-environment",
        scope: Scope::Session,
        kind: Kind::Text,
        default: "DISPLAY KRB5CCNAME SSH_ASKPASS SSH_AUTH_SOCK SSH_AGENT_PID SSH_CONNECTION WINDOWID XAUTHORITY",
        text: "Variables taken from the client into a session's environment",
    },
];

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No such option.
    #[error("invalid option: {0}")]
    Unknown(String),
    /// Several options begin so.
    #[error("ambiguous option: {0}")]
    Ambiguous(String),
    /// Not a value of a flag.
    #[error("bad value: {0} (type on or off)")]
    NotAFlag(String),
    /// Not a number in range.
    #[error("bad value: {value} (type a number from {min} to {max})")]
    NotInRange {
        /// What was given.
        value: String,
        /// Lowest.
        min: u32,
        /// Highest.
        max: u32,
    },
    /// Not a key.
    #[error("bad key: {0}")]
    NotAKey(String),
    /// No value where one is needed.
    #[error("empty value: {0} needs one")]
    Missing(&'static str),
}

/// Finds an option by name or unique beginning.
///
/// # Errors
/// When there is none, or more than one.
pub fn find(name: &str) -> Result<&'static OptionSpec, OptionError> {
    if let Some(spec) = OPTIONS.iter().find(|spec| spec.name == name) {
        return Ok(spec);
    }
    let mut candidates = OPTIONS.iter().filter(|spec| spec.name.starts_with(name));
    match (candidates.next(), candidates.next()) {
        (Some(spec), None) if !name.is_empty() => Ok(spec),
        (Some(_), Some(_)) if !name.is_empty() => Err(OptionError::Ambiguous(name.to_owned())),
        _ => Err(OptionError::Unknown(name.to_owned())),
    }
}

impl OptionSpec {
    /// Checks a value and brings it into the form it is kept in. A flag without a value is turned over.
    ///
    /// # Errors
    /// When the value is not of the option's kind.
    pub fn accept(&self, value: Option<&str>, current: &str) -> Result<String, OptionError> {
        let Some(value) = value else {
            return match self.kind {
                Kind::Flag if current == "on" => Ok("off".to_owned()),
                Kind::Flag => Ok("on".to_owned()),
                _ => Err(OptionError::Missing(self.name)),
            };
        };
        match self.kind {
            Kind::Text => Ok(value.to_owned()),
            Kind::Flag => match value {
                "on" | "yes" | "1" => Ok("on".to_owned()),
                "off" | "no" | "0" => Ok("off".to_owned()),
                _ => Err(OptionError::NotAFlag(value.to_owned())),
            },
            Kind::Number { min, max } => match value.parse::<u32>() {
                Ok(number) if (min..=max).contains(&number) => Ok(number.to_string()),
                _ => Err(OptionError::NotInRange {
                    value: value.to_owned(),
                    min,
                    max,
                }),
            },
            Kind::Key => match value.parse::<shellkeep_core::key::Key>() {
                Ok(key) => Ok(key.to_string()),
                Err(_) => Err(OptionError::NotAKey(value.to_owned())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_sorted_unique_and_default_to_what_they_accept() {
        assert!(OPTIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for spec in OPTIONS {
            assert_eq!(
                spec.accept(Some(spec.default), "").as_deref(),
                Ok(spec.default),
                "{}",
                spec.name
            );
            assert!(
                !spec.text.is_empty() && !spec.text.ends_with('.'),
                "{}",
                spec.name
            );
        }
    }

    #[test]
    fn option_found_by_unique_beginning() {
        assert_eq!(find("exit").map(|spec| spec.name), Ok("exit-empty"));
        assert_eq!(
            find("default").unwrap_err(),
            OptionError::Ambiguous("default".into())
        );
        assert_eq!(
            find("nope").unwrap_err(),
            OptionError::Unknown("nope".into())
        );
        assert_eq!(find("").unwrap_err(), OptionError::Unknown(String::new()));
    }

    #[test]
    fn option_values_are_checked() {
        let accept = |name: &str, value| find(name).unwrap().accept(value, "on");
        assert_eq!(accept("exit-empty", None).as_deref(), Ok("off"));
        assert_eq!(accept("exit-empty", Some("yes")).as_deref(), Ok("on"));
        assert!(accept("exit-empty", Some("maybe")).is_err());
        assert_eq!(accept("escape-time", Some("007")).as_deref(), Ok("7"));
        assert!(accept("escape-time", Some("-1")).is_err());
        assert!(accept("prefix", Some("C-")).is_err());
        assert_eq!(
            accept("default-shell", None),
            Err(OptionError::Missing("default-shell"))
        );
    }
}
