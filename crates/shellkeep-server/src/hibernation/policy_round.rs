//! The results of a policy round.

use std::collections::BTreeMap;

use shellkeep_core::SessionId;

/// What is known of a session that could sleep.
#[derive(Default)]
pub(crate) struct Judged {
    /// One of its panes cannot sleep.
    pub(crate) is_busy: bool,
    /// The pids of background processes that alone keep its panes awake.
    pub(crate) wake_blockers: Vec<i32>,
}

/// A round in which all sessions are judged, slice by slice, before the policy decides.
#[derive(Default)]
pub(crate) struct PolicyRound {
    pub(crate) is_under_way: bool,
    pub(crate) judged: BTreeMap<SessionId, Judged>,
}
