//! What hibernation has to remember between events: the panes on their way to sleep, the panes that wake one after another, and the
//! processes that keep sessions awake.

use std::time::Instant;

use tokio::sync::mpsc;

use crate::alarm::Timer;
use crate::event::Event;
use crate::hibernation::admission_queue::AdmissionQueue;
use crate::hibernation::policy_round::PolicyRound;
use crate::hibernation::shell_answers::Answers;
use crate::hibernation::waiting_commands::SleepJobs;
use crate::hibernation::wake_blockers::Sleepless;
use crate::hibernation::wake_turns::Turns;
use crate::inbox::ThreadEvents;
use crate::persistence::keeping::Keeping;
use crate::process::process_scan::{ProcessScans, ScanPurpose};
use crate::stats::Timings;

pub(crate) struct Hibernation {
    /// The ways into the loop, for what is done in the background.
    pub(crate) events: mpsc::Sender<Event>,
    pub(crate) thread_events: ThreadEvents,
    /// Where panes are written down before they sleep.
    pub(crate) keeping: Option<Keeping>,
    pub(crate) sleeps: Sleeps,
    /// Commands that wait for panes to fall asleep or to wake up.
    pub(crate) jobs: SleepJobs,
    pub(crate) next_job: u64,
    /// Hears when shells have told their state.
    pub(crate) answers: Answers,
    /// Panes that are about to fall asleep.
    pub(crate) admission: AdmissionQueue,
    pub(crate) process_scans: ProcessScans,
    /// Panes that wake one after another.
    pub(crate) wake_queue: Turns,
    /// Rings when the policy decides again, and when that is.
    pub(crate) policy_timer: Option<(Timer, Instant)>,
    pub(crate) policy_round: PolicyRound,
    /// Processes for which sessions stay awake that could sleep otherwise.
    pub(crate) wake_blockers: Sleepless,
    /// How often the resume rules have changed.
    pub(crate) rules_round: u64,
}

impl Hibernation {
    pub(crate) fn new(events: mpsc::Sender<Event>, thread_events: ThreadEvents) -> Self {
        Self {
            events,
            thread_events,
            keeping: None,
            sleeps: Sleeps::default(),
            jobs: SleepJobs::default(),
            next_job: 0,
            answers: Answers::default(),
            admission: AdmissionQueue::default(),
            process_scans: ProcessScans::default(),
            wake_queue: Turns::default(),
            policy_timer: None,
            policy_round: PolicyRound::default(),
            wake_blockers: Sleepless::default(),
            rules_round: 0,
        }
    }

    /// Has all processes scanned, and what this is for served when that is done.
    pub(crate) fn scan_for(&mut self, purpose: ScanPurpose) {
        self.process_scans.scan_for(purpose, &self.events);
    }
}

/// How long it took panes to fall asleep and to wake up.
#[derive(Default)]
pub(crate) struct Sleeps {
    pub(crate) hibernations: Timings,
    pub(crate) revivals: Timings,
}
