//! Why the name or the value of an option is refused, in tmux's words.

use super::spec::OptionSpec;

/// Why a name or value is refused. The sentence is tmux's; [`OptionError::hint`] suggests what to type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("invalid option: {0}")]
    Unknown(String),
    /// Several options have this prefix, or the index in brackets is invalid.
    #[error("ambiguous option: {0}")]
    Ambiguous(String),
    /// An index for an option that has only one value.
    #[error("not an array: {0}")]
    NotAnArray(String),
    /// It is already set, and the caller asked not to change it then.
    #[error("already set: {0}")]
    AlreadySet(String),
    /// No value where one is needed.
    #[error("empty value")]
    Missing(Option<&'static OptionSpec>),
    /// Not a value of a flag.
    #[error("bad value: {0}")]
    NotAFlag(String),
    #[error("unknown value: {0}")]
    NotAChoice(String, &'static OptionSpec),
    /// Not a number, or not of the form needed.
    #[error("value is invalid: {0}")]
    Invalid(String, &'static OptionSpec),
    #[error("value is too small: {0}")]
    TooSmall(String, &'static OptionSpec),
    #[error("value is too large: {0}")]
    TooLarge(String, &'static OptionSpec),
    #[error("bad key: {0}")]
    NotAKey(String),
    #[error("bad colour: {0}")]
    NotAColor(String),
    #[error("invalid style: {0}")]
    NotAStyle(String),
    /// Not a file that can be run as a shell. Only the server reports it.
    #[error("not a suitable shell: {0}")]
    NotAShell(String),
    /// An environment variable that names no option.
    #[error("{variable}: invalid option: {option}")]
    UnknownVariable {
        variable: String,
        /// The option that it would name.
        option: String,
    },
    /// An environment variable with an invalid value for its option.
    #[error("{variable}: {error}")]
    BadVariable {
        variable: String,
        error: Box<OptionError>,
    },
}

impl OptionError {
    /// What to type instead, if there is a suggestion.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown(name) | Self::UnknownVariable { option: name, .. } => {
                super::name::nearest(name).map(|near| format!("did you mean {near}?"))
            }
            Self::Ambiguous(name) => {
                let names = super::name::beginning(name);
                (!names.is_empty()).then(|| format!("type one of: {}", names.join(", ")))
            }
            Self::NotAnArray(name) => {
                let bare = name.split('[').next().unwrap_or(name);
                Some(format!("type {bare} without an index"))
            }
            Self::AlreadySet(_) => Some("leave out -o to change it".to_owned()),
            Self::Missing(spec) => spec.map(|spec| format!("type {}", spec.values())),
            Self::NotAFlag(_) => Some("type on or off".to_owned()),
            Self::NotAChoice(_, spec)
            | Self::Invalid(_, spec)
            | Self::TooSmall(_, spec)
            | Self::TooLarge(_, spec) => Some(format!("type {}", spec.values())),
            Self::NotAKey(_) => Some("type a key such as C-b, M-x or F5".to_owned()),
            Self::NotAColor(_) => Some("type a name, colour208 or #ff8700".to_owned()),
            Self::NotAStyle(_) => Some("type words such as fg=red,bg=default,bold".to_owned()),
            Self::BadVariable { error, .. } => error.hint(),
            Self::NotAShell(_) => Some("type the whole path of a shell".to_owned()),
        }
    }
}
