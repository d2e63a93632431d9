//! What a long search in copy mode has come to.

use shellkeep_copy::CopyEffect;
use shellkeep_core::PaneId;

use crate::commands::queue::Caller;
use crate::model::Reading;

/// What a long search comes to, or a long copy.
pub(crate) struct Searched {
    pub(crate) pane: PaneId,
    pub(crate) ticket: u64,
    pub(crate) reading: Reading,
    pub(crate) effects: Vec<CopyEffect>,
    pub(crate) caller: Caller,
}
