//! The state of the hibernation component: panes on their way to sleep, panes that wake one after another, and
//! processes that keep sessions awake.

use std::time::Instant;

use tokio::sync::mpsc;

use crate::alarm::Timer;
use crate::event::Event;
use crate::hibernation::admission_queue::AdmissionQueue;
use crate::hibernation::policy_round::PolicyRound;
use crate::hibernation::shell_answers::Answers;
use crate::hibernation::waiting_commands::SleepJobs;
use crate::hibernation::wake_blockers::WakeBlockers;
use crate::hibernation::wake_queue::WakeQueue;
use crate::inbox::ThreadEvents;
use crate::persistence::keeping::Keeping;
use crate::process::process_scan::{ProcessScans, ScanPurpose};
use crate::stats::Timings;

pub(crate) struct Hibernation {
    /// The ways into the loop for tasks and threads.
    pub(crate) events: mpsc::Sender<Event>,
    pub(crate) thread_events: ThreadEvents,
    /// The store and recorder, for what is written before a pane sleeps.
    pub(crate) keeping: Option<Keeping>,
    pub(crate) sleeps: Sleeps,
    /// Commands that wait for panes to fall asleep or wake.
    pub(crate) jobs: SleepJobs,
    pub(crate) next_job: u64,
    /// Watches for answers of shells.
    pub(crate) answers: Answers,
    /// Panes that are to fall asleep.
    pub(crate) admission: AdmissionQueue,
    pub(crate) process_scans: ProcessScans,
    /// Panes that are to wake one after another.
    pub(crate) wake_queue: WakeQueue,
    /// The timer of the next policy round, and when it fires.
    pub(crate) policy_timer: Option<(Timer, Instant)>,
    pub(crate) policy_round: PolicyRound,
    /// Background processes that keep sessions awake.
    pub(crate) wake_blockers: WakeBlockers,
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
            wake_queue: WakeQueue::default(),
            policy_timer: None,
            policy_round: PolicyRound::default(),
            wake_blockers: WakeBlockers::default(),
            rules_round: 0,
        }
    }

    /// Starts a scan of all processes. The purpose is served when it is ready.
    pub(crate) fn scan_for(&mut self, purpose: ScanPurpose) {
        self.process_scans.scan_for(purpose, &self.events);
    }
}

/// How long panes took to fall asleep and to wake, for statistics.
#[derive(Default)]
pub(crate) struct Sleeps {
    pub(crate) hibernations: Timings,
    pub(crate) revivals: Timings,
}
