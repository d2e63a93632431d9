//! Many panes fall asleep: some of their shells are asked at a time, and the others when these have answered. A machine has few
//! processors, and whoever is asked together with a thousand others might not get to answer within its time.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_core::PaneId;
use shellkeep_sleep::Verdict;

use super::process_scan::{JUDGING_PAUSE, JUDGING_SLICE, ScanPurpose};
use super::{Force, Server};
use crate::alarm::{Alarm, Timer};
use crate::processes::Processes;

/// So many shells are asked at a time. With 16 a machine of two processors was slower: each took three times as long to answer, and keys
/// typed elsewhere waited for a processor.
const AT_A_TIME: usize = 4;

/// So many panes are on their way at most, those included that are being written down: the recorder tells of each, and is never to
/// wait until the loop has heard it.
const MOST: usize = 64;

/// A shell that is about to show its prompt is looked at again after so long, and so often: for a second.
const A_MOMENT: Duration = Duration::from_millis(50);
const MOMENTS: u32 = 20;

/// Panes are judged by a scan of all processes for so long. Whether a pane was typed into since is asked for each of them.
const SCAN_LIFETIME: Duration = Duration::from_millis(50);

/// Why a pane does not fall asleep.
pub(crate) struct Refusal {
    /// In one sentence.
    pub(crate) text: String,
    /// It could in a moment.
    pub(super) is_passing: bool,
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            is_passing: false,
        }
    }
}

impl Refusal {
    /// What a verdict says.
    pub(super) fn of(verdict: &Verdict) -> Self {
        let is_passing = match verdict {
            Verdict::Refused { reason } => reason.is_passing(),
            _ => false,
        };
        Self {
            text: verdict.to_string(),
            is_passing,
        }
    }
}

/// A pane that is to be judged, and to fall asleep if it can.
struct Waiting {
    pane: PaneId,
    force: Force,
    /// How often it is judged again if it could sleep in a moment.
    left: u32,
}

impl Waiting {
    fn new(pane: PaneId, force: Force) -> Self {
        let left = MOMENTS;
        Self { pane, force, left }
    }
}

/// Panes that are about to fall asleep.
#[derive(Default)]
pub(super) struct Bedtime {
    /// They have begun to.
    falling: BTreeMap<PaneId, Waiting>,
    waiting: VecDeque<Waiting>,
    /// They could sleep in a moment: they wait again then.
    unsettled: Vec<Waiting>,
    timer: Option<Timer>,
    /// Rings when the panes that wait are to be asked although no other event comes.
    turn: Option<Timer>,
    /// The processes by which panes are judged, and when they became known.
    scan: Option<(Arc<Processes>, Instant)>,
}

impl Bedtime {
    /// Has a pane wait, once. A later wish to end what runs in it holds for an earlier one without.
    fn add(&mut self, pane: PaneId, force: Force) {
        let mut others = self.waiting.iter_mut().chain(&mut self.unsettled);
        match others.find(|other| other.pane == pane) {
            Some(other) if force == Force::On => other.force = force,
            Some(_) => {}
            None => self.waiting.push_back(Waiting::new(pane, force)),
        }
    }
}

impl Server {
    /// Begins to put a pane to sleep, or has it wait until it is asked.
    ///
    /// # Errors
    /// Why it cannot sleep, if that is known already.
    pub(crate) fn put_to_sleep(
        &mut self,
        id: PaneId,
        processes: &Processes,
        force: Force,
    ) -> Result<(), Refusal> {
        if self.hibernation.admission.waiting.is_empty() && self.sleepers_wanted() > 0 {
            self.fall_asleep(id, processes, force)?;
            self.hibernation
                .admission
                .falling
                .insert(id, Waiting::new(id, force));
        } else {
            self.put_to_sleep_in_turn(id, force);
        }
        Ok(())
    }

    /// Has a pane wait until it is judged and asked. Commands that wait for it hear of it then.
    pub(crate) fn put_to_sleep_in_turn(&mut self, pane: PaneId, force: Force) {
        self.hibernation.admission.add(pane, force);
        self.state.changes.is_unsettled = true;
    }

    /// Judges a pane again in a moment.
    fn settles(&mut self, waiting: Waiting) {
        self.hibernation.admission.unsettled.push(waiting);
        if self.hibernation.admission.timer.is_none() {
            self.hibernation.admission.timer = Some(self.state.set_alarm(Alarm::Settled, A_MOMENT));
        }
    }

    /// A pane that has begun to fall asleep cannot, but could in a moment. Returns whether it is judged again then.
    pub(super) fn settles_later(&mut self, id: PaneId) -> bool {
        if !self.is_awaited(id) {
            return false;
        }
        let begun = self.hibernation.admission.falling.remove(&id);
        let Some(mut waiting) = begun.filter(|waiting| waiting.left > 0) else {
            return false;
        };
        waiting.left -= 1;
        self.settles(waiting);
        true
    }

    /// Those that were about to show a prompt are judged again.
    pub(super) fn look_at_unsettled(&mut self) {
        self.hibernation.admission.timer = None;
        let unsettled = std::mem::take(&mut self.hibernation.admission.unsettled);
        self.hibernation.admission.waiting.extend(unsettled);
    }

    /// Other events have had their turn: the panes that wait are asked when this event is over.
    pub(super) fn bedtime_goes_on(&mut self) {
        self.hibernation.admission.turn = None;
    }

    /// How many more shells can be asked.
    fn sleepers_wanted(&mut self) -> usize {
        let panes = &self.state.panes;
        let falling = &mut self.hibernation.admission.falling;
        falling.retain(|id, _| {
            panes
                .get(id)
                .is_some_and(|pane| pane.life.falling().is_some())
        });
        let falling = falling.keys().filter_map(|id| panes.get(id));
        let (all, asked) = falling.fold((0, 0), |(all, asked), pane| {
            (all + 1, asked + usize::from(pane.is_asked()))
        });
        AT_A_TIME
            .saturating_sub(asked)
            .min(MOST.saturating_sub(all))
    }

    /// The processes are known by which the panes that wait are judged when this event is over.
    pub(super) fn bedtime_scanned(&mut self, processes: Arc<Processes>) {
        self.hibernation.admission.scan = Some((processes, Instant::now()));
    }

    /// Asks the next shells, when half of those before them have answered.
    pub(super) fn ask_next_sleepers(&mut self) {
        // With a turn ahead, everything else goes first.
        if self.hibernation.admission.waiting.is_empty()
            || self.hibernation.admission.turn.is_some()
        {
            return;
        }
        if self.is_scanning_for(ScanPurpose::Admission) {
            return;
        }
        let wanted = self.sleepers_wanted();
        if wanted < AT_A_TIME / 2 {
            return;
        }
        // What they do now is what counts, not what they did when others were asked before.
        let scan = self.hibernation.admission.scan.take();
        let Some((processes, known)) = scan.filter(|(_, known)| known.elapsed() < SCAN_LIFETIME)
        else {
            return self.scan_processes_for(ScanPurpose::Admission);
        };
        self.ask_by_scan(wanted, &processes);
        self.hibernation.admission.scan = Some((processes, known));
    }

    /// Judges panes that wait, and asks the shells of so many that can sleep.
    fn ask_by_scan(&mut self, mut wanted: usize, processes: &Processes) {
        let began = Instant::now();
        // Those that cannot sleep count nothing: if none of them did, nothing would ever call us again.
        while wanted > 0
            && let Some(mut waiting) = self.hibernation.admission.waiting.pop_front()
        {
            let id = waiting.pane;
            match self.fall_asleep(id, processes, waiting.force) {
                Ok(()) => {
                    wanted -= 1;
                    self.hibernation.admission.falling.insert(id, waiting);
                }
                Err(refusal) if refusal.is_passing && waiting.left > 0 && self.is_awaited(id) => {
                    waiting.left -= 1;
                    self.settles(waiting);
                }
                Err(refusal) => self.sleep_told(id, Err(refusal.text)),
            }
            if began.elapsed() > JUDGING_SLICE && !self.hibernation.admission.waiting.is_empty() {
                self.hibernation.admission.turn =
                    Some(self.state.set_alarm(Alarm::Bedtime, JUDGING_PAUSE));
                return;
            }
        }
    }

    /// Whether somebody waits to hear what becomes of a pane.
    fn is_awaited(&self, id: PaneId) -> bool {
        let mut jobs = self.hibernation.jobs.values();
        jobs.any(|job| !job.is_dry && job.waiting.contains(&id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pane_waits_once_and_with_force_if_one_wish_has_it() {
        let mut bedtime = Bedtime::default();
        for force in [Force::Off, Force::On, Force::Off] {
            bedtime.add(PaneId(1), force);
        }
        let waiting: Vec<_> = bedtime
            .waiting
            .iter()
            .map(|it| (it.pane, it.force))
            .collect();
        assert_eq!(waiting, [(PaneId(1), Force::On)]);
    }
}
