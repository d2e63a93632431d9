//! What the current event has changed. Code that changes the model notes it here; the loop works out what follows once
//! the event is handled, once for all changes.

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

/// The changes of the current event that were not followed up yet.
#[derive(Default)]
pub(crate) struct Changes {
    /// The actions that components have requested and the loop has not carried out.
    pub(crate) actions: VecDeque<Action>,
    /// Something changed that sizes, notes, hooks or frames depend on.
    pub(crate) is_unsettled: bool,
    /// Notices that control clients are still to be sent.
    pub(crate) notices: Vec<Notice>,
    pub(crate) hooks: Vec<HookDue>,
    pub(crate) notes: NotesDue,
    pub(crate) stored: StoreDue,
    /// Window sizes have to be computed again.
    pub(crate) are_sizes_due: bool,
    pub(crate) running: RunningCommand,
    /// How many commands were run so far.
    pub(crate) commands_run: u64,
    /// A program is being started.
    pub(crate) is_starting: bool,
    /// A client has just got its terminal: it is painted before panes that it shows are woken.
    pub(crate) is_painting: bool,
    /// All processes of the system, read once when an event first needs them.
    pub(crate) process_scan: OnceCell<Processes>,
    /// The trouble that the status line showed in red when it was last drawn.
    pub(crate) trouble: Option<(&'static str, String)>,
}

#[derive(Clone, Default)]
pub(crate) struct RunningCommand {
    pub(crate) queue: Option<QueueId>,
    /// The hook that runs it. Commands of a hook run no hooks, so that two hooks cannot run each other forever.
    pub(crate) hook: Option<Arc<Hook>>,
    /// The file it was read from.
    pub(crate) file: Option<Arc<str>>,
    /// A mouse key is bound to it.
    pub(crate) is_mouse: bool,
}

pub(crate) struct HookDue {
    pub(crate) name: &'static str,
    pub(crate) hook: Hook,
    /// The queue whose command caused it. That command's own after-hook runs first.
    pub(crate) cause: Option<QueueId>,
}

/// What the store has to be sent about panes and sessions that came or went.
#[derive(Default)]
pub(crate) struct StoreDue {
    /// New panes that have no id in the store yet.
    pub(crate) new_panes: Vec<PaneId>,
    pub(crate) starts: Vec<Start>,
    pub(crate) closed_panes: Vec<ClosedPane>,
    pub(crate) closed_sessions: Vec<StoreId>,
}

/// What has changed in the notes that the keeper holds for the next server.
#[derive(Default)]
pub(crate) struct NotesDue {
    pub(crate) sessions: BTreeSet<SessionId>,
    pub(crate) windows: BTreeSet<WindowId>,
    pub(crate) server: bool,
    pub(crate) keys: bool,
}
