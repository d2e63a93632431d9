//! The result of a long search in copy mode.

use shellkeep_copy::CopyEffect;
use shellkeep_core::PaneId;

use crate::commands::queue::Caller;
use crate::model::Reading;

/// The effects of a long search or copy.
pub(crate) struct Searched {
    pub(crate) pane: PaneId,
    pub(crate) ticket: u64,
    pub(crate) reading: Reading,
    pub(crate) effects: Vec<CopyEffect>,
    pub(crate) caller: Caller,
}
