//! Customize mode: the tree of options and key bindings, and the commands by which its keys change them.

use std::collections::BTreeSet;

use shellkeep_command::bind::{Binding, Filter, Repeat};
use shellkeep_command::options::{self, Kind, OptionSpec, Scope};
use shellkeep_command::parse::print_full;
use shellkeep_core::PaneId;
use shellkeep_core::key::Key;

use crate::commands::queue::Caller;
use crate::model::Model;
use crate::modes::customize_nodes::{
    Layer, array_items, default_binding, holding, index_of, layers, text_in,
};
use crate::modes::overlay::tree::{Chosen, KeyPart, Question, Reach, Section, Setting, Wish};
use crate::modes::trees::quoted;
use crate::modes::{customize_nodes, trees};

pub(crate) fn customize(model: &mut Model, caller: &Caller, pane: PaneId, wish: Wish) {
    match wish {
        Wish::Change(setting, reach) => change_setting(model, caller, pane, &setting, reach),
        Wish::Value(setting, reach, value) => {
            let commands = value_command(model, pane, &setting, reach, &value);
            trees::run_each(model, caller, &commands);
        }
        Wish::Reset(settings, chosen) => {
            let all = settings.iter();
            let commands = all.flat_map(|setting| reset_commands(model, pane, setting));
            let commands: Vec<String> = commands.collect();
            let text = match (chosen, settings.first()) {
                (Chosen::Current, Some(setting)) => {
                    format!("Reset {} to default? ", title(setting))
                }
                _ => format!("Reset {} tagged to default? ", settings.len()),
            };
            confirm_settings(model, pane, text, commands);
        }
        Wish::Unset(settings, chosen) => {
            let all = settings.iter();
            let commands = all.filter_map(|setting| unset_command(model, pane, setting));
            let commands: Vec<String> = commands.collect();
            let text = match (chosen, settings.first()) {
                (Chosen::Current, Some(setting)) => format!("Unset {}? ", title(setting)),
                _ => format!("Unset {} tagged? ", settings.len()),
            };
            confirm_settings(model, pane, text, commands);
        }
    }
}

fn confirm_settings(model: &mut Model, pane: PaneId, text: String, commands: Vec<String>) {
    if !commands.is_empty() {
        trees::with_tree(model, pane, |_, tree| {
            tree.ask(Question::Confirm { text, commands });
        });
    }
}

/// Toggles a flag, takes the next word of a choice, or asks for a value.
fn change_setting(
    model: &mut Model,
    caller: &Caller,
    pane: PaneId,
    setting: &Setting,
    reach: Reach,
) {
    let (text, answer) = match setting {
        Setting::Section(_) | Setting::Table(_) | Setting::Key(..) => return,
        Setting::KeyPart(table, key, part) => {
            let Some(binding) = own_binding(model, table, *key) else {
                return;
            };
            let answer = match part {
                KeyPart::Command => print_full(&binding.commands),
                KeyPart::Note => binding.note.unwrap_or_default(),
                KeyPart::Repeat => {
                    let commands = value_command(model, pane, setting, reach, "");
                    return trees::run_each(model, caller, &commands);
                }
            };
            (format!("({key}) "), answer)
        }
        Setting::Option(section, name) | Setting::Element(section, name, _) => {
            let index = index_of(setting);
            let spec = options::known(name);
            let held = holding(model, pane, *section, name, index);
            let text = held.map(|held| held.text).unwrap_or_default();
            if let Some(next) = spec.and_then(|spec| next_value(spec, &text)) {
                let commands = value_command(model, pane, setting, reach, &next);
                return trees::run_each(model, caller, &commands);
            }
            let is_whole_array = index.is_none() && spec.is_some_and(|spec| spec.array.is_some());
            let (more, answer) = match is_whole_array {
                true => ("[+]", String::new()),
                false => ("", text),
            };
            let layer = layer_for(*section, spec, reach);
            let whom = match (section, layer) {
                (Section::Server, _) => String::new(),
                (_, Layer::Global) => ", global".to_owned(),
                (_, layer) => format!(", for {}", customize_nodes::layer_name(model, pane, layer)),
            };
            (format!("({}{more}{whom}) ", title(setting)), answer)
        }
    };
    let question = Question::Value {
        text,
        setting: setting.clone(),
        reach,
    };
    trees::with_tree(model, pane, |_, tree| tree.ask_value(question, answer));
}

fn own_binding(model: &Model, table: &str, key: Key) -> Option<Binding> {
    let mut listed = model.key_tables.list(Filter {
        table: Some(table),
        key: Some(key),
    });
    listed.next().map(|(_, binding)| binding.clone())
}

/// The command that sets a value.
fn value_command(
    model: &Model,
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
                title = format!("{name}[{}]", free_index(model, pane, *section, name));
            }
            let (title, value) = (quoted(&title), quoted(value));
            vec![format!("set-option {flags} -t {pane} -- {title} {value}")]
        }
        Setting::KeyPart(table, key, part) => {
            let Some(binding) = own_binding(model, table, *key) else {
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

fn free_index(model: &Model, pane: PaneId, section: Section, name: &str) -> u32 {
    let items = array_items(model, pane, section, name);
    let taken: BTreeSet<u32> = items.into_iter().map(|(index, _)| index).collect();
    (0..).find(|index| !taken.contains(index)).unwrap_or(0)
}

/// The commands that restore the defaults. A single item of an array has no default.
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

/// The command that unsets something in the scope where it is set.
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

/// The scope in which a value is set, for this reach.
fn layer_for(section: Section, spec: Option<&OptionSpec>, reach: Reach) -> Layer {
    let is_of_pane = spec.is_none_or(|spec| spec.scope == Scope::Pane);
    match (section, reach) {
        (Section::Server, _) | (_, Reach::Global) => Layer::Global,
        (Section::Session, _) => Layer::Session,
        (Section::WindowAndPane, Reach::Nearest) if is_of_pane => Layer::Pane,
        (Section::WindowAndPane, _) => Layer::Window,
    }
}

/// The next value, of an option with few of them.
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

/// The name of a setting in a question.
fn title(setting: &Setting) -> String {
    match setting {
        Setting::Section(section) => section.title().to_owned(),
        Setting::Table(name) | Setting::Option(_, name) => name.clone(),
        Setting::Element(_, name, index) => format!("{name}[{index}]"),
        Setting::Key(_, key) | Setting::KeyPart(_, key, _) => key.to_string(),
    }
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
