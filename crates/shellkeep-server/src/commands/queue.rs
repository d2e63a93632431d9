//! Commands that wait to be run, and for whom.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use shellkeep_command::parse::{Arg, List, Parsed};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::key::Key;
use shellkeep_core::{ClientId, PaneId};

use crate::alarm::Timer;
use crate::commands::ids::JobId;
use crate::search::leash::Leash;

pub(crate) use crate::commands::ids::QueueId;

/// For whom a command is run, and what is current there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// The client that typed it, or whose key it is.
    pub(crate) client: Option<ClientId>,
    /// What is current, if it is not what the client shows or sits in: where the mouse was, or what a hook is about.
    pub(crate) current: Option<ResolvedTarget>,
    /// Where the mouse was, if a key of the mouse led to it.
    pub(crate) mouse: Option<ResolvedTarget>,
    /// The key it is bound to, if one led to it.
    pub(crate) key: Option<Key>,
    /// Where the command comes from.
    pub(crate) origin: Origin,
    /// The hook it belongs to. What a hook does runs no hooks.
    pub(crate) hook: Option<Arc<Hook>>,
}

/// A hook that runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hook {
    /// What it is about, which is current for its commands.
    pub(crate) current: Option<ResolvedTarget>,
    /// What its formats know: `hook`, `hook_session` and so on.
    pub(crate) formats: Vec<(&'static str, String)>,
}

/// Where a command comes from; it decides where its output goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A client's command line: output and errors go there.
    CommandLine,
    /// A key, the prompt or a menu of an attached client: its terminal shows them.
    Key,
    /// A hook, or another thing nobody waits for: errors go to the log.
    #[default]
    Nobody,
    /// A configuration: errors are complaints with file and line.
    Config,
}

impl Caller {
    /// A client's command line.
    pub(crate) fn command_line(client: ClientId) -> Self {
        Self {
            client: Some(client),
            origin: Origin::CommandLine,
            ..Self::default()
        }
    }

    /// Nobody: something is done of itself.
    pub(crate) fn nobody() -> Self {
        Self::default()
    }

    /// A client's key.
    pub(crate) fn key(client: ClientId) -> Self {
        Self {
            client: Some(client),
            origin: Origin::Key,
            ..Self::default()
        }
    }

    /// The configuration.
    pub(crate) fn config() -> Self {
        Self {
            origin: Origin::Config,
            ..Self::default()
        }
    }
}

/// One command of a queue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    pub(crate) command: Parsed,
    /// Commands of one group stand in one line: when one fails, the rest of them are dropped.
    pub(crate) group: u32,
    /// File and line it was read from.
    pub(crate) place: Option<(Arc<str>, usize)>,
    /// How many commands have led to it, each by naming more to be run.
    pub(crate) depth: usize,
    /// What was wrong with the text in its place, to be told in its turn.
    pub(crate) fault: Option<String>,
    /// The hook it belongs to.
    pub(crate) hook: Option<Arc<Hook>>,
}

impl Item {
    /// A command of these words.
    pub(crate) fn of(argv: Vec<Arg>) -> Self {
        Self {
            command: Parsed::new(0, argv),
            ..Self::default()
        }
    }
}

/// The commands of a list, in their groups.
pub(crate) fn items(list: &List) -> Vec<Item> {
    into_items(list.clone())
}

/// The same of a list that is needed no more.
pub(crate) fn into_items(list: List) -> Vec<Item> {
    let groups = (0..).zip(list.0);
    let items = groups.flat_map(|(group, commands)| {
        commands.into_iter().map(move |command| Item {
            command,
            group,
            ..Item::default()
        })
    });
    items.collect()
}

/// What a queue waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// A pane's program to be started.
    Pane(PaneId),
    /// A shell command's end.
    Job(JobId),
    /// Time.
    Delay,
    /// A channel of `wait-for` to be signalled, or its lock.
    Channel(String),
    /// A long search in a pane's text.
    Copy(PaneId),
    /// Panes to fall asleep or to wake up.
    Sleep(u64),
    /// A client's standard input.
    Input(ClientId),
    /// A file to be read or written.
    Files(u64),
    /// Its turn: it has had its slice of time.
    Turn,
    /// Its client to read what was printed before.
    Room,
    /// What was copied to be safe on disk.
    Kept(u64),
    /// What its commands have changed to be written.
    Written,
    /// Everything to be on disk.
    Flush(u64),
    /// Shells that are about to be ended to tell their state.
    LastCapture(u64),
    /// The archive to be read.
    Archive(u64),
    /// All that was ever printed to be searched.
    Search(u64),
    /// What a pane has printed to be captured.
    Capture(u64),
    /// An answer at a client's prompt.
    Prompt(ClientId),
    /// What lies over a client's panes to be gone.
    Overlay(ClientId),
}

impl Wait {
    /// Whether it may take any time: somebody else decides when it ends, as in tmux. The others are over soon, and tmux does not
    /// wait there at all.
    pub(crate) fn is_endless(&self) -> bool {
        match self {
            Self::Job(_)
            | Self::Delay
            | Self::Channel(_)
            | Self::Input(_)
            | Self::Prompt(_)
            | Self::Overlay(_) => true,
            Self::Pane(_)
            | Self::Copy(_)
            | Self::Sleep(_)
            | Self::Files(_)
            | Self::Turn
            | Self::Room
            | Self::Kept(_)
            | Self::Written
            | Self::Flush(_)
            | Self::LastCapture(_)
            | Self::Archive(_)
            | Self::Search(_)
            | Self::Capture(_) => false,
        }
    }
}

/// What a list of commands has come to, with all that its commands have run. A file that sources itself twice is bounded in depth,
/// but would go on for longer than anything lasts.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    files: AtomicUsize,
    commands: AtomicUsize,
    keys: AtomicUsize,
    is_depth_told: AtomicBool,
}

/// Files that one list of commands may lead to.
const MAX_FILES: usize = 1000;

/// Commands that one list of commands may lead to.
const MAX_COMMANDS: usize = 1_000_000;

/// Keys in a mode that one list of commands may press. What they are bound to is run before the next is pressed, in one go.
pub(crate) const MAX_KEYS: usize = 10_000;

impl Spent {
    /// Counts a file.
    ///
    /// # Errors
    /// One sentence, if there were too many.
    pub(crate) fn count_file(&self) -> Result<(), String> {
        count(&self.files, MAX_FILES, "files")
    }

    /// Whether it is to be said that files source each other too deeply: once.
    pub(crate) fn tells_of_depth(&self) -> bool {
        !self.is_depth_told.swap(true, Ordering::Relaxed)
    }

    /// Counts a command.
    ///
    /// # Errors
    /// One sentence, if there were too many.
    pub(crate) fn count_command(&self) -> Result<(), String> {
        count(&self.commands, MAX_COMMANDS, "commands")
    }

    /// Counts a key that is pressed by a command.
    ///
    /// # Errors
    /// One sentence, if there were too many.
    pub(crate) fn count_key(&self) -> Result<(), String> {
        count(&self.keys, MAX_KEYS, "keys")
    }
}

fn count(counter: &AtomicUsize, most: usize, what: &str) -> Result<(), String> {
    match counter.fetch_add(1, Ordering::Relaxed) < most {
        true => Ok(()),
        false => Err(format!("one command leads to more than {most} {what}")),
    }
}

/// A queue.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    pub(crate) caller: Caller,
    pub(crate) items: VecDeque<Item>,
    pub(crate) wait: Option<Wait>,
    /// The command that is run, or waits.
    pub(crate) current: Item,
    /// The name of that command.
    pub(crate) command: &'static str,
    /// The exit status so far.
    pub(crate) status: u8,
    /// Its commands have changed something that is kept, so the answer waits until that is written.
    pub(crate) is_changing: bool,
    /// Runs while its command waits for time to pass.
    pub(crate) timer: Option<Timer>,
    /// How much commands have led to so far, shared with the queues that they have started.
    pub(crate) spent: Arc<Spent>,
    /// Ends the search or the capture that its command waits for, when nobody waits any more.
    pub(crate) leash: Option<Leash>,
    next_group: u32,
}

impl Queue {
    pub(crate) fn new(caller: Caller) -> Self {
        Self {
            caller,
            ..Self::default()
        }
    }

    /// Adds commands before all others, each with its group of its own list; a command `depth` deep has named them. They
    /// belong to the hook, and stand in the line of a file, that the command does.
    pub(crate) fn push_next(&mut self, mut items: Vec<Item>, depth: usize) {
        let base = self.next_group;
        self.items.reserve(items.len());
        for item in items.drain(..).rev() {
            let group = base + item.group;
            self.next_group = self.next_group.max(group + 1);
            let hook = item.hook.or_else(|| self.current.hook.clone());
            let place = item.place.or_else(|| self.current.place.clone());
            self.items.push_front(Item {
                group,
                depth,
                hook,
                place,
                ..item
            });
        }
    }

    /// For whom the command is run that is run.
    pub(crate) fn caller_now(&self) -> Caller {
        let mut caller = self.caller.clone();
        if let Some(hook) = &self.current.hook {
            caller.current = hook.current.or(caller.current);
            caller.hook = Some(hook.clone());
        }
        caller
    }

    /// Drops the commands that stood in one line with one that has failed. They are next, but for what the failed one has led to
    /// before it failed, which is deeper: to look further would take a time that grows with the square of a file of faults.
    pub(crate) fn drop_line_of(&mut self, failed: &Item) {
        let is_deeper = |item: &&Item| item.depth > failed.depth;
        let start = self.items.iter().take_while(is_deeper).count();
        let is_same = |item: &&Item| item.group == failed.group;
        let count = self.items.iter().skip(start).take_while(is_same).count();
        self.items.drain(start..start + count);
    }
}
