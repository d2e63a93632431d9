//! The entries of the table of options.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    Server,
    /// A session option, with a global value for sessions that have not set it.
    Session,
    /// A window option, with a global value.
    Window,
    /// A pane option. If it is set for a window, it applies to all panes of the window that have not set it.
    Pane,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// Columns and rows, such as `80x24`.
    Size,
    /// A whole number in this range.
    Number {
        min: i64,
        max: i64,
    },
    /// A duration, such as `90s`, `5m` or `30d`, in whole seconds.
    Duration,
    /// `on` or `off`.
    Flag,
    /// One of these words. Setting the option without a value toggles between the first two.
    Choice(&'static [&'static str]),
    Key,
    Color,
    /// A style, or a format that expands to one.
    Style,
    Command,
}

/// An option with many values, each with an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Characters that separate items in one text. If empty, a text is one item.
    pub separators: &'static str,
}

/// Whether an option and its default are tmux's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Tmux,
    /// In tmux with another default; holds the reason.
    Differs(&'static str),
    /// Not in tmux.
    Ours,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Setting,
    /// Commands that run after an event.
    Hook,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    pub name: &'static str,
    pub scope: Scope,
    pub kind: Kind,
    /// Set if it is an array.
    pub array: Option<Array>,
    /// The default: one text, or the items of an array.
    pub default: &'static [&'static str],
    pub unit: Option<&'static str>,
    /// What it does, in one sentence.
    pub text: &'static str,
    pub origin: Origin,
    pub family: Family,
}

/// The highest number of an option.
pub(super) const MAX_NUMBER: i64 = i32::MAX as i64;

impl OptionSpec {
    pub(super) const fn new(
        name: &'static str,
        kind: Kind,
        default: &'static [&'static str],
        text: &'static str,
    ) -> Self {
        Self {
            name,
            scope: Scope::Server,
            kind,
            array: None,
            default,
            unit: None,
            text,
            origin: Origin::Tmux,
            family: Family::Setting,
        }
    }

    pub(super) const fn session(mut self) -> Self {
        self.scope = Scope::Session;
        self
    }

    pub(super) const fn window(mut self) -> Self {
        self.scope = Scope::Window;
        self
    }

    pub(super) const fn pane(mut self) -> Self {
        self.scope = Scope::Pane;
        self
    }

    pub(super) const fn array(mut self, separators: &'static str) -> Self {
        self.array = Some(Array { separators });
        self
    }

    pub(super) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    pub(super) const fn differs(mut self, reason: &'static str) -> Self {
        self.origin = Origin::Differs(reason);
        self
    }

    pub(super) const fn ours(mut self) -> Self {
        self.origin = Origin::Ours;
        self
    }

    pub(super) const fn hook(mut self) -> Self {
        self.family = Family::Hook;
        self
    }

    /// The default in one line, for documentation.
    #[must_use]
    pub fn default_text(&self) -> String {
        match self.array {
            Some(Array { separators }) => {
                self.default.join(separators.get(..1).unwrap_or_default())
            }
            None => self.default.concat(),
        }
    }

    /// The possible values, for documentation and hints.
    #[must_use]
    pub fn values(&self) -> String {
        match self.kind {
            Kind::Text => "text".to_owned(),
            Kind::Size => "columns x rows, such as 80x24".to_owned(),
            Kind::Number {
                min,
                max: MAX_NUMBER,
            } => format!("a number from {min}"),
            Kind::Number { min, max } => format!("a number from {min} to {max}"),
            Kind::Duration => "a time such as 90s, 5m, 12h or 30d; 0 for none".to_owned(),
            Kind::Flag => "on or off".to_owned(),
            Kind::Choice(words) => match words.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                _ => words.concat(),
            },
            Kind::Key => "a key such as C-b, or None".to_owned(),
            Kind::Color => "a colour such as red, colour208 or #ff8700".to_owned(),
            Kind::Style => "a style such as fg=red,bold".to_owned(),
            Kind::Command => "commands".to_owned(),
        }
    }
}

pub(super) const fn text(
    name: &'static str,
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Text, default, text)
}

pub(super) const fn list(
    name: &'static str,
    separators: &'static str,
    default: &'static [&'static str],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Text, default, text).array(separators)
}

pub(super) const fn number(
    name: &'static str,
    (min, max): (i64, i64),
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Number { min, max }, default, text)
}

pub(super) const fn duration(
    name: &'static str,
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Duration, default, text)
}

pub(super) const fn flag(
    name: &'static str,
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Flag, default, text)
}

pub(super) const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Choice(words), default, text)
}

pub(super) const fn key(
    name: &'static str,
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Key, default, text)
}

pub(super) const fn color(
    name: &'static str,
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Color, default, text)
}

pub(super) const fn style(
    name: &'static str,
    default: &'static [&'static str; 1],
    text: &'static str,
) -> OptionSpec {
    OptionSpec::new(name, Kind::Style, default, text)
}
