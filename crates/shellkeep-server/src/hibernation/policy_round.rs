//! What is known of the sessions that could sleep.

use std::collections::BTreeMap;

use shellkeep_core::SessionId;

/// What is known of a session that could sleep.
#[derive(Default)]
pub(crate) struct Judged {
    /// A pane of it cannot sleep.
    pub(crate) is_busy: bool,
    /// Of each pane that could sleep otherwise, the process that speaks against it.
    pub(crate) wake_blockers: Vec<i32>,
}

/// A round in which all sessions are judged, slice by slice, before it is decided which of them sleep.
#[derive(Default)]
pub(crate) struct PolicyRound {
    pub(crate) is_under_way: bool,
    pub(crate) judged: BTreeMap<SessionId, Judged>,
}
