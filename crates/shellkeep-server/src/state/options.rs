//! Options that have been set, by name; the table knows the rest.

use std::collections::BTreeMap;

use shellkeep_command::options_table::{self, OptionSpec};

/// Values that differ from the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options(BTreeMap<&'static str, String>);

impl Options {
    /// What was set here.
    pub(crate) fn own(&self, spec: &OptionSpec) -> Option<&str> {
        self.0.get(spec.name).map(String::as_str)
    }

    pub(crate) fn set(&mut self, spec: &'static OptionSpec, value: String) {
        self.0.insert(spec.name, value);
    }

    pub(crate) fn unset(&mut self, spec: &OptionSpec) {
        self.0.remove(spec.name);
    }

    /// What holds here if nothing more special does.
    pub(crate) fn get(&self, spec: &'static OptionSpec) -> &str {
        self.own(spec).unwrap_or(spec.default)
    }

    /// The value by name, for options this program itself depends on.
    pub(crate) fn value(&self, name: &'static str) -> &str {
        let spec = options_table::find(name).expect("an option of the table");
        self.get(spec)
    }

    /// The value by name for a session with these options: its own, or the global one.
    pub(crate) fn value_over<'a>(&'a self, global: &'a Self, name: &'static str) -> &'a str {
        let own = self.0.get(name).map(String::as_str);
        own.unwrap_or_else(|| global.value(name))
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }
}
