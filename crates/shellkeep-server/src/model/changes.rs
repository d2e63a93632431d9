//! What the current event has changed. Code that changes the model notes it here; the loop works out what follows once
//! the event is handled, once for all changes.

use std::cell::OnceCell;
use std::collections::BTreeSet;
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
    pub(crate) actions: Actions,
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

/// Actions in the order in which they are carried out: those that an action requests come before the next action, as if it had
/// carried them out itself. They are taken out one by one, so a panic in one does not drop the others.
#[derive(Default)]
pub(crate) struct Actions {
    /// Actions requested since the last one was taken, in order.
    asked: Vec<Action>,
    /// Actions requested before that, the next one last.
    later: Vec<Action>,
}

/// The number of actions that wait until the current one is carried out.
#[derive(Clone, Copy)]
pub(crate) struct Behind(usize);

impl Actions {
    pub(crate) fn ask(&mut self, action: Action) {
        self.asked.push(action);
    }

    /// The actions that wait for the current one.
    pub(crate) fn behind(&self) -> Behind {
        Behind(self.later.len())
    }

    /// The next action of those that do not wait.
    pub(crate) fn next(&mut self, behind: Behind) -> Option<Action> {
        self.later.extend(self.asked.drain(..).rev());
        match self.later.len() > behind.0 {
            true => self.later.pop(),
            false => None,
        }
    }
}

impl Behind {
    pub(crate) const NOTHING: Self = Self(0);
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

#[cfg(test)]
mod tests {
    use shellkeep_core::PaneId;

    use super::*;

    /// Notes the pane of each action; an action of a pane below 10 requests two more and calls this for them.
    fn carry_out(actions: &mut Actions, behind: Behind, said: &mut Vec<u32>) {
        while let Some(Action::CopyDone(PaneId(pane))) = actions.next(behind) {
            said.push(pane);
            if pane < 10 {
                actions.ask(Action::CopyDone(PaneId(pane * 10)));
                actions.ask(Action::CopyDone(PaneId(pane * 10 + 1)));
                let inner = actions.behind();
                carry_out(actions, inner, said);
            }
        }
    }

    #[test]
    fn what_an_action_asks_for_goes_before_what_was_asked_for_behind_it() {
        let mut actions = Actions::default();
        for pane in [1, 2] {
            actions.ask(Action::CopyDone(PaneId(pane)));
        }
        let mut said = Vec::new();
        carry_out(&mut actions, Behind::NOTHING, &mut said);
        assert_eq!(said, [1, 10, 11, 2, 20, 21]);
    }
}
