//! Queues of commands that wait to be run, and for which caller.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use shellkeep_command::parse::{Arg, List, Parsed};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::key::Key;
use shellkeep_core::{ClientId, PaneId};

use crate::alarm::Timer;
use crate::commands::ids::JobId;
use crate::search::cancel_on_drop::CancelOnDrop;

pub(crate) use crate::commands::ids::QueueId;

/// The caller for whom a command runs, and its current target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// The client that sent the command, or whose key is bound to it.
    pub(crate) client: Option<ClientId>,
    /// The current target, if it is not what the client shows or was started in: the pane under the mouse, or the
    /// subject of a hook.
    pub(crate) current: Option<ResolvedTarget>,
    /// The target under the mouse, for a mouse binding.
    pub(crate) mouse: Option<ResolvedTarget>,
    /// The key it is bound to.
    pub(crate) key: Option<Key>,
    pub(crate) origin: Origin,
    /// The hook it belongs to. Commands of a hook run no hooks.
    pub(crate) hook: Option<Arc<Hook>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Hook {
    /// Its subject, which is the current target of its commands.
    pub(crate) current: Option<ResolvedTarget>,
    /// Its format variables: `hook`, `hook_session` and so on.
    pub(crate) formats: Vec<(&'static str, String)>,
}

/// Where a command comes from, which decides where its output goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A client's command line: output and errors go to the client.
    CommandLine,
    /// A key, prompt or menu of an attached client: output is shown on its terminal.
    Key,
    /// A hook, or something else that no client waits for: errors go to the log.
    #[default]
    Background,
    /// A configuration: errors are shown with file and line.
    Config,
}

impl Caller {
    pub(crate) fn command_line(client: ClientId) -> Self {
        Self {
            client: Some(client),
            origin: Origin::CommandLine,
            ..Self::default()
        }
    }

    /// Background work without a client.
    pub(crate) fn background() -> Self {
        Self::default()
    }

    pub(crate) fn key(client: ClientId) -> Self {
        Self {
            client: Some(client),
            origin: Origin::Key,
            ..Self::default()
        }
    }

    pub(crate) fn config() -> Self {
        Self {
            origin: Origin::Config,
            ..Self::default()
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    pub(crate) command: Parsed,
    /// Commands on one line form a group: when one fails, the rest of the group is dropped.
    pub(crate) group: u32,
    /// The file and line it was read from.
    pub(crate) place: Option<(Arc<str>, usize)>,
    /// How many commands have led to it, one by running the next.
    pub(crate) depth: usize,
    /// A syntax error in its place, reported in order.
    pub(crate) fault: Option<String>,
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

/// The commands of a list, in groups.
pub(crate) fn items(list: &List) -> Vec<Item> {
    into_items(list.clone())
}

/// The same, without copying.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// The start of a pane's program.
    Pane(PaneId),
    /// The end of a shell command.
    Job(JobId),
    Delay,
    /// The signal or lock of a `wait-for` channel.
    Channel(String),
    /// A long search in copy mode.
    Copy(PaneId),
    /// Panes that fall asleep or wake.
    Sleep(u64),
    /// A client's standard input.
    Input(ClientId),
    /// Work on files.
    Files(u64),
    /// Its next turn: its slice of time is used up.
    Turn,
    /// Its client, which has output to read.
    Room,
    /// Paste buffers or closed sessions that are being written.
    Kept(u64),
    /// Changes of its commands that are being written.
    Written,
    /// Everything that is being flushed.
    Flush(u64),
    /// Shells that report their state before they are ended.
    LastCapture(u64),
    /// The archive being read.
    Archive(u64),
    Search(u64),
    /// An answer about commands that were run.
    Commands(u64),
    Capture(u64),
    /// An answer at a client's prompt.
    Prompt(ClientId),
    /// The end of a client's overlay.
    Overlay(ClientId),
}

impl Wait {
    /// Whether it may last forever because something else decides when it ends, as in tmux. The other waits are short,
    /// and tmux does not wait there at all.
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
            | Self::Commands(_)
            | Self::Capture(_) => false,
        }
    }
}

/// Limits what a list of commands runs, including all that its commands run. A file that sources itself twice is
/// limited in depth, but would still run practically forever.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    files: AtomicUsize,
    commands: AtomicUsize,
    keys: AtomicUsize,
    is_depth_told: AtomicBool,
}

/// How many files a list of commands may read.
const MAX_FILES: usize = 1000;

/// How many commands a list of commands may run.
const MAX_COMMANDS: usize = 1_000_000;

/// How many keys a list of commands may press in a mode. The binding of each runs before the next is pressed, without a
/// turn in between.
pub(crate) const MAX_KEYS: usize = 10_000;

impl Spent {
    /// Counts a file.
    ///
    /// # Errors
    /// One sentence, if there are too many.
    pub(crate) fn count_file(&self) -> Result<(), String> {
        count(&self.files, MAX_FILES, "files")
    }

    /// Whether the error about files that source each other too deeply is still to be reported; it is reported once.
    pub(crate) fn reports_depth(&self) -> bool {
        !self.is_depth_told.swap(true, Ordering::Relaxed)
    }

    /// Counts a command.
    ///
    /// # Errors
    /// One sentence, if there are too many.
    pub(crate) fn count_command(&self) -> Result<(), String> {
        count(&self.commands, MAX_COMMANDS, "commands")
    }

    /// Counts a key that a command presses.
    ///
    /// # Errors
    /// One sentence, if there are too many.
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

#[derive(Debug, Default)]
pub(crate) struct Queue {
    pub(crate) caller: Caller,
    pub(crate) items: VecDeque<Item>,
    pub(crate) wait: Option<Wait>,
    /// The command that runs or waits.
    pub(crate) current: Item,
    pub(crate) command: &'static str,
    /// The exit status so far.
    pub(crate) status: u8,
    /// Its commands have changed something that is on disk, so the answer waits until that is written.
    pub(crate) is_changing: bool,
    /// Runs during a delay.
    pub(crate) timer: Option<Timer>,
    /// The counts of what its commands have led to, shared with the queues they have started.
    pub(crate) spent: Arc<Spent>,
    /// Cancels the search or capture that its command waits for, when the queue is dropped.
    pub(crate) cancel_on_drop: Option<CancelOnDrop>,
    next_group: u32,
}

impl Queue {
    pub(crate) fn new(caller: Caller) -> Self {
        Self {
            caller,
            ..Self::default()
        }
    }

    /// Adds commands before all others, with groups of their own. They were named by a command of depth `depth`, and
    /// belong to the same hook and file.
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

    pub(crate) fn caller_now(&self) -> Caller {
        let mut caller = self.caller.clone();
        if let Some(hook) = &self.current.hook {
            caller.current = hook.current.or(caller.current);
            caller.hook = Some(hook.clone());
        }
        caller
    }

    /// Drops the rest of the line of a command that has failed. Only the next commands are checked, skipping deeper
    /// ones that it has led to: a full search would take quadratic time for a file with many errors.
    pub(crate) fn drop_line_of(&mut self, failed: &Item) {
        let is_deeper = |item: &&Item| item.depth > failed.depth;
        let start = self.items.iter().take_while(is_deeper).count();
        let is_same = |item: &&Item| item.group == failed.group;
        let count = self.items.iter().skip(start).take_while(is_same).count();
        self.items.drain(start..start + count);
    }
}
