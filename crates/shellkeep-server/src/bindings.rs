//! What each key does behind the prefix.

use std::collections::HashMap;

use shellkeep_command::bind::{Filter, KeyTables};
use shellkeep_command::lex::Argv;
use shellkeep_command::parse::Parsed;
use shellkeep_core::key::Key;

/// The prefix table.
pub(crate) struct Bindings(HashMap<Key, Vec<Argv>>);

impl Default for Bindings {
    fn default() -> Self {
        let tables = KeyTables::default();
        let filter = Filter {
            table: Some("prefix"),
            key: None,
        };
        let bound = tables.list(filter).map(|(_, binding)| {
            let commands = binding.commands.commands().map(Parsed::words);
            (binding.key, commands.collect())
        });
        Self(bound.collect())
    }
}

impl Bindings {
    pub(crate) fn get(&self, key: &Key) -> Option<&[Argv]> {
        self.0.get(key).map(Vec::as_slice)
    }
}
