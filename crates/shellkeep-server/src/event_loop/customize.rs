//! The tree of options and key bindings: what is in it, and the commands by which its keys change them.

use std::collections::BTreeSet;

use shellkeep_command::bind::{Binding, DEFAULTS, Filter, Repeat};
use shellkeep_command::options::{self, Family, Kind, OptionSpec, Options, Scope, Value};
use shellkeep_command::parse::print_full;
use shellkeep_core::PaneId;
use shellkeep_core::key::Key;

use super::Server;
use super::tree::quoted;
use crate::overlay::tree::{
    Chosen, Item, KeyPart, Node, Question, Reach, Section, Setting, Tree, Wish,
};
use crate::queue::Caller;
use crate::state::Model;

/// Where an option has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Pane,
    Window,
    Session,
    Global,
}

impl Layer {
    /// The flags by which `set-option` is told.
    fn flags(self, section: Section) -> &'static str {
        match (self, section) {
            (_, Section::Server) => "-s",
            (Self::Pane, _) => "-p",
            (Self::Window, _) => "-w",
            (Self::Session, _) => "",
            (Self::Global, Section::Session) => "-g",
            (Self::Global, Section::WindowAndPane) => "-gw",
        }
    }
}

/// An option's value, and where that is from.
pub(super) struct Holding {
    pub(super) layer: Layer,
    pub(super) text: String,
}

/// The section an option belongs to.
fn section_of(scope: Scope) -> Section {
    match scope {
        Scope::Server => Section::Server,
        Scope::Session => Section::Session,
        Scope::Window | Scope::Pane => Section::WindowAndPane,
    }
}

/// The text of an option, or of one of its items, in a set.
fn text_in(options: &Options, name: &str, index: Option<u32>) -> Option<String> {
    if name.starts_with('@') {
        return options.user(name).map(str::to_owned);
    }
    match (options.get(name)?, index) {
        (Value::Array(items), Some(index)) => items.get(&index).map(Value::print),
        (value, _) => Some(value.print()),
    }
}

impl Server {
    /// What a layer is called: `session 0`.
    pub(super) fn layer_name(&self, pane: PaneId, layer: Layer) -> String {
        let found = self.state.place_of(pane);
        let scope = self.scope();
        let scope = found.map_or(scope.clone(), |found| scope.found(found));
        match layer {
            Layer::Pane => scope.expand("pane #{pane_index}"),
            Layer::Window => scope.expand("window #{window_index}"),
            Layer::Session => scope.expand("session #{session_name}"),
            Layer::Global => String::new(),
        }
    }

    // ---- what is in it ----

    pub(super) fn setting_nodes(&self, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
        let Some(pane) = tree.setup.pane else {
            return Vec::new();
        };
        let mut nodes: Vec<Node> = Vec::new();
        for section in Section::ALL {
            let children = self.option_nodes(tree, pane, section, filter);
            nodes.push(heading(
                Setting::Section(section),
                section.title().to_owned(),
                children,
            ));
        }
        let listed = self.commands.key_tables.list(Filter::default());
        let tables: BTreeSet<&str> = listed.map(|(table, _)| table).collect();
        for table in tables {
            let children = self.binding_nodes(tree, table, filter);
            let title = format!("Key Table - {table}");
            nodes.push(heading(Setting::Table(table.to_owned()), title, children));
        }
        nodes.retain(|node| !node.children.is_empty());
        nodes
    }

    fn option_nodes(
        &self,
        tree: &Tree,
        pane: PaneId,
        section: Section,
        filter: Option<&str>,
    ) -> Vec<Node> {
        let known = options::all()
            .filter(|spec| spec.family == Family::Setting && section_of(spec.scope) == section);
        let mut names: BTreeSet<&str> = known.map(|spec| spec.name).collect();
        let layers = layers(&self.state, pane, section);
        for (_, options) in &layers {
            names.extend(options.users().map(|(name, _)| name));
        }
        let nodes = names.into_iter().filter_map(|name| {
            let spec = options::known(name);
            let is_array = spec.is_some_and(|spec| spec.array.is_some());
            if !is_array {
                let held = holding(&self.state, pane, section, name, None)?;
                let text = self.setting_text(tree, pane, (name, spec), held, filter)?;
                let setting = Setting::Option(section, name.to_owned());
                return Some(node(setting, name.to_owned(), Some(text), Vec::new()));
            }
            let items = array_items(&self.state, pane, section, name).into_iter();
            let items = items.filter_map(|(index, _)| {
                let title = format!("{name}[{index}]");
                let held = holding(&self.state, pane, section, name, Some(index))?;
                let text = self.setting_text(tree, pane, (&title, spec), held, filter)?;
                let setting = Setting::Element(section, name.to_owned(), index);
                Some(node(setting, title, Some(text), Vec::new()))
            });
            let items: Vec<Node> = items.collect();
            let is_shown = filter.is_none_or(|filter| {
                let scope = self.tree_scope(tree).with("is_option", "1");
                let scope = scope.with("is_key", "0").with("option_is_array", "1");
                !items.is_empty() || scope.with("option_name", name).is_true(filter)
            });
            let setting = Setting::Option(section, name.to_owned());
            is_shown.then(|| node(setting, name.to_owned(), None, items))
        });
        nodes.collect()
    }

    /// What a line says of an option, if the filter lets it through.
    fn setting_text(
        &self,
        tree: &Tree,
        pane: PaneId,
        (name, spec): (&str, Option<&OptionSpec>),
        held: Holding,
        filter: Option<&str>,
    ) -> Option<String> {
        let found = self.state.place_of(pane);
        let scope = self.tree_scope(tree);
        let scope = found.map_or(scope.clone(), |found| scope.found(found));
        let is_array = spec.is_some_and(|spec| spec.array.is_some());
        let number = |is: bool| u8::from(is).to_string();
        let scope = scope
            .with("is_option", "1")
            .with("is_key", "0")
            .with("option_name", name)
            .with("option_is_global", number(held.layer == Layer::Global))
            .with("option_is_array", number(is_array))
            .with("option_scope", self.layer_name(pane, held.layer))
            .with(
                "option_unit",
                spec.and_then(|spec| spec.unit).unwrap_or_default(),
            )
            .with("option_value", held.text);
        let passes = filter.is_none_or(|filter| scope.is_true(filter));
        passes.then(|| scope.expand(&tree.setup.format))
    }

    fn binding_nodes(&self, tree: &Tree, table: &str, filter: Option<&str>) -> Vec<Node> {
        let listed = self.commands.key_tables.list(Filter {
            table: Some(table),
            key: None,
        });
        let nodes = listed.filter_map(|(_, binding)| {
            let (key, note) = (binding.key, binding.note.clone().unwrap_or_default());
            let scope = self
                .tree_scope(tree)
                .with("is_option", "0")
                .with("is_key", "1")
                .with("key", key.to_string())
                .with("key_note", note.as_str());
            if !filter.is_none_or(|filter| scope.is_true(filter)) {
                return None;
            }
            let part = |part: KeyPart, name: &str, text: String| {
                let setting = Setting::KeyPart(table.to_owned(), key, part);
                node(setting, name.to_owned(), Some(text), Vec::new())
            };
            // What is in commands and notes is no style.
            let plain = |text: &str| format!("#[ignore]{text}");
            let repeat = if binding.repeat == Repeat::Repeats {
                "on"
            } else {
                "off"
            };
            let parts = vec![
                part(
                    KeyPart::Command,
                    "Command",
                    plain(&print_full(&binding.commands)),
                ),
                part(KeyPart::Note, "Note", plain(&note)),
                part(KeyPart::Repeat, "Repeat", repeat.to_owned()),
            ];
            let name = scope.expand(&tree.setup.format);
            Some(node(Setting::Key(table.to_owned(), key), name, None, parts))
        });
        nodes.collect()
    }

    // ---- what keys ask for ----

    pub(super) fn customize(&mut self, caller: &Caller, pane: PaneId, wish: Wish) {
        match wish {
            Wish::Change(setting, reach) => self.change_setting(caller, pane, &setting, reach),
            Wish::Value(setting, reach, value) => {
                let commands = self.value_command(pane, &setting, reach, &value);
                self.run_each(caller, &commands);
            }
            Wish::Reset(settings, chosen) => {
                let all = settings.iter();
                let commands = all.flat_map(|setting| reset_commands(&self.state, pane, setting));
                let commands: Vec<String> = commands.collect();
                let text = match (chosen, settings.first()) {
                    (Chosen::Current, Some(setting)) => {
                        format!("Reset {} to default? ", title(setting))
                    }
                    _ => format!("Reset {} tagged to default? ", settings.len()),
                };
                self.confirm_settings(pane, text, commands);
            }
            Wish::Unset(settings, chosen) => {
                let all = settings.iter();
                let commands = all.filter_map(|setting| unset_command(&self.state, pane, setting));
                let commands: Vec<String> = commands.collect();
                let text = match (chosen, settings.first()) {
                    (Chosen::Current, Some(setting)) => format!("Unset {}? ", title(setting)),
                    _ => format!("Unset {} tagged? ", settings.len()),
                };
                self.confirm_settings(pane, text, commands);
            }
        }
    }

    fn confirm_settings(&mut self, pane: PaneId, text: String, commands: Vec<String>) {
        if !commands.is_empty() {
            self.with_tree(pane, |_, tree| {
                tree.ask(Question::Confirm { text, commands });
            });
        }
    }

    /// Turns a flag over, takes the next word of a choice, or asks for a value.
    fn change_setting(&mut self, caller: &Caller, pane: PaneId, setting: &Setting, reach: Reach) {
        let (text, answer) = match setting {
            Setting::Section(_) | Setting::Table(_) | Setting::Key(..) => return,
            Setting::KeyPart(table, key, part) => {
                let Some(binding) = self.own_binding(table, *key) else {
                    return;
                };
                let answer = match part {
                    KeyPart::Command => print_full(&binding.commands),
                    KeyPart::Note => binding.note.unwrap_or_default(),
                    KeyPart::Repeat => {
                        let commands = self.value_command(pane, setting, reach, "");
                        return self.run_each(caller, &commands);
                    }
                };
                (format!("({key}) "), answer)
            }
            Setting::Option(section, name) | Setting::Element(section, name, _) => {
                let index = index_of(setting);
                let spec = options::known(name);
                let held = holding(&self.state, pane, *section, name, index);
                let text = held.map(|held| held.text).unwrap_or_default();
                if let Some(next) = spec.and_then(|spec| next_value(spec, &text)) {
                    let commands = self.value_command(pane, setting, reach, &next);
                    return self.run_each(caller, &commands);
                }
                let is_whole_array =
                    index.is_none() && spec.is_some_and(|spec| spec.array.is_some());
                let (more, answer) = match is_whole_array {
                    true => ("[+]", String::new()),
                    false => ("", text),
                };
                let layer = layer_for(*section, spec, reach);
                let whom = match (section, layer) {
                    (Section::Server, _) => String::new(),
                    (_, Layer::Global) => ", global".to_owned(),
                    (_, layer) => format!(", for {}", self.layer_name(pane, layer)),
                };
                (format!("({}{more}{whom}) ", title(setting)), answer)
            }
        };
        let question = Question::Value {
            text,
            setting: setting.clone(),
            reach,
        };
        self.with_tree(pane, |_, tree| tree.ask_value(question, answer));
    }

    fn own_binding(&self, table: &str, key: Key) -> Option<Binding> {
        let mut listed = self.commands.key_tables.list(Filter {
            table: Some(table),
            key: Some(key),
        });
        listed.next().map(|(_, binding)| binding.clone())
    }

    /// The command that gives something another value.
    fn value_command(
        &self,
        pane: PaneId,
        setting: &Setting,
        reach: Reach,
        value: &str,
    ) -> Vec<String> {
        match setting {
            Setting::Section(_) | Setting::Table(_) | Setting::Key(..) => Vec::new(),
            Setting::Option(section, name) | Setting::Element(section, name, _) => {
                let spec = options::known(name);
                let flags = layer_for(*section, spec, reach).flags(*section);
                let mut title = title(setting);
                if index_of(setting).is_none() && spec.is_some_and(|spec| spec.array.is_some()) {
                    title = format!("{name}[{}]", free_index(&self.state, pane, *section, name));
                }
                let (title, value) = (quoted(&title), quoted(value));
                vec![format!("set-option {flags} -t {pane} -- {title} {value}")]
            }
            Setting::KeyPart(table, key, part) => {
                let Some(binding) = self.own_binding(table, *key) else {
                    return Vec::new();
                };
                let mut repeats = binding.repeat == Repeat::Repeats;
                let mut note = binding.note.as_deref();
                let mut commands = String::new();
                match part {
                    KeyPart::Command => commands = quoted(value),
                    KeyPart::Note => note = Some(value),
                    KeyPart::Repeat => repeats = !repeats,
                }
                vec![bind_command(table, *key, note, repeats, &commands)]
            }
        }
    }
}

/// The sets that count for a pane, the nearest first.
pub(super) fn layers(model: &Model, pane: PaneId, section: Section) -> Vec<(Layer, &Options)> {
    let global = &model.options;
    let mut layers = Vec::new();
    match section {
        Section::Server => layers.push((Layer::Global, &global.server)),
        Section::Session => {
            let session = model.place_of(pane);
            let session = session.and_then(|found| model.sessions.get(&found.session));
            layers.extend(session.map(|session| (Layer::Session, &session.options)));
            layers.push((Layer::Global, &global.session));
        }
        Section::WindowAndPane => {
            if let Some(pane) = model.panes.get(&pane) {
                layers.push((Layer::Pane, &pane.options));
                let window = model.windows.get(&pane.window);
                layers.extend(window.map(|window| (Layer::Window, &window.options)));
            }
            layers.push((Layer::Global, &global.window));
        }
    }
    layers
}

/// What an option, or one of its items, comes to for a pane.
pub(super) fn holding(
    model: &Model,
    pane: PaneId,
    section: Section,
    name: &str,
    index: Option<u32>,
) -> Option<Holding> {
    let layers = layers(model, pane, section).into_iter();
    let mut held = layers.filter_map(|(layer, options)| {
        // An array is taken as a whole from where it is set.
        text_in(options, name, None)?;
        Some((layer, text_in(options, name, index)))
    });
    let (layer, text) = held.next()?;
    Some(Holding { layer, text: text? })
}

fn array_items(model: &Model, pane: PaneId, section: Section, name: &str) -> Vec<(u32, String)> {
    let layers = layers(model, pane, section).into_iter();
    let mut arrays = layers.filter_map(|(_, options)| options.get(name));
    match arrays.next() {
        Some(Value::Array(items)) => items
            .iter()
            .map(|(index, value)| (*index, value.print()))
            .collect(),
        _ => Vec::new(),
    }
}

fn free_index(model: &Model, pane: PaneId, section: Section, name: &str) -> u32 {
    let items = array_items(model, pane, section, name);
    let taken: BTreeSet<u32> = items.into_iter().map(|(index, _)| index).collect();
    (0..).find(|index| !taken.contains(index)).unwrap_or(0)
}

/// The commands by which something is again as it was at first. One item of an array has no such state.
fn reset_commands(model: &Model, pane: PaneId, setting: &Setting) -> Vec<String> {
    match setting {
        Setting::Section(_) | Setting::Table(_) | Setting::Element(..) => Vec::new(),
        Setting::Option(section, name) => {
            let layers = layers(model, pane, *section).into_iter();
            let set = layers.filter(|(_, options)| text_in(options, name, None).is_some());
            let title = quoted(name);
            let commands = set.map(|(layer, _)| {
                let flags = layer.flags(*section);
                format!("set-option {flags} -u -t {pane} -- {title}")
            });
            commands.collect()
        }
        Setting::Key(table, key) | Setting::KeyPart(table, key, _) => {
            vec![match default_binding(table, *key) {
                Some(default) => {
                    let note = Some(default.note).filter(|note| !note.is_empty());
                    let repeats = default.repeat == Repeat::Repeats;
                    let commands = quoted(default.command);
                    bind_command(table, *key, note, repeats, &commands)
                }
                None => unbind_command(table, *key),
            }]
        }
    }
}

/// The command that takes something away from where it is set.
fn unset_command(model: &Model, pane: PaneId, setting: &Setting) -> Option<String> {
    match setting {
        Setting::Section(_) | Setting::Table(_) => None,
        Setting::Option(section, name) | Setting::Element(section, name, _) => {
            let held = holding(model, pane, *section, name, index_of(setting));
            let layers = layers(model, pane, *section);
            let last = layers.last().map(|(layer, _)| *layer);
            let layer = held.map(|held| held.layer).or(last)?;
            let (flags, title) = (layer.flags(*section), quoted(&title(setting)));
            Some(format!("set-option {flags} -u -t {pane} -- {title}"))
        }
        Setting::Key(table, key) | Setting::KeyPart(table, key, _) => {
            Some(unbind_command(table, *key))
        }
    }
}

/// Where a value is set that is to reach so far.
fn layer_for(section: Section, spec: Option<&OptionSpec>, reach: Reach) -> Layer {
    let is_of_pane = spec.is_none_or(|spec| spec.scope == Scope::Pane);
    match (section, reach) {
        (Section::Server, _) | (_, Reach::Global) => Layer::Global,
        (Section::Session, _) => Layer::Session,
        (Section::WindowAndPane, Reach::Nearest) if is_of_pane => Layer::Pane,
        (Section::WindowAndPane, _) => Layer::Window,
    }
}

/// The value after this one, of an option with few of them.
fn next_value(spec: &OptionSpec, text: &str) -> Option<String> {
    match spec.kind {
        _ if spec.array.is_some() => None,
        Kind::Flag => Some(if text == "on" { "off" } else { "on" }.to_owned()),
        Kind::Choice(words) => {
            let at = words.iter().position(|word| *word == text)?;
            words
                .get((at + 1) % words.len())
                .map(|word| (*word).to_owned())
        }
        _ => None,
    }
}

/// What something is called in a question.
fn title(setting: &Setting) -> String {
    match setting {
        Setting::Section(section) => section.title().to_owned(),
        Setting::Table(name) | Setting::Option(_, name) => name.clone(),
        Setting::Element(_, name, index) => format!("{name}[{index}]"),
        Setting::Key(_, key) | Setting::KeyPart(_, key, _) => key.to_string(),
    }
}

pub(super) fn index_of(setting: &Setting) -> Option<u32> {
    match setting {
        Setting::Element(_, _, index) => Some(*index),
        _ => None,
    }
}

/// The binding a key has from the start.
pub(super) fn default_binding(
    table: &str,
    key: Key,
) -> Option<&'static shellkeep_command::bind::Default> {
    let mut defaults = DEFAULTS.iter();
    defaults.find(|default| default.table == table && default.key.parse() == Ok(key))
}

fn bind_command(
    table: &str,
    key: Key,
    note: Option<&str>,
    repeats: bool,
    commands: &str,
) -> String {
    let repeat = if repeats { "-r " } else { "" };
    let note = note.map(|note| format!("-N {} ", quoted(note)));
    let (note, table) = (note.unwrap_or_default(), quoted(table));
    let key = quoted(&key.to_string());
    format!("bind-key {repeat}{note}-T {table} -- {key} {commands}")
}

fn unbind_command(table: &str, key: Key) -> String {
    let (table, key) = (quoted(table), quoted(&key.to_string()));
    format!("unbind-key -T {table} -- {key}")
}

fn heading(setting: Setting, name: String, children: Vec<Node>) -> Node {
    node(setting, name, None, children)
}

fn node(setting: Setting, name: String, text: Option<String>, children: Vec<Node>) -> Node {
    Node {
        item: Item::Setting(setting),
        name,
        text,
        children,
    }
}
