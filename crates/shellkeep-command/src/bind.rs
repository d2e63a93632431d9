//! Key tables: which key does what. The defaults are commands in the command language itself.

mod defaults;
mod order;

pub use defaults::DEFAULTS;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use shellkeep_core::key::Key;

use crate::parse::{self, List, NoHost};
use order::Order;

/// Whether a key may be pressed again without the prefix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    #[default]
    Once,
    /// For as long as `repeat-time` says.
    Repeats,
}

/// A binding as it is from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Default {
    pub table: &'static str,
    pub key: &'static str,
    pub repeat: Repeat,
    /// What it does, in words; may be empty.
    pub note: &'static str,
    pub command: &'static str,
}

impl Default {
    const fn new(
        table: &'static str,
        key: &'static str,
        repeat: Repeat,
        note: &'static str,
        command: &'static str,
    ) -> Self {
        Self {
            table,
            key,
            repeat,
            note,
            command,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub key: Key,
    pub commands: List,
    pub note: Option<String>,
    pub repeat: Repeat,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table {0} doesn't exist")]
pub struct NoTable(pub String);

#[derive(Clone, Copy, Debug, std::default::Default, PartialEq, Eq)]
pub struct Filter<'a> {
    /// Only those of this table.
    pub table: Option<&'a str>,
    /// Only those of this key.
    pub key: Option<Key>,
}

/// Whether to list bindings without a note among those with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnoted {
    /// Leave them out.
    Hidden,
    /// Show their commands instead.
    Shown,
}

type Tables = BTreeMap<String, BTreeMap<Order, Binding>>;

/// Every table, by name. The defaults are read when a table is first looked up, so that a server's start does not wait for them.
#[derive(Clone, Debug, std::default::Default, PartialEq, Eq)]
pub struct KeyTables(OnceCell<Tables>);

/// The tables as they are from the start.
fn defaults() -> Tables {
    let mut tables = Tables::new();
    for default in DEFAULTS {
        // A test holds that every default can be read.
        let (Ok(key), Ok(commands)) = (
            default.key.parse(),
            parse::parse_strict(default.command, &mut NoHost),
        ) else {
            continue;
        };
        let note = Some(default.note.to_owned()).filter(|note| !note.is_empty());
        let binding = Binding {
            key,
            commands,
            note,
            repeat: default.repeat,
        };
        let table = tables.entry(default.table.to_owned()).or_default();
        table.insert(Order::of(key), binding);
    }
    tables
}

impl KeyTables {
    /// Reads the defaults now, so that the first key need not wait for them either.
    pub fn get_ready(&self) {
        self.tables();
    }

    fn tables(&self) -> &Tables {
        self.0.get_or_init(defaults)
    }

    fn tables_mut(&mut self) -> &mut Tables {
        self.tables();
        self.0.get_mut().expect("they have just been read")
    }

    /// Binds a key. Without commands only the note and the repetition of a key that is bound change.
    pub fn bind(
        &mut self,
        table: &str,
        key: Key,
        commands: Option<List>,
        note: Option<String>,
        repeat: Repeat,
    ) {
        let Some(commands) = commands else {
            // As in tmux, a table is there from when it is first named.
            let bound = self.tables_mut().entry(table.to_owned()).or_default();
            if let Some(binding) = bound.get_mut(&Order::of(key)) {
                binding.repeat = repeat;
                if note.is_some() {
                    binding.note = note;
                }
            }
            return;
        };
        let binding = Binding {
            key,
            commands,
            note,
            repeat,
        };
        self.tables_mut()
            .entry(table.to_owned())
            .or_default()
            .insert(Order::of(key), binding);
    }

    /// Takes a key's binding away. A key without one is let be.
    ///
    /// # Errors
    /// When there is no such table.
    pub fn unbind(&mut self, table: &str, key: Key) -> Result<(), NoTable> {
        let bound = self.tables_mut().get_mut(table);
        let bound = bound.ok_or_else(|| NoTable(table.to_owned()))?;
        bound.remove(&Order::of(key));
        if bound.is_empty() {
            self.tables_mut().remove(table);
        }
        Ok(())
    }

    /// Takes a whole table away.
    ///
    /// # Errors
    /// When there is no such table.
    pub fn unbind_all(&mut self, table: &str) -> Result<(), NoTable> {
        let removed = self.tables_mut().remove(table);
        removed.map(drop).ok_or_else(|| NoTable(table.to_owned()))
    }

    #[must_use]
    pub fn has_table(&self, table: &str) -> bool {
        self.tables().contains_key(table)
    }

    /// What a key does: its own binding, or that of `Any`.
    #[must_use]
    pub fn lookup(&self, table: &str, key: Key) -> Option<&Binding> {
        let bound = self.tables().get(table)?;
        let own = bound.get(&Order::of(key));
        own.or_else(|| bound.get(&Order::of(Key::ANY)))
    }

    /// The bindings in tmux's order: tables by name, then keys by number.
    pub fn list<'a>(
        &'a self,
        filter: Filter<'a>,
    ) -> impl Iterator<Item = (&'a str, &'a Binding)> + Clone {
        let tables = self
            .tables()
            .iter()
            .filter(move |(name, _)| filter.table.is_none_or(|table| table == name.as_str()));
        tables.flat_map(move |(name, bound)| {
            let bindings = bound.values();
            bindings
                .filter(move |binding| filter.key.is_none_or(|key| key == binding.key))
                .map(move |binding| (name.as_str(), binding))
        })
    }

    /// What `list-keys` prints.
    #[must_use]
    pub fn print(&self, filter: Filter<'_>) -> String {
        let listed = self.list(filter);
        let has_repeat = listed
            .clone()
            .any(|(_, binding)| binding.repeat == Repeat::Repeats);
        let rows: Vec<(&str, String, &Binding)> = listed
            .map(|(table, binding)| (table, parse::quote(&binding.key.to_string()), binding))
            .collect();
        let table_width = widest(rows.iter().map(|(table, ..)| *table));
        let key_width = widest(rows.iter().map(|(_, key, _)| key.as_str()));
        let mut text = String::new();
        for (table, key, binding) in &rows {
            let repeat = match (has_repeat, binding.repeat) {
                (false, _) => "",
                (true, Repeat::Once) => "   ",
                (true, Repeat::Repeats) => "-r ",
            };
            let commands = parse::print_sequences(&binding.commands);
            text.push_str(&format!(
                "bind-key {repeat}-T {table:table_width$} {key:key_width$} {commands}\n"
            ));
        }
        text
    }

    /// What `list-keys -N` prints: keys and what they do in words, with the prefix before each. Without a
    /// table it is those of the root table and those behind the prefix, which is written before the latter.
    #[must_use]
    pub fn print_notes(&self, filter: Filter<'_>, prefix: &str, unnoted: Unnoted) -> String {
        let blank = " ".repeat(prefix.chars().count());
        let groups: Vec<(&str, &str)> = match filter.table {
            Some(table) => vec![(table, prefix)],
            None => vec![("root", blank.as_str()), ("prefix", prefix)],
        };
        let mut rows = Vec::new();
        for (table, before) in groups {
            let filter = Filter {
                table: Some(table),
                ..filter
            };
            // The mouse has no keys one could look up.
            let listed = self
                .list(filter)
                .filter(|(_, binding)| !binding.key.is_mouse());
            for (_, binding) in listed {
                let text = match (&binding.note, unnoted) {
                    (Some(note), _) => note.clone(),
                    (None, Unnoted::Hidden) => continue,
                    (None, Unnoted::Shown) => parse::print_sequences(&binding.commands),
                };
                rows.push((before, binding.key.to_string(), text));
            }
        }
        let width = widest(rows.iter().map(|(_, key, _)| key.as_str()));
        rows.iter()
            .map(|(before, key, text)| format!("{before}{key:width$} {text}\n"))
            .collect()
    }
}

fn widest<'a>(words: impl Iterator<Item = &'a str>) -> usize {
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
