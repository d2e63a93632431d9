//! What keeping has to remember between events: where sessions are kept, what is to be noted there, and who waits until it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use shellkeep_core::SessionId;

use crate::alarm::Timer;
use crate::persistence::archived::Archive;
use crate::persistence::closed_by_hand::ClosedByHand;
use crate::persistence::keeping::Keeping;
use crate::persistence::written::Unwritten;

#[derive(Default)]
pub(crate) struct Persistence {
    /// Where sessions are kept; none if that is not possible at all.
    pub(crate) keeping: Option<Keeping>,
    /// Why they cannot be kept at the moment.
    pub(crate) trouble: Option<String>,
    /// The archive, while the command runs for which it was read.
    pub(crate) archive: Option<Arc<Archive>>,
    /// Rings when something is too old for the archive.
    pub(crate) expiry_timer: Option<Timer>,
    /// Sessions out of the store that are as they are there, so that the keeper was told nothing of them.
    pub(crate) untold: BTreeSet<SessionId>,
    /// Answers that wait until what was changed is written.
    pub(crate) unwritten: Unwritten,
    /// What commands wait for until what is closed is put away.
    pub(crate) awaited: Vec<u64>,
    /// The names of sessions that are being deleted by commands, which tell them.
    pub(crate) forgotten_by_hand: BTreeMap<u64, String>,
    /// The sessions that commands have closed, which tell what became of them.
    pub(crate) closed_by_hand: BTreeMap<u64, Vec<ClosedByHand>>,
}
