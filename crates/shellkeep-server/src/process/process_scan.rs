//! Scans of `/proc` on a thread. With a thousand processes a scan takes 10 ms, and judging all sessions by it takes
//! longer still; a key must not wait for either. So a thread scans, and the loop judges in slices.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::{PaneId, SessionId};
use tokio::sync::mpsc;

use crate::alarm::Timer;
use crate::event::Event;
use crate::process::processes::Processes;

/// How long panes are judged within one event.
pub(crate) const JUDGING_SLICE: Duration = Duration::from_millis(2);

/// How long other events have their turn between two slices.
pub(crate) const JUDGING_PAUSE: Duration = Duration::from_millis(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScanPurpose {
    /// To admit panes of the admission queue.
    Admission,
    /// To ask the shell of a pane on its way to sleep, whose input has arrived.
    Settled(PaneId),
    /// To capture the state of a pane's shell.
    Capture(PaneId),
    /// For a round of the policy.
    Policy,
}

/// A step of judging by a scan.
pub(crate) enum Step {
    Settled(PaneId),
    Capture(PaneId),
    /// Judge whether a session is idle.
    Judge(SessionId),
    /// All sessions are judged: apply the policy.
    Decide,
}

/// Scans that are requested or under way, and steps that wait to be taken by a finished scan.
#[derive(Default)]
pub(crate) struct ProcessScans {
    /// The purposes of the scan under way; empty without one.
    under_way: BTreeSet<ScanPurpose>,
    /// Purposes that came after that scan had begun. It may have missed processes that matter to them, so they get the
    /// next one.
    next: BTreeSet<ScanPurpose>,
    pub(crate) steps: VecDeque<(Arc<Processes>, Step)>,
    /// Runs while other events have their turn.
    pub(crate) pause: Option<Timer>,
}

impl ProcessScans {
    /// Starts a scan for a purpose, or queues the purpose for the next scan.
    pub(crate) fn scan_for(&mut self, purpose: ScanPurpose, events: &mpsc::Sender<Event>) {
        if self.want(purpose) {
            start_scan(events.clone());
        }
    }

    /// Whether the scan under way serves this purpose.
    pub(crate) fn is_under_way(&self, purpose: ScanPurpose) -> bool {
        self.under_way.contains(&purpose)
    }

    /// Adds a purpose. Returns whether a scan must be started.
    fn want(&mut self, purpose: ScanPurpose) -> bool {
        if !self.under_way.is_empty() {
            self.next.insert(purpose);
            return false;
        }
        self.under_way.insert(purpose)
    }

    /// A scan is finished. Returns its purposes, and whether another scan must be started.
    pub(crate) fn done(&mut self) -> (BTreeSet<ScanPurpose>, bool) {
        let next = std::mem::take(&mut self.next);
        let is_more = !next.is_empty();
        (std::mem::replace(&mut self.under_way, next), is_more)
    }
}

/// Scans all processes on a thread, and sends [`Event::Scanned`].
pub(crate) fn start_scan(events: mpsc::Sender<Event>) {
    tokio::spawn(async move {
        let scanned = tokio::task::spawn_blocking(Processes::scan).await;
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
