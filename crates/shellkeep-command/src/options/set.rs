//! A set of options: of the server, of all sessions or windows, or of one session, window or pane.

use std::collections::BTreeMap;

use super::error::OptionError;
use super::name::{self, OptionName};
use super::spec::{Array, Kind, OptionSpec};
use super::value::Value;
use super::view::View;

/// What a set belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The server, all sessions, or all windows: every option of the table has a value here.
    Global,
    /// A session, window or pane. It has only the options that were set in it.
    #[default]
    Local,
}

/// Options that were set, by name. All others have the defaults of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    level: Level,
    own: Own,
    user: BTreeMap<String, String>,
}

/// Options of the table, sorted by name. There are thousands of such sets with few options each, and a map would
/// allocate eleven slots in each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Own(Vec<(&'static str, Value)>);

impl Own {
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(own, _)| (*own).cmp(name))
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).ok().map(|at| &self.0[at].1)
    }

    fn insert(&mut self, name: &'static str, value: Value) {
        match self.find(name) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => {
                self.0.reserve_exact(1);
                self.0.insert(at, (name, value));
            }
        }
    }

    fn remove(&mut self, name: &str) {
        if let Ok(at) = self.find(name) {
            self.0.remove(at);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// Set it to this value; without one, toggle it.
    Set(Option<&'a str>),
    /// Append this to its value.
    Append(Option<&'a str>),
    /// Restore its inherited or default value.
    Unset,
}

impl Options {
    #[must_use]
    pub fn new(level: Level) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }

    /// The value of an option of the table in this set alone.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let own = self.own.get(name);
        own.or_else(|| match self.level {
            Level::Global => name::default_of(name),
            Level::Local => None,
        })
    }

    /// The value of a user option in this set; the name with its `@`.
    #[must_use]
    pub fn user(&self, name: &str) -> Option<&str> {
        self.user.get(name).map(String::as_str)
    }

    /// The user options in this set, by name.
    pub fn users(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.user.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether the option (or the item of an array) has a value in this set, as `-o` checks.
    #[must_use]
    pub fn is_set(&self, name: &OptionName) -> bool {
        match name {
            OptionName::User { name, .. } => self.user.contains_key(name),
            OptionName::Known { spec, index } => match (self.get(spec.name), index) {
                (Some(Value::Array(items)), Some(index)) => items.contains_key(index),
                (value, _) => value.is_some(),
            },
        }
    }

    /// Changes an option. `parents` are the sets from which this one inherits; a toggle starts from the inherited
    /// value.
    ///
    /// # Errors
    /// When the value is not of the option's kind. Nothing is changed then.
    pub fn change(
        &mut self,
        name: &OptionName,
        change: Change<'_>,
        parents: View<'_>,
    ) -> Result<(), OptionError> {
        if name.index().is_some() && name.spec().is_none_or(|spec| spec.array.is_none()) {
            return Err(OptionError::NotAnArray(name.to_string()));
        }
        match name {
            OptionName::User { name, .. } => self.change_user(name, change),
            OptionName::Known { spec, index } => match (spec.array, index) {
                (Some(_), Some(index)) => self.change_item(spec, *index, change),
                (Some(array), None) => self.change_array(spec, array, change),
                (None, _) => self.change_one(spec, change, parents),
            },
        }
    }

    fn change_user(&mut self, name: &str, change: Change<'_>) -> Result<(), OptionError> {
        match change {
            Change::Unset => {
                self.user.remove(name);
            }
            Change::Set(Some(text)) => {
                self.user.insert(name.to_owned(), text.to_owned());
            }
            Change::Append(Some(text)) => {
                self.user.entry(name.to_owned()).or_default().push_str(text);
            }
            Change::Set(None) | Change::Append(None) => return Err(OptionError::Missing(None)),
        }
        Ok(())
    }

    fn change_one(
        &mut self,
        spec: &'static OptionSpec,
        change: Change<'_>,
        parents: View<'_>,
    ) -> Result<(), OptionError> {
        let value = match change {
            Change::Unset => {
                self.own.remove(spec.name);
                return Ok(());
            }
            // For a flag, an empty text counts as no value.
            Change::Set(Some("")) | Change::Append(Some("")) if spec.kind == Kind::Flag => {
                self.toggled(spec, parents)?
            }
            Change::Set(None) | Change::Append(None) => self.toggled(spec, parents)?,
            Change::Set(Some(text)) => spec.parse_item(text)?,
            Change::Append(Some(text)) => match self.get(spec.name) {
                Some(Value::Text(old)) => spec.parse_item(&format!("{old}{text}"))?,
                Some(Value::Style(old)) => spec.parse_item(&format!("{},{text}", old.text))?,
                _ => spec.parse_item(text)?,
            },
        };
        self.own.insert(spec.name, value);
        Ok(())
    }

    fn toggled(&self, spec: &'static OptionSpec, parents: View<'_>) -> Result<Value, OptionError> {
        let current = self.get(spec.name).or_else(|| parents.get(spec.name));
        match current {
            Some(current) => spec.toggle(current),
            None => Err(OptionError::Missing(Some(spec))),
        }
    }

    /// The items of an array in this set, to be changed.
    fn items(&self, spec: &OptionSpec) -> BTreeMap<u32, Value> {
        match self.get(spec.name) {
            Some(Value::Array(items)) => items.clone(),
            _ => BTreeMap::new(),
        }
    }

    fn change_array(
        &mut self,
        spec: &'static OptionSpec,
        array: Array,
        change: Change<'_>,
    ) -> Result<(), OptionError> {
        let (mut items, text) = match change {
            Change::Unset => {
                self.own.remove(spec.name);
                return Ok(());
            }
            Change::Set(Some(text)) => (BTreeMap::new(), text),
            Change::Append(Some(text)) => (self.items(spec), text),
            Change::Set(None) | Change::Append(None) => {
                return Err(OptionError::Missing(Some(spec)));
            }
        };
        let mut index = 0;
        for item in array.split(text) {
            let value = spec.parse_item(item)?;
            // The first unused index, so gaps are filled.
            while items.contains_key(&index) {
                index += 1;
            }
            items.insert(index, value);
        }
        self.own.insert(spec.name, Value::Array(items));
        Ok(())
    }

    fn change_item(
        &mut self,
        spec: &'static OptionSpec,
        index: u32,
        change: Change<'_>,
    ) -> Result<(), OptionError> {
        let mut items = self.items(spec);
        match change {
            Change::Unset => {
                if items.remove(&index).is_none() {
                    return Ok(());
                }
            }
            Change::Set(Some(text)) => {
                items.insert(index, spec.parse_item(text)?);
            }
            Change::Append(Some(text)) => {
                let value = match items.get(&index) {
                    Some(Value::Text(old)) => spec.parse_item(&format!("{old}{text}"))?,
                    _ => spec.parse_item(text)?,
                };
                items.insert(index, value);
            }
            Change::Set(None) | Change::Append(None) => {
                return Err(OptionError::Missing(Some(spec)));
            }
        }
        self.own.insert(spec.name, Value::Array(items));
        Ok(())
    }

    /// The options in this set as names and texts, from which [`Options::restore`] makes the same set.
    pub fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let known = self.own.0.iter().flat_map(|(name, value)| match value {
            Value::Array(items) => {
                // The name without an index comes first: it clears the default items.
                let mut pairs = vec![((*name).to_owned(), String::new())];
                let each = items.iter();
                pairs.extend(each.map(|(index, item)| (format!("{name}[{index}]"), item.print())));
                pairs
            }
            value => vec![((*name).to_owned(), value.print())],
        });
        let users = self.users();
        known.chain(users.map(|(name, value)| (name.to_owned(), value.to_owned())))
    }

    /// A set from the output of [`Options::pairs`]. Options that this version does not know are dropped.
    pub fn restore<'a>(level: Level, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut options = Self::new(level);
        for (name, value) in pairs {
            if let Ok(found) = name::find(name)
                && found.to_string() == name
            {
                // A value that is not valid any more is dropped as well.
                let _ = options.change(&found, Change::Set(Some(value)), View::default());
            }
        }
        options
    }
}
