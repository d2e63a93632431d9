//! Key tables: the commands bound to keys. The default bindings are written in the command language.

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
    /// Within `repeat-time`.
    Repeats,
}

/// A default binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Default {
    pub table: &'static str,
    pub key: &'static str,
    pub repeat: Repeat,
    /// Its note; may be empty.
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
    /// Only bindings of this table.
    pub table: Option<&'a str>,
    /// Only bindings of this key.
    pub key: Option<Key>,
}

/// How to list bindings without a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnoted {
    /// Not at all.
    Hidden,
    /// With their commands instead.
    Shown,
}

type Tables = BTreeMap<String, BTreeMap<Order, Binding>>;

/// Every table, by name. The defaults are parsed when a table is first needed, so that the start of a server does not
/// wait for them.
#[derive(Clone, Debug, std::default::Default, PartialEq, Eq)]
pub struct KeyTables(OnceCell<Tables>);

fn defaults() -> Tables {
    let mut tables = Tables::new();
    for default in DEFAULTS {
        // A test checks that all defaults can be parsed.
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
    /// Parses the defaults now, so that the first key does not have to wait for them either.
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

    /// Binds a key. Without commands it only changes the note and the repetition of an existing binding.
    pub fn bind(
        &mut self,
        table: &str,
        key: Key,
        commands: Option<List>,
        note: Option<String>,
        repeat: Repeat,
    ) {
        let Some(commands) = commands else {
            // As in tmux, naming a table creates it.
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

    /// Removes the binding of a key. A key without one is ignored.
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

    /// Removes a whole table.
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

    /// The binding of a key, or else that of `Any`.
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

    /// The output of `list-keys`.
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

    /// The output of `list-keys -N`: keys and their notes, with the prefix before each. Without a table, the bindings
    /// of the root table and those after the prefix, which is written before the latter.
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
            // Mouse events are not listed, because a user cannot look them up.
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
