//! Hooks: commands that run after others, or when something has happened.
//!
//! What a hook does runs no hooks, so that two of them cannot keep each other going.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use shellkeep_command::options::{self, OptionSpec, Options, Scope, Value, View};
use shellkeep_command::parse::{Arg, NoHost, parse_strict, print_args};
use shellkeep_command::target::Found;
use shellkeep_command::{Spec, Taken, Target, canonical, taken};
use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use super::Server;
use crate::config::Reader;
use crate::exec;
use crate::notice::Notice;
use crate::queue::{Caller, Hook, Item, Queue, QueueId, Wait, items};

/// A hook that is due, because something has happened.
pub(super) struct Due {
    name: &'static str,
    hook: Hook,
    /// The commands that were a reason for it. What runs after one of them runs first.
    cause: Option<QueueId>,
}

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

/// What something was about, for `#{hook_session}` and its like.
#[derive(Default)]
struct About {
    current: Option<Found>,
    formats: Vec<(&'static str, String)>,
}

impl About {
    fn at(current: Option<Found>) -> Self {
        Self {
            current,
            formats: Vec::new(),
        }
    }

    fn session(mut self, id: SessionId, name: &str) -> Self {
        self.formats.push(("hook_session", id.to_string()));
        self.formats.push(("hook_session_name", name.to_owned()));
        self
    }

    fn window(mut self, id: WindowId, name: &str) -> Self {
        self.formats.push(("hook_window", id.to_string()));
        self.formats.push(("hook_window_name", name.to_owned()));
        self
    }

    fn pane(mut self, id: PaneId) -> Self {
        self.formats.push(("hook_pane", id.to_string()));
        self
    }

    fn reason(self, reason: &str) -> Self {
        self.with(vec![("hook_reason", reason.to_owned())])
    }

    fn with(mut self, formats: Vec<(&'static str, String)>) -> Self {
        self.formats.extend(formats);
        self
    }

    fn client(mut self, name: String) -> Self {
        self.formats.push(("hook_client", name));
        self
    }
}

impl Server {
    // ---- after commands ----

    /// The hook that is due after a command, if somebody has set one.
    pub(super) fn after_hook(&self, caller: &Caller, spec: &Spec, argv: &[Arg]) -> Option<After> {
        if caller.hook.is_some() {
            return None;
        }
        let name = match spec.name {
            // As in tmux, where these are one command.
            "last-window" | "next-window" | "previous-window" => "select-window",
            name => name,
        };
        let hook = options::known(&format!("after-{name}"))?;
        if !self.is_hook_set(hook) {
            return None;
        }
        let taken = taken(argv)?;
        let kind = match spec.target {
            Target::WindowIndex | Target::Client | Target::None => Target::Pane,
            kind => kind,
        };
        let named = match spec.target {
            Target::Session | Target::Window | Target::Pane => taken.value('t'),
            _ => None,
        };
        let target = exec::find(self, caller, named, kind).ok();
        let words = canonical(argv);
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

    /// The commands of the hook, now that the command has succeeded.
    pub(super) fn after_hook_items(&self, caller: &Caller, after: After) -> Vec<Item> {
        let is_new = matches!(after.command, "new-session" | "new-window" | "split-window");
        if is_new && self.state.next_pane == after.next_pane {
            // It showed what was there already.
            return Vec::new();
        }
        let active = |found: Found| self.state.windows.get(&found.window).map(|it| it.active);
        if after.command == "select-pane" && after.target.and_then(active) == after.active {
            // Nothing else was selected.
            return Vec::new();
        }
        let target = match after.command {
            _ if is_new => self.state.place_of(PaneId(self.state.next_pane - 1)),
            "select-window" => {
                let session = after.target.map(|found| found.session);
                session.and_then(|session| self.state.place_in(session))
            }
            "select-pane" => after.target.and_then(|found| {
                let pane = self.state.windows.get(&found.window)?.active;
                Some(Found { pane, ..found })
            }),
            _ => after.target,
        };
        let current = target
            .filter(|found| self.is_there(*found))
            .or_else(|| self.current(caller).place)
            .filter(|found| self.is_there(*found))
            .or_else(|| self.state.place_in(self.state.latest_session()?));
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
        self.hook_items(after.name, hook)
    }

    /// Whether something is still where it was found.
    fn is_there(&self, found: Found) -> bool {
        let session = self.state.sessions.get(&found.session);
        let link = session.and_then(|session| session.links.get(&found.index));
        let is_in = self.state.panes.get(&found.pane);
        link.is_some_and(|link| link.window == found.window)
            && is_in.is_some_and(|pane| pane.window == found.window)
    }

    // ---- when something has happened ----

    /// Notes the hook that something is a reason for, with what it is about now: it may be gone when the hook runs.
    pub(super) fn note_hook(&mut self, notice: &Notice) {
        let name = name_of(notice);
        let is_in_hook = self
            .running
            .and_then(|id| self.queues.get(&id))
            .is_some_and(|queue| queue.current.hook.is_some());
        let is_set = options::known(name).is_some_and(|spec| self.is_hook_set(spec));
        if is_in_hook || !is_set {
            return;
        }
        let mut about = self.about(notice);
        about.formats.insert(0, ("hook", name.to_owned()));
        let hook = Hook {
            current: about.current,
            formats: about.formats,
        };
        let cause = self.running;
        self.hooks_due.push(Due { name, hook, cause });
    }

    /// Runs the hooks that are due, each in a queue of its own.
    pub(super) fn run_hooks(&mut self) {
        // A command that waits for its program to start has its own hook coming first.
        let waits = |queue: Option<QueueId>| {
            let queue = queue.and_then(|id| self.queues.get(&id));
            queue.is_some_and(|queue| matches!(queue.wait, Some(Wait::Pane(_))))
        };
        let due = std::mem::take(&mut self.hooks_due).into_iter();
        let (later, now): (Vec<Due>, Vec<Due>) = due.partition(|due| waits(due.cause));
        self.hooks_due = later;
        for Due { name, mut hook, .. } in now {
            let current = hook.current.filter(|found| self.is_there(*found));
            let latest = || self.state.place_in(self.state.latest_session()?);
            hook.current = current.or_else(latest);
            let caller = Caller {
                current: hook.current,
                ..Caller::default()
            };
            let items = self.hook_items(name, hook);
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
        let current = self.current(caller).place;
        let current = current.or_else(|| self.state.place_in(self.state.latest_session()?));
        let hook = Hook {
            current,
            formats: vec![("hook", name.to_owned())],
        };
        if let Some(spec) = options::known(name) {
            return Ok(self.hook_items(spec.name, hook));
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

    /// The commands of a hook, for what it is about.
    fn hook_items(&self, name: &str, hook: Hook) -> Vec<Item> {
        let Some(spec) = options::known(name) else {
            return Vec::new();
        };
        let view = match (spec.scope, hook.current) {
            (Scope::Server, _) => self.state.options.server(),
            (Scope::Session, found) => self.state.session_options(found.map(|found| found.session)),
            (Scope::Window, Some(found)) => self.state.window_options(found.window),
            (Scope::Pane, Some(found)) => self.state.pane_options(found.pane),
            (Scope::Window | Scope::Pane, None) => View::of(&self.state.options.window),
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

    /// Whether anybody has set a hook: most never are, and nobody should pay for them.
    fn is_hook_set(&self, spec: &OptionSpec) -> bool {
        let has = |options: &Options| match options.get(spec.name) {
            Some(Value::Array(items)) => !items.is_empty(),
            _ => false,
        };
        let state = &self.state;
        if has(state.options.of(spec.scope)) {
            return true;
        }
        match spec.scope {
            Scope::Server => false,
            Scope::Session => state.sessions.values().any(|one| has(&one.options)),
            Scope::Window => state.windows.values().any(|one| has(&one.options)),
            Scope::Pane => {
                state.panes.values().any(|one| has(&one.options))
                    || state.windows.values().any(|one| has(&one.options))
            }
        }
    }

    /// What something that has happened is about.
    fn about(&self, notice: &Notice) -> About {
        match notice {
            Notice::SessionCreated(id)
            | Notice::SessionRenamed(id)
            | Notice::SessionHibernated(id)
            | Notice::SessionWindowChanged(id) => self.about_session(*id),
            Notice::SessionRevived { session, report } => {
                self.about_session(*session).with(report.formats())
            }
            Notice::SessionHibernateFailed { session, reason }
            | Notice::SessionReviveFailed { session, reason } => {
                self.about_session(*session).reason(reason)
            }
            Notice::PaneRevived { pane, report } => self.about_pane(*pane).with(report.formats()),
            Notice::PaneHibernateFailed { pane, reason }
            | Notice::PaneReviveFailed { pane, reason } => self.about_pane(*pane).reason(reason),
            Notice::SessionClosed { id, name } => About::default().session(*id, name),
            Notice::ClientAttached(id)
            | Notice::ClientSessionChanged(id)
            | Notice::ClientActive(id)
            | Notice::ClientFocusIn(id)
            | Notice::ClientFocusOut(id)
            | Notice::ClientResized(id) => self.about_client(*id),
            Notice::ClientDetached { name, session, .. } => {
                About::at(self.state.place_in(*session)).client(name.clone())
            }
            Notice::WindowUnlinked {
                session,
                name,
                window,
            } => self.about_link((*session, name), *window),
            Notice::WindowLinked { session, window }
            | Notice::AlertBell { session, window }
            | Notice::AlertActivity { session, window }
            | Notice::AlertSilence { session, window } => {
                let name = self.session_name(*session);
                self.about_link((*session, &name), *window)
            }
            Notice::WindowRenamed(id)
            | Notice::WindowLayoutChanged(id)
            | Notice::WindowResized(id)
            | Notice::WindowPaneChanged(id) => {
                let window = self.state.windows.get(id);
                let current = window.and_then(|window| self.state.place_of(window.active));
                About::at(current).window(*id, window.map_or("", |window| &window.name))
            }
            Notice::PaneExited { pane, .. }
            | Notice::PaneDied(pane)
            | Notice::PaneHibernated(pane)
            | Notice::PaneModeChanged(pane)
            | Notice::PaneTitleChanged(pane)
            | Notice::PaneFocusIn(pane)
            | Notice::PaneFocusOut(pane)
            | Notice::PaneSetClipboard(pane) => self.about_pane(*pane),
        }
    }

    fn about_pane(&self, id: PaneId) -> About {
        About::at(self.state.place_of(id)).pane(id)
    }

    fn about_session(&self, id: SessionId) -> About {
        About::at(self.state.place_in(id)).session(id, &self.session_name(id))
    }

    pub(super) fn session_name(&self, id: SessionId) -> String {
        let session = self.state.sessions.get(&id);
        session.map_or_else(String::new, |session| session.name.clone())
    }

    fn about_client(&self, id: ClientId) -> About {
        let Some(client) = self.state.clients.get(&id) else {
            return About::default();
        };
        let session = client.session;
        About::at(session.and_then(|id| self.state.place_in(id))).client(client.name())
    }

    /// A window in a session. If it is there no more nothing of it is current, and so what was used last is.
    fn about_link(&self, (session, name): (SessionId, &str), id: WindowId) -> About {
        let window = self.state.windows.get(&id);
        let found = window.and_then(|window| {
            let index = self.state.sessions.get(&session)?.index_of(window.id)?;
            Some(Found {
                session,
                index,
                window: window.id,
                pane: window.active,
            })
        });
        About::at(found)
            .session(session, name)
            .window(id, window.map_or("", |window| &window.name))
    }
}

fn name_of(notice: &Notice) -> &'static str {
    match notice {
        Notice::SessionCreated(_) => "session-created",
        Notice::SessionClosed { .. } => "session-closed",
        Notice::SessionRenamed(_) => "session-renamed",
        Notice::SessionWindowChanged(_) => "session-window-changed",
        Notice::ClientAttached(_) => "client-attached",
        Notice::ClientDetached { .. } => "client-detached",
        Notice::ClientSessionChanged(_) => "client-session-changed",
        Notice::ClientResized(_) => "client-resized",
        Notice::ClientActive(_) => "client-active",
        Notice::ClientFocusIn(_) => "client-focus-in",
        Notice::ClientFocusOut(_) => "client-focus-out",
        Notice::WindowLinked { .. } => "window-linked",
        Notice::WindowUnlinked { .. } => "window-unlinked",
        Notice::WindowRenamed(_) => "window-renamed",
        Notice::WindowLayoutChanged(_) => "window-layout-changed",
        Notice::WindowResized(_) => "window-resized",
        Notice::WindowPaneChanged(_) => "window-pane-changed",
        Notice::PaneExited { .. } => "pane-exited",
        Notice::PaneDied(_) => "pane-died",
        Notice::PaneHibernated(_) => "pane-hibernated",
        Notice::PaneHibernateFailed { .. } => "pane-hibernate-failed",
        Notice::PaneRevived { .. } => "pane-revived",
        Notice::PaneReviveFailed { .. } => "pane-revive-failed",
        Notice::SessionHibernateFailed { .. } => "session-hibernate-failed",
        Notice::SessionReviveFailed { .. } => "session-revive-failed",
        Notice::SessionHibernated(_) => "session-hibernated",
        Notice::SessionRevived { .. } => "session-revived",
        Notice::PaneModeChanged(_) => "pane-mode-changed",
        Notice::PaneTitleChanged(_) => "pane-title-changed",
        Notice::PaneFocusIn(_) => "pane-focus-in",
        Notice::PaneFocusOut(_) => "pane-focus-out",
        Notice::PaneSetClipboard(_) => "pane-set-clipboard",
        Notice::AlertBell { .. } => "alert-bell",
        Notice::AlertActivity { .. } => "alert-activity",
        Notice::AlertSilence { .. } => "alert-silence",
    }
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
