//! Scans of `/proc`, beside the loop. With a thousand processes a scan takes ten milliseconds, and a judgement of all sessions by it
//! longer still: a key typed meanwhile would wait for both. So a thread scans, and what is to be judged by the scan is
//! judged in slices.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_core::{PaneId, SessionId};

use super::sleepers::PolicyRound;
use super::{Server, sleepers};
use crate::alarm::{Alarm, Timer};
use crate::event::Event;
use crate::processes::Processes;

/// So long panes are judged in one event.
pub(super) const JUDGING_SLICE: Duration = Duration::from_millis(2);

/// So long other events have their turn before more panes are judged.
pub(super) const JUDGING_PAUSE: Duration = Duration::from_millis(2);

/// What a scan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ScanPurpose {
    /// Panes in the admission queue can fall asleep next.
    Admission,
    /// What was typed into a pane that is to sleep has arrived: its shell is asked if it is still idle.
    Settled(PaneId),
    /// The state of a pane's shell is to be captured.
    Capture(PaneId),
    /// The policy decides about all sessions.
    Policy,
}

/// One judgement by a scan.
enum Step {
    Settled(PaneId),
    Capture(PaneId),
    /// Whether a session is idle.
    Judge(SessionId),
    /// All sessions are judged.
    Decide,
}

/// The scans that are wanted and under way, and what is to be judged by those that are done.
#[derive(Default)]
pub(super) struct ProcessScans {
    /// Served by the scan that is under way; empty if none is.
    under_way: BTreeSet<ScanPurpose>,
    /// Came when that scan had begun, so it may have missed what they are about: served by the next one.
    next: BTreeSet<ScanPurpose>,
    steps: VecDeque<(Arc<Processes>, Step)>,
    /// Runs while other events have their turn.
    pause: Option<Timer>,
}

impl ProcessScans {
    /// Notes what a scan is wanted for. Returns whether one must be started.
    fn want(&mut self, purpose: ScanPurpose) -> bool {
        if !self.under_way.is_empty() {
            self.next.insert(purpose);
            return false;
        }
        self.under_way.insert(purpose)
    }

    /// A scan is done. Returns what it serves, and whether another must be started.
    fn done(&mut self) -> (BTreeSet<ScanPurpose>, bool) {
        let next = std::mem::take(&mut self.next);
        let is_more = !next.is_empty();
        (std::mem::replace(&mut self.under_way, next), is_more)
    }
}

impl Server {
    /// Has all processes scanned, and what this is for served when that is done.
    pub(super) fn scan_processes_for(&mut self, purpose: ScanPurpose) {
        if self.hibernation.process_scans.want(purpose) {
            self.start_scan();
        }
    }

    /// Whether this is served by the scan that is under way.
    pub(super) fn is_scanning_for(&self, purpose: ScanPurpose) -> bool {
        self.hibernation.process_scans.under_way.contains(&purpose)
    }

    fn start_scan(&self) {
        let events = self.events.clone();
        tokio::spawn(async move {
            let scanned = tokio::task::spawn_blocking(Processes::look).await;
            let scanned = scanned.inspect_err(
                |error| tracing::error!(%error, "a scan of /proc was dropped; this is a bug"),
            );
            let scanned = scanned.ok().map(Arc::new);
            let _ = events.send(Event::Scanned(scanned)).await;
        });
    }

    /// A scan is done.
    pub(super) fn processes_scanned(&mut self, processes: Option<Arc<Processes>>) {
        let (served, is_more) = self.hibernation.process_scans.done();
        if is_more {
            self.start_scan();
        }
        let Some(processes) = processes else {
            return served.into_iter().for_each(|it| self.not_scanned(it));
        };
        for purpose in served {
            let steps = match purpose {
                ScanPurpose::Admission => {
                    self.bedtime_scanned(processes.clone());
                    Vec::new()
                }
                ScanPurpose::Settled(pane) => vec![Step::Settled(pane)],
                ScanPurpose::Capture(pane) => vec![Step::Capture(pane)],
                ScanPurpose::Policy => {
                    let sessions = sleepers::sessions_to_judge(&self.state)
                        .into_iter()
                        .map(Step::Judge);
                    sessions.chain([Step::Decide]).collect()
                }
            };
            let steps = steps.into_iter().map(|step| (processes.clone(), step));
            self.hibernation.process_scans.steps.extend(steps);
        }
        self.judge_by_scans();
    }

    /// There was no scan: what waits for it does not wait for ever.
    fn not_scanned(&mut self, purpose: ScanPurpose) {
        match purpose {
            ScanPurpose::Settled(pane) => self.called_off(pane, "its processes are not known"),
            ScanPurpose::Policy => self.hibernation.policy_round = PolicyRound::default(),
            // The next event, or the next prompt, asks again.
            ScanPurpose::Admission | ScanPurpose::Capture(_) => {}
        }
    }

    /// Takes the next steps, until others must have their turn.
    fn judge_by_scans(&mut self) {
        let began = Instant::now();
        while self.hibernation.process_scans.pause.is_none()
            && let Some((processes, step)) = self.hibernation.process_scans.steps.pop_front()
        {
            match step {
                Step::Settled(pane) => self.settled(pane, &processes),
                Step::Capture(pane) => self.capture_scanned(pane, &processes),
                Step::Judge(session) => self.judge_session(session, &processes),
                Step::Decide => self.decide_who_sleeps(),
            }
            if began.elapsed() > JUDGING_SLICE && !self.hibernation.process_scans.steps.is_empty() {
                let pause = self.state.set_alarm(Alarm::Judging, JUDGING_PAUSE);
                self.hibernation.process_scans.pause = Some(pause);
            }
        }
    }

    /// Other events have had their turn.
    pub(super) fn judging_goes_on(&mut self) {
        self.hibernation.process_scans.pause = None;
        self.judge_by_scans();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_during_a_scan_is_served_by_the_next() {
        let (first, second) = (ScanPurpose::Admission, ScanPurpose::Settled(PaneId(1)));
        let mut scans = ProcessScans::default();
        assert!(scans.want(first));
        assert!(!scans.want(second), "one is under way");
        assert!(!scans.want(first));
        assert_eq!(scans.done(), (BTreeSet::from([first]), true));
        assert_eq!(scans.done(), (BTreeSet::from([first, second]), false));
        assert!(scans.want(second));
    }
}
