//! Effective options: the value in the nearest set that has one, else the default.

use std::collections::BTreeMap;
use std::time::Duration;

use shellkeep_core::ColorName;
use shellkeep_core::key::Key;

use super::name;
use super::set::Options;
use super::spec::Scope;
use super::value::{StyleValue, Value};

/// Sets of options, the nearest first: pane, window and global window options; session and global session options; or
/// only the server's. Cheap to make and to copy. An option that is in no set has its default.
///
/// The getters are for options that this program uses itself, by their full names. For a name that is not in the table,
/// or of another kind, they return the empty value, and panic in a debug build.
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'a> {
    layers: [Option<&'a Options>; 3],
}

impl<'a> View<'a> {
    #[must_use]
    pub const fn of(options: &'a Options) -> Self {
        Self {
            layers: [Some(options), None, None],
        }
    }

    /// A set, and the set from which it inherits: session and global, or window and global.
    #[must_use]
    pub const fn over(options: &'a Options, global: &'a Options) -> Self {
        Self {
            layers: [Some(options), Some(global), None],
        }
    }

    #[must_use]
    pub const fn pane(pane: &'a Options, window: &'a Options, global: &'a Options) -> Self {
        Self {
            layers: [Some(pane), Some(window), Some(global)],
        }
    }

    fn sets(self) -> impl Iterator<Item = &'a Options> {
        self.layers.into_iter().flatten()
    }

    /// The value of an option of the table; `None` if there is no such option.
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a Value> {
        let mut sets = self.sets();
        sets.find_map(|options| options.get(name))
            .or_else(|| name::default_of(name))
    }

    /// The value of a user option; the name with its `@`.
    #[must_use]
    pub fn user(self, name: &str) -> Option<&'a str> {
        let mut sets = self.sets();
        sets.find_map(|options| options.user(name))
    }

    fn typed<T>(self, name: &str, read: impl FnOnce(&'a Value) -> Option<T>) -> Option<T> {
        let value = self.get(name).and_then(read);
        debug_assert!(value.is_some(), "no such option of this kind: {name}");
        value
    }

    #[must_use]
    pub fn flag(self, name: &str) -> bool {
        let value = self.typed(name, |value| match value {
            Value::Flag(on) => Some(*on),
            _ => None,
        });
        value.unwrap_or_default()
    }

    #[must_use]
    pub fn number(self, name: &str) -> i64 {
        let value = self.typed(name, |value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        });
        value.unwrap_or_default()
    }

    /// A duration; `None` if the option is 0, which means never or forever.
    #[must_use]
    pub fn duration(self, name: &str) -> Option<Duration> {
        let value = self.typed(name, |value| match value {
            Value::Duration(duration) => Some(*duration),
            _ => None,
        });
        value.filter(|duration| !duration.is_zero())
    }

    /// A text, the word of a choice, or a style as typed.
    #[must_use]
    pub fn text(self, name: &str) -> &'a str {
        let value = self.typed(name, |value| match value {
            Value::Text(text) | Value::Command(text) => Some(text.as_str()),
            Value::Style(style) => Some(style.text.as_str()),
            Value::Choice(word) => Some(*word),
            _ => None,
        });
        value.unwrap_or_default()
    }

    /// A key; `None` if the option is set to no key.
    #[must_use]
    pub fn key(self, name: &str) -> Option<&'a Key> {
        let value = self.typed(name, |value| match value {
            Value::Key(key) => Some(key),
            _ => None,
        });
        value.filter(|key| **key != Key::NONE)
    }

    /// A colour; `None` if the option is set to none.
    #[must_use]
    pub fn color(self, name: &str) -> Option<ColorName> {
        let value = self.typed(name, |value| match value {
            Value::Color(color) => Some(*color),
            _ => None,
        });
        value.flatten()
    }

    /// A style; `None` only for a wrong name.
    #[must_use]
    pub fn style(self, name: &str) -> Option<&'a StyleValue> {
        self.typed(name, |value| match value {
            Value::Style(style) => Some(style),
            _ => None,
        })
    }

    /// The items of an array, by index.
    #[must_use]
    pub fn array(self, name: &str) -> &'a BTreeMap<u32, Value> {
        static EMPTY: BTreeMap<u32, Value> = BTreeMap::new();
        let value = self.typed(name, |value| match value {
            Value::Array(items) => Some(items),
            _ => None,
        });
        value.unwrap_or(&EMPTY)
    }

    /// The texts of an array, in order.
    pub fn texts(self, name: &str) -> impl Iterator<Item = &'a str> {
        self.array(name).values().filter_map(|item| match item {
            Value::Text(text) | Value::Command(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The value of `#{name}` in a format, for an option, a user option or `name[3]`; `None` if there is no such option
    /// here.
    #[must_use]
    pub fn in_format(self, text: &str) -> Option<String> {
        let found = name::find(text).ok()?;
        // Only full names, so that a format does not name an option by accident.
        if found.to_string() != text {
            return None;
        }
        let Some(spec) = found.spec() else {
            return self.user(text).map(str::to_owned);
        };
        match (self.get(spec.name)?, found.index()) {
            (Value::Array(items), Some(index)) => Some(
                items
                    .get(&index)
                    .map(Value::print_in_format)
                    .unwrap_or_default(),
            ),
            (value, _) => Some(value.print_in_format()),
        }
    }
}

/// All effective options of a pane, window or session, for formats, which name options of any scope.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scopes<'a> {
    pub server: View<'a>,
    pub session: View<'a>,
    /// The pane's options, or the window's if there is no pane.
    pub pane: View<'a>,
}

impl<'a> Scopes<'a> {
    /// The view with the options of a scope.
    #[must_use]
    pub const fn of(self, scope: Scope) -> View<'a> {
        match scope {
            Scope::Server => self.server,
            Scope::Session => self.session,
            Scope::Window | Scope::Pane => self.pane,
        }
    }

    /// The value of `#{name}` in a format. As in tmux, a user option is searched first in the server's options, then in
    /// the pane's, then in the session's.
    #[must_use]
    pub fn in_format(self, text: &str) -> Option<String> {
        let bare = text.split('[').next().unwrap_or(text);
        if let Some(spec) = name::known(bare) {
            return self.of(spec.scope).in_format(text);
        }
        let mut views = [self.server, self.pane, self.session].into_iter();
        views.find_map(|view| view.in_format(text))
    }
}
