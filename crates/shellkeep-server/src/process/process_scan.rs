//! Scans of `/proc`, beside the loop. With a thousand processes a scan takes ten milliseconds, and a judgement of all sessions by it
//! longer still: a key typed meanwhile would wait for both. So a thread scans, and what is to be judged by the scan is
//! judged in slices.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::{PaneId, SessionId};
use tokio::sync::mpsc;

use crate::alarm::Timer;
use crate::event::Event;
use crate::process::processes::Processes;

/// So long panes are judged in one event.
pub(crate) const JUDGING_SLICE: Duration = Duration::from_millis(2);

/// So long other events have their turn before more panes are judged.
pub(crate) const JUDGING_PAUSE: Duration = Duration::from_millis(2);

/// What a scan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScanPurpose {
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
pub(crate) enum Step {
    Settled(PaneId),
    Capture(PaneId),
    /// Whether a session is idle.
    Judge(SessionId),
    /// All sessions are judged.
    Decide,
}

/// The scans that are wanted and under way, and what is to be judged by those that are done.
#[derive(Default)]
pub(crate) struct ProcessScans {
    /// Served by the scan that is under way; empty if none is.
    under_way: BTreeSet<ScanPurpose>,
    /// Came when that scan had begun, so it may have missed what they are about: served by the next one.
    next: BTreeSet<ScanPurpose>,
    pub(crate) steps: VecDeque<(Arc<Processes>, Step)>,
    /// Runs while other events have their turn.
    pub(crate) pause: Option<Timer>,
}

impl ProcessScans {
    /// Has all processes scanned, and what this is for served when that is done.
    pub(crate) fn scan_for(&mut self, purpose: ScanPurpose, events: &mpsc::Sender<Event>) {
        if self.want(purpose) {
            start_scan(events.clone());
        }
    }

    /// Whether this is served by the scan that is under way.
    pub(crate) fn is_under_way(&self, purpose: ScanPurpose) -> bool {
        self.under_way.contains(&purpose)
    }

    /// Notes what a scan is wanted for. Returns whether one must be started.
    fn want(&mut self, purpose: ScanPurpose) -> bool {
        if !self.under_way.is_empty() {
            self.next.insert(purpose);
            return false;
        }
        self.under_way.insert(purpose)
    }

    /// A scan is done. Returns what it serves, and whether another must be started.
    pub(crate) fn done(&mut self) -> (BTreeSet<ScanPurpose>, bool) {
        let next = std::mem::take(&mut self.next);
        let is_more = !next.is_empty();
        (std::mem::replace(&mut self.under_way, next), is_more)
    }
}

/// Scans all processes on a thread; [`Event::Scanned`] tells of it.
pub(crate) fn start_scan(events: mpsc::Sender<Event>) {
    tokio::spawn(async move {
        let scanned = tokio::task::spawn_blocking(Processes::look).await;
        let scanned = scanned.inspect_err(
            |error| tracing::error!(%error, "a scan of /proc was dropped; this is a bug"),
        );
        let scanned = scanned.ok().map(Arc::new);
        let _ = events.send(Event::Scanned(scanned)).await;
    });
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
