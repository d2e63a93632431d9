//! The description of an option or key binding, below the tree.

use shellkeep_command::bind::{Filter, Repeat};
use shellkeep_command::options::{self, Kind, OptionSpec, Scope};
use shellkeep_command::parse::{NoHost, parse_strict, print_full};
use shellkeep_core::PaneId;
use shellkeep_core::key::Key;

use crate::formats;
use crate::model::{Model, Pane};
use crate::modes::customize_nodes;
use crate::modes::customize_nodes::{Layer, default_binding, index_of};
use crate::modes::overlay::tree::{Section, Setting};

/// The lines of the description, with `#[…]` styles.
pub(crate) fn setting_lines(model: &Model, pane: &Pane, setting: &Setting) -> Vec<String> {
    match setting {
        Setting::Section(_) | Setting::Table(_) => Vec::new(),
        Setting::Option(section, name) | Setting::Element(section, name, _) => {
            option_lines(model, pane.id, *section, name, index_of(setting))
        }
        Setting::Key(table, key) | Setting::KeyPart(table, key, _) => {
            binding_lines(model, table, *key)
        }
    }
}

fn option_lines(
    model: &Model,
    pane: PaneId,
    section: Section,
    name: &str,
    index: Option<u32>,
) -> Vec<String> {
    let spec = options::known(name);
    let is_array = spec.is_some_and(|spec| spec.array.is_some());
    let mut lines = vec![
        match spec {
            Some(spec) => plain(&format!("{}.", spec.text.trim_end_matches('.'))),
            None => "This option doesn't have a description.".to_owned(),
        },
        String::new(),
        format!("This is a {} option.", kind_name(spec)),
    ];
    match index {
        Some(index) => lines.push(format!("This is an array option, index {index}.")),
        None if is_array => {
            lines.push("This is an array option.".to_owned());
            return lines;
        }
        None => {}
    }
    let Some(held) = customize_nodes::holding(model, pane, section, name, index) else {
        return lines;
    };
    let unit = spec.and_then(|spec| spec.unit);
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    let value_line = |what: &str, value: &str| plain(&format!("{what}: {value}{unit}"));
    lines.push(String::new());
    lines.push(value_line("Option value", &held.text));
    lines.extend(about_value(model, pane, spec, &held.text));
    if let Some(default) = spec.filter(|_| !is_array).map(OptionSpec::default_text)
        && default != held.text
    {
        lines.push(value_line("The default is", &default));
    }
    lines.push(String::new());
    lines.extend(other_values(
        model,
        pane,
        (section, name),
        held.layer,
        &value_line,
    ));
    lines
}

/// What a value means.
fn about_value(model: &Model, pane: PaneId, spec: Option<&OptionSpec>, value: &str) -> Vec<String> {
    let found = model.place_of(pane);
    let scope = formats::scope(model);
    let scope = found.map_or(scope.clone(), |found| scope.found(found));
    let expands = || {
        let expanded = scope.expand(value);
        (expanded != value).then(|| plain(&format!("This expands to: {expanded}")))
    };
    let mut lines = Vec::new();
    match spec.map(|spec| spec.kind) {
        None | Some(Kind::Text | Kind::Size) => lines.extend(expands()),
        Some(Kind::Choice(words)) => {
            lines.push(format!("Available values are: {}", words.join(", ")));
        }
        Some(Kind::Color) => {
            lines.push(format!("This is a colour option: #[fg={value}]EXAMPLE"));
        }
        Some(Kind::Style) => {
            lines.extend(expands());
            let style = scope.expand(value);
            lines.push(format!("This is a style option: #[{style}]EXAMPLE"));
        }
        Some(Kind::Number { .. } | Kind::Duration | Kind::Flag | Kind::Key | Kind::Command) => {}
    }
    lines
}

/// The values in other scopes.
fn other_values(
    model: &Model,
    pane: PaneId,
    (section, name): (Section, &str),
    layer: Layer,
    value_line: &dyn Fn(&str, &str) -> String,
) -> Vec<String> {
    if layer == Layer::Global || name.starts_with('@') {
        return Vec::new();
    }
    let further = customize_nodes::layers(model, pane, section).into_iter();
    let further = further.skip_while(|(other, _)| *other != layer).skip(1);
    let lines = further.filter_map(|(other, options)| {
        let value = options.get(name)?.print();
        Some(match other {
            Layer::Global => value_line("Global value", &value),
            other => {
                let from = customize_nodes::layer_name(model, pane, other);
                value_line(&format!("Window value (from {from})"), &value)
            }
        })
    });
    lines.collect()
}

fn binding_lines(model: &Model, table: &str, key: Key) -> Vec<String> {
    let mut listed = model.key_tables.list(Filter {
        table: Some(table),
        key: Some(key),
    });
    let Some((_, binding)) = listed.next() else {
        return Vec::new();
    };
    let note = binding.note.as_deref().filter(|note| !note.is_empty());
    let repeats = match binding.repeat {
        Repeat::Repeats => "does",
        Repeat::Once => "does not",
    };
    let commands = print_full(&binding.commands);
    let mut lines = vec![
        match note {
            Some(note) => plain(&format!("{note}.")),
            None => "There is no note for this key.".to_owned(),
        },
        String::new(),
        plain(&format!("This key is in the {table} table.")),
        format!("This key {repeats} repeat."),
        String::new(),
        plain(&format!("Command: {commands}")),
    ];
    let default = default_binding(table, key);
    let default = default.and_then(|default| parse_strict(default.command, &mut NoHost).ok());
    if let Some(default) = default.map(|default| print_full(&default))
        && default != commands
    {
        lines.push(plain(&format!("The default is: {default}")));
    }
    lines
}

fn kind_name(spec: Option<&OptionSpec>) -> &'static str {
    match spec.map(|spec| spec.scope) {
        None => "user",
        Some(Scope::Server) => "server",
        Some(Scope::Session) => "session",
        Some(Scope::Window) => "window",
        Some(Scope::Pane) => "window and pane",
    }
}

/// Text in which nothing is interpreted as a style.
fn plain(text: &str) -> String {
    text.replace('#', "##")
}
