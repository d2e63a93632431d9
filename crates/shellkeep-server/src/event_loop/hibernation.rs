//! What hibernation has to remember between events: who is on the way to sleep, who wakes in turn, what keeps others awake.

use std::cell::OnceCell;
use std::time::Instant;

use super::answers::Answers;
use super::bedtime::Bedtime;
use super::process_scan::ProcessScans;
use super::sleep_jobs::SleepJobs;
use super::sleepers::PolicyRound;
use super::sleepless::Sleepless;
use super::turns::Turns;
use crate::alarm::Timer;
use crate::processes::Processes;
use crate::stats::Timings;

#[derive(Default)]
pub(crate) struct Hibernation {
    pub(crate) sleeps: Sleeps,
    /// Commands that wait for panes to fall asleep or to wake up.
    pub(crate) jobs: SleepJobs,
    pub(crate) next_job: u64,
    /// Hears when shells have told their state.
    pub(super) answers: Answers,
    /// Panes that are about to fall asleep.
    pub(super) admission: Bedtime,
    pub(super) process_scans: ProcessScans,
    /// Panes that wake one after another.
    pub(super) wake_queue: Turns,
    /// Rings when the policy decides again, and when that is.
    pub(super) policy_timer: Option<(Timer, Instant)>,
    pub(super) policy_round: PolicyRound,
    /// Processes for which sessions stay awake that could sleep otherwise.
    pub(super) wake_blockers: Sleepless,
    /// How often the resume rules have changed.
    pub(super) rules_round: u64,
    /// All processes of the system, for as long as an event is handled.
    pub(crate) glance: OnceCell<Processes>,
}

/// How long it took panes to fall asleep and to wake up.
#[derive(Default)]
pub(crate) struct Sleeps {
    pub(crate) hibernations: Timings,
    pub(crate) revivals: Timings,
}
