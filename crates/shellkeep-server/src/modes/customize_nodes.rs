//! The nodes of the tree of options and key bindings, and in which scope an option is set.

use std::collections::BTreeSet;

use shellkeep_command::bind::{DEFAULTS, Filter, Repeat};
use shellkeep_command::options::{self, Family, OptionSpec, Options, Scope, Value};
use shellkeep_command::parse::print_full;
use shellkeep_core::PaneId;
use shellkeep_core::key::Key;

use crate::formats;
use crate::model::Model;
use crate::modes::overlay::tree::{Item, KeyPart, Node, Section, Setting, Tree};

/// The scope in which an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Pane,
    Window,
    Session,
    Global,
}

impl Layer {
    /// The flags of `set-option` for this scope.
    pub(crate) fn flags(self, section: Section) -> &'static str {
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

/// The value of an option, and its scope.
pub(crate) struct Holding {
    pub(crate) layer: Layer,
    pub(crate) text: String,
}

/// The section of the tree that an option belongs to.
pub(crate) fn section_of(scope: Scope) -> Section {
    match scope {
        Scope::Server => Section::Server,
        Scope::Session => Section::Session,
        Scope::Window | Scope::Pane => Section::WindowAndPane,
    }
}

/// The text of an option, or of one of its items, in a set.
pub(crate) fn text_in(options: &Options, name: &str, index: Option<u32>) -> Option<String> {
    if name.starts_with('@') {
        return options.user(name).map(str::to_owned);
    }
    match (options.get(name)?, index) {
        (Value::Array(items), Some(index)) => items.get(&index).map(Value::print),
        (value, _) => Some(value.print()),
    }
}

/// The name of a scope, such as `session 0`.
pub(crate) fn layer_name(model: &Model, pane: PaneId, layer: Layer) -> String {
    let found = model.place_of(pane);
    let scope = formats::scope(model);
    let scope = found.map_or(scope.clone(), |found| scope.found(found));
    match layer {
        Layer::Pane => scope.expand("pane #{pane_index}"),
        Layer::Window => scope.expand("window #{window_index}"),
        Layer::Session => scope.expand("session #{session_name}"),
        Layer::Global => String::new(),
    }
}

pub(crate) fn setting_nodes(model: &Model, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
    let Some(pane) = tree.setup.pane else {
        return Vec::new();
    };
    let mut nodes: Vec<Node> = Vec::new();
    for section in Section::ALL {
        let children = option_nodes(model, tree, pane, section, filter);
        nodes.push(heading(
            Setting::Section(section),
            section.title().to_owned(),
            children,
        ));
    }
    let listed = model.key_tables.list(Filter::default());
    let tables: BTreeSet<&str> = listed.map(|(table, _)| table).collect();
    for table in tables {
        let children = binding_nodes(model, tree, table, filter);
        let title = format!("Key Table - {table}");
        nodes.push(heading(Setting::Table(table.to_owned()), title, children));
    }
    nodes.retain(|node| !node.children.is_empty());
    nodes
}

fn option_nodes(
    model: &Model,
    tree: &Tree,
    pane: PaneId,
    section: Section,
    filter: Option<&str>,
) -> Vec<Node> {
    let known = options::all()
        .filter(|spec| spec.family == Family::Setting && section_of(spec.scope) == section);
    let mut names: BTreeSet<&str> = known.map(|spec| spec.name).collect();
    let layers = layers(model, pane, section);
    for (_, options) in &layers {
        names.extend(options.users().map(|(name, _)| name));
    }
    let nodes = names.into_iter().filter_map(|name| {
        let spec = options::known(name);
        let is_array = spec.is_some_and(|spec| spec.array.is_some());
        if !is_array {
            let held = holding(model, pane, section, name, None)?;
            let text = setting_text(model, tree, pane, (name, spec), held, filter)?;
            let setting = Setting::Option(section, name.to_owned());
            return Some(node(setting, name.to_owned(), Some(text), Vec::new()));
        }
        let items = array_items(model, pane, section, name).into_iter();
        let items = items.filter_map(|(index, _)| {
            let title = format!("{name}[{index}]");
            let held = holding(model, pane, section, name, Some(index))?;
            let text = setting_text(model, tree, pane, (&title, spec), held, filter)?;
            let setting = Setting::Element(section, name.to_owned(), index);
            Some(node(setting, title, Some(text), Vec::new()))
        });
        let items: Vec<Node> = items.collect();
        let is_shown = filter.is_none_or(|filter| {
            let scope = formats::scope(model)
                .client(tree.setup.client)
                .with("is_option", "1");
            let scope = scope.with("is_key", "0").with("option_is_array", "1");
            !items.is_empty() || scope.with("option_name", name).is_true(filter)
        });
        let setting = Setting::Option(section, name.to_owned());
        is_shown.then(|| node(setting, name.to_owned(), None, items))
    });
    nodes.collect()
}

/// The line of an option, if it passes the filter.
fn setting_text(
    model: &Model,
    tree: &Tree,
    pane: PaneId,
    (name, spec): (&str, Option<&OptionSpec>),
    held: Holding,
    filter: Option<&str>,
) -> Option<String> {
    let found = model.place_of(pane);
    let scope = formats::scope(model).client(tree.setup.client);
    let scope = found.map_or(scope.clone(), |found| scope.found(found));
    let is_array = spec.is_some_and(|spec| spec.array.is_some());
    let number = |is: bool| u8::from(is).to_string();
    let scope = scope
        .with("is_option", "1")
        .with("is_key", "0")
        .with("option_name", name)
        .with("option_is_global", number(held.layer == Layer::Global))
        .with("option_is_array", number(is_array))
        .with("option_scope", layer_name(model, pane, held.layer))
        .with(
            "option_unit",
            spec.and_then(|spec| spec.unit).unwrap_or_default(),
        )
        .with("option_value", held.text);
    let passes = filter.is_none_or(|filter| scope.is_true(filter));
    passes.then(|| scope.expand(&tree.setup.format))
}

fn binding_nodes(model: &Model, tree: &Tree, table: &str, filter: Option<&str>) -> Vec<Node> {
    let listed = model.key_tables.list(Filter {
        table: Some(table),
        key: None,
    });
    let nodes = listed.filter_map(|(_, binding)| {
        let (key, note) = (binding.key, binding.note.clone().unwrap_or_default());
        let scope = formats::scope(model)
            .client(tree.setup.client)
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
        // The text of commands and notes must not be interpreted as styles.
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

/// The sets that apply to a pane, the nearest first.
pub(crate) fn layers(model: &Model, pane: PaneId, section: Section) -> Vec<(Layer, &Options)> {
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

/// The value of an option, or of one of its items, for a pane.
pub(crate) fn holding(
    model: &Model,
    pane: PaneId,
    section: Section,
    name: &str,
    index: Option<u32>,
) -> Option<Holding> {
    let layers = layers(model, pane, section).into_iter();
    let mut held = layers.filter_map(|(layer, options)| {
        // An array is taken as a whole from the scope where it is set.
        text_in(options, name, None)?;
        Some((layer, text_in(options, name, index)))
    });
    let (layer, text) = held.next()?;
    Some(Holding { layer, text: text? })
}

pub(crate) fn array_items(
    model: &Model,
    pane: PaneId,
    section: Section,
    name: &str,
) -> Vec<(u32, String)> {
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

pub(crate) fn index_of(setting: &Setting) -> Option<u32> {
    match setting {
        Setting::Element(_, _, index) => Some(*index),
        _ => None,
    }
}

pub(crate) fn default_binding(
    table: &str,
    key: Key,
) -> Option<&'static shellkeep_command::bind::Default> {
    let mut defaults = DEFAULTS.iter();
    defaults.find(|default| default.table == table && default.key.parse() == Ok(key))
}
