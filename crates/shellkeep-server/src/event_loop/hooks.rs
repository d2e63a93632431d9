//! Hooks: commands that run after others, or when something has happened.
//!
//! What a hook does runs no hooks, so that two of them cannot keep each other going.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use shellkeep_command::options::{self, Scope, View};
use shellkeep_command::parse::{NoHost, Parsed, parse_strict, print_args};
use shellkeep_command::target::Found;
use shellkeep_command::{Spec, Taken, Target};
use shellkeep_core::PaneId;

use super::Server;
use crate::config::Reader;
use crate::exec;
use crate::queue::{Caller, Hook, Item, Queue, QueueId, Wait, items};
use crate::state::{HookDue, Model, is_hook_set};
use crate::world;

/// A hook that will be due if a command succeeds.
pub(super) struct After {
    /// The hook's name.
    name: &'static str,
    command: &'static str,
    taken: Taken,
    /// The command's words behind its name.
    arguments: String,
    /// What the command was about, before it did it.
    target: Option<Found>,
    /// The next pane's number before the command.
    next_pane: u32,
    /// The active pane there before the command.
    active: Option<PaneId>,
}

impl Server {
    // ---- after commands ----

    /// The hook that is due after a command, if somebody has set one.
    pub(super) fn after_hook(
        &self,
        caller: &Caller,
        spec: &Spec,
        command: &Parsed,
    ) -> Option<After> {
        if caller.hook.is_some() {
            return None;
        }
        let name = match spec.name {
            // As in tmux, where these are one command.
            "last-window" | "next-window" | "previous-window" => "select-window",
            name => name,
        };
        let hook = options::known(&format!("after-{name}"))?;
        if !is_hook_set(&self.state, hook) {
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
        let target = exec::find(self, caller, named, kind).ok();
        let words = command.canonical();
        Some(After {
            name: hook.name,
            command: name,
            active: target.and_then(|found| Some(self.state.windows.get(&found.window)?.active)),
            target,
            arguments: print_args(words.get(1..).unwrap_or_default()),
            taken,
            next_pane: self.state.next_pane,
        })
    }

    // ---- when something has happened ----

    /// Runs the hooks that are due, each in a queue of its own.
    pub(super) fn run_hooks(&mut self) {
        // A command that waits for its program to start has its own hook coming first.
        let waits = |queue: Option<QueueId>| {
            let queue = queue.and_then(|id| self.commands.queues.get(&id));
            queue.is_some_and(|queue| matches!(queue.wait, Some(Wait::Pane(_))))
        };
        let due = std::mem::take(&mut self.state.changes.hooks).into_iter();
        let (later, now): (Vec<HookDue>, Vec<HookDue>) = due.partition(|due| waits(due.cause));
        self.state.changes.hooks = later;
        for HookDue { name, mut hook, .. } in now {
            let current = hook.current.filter(|found| is_there(&self.state, *found));
            let latest = || self.state.place_in(self.state.latest_session()?);
            hook.current = current.or_else(latest);
            let caller = Caller {
                current: hook.current,
                ..Caller::default()
            };
            let items = hook_items(&self.state, name, hook);
            if items.is_empty() {
                continue;
            }
            let mut queue = Queue::new(caller);
            queue.push_next(items, 0);
            self.start_queue(queue);
        }
    }

    /// Runs a hook here and now, as `set-hook -R` asks: also one of a user's own name.
    pub(crate) fn hook_now(&mut self, caller: &Caller, name: &str) -> Result<Vec<Item>, String> {
        let current = world::current(&self.state, caller).place;
        let current = current.or_else(|| self.state.place_in(self.state.latest_session()?));
        let hook = Hook {
            current,
            formats: vec![("hook", name.to_owned())],
        };
        if let Some(spec) = options::known(name) {
            return Ok(hook_items(&self.state, spec.name, hook));
        }
        let session = current.map(|found| found.session);
        let text = self.state.session_options(session).user(name);
        let Some(text) = text.map(str::to_owned) else {
            return Ok(Vec::new());
        };
        let list = parse_strict(&text, &mut Reader(self)).map_err(|error| error.message)?;
        let hook = Arc::new(hook);
        let items = items(&list).into_iter().map(|item| Item {
            hook: Some(hook.clone()),
            ..item
        });
        Ok(items.collect())
    }
}

/// The commands of the hook, now that the command has succeeded.
pub(super) fn after_hook_items(model: &Model, caller: &Caller, after: After) -> Vec<Item> {
    let is_new = matches!(after.command, "new-session" | "new-window" | "split-window");
    if is_new && model.next_pane == after.next_pane {
        // It showed what was there already.
        return Vec::new();
    }
    let active = |found: Found| model.windows.get(&found.window).map(|it| it.active);
    if after.command == "select-pane" && after.target.and_then(active) == after.active {
        // Nothing else was selected.
        return Vec::new();
    }
    let target = match after.command {
        _ if is_new => model.place_of(PaneId(model.next_pane - 1)),
        "select-window" => {
            let session = after.target.map(|found| found.session);
            session.and_then(|session| model.place_in(session))
        }
        "select-pane" => after.target.and_then(|found| {
            let pane = model.windows.get(&found.window)?.active;
            Some(Found { pane, ..found })
        }),
        _ => after.target,
    };
    let current = target
        .filter(|found| is_there(model, *found))
        .or_else(|| world::current(model, caller).place)
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

/// Whether something is still where it was found.
fn is_there(model: &Model, found: Found) -> bool {
    let session = model.sessions.get(&found.session);
    let link = session.and_then(|session| session.links.get(&found.index));
    let is_in = model.panes.get(&found.pane);
    link.is_some_and(|link| link.window == found.window)
        && is_in.is_some_and(|pane| pane.window == found.window)
}

/// The commands of a hook, for what it is about.
fn hook_items(model: &Model, name: &str, hook: Hook) -> Vec<Item> {
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
        // It was read when it was set, and printed by us.
        let Ok(list) = parse_strict(text, &mut NoHost) else {
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

/// `hook_argument_0` and so on; of more arguments than these only `hook_arguments` tells.
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

/// `hook_flag_a` and so on. The names of variables live for ever, and there are few of these.
static FLAG_NAMES: LazyLock<BTreeMap<char, &'static str>> = LazyLock::new(|| {
    let letters = ('0'..='9').chain('A'..='Z').chain('a'..='z');
    let names = letters.map(|letter| {
        let name: &'static str = Box::leak(format!("hook_flag_{letter}").into_boxed_str());
        (letter, name)
    });
    names.collect()
});
