//! `set-option`. `set-window-option` and `set-hook` share its code.

use std::path::Path;

use shellkeep_command::cmd::set_option::Args;
use shellkeep_command::options::{self, Change, Kind, OptionError, OptionName};
use shellkeep_command::parse::{List, ParseError, parse_argument, parse_strict, print_full};
use shellkeep_command::{Script, Target};
use shellkeep_core::PaneId;
use shellkeep_hibernation::Rules;

use crate::commands::config::ConfigHost;
use crate::commands::exec::option_place::{Asked, OptionSet};
use crate::commands::option_changes;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::formats;
use crate::model::refusal;
use crate::panes::usual_shell::is_shell;
use crate::server::Server;

/// What to set, for any of these commands.
pub(crate) struct Setting<'a> {
    pub(crate) asked: Asked<'a>,
    pub(crate) append: Append,
    pub(crate) expand: Expand,
    pub(crate) only_unset: OnlyUnset,
    pub(crate) quiet: Quiet,
    pub(crate) unset: Unset,
    pub(crate) option: &'a str,
    pub(crate) value: Option<&'a Script>,
}

/// Defines a flag as a type of its own.
macro_rules! flag {
    ($name:ident, $no:ident, $yes:ident) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $no,
            $yes,
        }

        impl From<bool> for $name {
            fn from(is: bool) -> Self {
                if is { Self::$yes } else { Self::$no }
            }
        }
    };
}

flag!(Append, Replace, Append);
flag!(Expand, Literal, Format);
flag!(OnlyUnset, Always, IfUnset);
flag!(Quiet, Loud, Quiet);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unset {
    No,
    Here,
    /// It is unset in the window's panes, too.
    WithPanes,
}

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let asked = Asked {
        server: args.server,
        global: args.global,
        window: args.window,
        pane: args.pane,
        target: args.target.as_deref(),
        kind: Target::Pane,
    };
    let unset = match (args.unset_panes, args.unset) {
        (true, _) => Unset::WithPanes,
        (false, true) => Unset::Here,
        (false, false) => Unset::No,
    };
    let setting = Setting {
        asked,
        append: args.append.into(),
        expand: args.expand.into(),
        only_unset: args.only_unset.into(),
        quiet: args.quiet.into(),
        unset,
        option: &args.option,
        value: args.value.as_ref(),
    };
    set(server, caller, &setting)
}

pub(crate) fn set(server: &mut Server, caller: &Caller, setting: &Setting<'_>) -> Outcome {
    let found = setting.asked.found(server, caller);
    let expand = |server: &Server, text: &str| {
        let scope = formats::scope(&server.model).client(caller.client);
        let scope = found.map_or(scope.clone(), |found| scope.found(found));
        scope.expand(text)
    };
    let typed = expand(server, setting.option);
    let name = match options::find(&typed) {
        Ok(name) => name,
        Err(_) if setting.quiet == Quiet::Quiet => return Ok(Reply::default()),
        Err(error) => return Err(refusal(&error)),
    };
    let value = setting.value.map(|value| match setting.expand {
        Expand::Format => expand(server, value),
        Expand::Literal => value.to_string(),
    });
    let is_block = setting.value.is_some_and(Script::is_block);
    let place = match setting.asked.place_of(server, caller, &name) {
        Ok(place) => place,
        Err(_) if setting.quiet == Quiet::Quiet => return Ok(Reply::default()),
        Err(reason) => return Err(reason),
    };
    let is_array = name.spec().is_some_and(|spec| spec.array.is_some());
    if name.index().is_some() && !is_array {
        return Err(refusal(&OptionError::NotAnArray(typed)));
    }
    let is_set = place
        .sets(&server.model)
        .is_some_and(|(options, _)| options.is_set(&name));
    if setting.only_unset == OnlyUnset::IfUnset && setting.unset == Unset::No && is_set {
        if setting.quiet == Quiet::Quiet {
            return Ok(Reply::default());
        }
        return Err(refusal(&OptionError::AlreadySet(typed)));
    }
    let value = match (setting.unset, value) {
        (Unset::No, Some(value)) if is_block && !is_command(&name) => {
            // It is kept as a text, which shows where its lines were.
            Some(printed(parse_strict(
                &value,
                &mut ConfigHost(&mut server.model),
            ))?)
        }
        (Unset::No, Some(value)) => Some(checked(server, &name, value)?),
        (_, value) => value,
    };
    let change = match (setting.unset, setting.append) {
        (Unset::Here | Unset::WithPanes, _) => Change::Unset,
        (Unset::No, Append::Append) => Change::Append(value.as_deref()),
        (Unset::No, Append::Replace) => Change::Set(value.as_deref()),
    };
    if let (Unset::WithPanes, OptionSet::Window(window)) = (setting.unset, place) {
        let panes = server.model.panes_of(window).map(|pane| pane.id);
        for pane in panes.collect::<Vec<PaneId>>() {
            apply(server, OptionSet::Pane(pane), &name, Change::Unset)?;
        }
    }
    apply(server, place, &name, change)?;
    option_changes::option_changed(server, name.name());
    Ok(Reply::default())
}

fn apply(
    server: &mut Server,
    place: OptionSet,
    name: &OptionName,
    change: Change<'_>,
) -> Result<(), String> {
    if let Some((options, parents)) = place.sets_mut(&mut server.model) {
        let changed = options.change(name, change, parents);
        changed.map_err(|error| refusal(&error))?;
    }
    place.note(server);
    Ok(())
}

/// Checks a value beyond what the table can: commands are parsed and stored as they are shown, and a shell must be
/// executable.
fn checked(server: &mut Server, name: &OptionName, value: String) -> Result<String, String> {
    let Some(spec) = name.spec() else {
        return Ok(value);
    };
    if is_command(name) {
        return printed(parse_argument(&value, &mut ConfigHost(&mut server.model)));
    }
    if spec.name == "resume-rules" && !value.is_empty() {
        let (_, errors) = Rules::parse([&value[..]]);
        if let Some(error) = errors.first() {
            return Err(error.to_string());
        }
    }
    if spec.name == "default-shell" && !value.is_empty() && !is_shell(Path::new(&value)) {
        return Err(refusal(&OptionError::NotAShell(value)));
    }
    Ok(value)
}

fn is_command(name: &OptionName) -> bool {
    name.spec().is_some_and(|spec| spec.kind == Kind::Command)
}

/// Commands as they are shown.
fn printed(read: Result<List, ParseError>) -> Result<String, String> {
    let list = read.map_err(|error| error.message)?;
    match list.check().into_iter().next() {
        Some(error) => Err(error.message),
        None => Ok(print_full(&list)),
    }
}
