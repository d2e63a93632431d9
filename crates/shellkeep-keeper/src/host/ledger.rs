//! Finds out which process a message of the keeper is about.
//!
//! The frozen protocol names only panes, and a pane can be given another program while a message about the last one is
//! on its way. But the connection is ordered: the keeper answers every `Spawn` once, in the order of the requests, and
//! after `Close` it sends nothing more about what it held for that pane. So the server can work out the process, and
//! does so only here.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Weak;

use shellkeep_core::PaneId;

use crate::protocol::SpawnRequest;
use crate::pty::Pty;

/// The number of a start among all starts of this server. Later starts have greater numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub u64);

impl Generation {
    /// A process that the keeper held or had started before this server.
    pub const INHERITED: Self = Self(0);
}

/// A process in a pane. The kernel reuses pids, and a pane runs one program after another; the two together identify a
/// process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcessId {
    pub pid: u32,
    pub generation: Generation,
}

pub(super) struct KnownPane {
    pub(super) pty: Weak<dyn Pty>,
    pub(super) process: ProcessId,
    pub(super) tty: String,
}

/// A `Spawn` without an answer.
struct Unanswered {
    generation: Generation,
    purpose: Purpose,
}

enum Purpose {
    Wanted(Box<SpawnRequest>),
    Abandoned,
}

/// The meaning of an answer to a `Spawn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The answer to this start.
    Wanted(Generation),
    /// The pane was closed after this start was requested. The keeper drops it by itself.
    Abandoned(Generation),
}

/// What the keeper holds, and what was requested from it.
#[derive(Default)]
pub(super) struct Ledger {
    panes: BTreeMap<PaneId, KnownPane>,
    unanswered: BTreeMap<PaneId, VecDeque<Unanswered>>,
}

impl Ledger {
    pub(super) fn asked(&mut self, generation: Generation, spawn: SpawnRequest) {
        let unanswered = self.unanswered.entry(spawn.pane).or_default();
        unanswered.push_back(Unanswered {
            generation,
            purpose: Purpose::Wanted(Box::new(spawn)),
        });
    }

    /// The keeper is told to drop a pane, with all starts that were requested for it.
    pub(super) fn closed(&mut self, pane: PaneId) {
        self.panes.remove(&pane);
        for start in self.unanswered.get_mut(&pane).into_iter().flatten() {
            start.purpose = Purpose::Abandoned;
        }
    }

    /// The keeper has answered the oldest `Spawn` of a pane. In its list it also names panes that this server has not
    /// requested.
    pub(super) fn answered(&mut self, pane: PaneId) -> Answer {
        let Some(unanswered) = self.unanswered.get_mut(&pane) else {
            return Answer::Wanted(Generation::INHERITED);
        };
        let start = unanswered.pop_front();
        if unanswered.is_empty() {
            self.unanswered.remove(&pane);
        }
        match start {
            None => Answer::Wanted(Generation::INHERITED),
            Some(Unanswered {
                generation,
                purpose: Purpose::Abandoned,
            }) => Answer::Abandoned(generation),
            Some(start) => Answer::Wanted(start.generation),
        }
    }

    pub(super) fn holds(&mut self, pane: PaneId, known: KnownPane) {
        self.panes.insert(pane, known);
    }

    /// The process whose end the keeper reports; `None` if its pane was closed since.
    pub(super) fn exited(&self, pane: PaneId, pid: Option<u32>) -> Option<ProcessId> {
        let process = self.panes.get(&pane)?.process;
        // Older keepers do not report the pid.
        pid.is_none_or(|pid| pid == process.pid).then_some(process)
    }

    pub(super) fn known(&self, pane: PaneId) -> Option<&KnownPane> {
        self.panes.get(&pane)
    }

    pub(super) fn panes(&self) -> impl Iterator<Item = (PaneId, &KnownPane)> {
        self.panes.iter().map(|(pane, known)| (*pane, known))
    }

    /// The keeper is gone. Returns the starts that are not requested from the next keeper.
    pub(super) fn lost(&mut self) -> Vec<(PaneId, Generation)> {
        let mut lost = Vec::new();
        self.unanswered.retain(|pane, unanswered| {
            unanswered.retain(|start| {
                let is_asked_again = matches!(start.purpose, Purpose::Wanted(_));
                lost.extend((!is_asked_again).then_some((*pane, start.generation)));
                is_asked_again
            });
            !unanswered.is_empty()
        });
        lost
    }

    /// The starts to request from another keeper, in the original order.
    pub(super) fn to_ask_again(&self) -> Vec<SpawnRequest> {
        let mut again = Vec::new();
        for start in self.unanswered.values().flatten() {
            if let Purpose::Wanted(spawn) = &start.purpose {
                again.push((start.generation, SpawnRequest::clone(spawn)));
            }
        }
        again.sort_by_key(|(generation, _)| *generation);
        again.into_iter().map(|(_, spawn)| spawn).collect()
    }

    /// No keeper can be started. Returns all starts that were requested.
    pub(super) fn give_up(&mut self) -> Vec<(PaneId, Generation)> {
        let unanswered = std::mem::take(&mut self.unanswered);
        let starts = unanswered.into_iter().flat_map(|(pane, starts)| {
            let starts = starts.into_iter();
            starts.map(move |start| (pane, start.generation))
        });
        starts.collect()
    }
}

#[cfg(test)]
mod tests;
