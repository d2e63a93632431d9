//! Hooks: commands that run after other commands, or when something has happened.
//!
//! Commands of a hook run no hooks, so that two hooks cannot run each other forever.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use shellkeep_command::options::{self, Scope, View};
use shellkeep_command::parse::{NoHost, Parsed, parse_argument, print_args};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_command::{Spec, Taken, Target};
use shellkeep_core::PaneId;

use crate::commands::config::ConfigHost;
use crate::commands::queue::{Caller, Hook, Item, items};
use crate::commands::targets;
use crate::model::{Model, is_hook_set};

/// A hook to run if a command succeeds.
pub(crate) struct After {
    name: &'static str,
    command: &'static str,
    taken: Taken,
    /// The command's arguments as text.
    arguments: String,
    /// The command's target, before it ran.
    target: Option<ResolvedTarget>,
    /// The id of the next pane, before the command ran.
    next_pane: u32,
    /// The active pane of the target, before the command ran.
    active: Option<PaneId>,
}

/// The hook to run after a command, if one is set.
pub(crate) fn after_hook(
    model: &Model,
    caller: &Caller,
    spec: &Spec,
    command: &Parsed,
) -> Option<After> {
    if caller.hook.is_some() {
        return None;
    }
    let name = match spec.name {
        // In tmux these are one command.
        "last-window" | "next-window" | "previous-window" => "select-window",
        name => name,
    };
    let hook = options::known(&format!("after-{name}"))?;
    if !is_hook_set(model, hook) {
        return None;
    }
    let taken = command.taken()?;
    let kind = match spec.target {
        Target::WindowIndex | Target::Client | Target::None => Target::Pane,
        kind => kind,
    };
    let named = match spec.target {
        Target::Session | Target::Window | Target::Pane => taken.value('t'),
        _ => None,
    };
    let target = targets::find(model, caller, named, kind).ok();
    let words = command.canonical();
    Some(After {
        name: hook.name,
        command: name,
        active: target.and_then(|found| Some(model.windows.get(&found.window)?.active)),
        target,
        arguments: print_args(words.get(1..).unwrap_or_default()),
        taken,
        next_pane: model.next.pane,
    })
}

/// Runs a hook at once, for `set-hook -R`. It may also be a user's own (`@name`).
pub(crate) fn hook_now(
    model: &mut Model,
    caller: &Caller,
    name: &str,
) -> Result<Vec<Item>, String> {
    let current = targets::current(model, caller).place;
    let current = current.or_else(|| model.place_in(model.latest_session()?));
    let hook = Hook {
        current,
        formats: vec![("hook", name.to_owned())],
    };
    if let Some(spec) = options::known(name) {
        return Ok(hook_items(model, spec.name, hook));
    }
    let session = current.map(|found| found.session);
    let text = model.session_options(session).user(name);
    let Some(text) = text.map(str::to_owned) else {
        return Ok(Vec::new());
    };
    let list = parse_argument(&text, &mut ConfigHost(model)).map_err(|error| error.message)?;
    let hook = Arc::new(hook);
    let items = items(&list).into_iter().map(|item| Item {
        hook: Some(hook.clone()),
        ..item
    });
    Ok(items.collect())
}

/// The commands of the hook, after the command has succeeded.
pub(crate) fn after_hook_items(model: &Model, caller: &Caller, after: After) -> Vec<Item> {
    let is_new = matches!(after.command, "new-session" | "new-window" | "split-window");
    if is_new && model.next.pane == after.next_pane {
        // The window was the current one already.
        return Vec::new();
    }
    let active = |found: ResolvedTarget| model.windows.get(&found.window).map(|it| it.active);
    if after.command == "select-pane" && after.target.and_then(active) == after.active {
        // The pane was the active one already.
        return Vec::new();
    }
    let target = match after.command {
        _ if is_new => model.place_of(PaneId(model.next.pane - 1)),
        "select-window" => {
            let session = after.target.map(|found| found.session);
            session.and_then(|session| model.place_in(session))
        }
        "select-pane" => after.target.and_then(|found| {
            let pane = model.windows.get(&found.window)?.active;
            Some(ResolvedTarget { pane, ..found })
        }),
        _ => after.target,
    };
    let current = target
        .filter(|found| is_there(model, *found))
        .or_else(|| targets::current(model, caller).place)
        .filter(|found| is_there(model, *found))
        .or_else(|| model.place_in(model.latest_session()?));
    let Some(current) = current else {
        return Vec::new();
    };
    let mut formats = vec![
        ("hook", after.name.to_owned()),
        ("hook_arguments", after.arguments),
    ];
    let names = ARGUMENT_NAMES.iter();
    for (name, argument) in names.zip(after.taken.arguments) {
        formats.push((name, argument));
    }
    for (letter, value) in after.taken.flags {
        if let Some(name) = FLAG_NAMES.get(&letter) {
            formats.push((name, value.unwrap_or_else(|| "1".to_owned())));
        }
    }
    let hook = Hook {
        current: Some(current),
        formats,
    };
    hook_items(model, after.name, hook)
}

/// Whether a target still is where it was found.
pub(crate) fn is_there(model: &Model, found: ResolvedTarget) -> bool {
    let session = model.sessions.get(&found.session);
    let link = session.and_then(|session| session.links.get(&found.index));
    let is_in = model.panes.get(&found.pane);
    link.is_some_and(|link| link.window == found.window)
        && is_in.is_some_and(|pane| pane.window == found.window)
}

/// The commands of a hook, with its subject.
pub(crate) fn hook_items(model: &Model, name: &str, hook: Hook) -> Vec<Item> {
    let Some(spec) = options::known(name) else {
        return Vec::new();
    };
    let view = match (spec.scope, hook.current) {
        (Scope::Server, _) => model.options.server(),
        (Scope::Session, found) => model.session_options(found.map(|found| found.session)),
        (Scope::Window, Some(found)) => model.window_options(found.window),
        (Scope::Pane, Some(found)) => model.pane_options(found.pane),
        (Scope::Window | Scope::Pane, None) => View::of(&model.options.window),
    };
    let hook = Arc::new(hook);
    let mut all: Vec<Item> = Vec::new();
    for text in view.texts(spec.name) {
        // It was parsed when it was set, and printed by this program.
        let Ok(list) = parse_argument(text, &mut NoHost) else {
            continue;
        };
        let base = all.last().map_or(0, |item| item.group + 1);
        all.extend(items(&list).into_iter().map(|item| Item {
            group: base + item.group,
            hook: Some(hook.clone()),
            ..item
        }));
    }
    all
}

/// `hook_argument_0` and so on. Further arguments are only in `hook_arguments`.
static ARGUMENT_NAMES: [&str; 10] = [
    "hook_argument_0",
    "hook_argument_1",
    "hook_argument_2",
    "hook_argument_3",
    "hook_argument_4",
    "hook_argument_5",
    "hook_argument_6",
    "hook_argument_7",
    "hook_argument_8",
    "hook_argument_9",
];

/// `hook_flag_a` and so on. Names of variables are `'static`, so the few names are made once.
static FLAG_NAMES: LazyLock<BTreeMap<char, &'static str>> = LazyLock::new(|| {
    let letters = ('0'..='9').chain('A'..='Z').chain('a'..='z');
    let names = letters.map(|letter| {
        let name: &'static str = Box::leak(format!("hook_flag_{letter}").into_boxed_str());
        (letter, name)
    });
    names.collect()
});
