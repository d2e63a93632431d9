//! What keeping has to remember between events: where sessions are kept, what is to be noted there, and who waits until it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use shellkeep_core::{PaneId, SessionId};
use shellkeep_store::StoreId;

use super::archive::{Archive, ClosedByHand};
use super::stored::ClosedPane;
use super::written::Unwritten;
use crate::alarm::Timer;
use crate::keeping::{Keeping, Start};

#[derive(Default)]
pub(crate) struct Persistence {
    /// Where sessions are kept; none if that is not possible at all.
    pub(crate) keeping: Option<Keeping>,
    /// Why they cannot be kept at the moment.
    pub(crate) trouble: Option<String>,
    /// New panes whose place in the store is not known yet.
    pub(super) unkept: Vec<PaneId>,
    /// How programs were started, to be noted in the store.
    pub(super) starts_due: Vec<Start>,
    /// The last number that a command waits for until the recorder says it.
    pub(super) next_kept: u64,
    pub(super) closed_panes: Vec<ClosedPane>,
    pub(super) closed_sessions: Vec<StoreId>,
    /// The archive, while the command runs for which it was read.
    pub(super) archive: Option<Arc<Archive>>,
    /// Rings when something is too old for the archive.
    pub(super) expiry_timer: Option<Timer>,
    /// Sessions out of the store that are as they are there, so that the keeper was told nothing of them.
    pub(super) untold: BTreeSet<SessionId>,
    /// Answers that wait until what was changed is written.
    pub(super) unwritten: Unwritten,
    /// What commands wait for until what is closed is put away.
    pub(super) awaited: Vec<u64>,
    /// The names of sessions that are being deleted by commands, which tell them.
    pub(super) forgotten_by_hand: BTreeMap<u64, String>,
    /// The sessions that commands have closed, which tell what became of them.
    pub(super) closed_by_hand: BTreeMap<u64, Vec<ClosedByHand>>,
}
