//! What each key does behind the prefix.

use std::collections::HashMap;

use shellkeep_command::bind::DEFAULT_PREFIX_TABLE;
use shellkeep_command::lex::{Argv, lex};
use shellkeep_core::key::Key;

/// The prefix table.
pub(crate) struct Bindings(HashMap<Key, Vec<Argv>>);

impl Default for Bindings {
    fn default() -> Self {
        let table = DEFAULT_PREFIX_TABLE.iter().filter_map(|(key, text)| {
            let commands = lex(text)
                .into_iter()
                .filter_map(|line| line.commands.ok())
                .flatten();
            Some((key.parse().ok()?, commands.collect()))
        });
        Self(table.collect())
    }
}

impl Bindings {
    pub(crate) fn get(&self, key: &Key) -> Option<&[Argv]> {
        self.0.get(key).map(Vec::as_slice)
    }
}
