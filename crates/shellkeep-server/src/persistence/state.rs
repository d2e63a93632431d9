//! The state of the persistence component: the store, what has to be noted there, and which commands wait until it is.

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
    /// The store; none if it cannot be used at all.
    pub(crate) keeping: Option<Keeping>,
    /// Why nothing can be written at the moment.
    pub(crate) trouble: Option<String>,
    /// The archive, while the command runs for which it was read.
    pub(crate) archive: Option<Arc<Archive>>,
    /// The timer of the next expiry.
    pub(crate) expiry_timer: Option<Timer>,
    /// Sessions that are unchanged since they were read from the store, so that the keeper has no note of them.
    pub(crate) unnoted: BTreeSet<SessionId>,
    /// Replies that wait until changes are written.
    pub(crate) unwritten: Unwritten,
    /// What commands wait for until closed sessions are in the archive.
    pub(crate) awaited: Vec<u64>,
    /// The names of sessions that commands are deleting, for their output.
    pub(crate) forgotten_by_hand: BTreeMap<u64, String>,
    /// The sessions that commands have closed, for their output.
    pub(crate) closed_by_hand: BTreeMap<u64, Vec<ClosedByHand>>,
}
