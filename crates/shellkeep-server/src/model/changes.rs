//! What the event at hand has changed. Whoever changes the model notes it here; the loop works out what follows when the event is
//! handled, once for all that it changed.

use std::cell::OnceCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use shellkeep_core::{PaneId, SessionId, WindowId};
use shellkeep_store::StoreId;

use crate::action::Action;
use crate::commands::queue::{Hook, QueueId};
use crate::model::notice::Notice;
use crate::persistence::closed_pane::ClosedPane;
use crate::persistence::keeping::Start;
use crate::process::processes::Processes;

/// What has changed and was not followed up yet.
#[derive(Default)]
pub(crate) struct Changes {
    /// What components have asked for and the loop has not carried out.
    pub(crate) actions: VecDeque<Action>,
    /// Something that others follow from: sizes, notes, frames.
    pub(crate) is_unsettled: bool,
    /// What clients in control mode are told.
    pub(crate) notices: Vec<Notice>,
    pub(crate) hooks: Vec<HookDue>,
    pub(crate) notes: NotesDue,
    pub(crate) stored: StoreDue,
    /// Window sizes have to be worked out again.
    pub(crate) are_sizes_due: bool,
    pub(crate) running: RunningCommand,
    /// How many commands have been run so far.
    pub(crate) commands_run: u64,
    /// A program is being started.
    pub(crate) is_starting: bool,
    /// A client has only just got its terminal: it is painted before anything wakes that it shows.
    pub(crate) is_painting: bool,
    /// All processes of the system, as they were when something first asked in this event.
    pub(crate) glance: OnceCell<Processes>,
    /// What the status line says in red, when it was last drawn.
    pub(crate) trouble: Option<(&'static str, String)>,
}

/// The command that is being run.
#[derive(Clone, Default)]
pub(crate) struct RunningCommand {
    pub(crate) queue: Option<QueueId>,
    /// The hook that runs it. What a hook does runs no hooks, so that two of them cannot keep each other going.
    pub(crate) hook: Option<Arc<Hook>>,
    /// The file it was read from.
    pub(crate) file: Option<Arc<str>>,
    /// A key of the mouse led to it.
    pub(crate) is_mouse: bool,
}

/// A hook that is due, because something has happened.
pub(crate) struct HookDue {
    pub(crate) name: &'static str,
    pub(crate) hook: Hook,
    /// The commands that were a reason for it. What runs after one of them runs first.
    pub(crate) cause: Option<QueueId>,
}

/// What the store must be told of panes and sessions that came or went.
#[derive(Default)]
pub(crate) struct StoreDue {
    /// New panes whose place in the store is not known yet.
    pub(crate) new_panes: Vec<PaneId>,
    /// How programs were started.
    pub(crate) starts: Vec<Start>,
    pub(crate) closed_panes: Vec<ClosedPane>,
    pub(crate) closed_sessions: Vec<StoreId>,
}

/// What must be told to the keeper, for the next server.
#[derive(Default)]
pub(crate) struct NotesDue {
    pub(crate) sessions: BTreeSet<SessionId>,
    pub(crate) windows: BTreeSet<WindowId>,
    pub(crate) server: bool,
    pub(crate) keys: bool,
}
