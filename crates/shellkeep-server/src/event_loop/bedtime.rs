//! Many panes fall asleep: some of their shells are asked at a time, and the others when these have answered. A machine has few
//! processors, and whoever is asked together with a thousand others might not get to answer within its time.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use shellkeep_core::PaneId;
use shellkeep_sleep::Verdict;

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

/// So long others have their turn before more panes are judged.
const A_BREATH: Duration = Duration::from_millis(2);

/// So long panes are judged and asked in one go: a key that is typed elsewhere waits for it.
const SLICE: Duration = Duration::from_millis(2);

/// Why a pane does not fall asleep.
pub(crate) struct Refusal {
    /// In one sentence.
    pub(crate) text: String,
    /// It could in a moment.
    is_passing: bool,
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

/// A pane that somebody wants to sleep, and that could in a moment.
struct Unsettled {
    pane: PaneId,
    force: Force,
    /// How often it is looked at before it is refused.
    left: u32,
}

/// Panes that are about to fall asleep.
#[derive(Default)]
pub(super) struct Bedtime {
    /// They have begun to.
    falling: BTreeSet<PaneId>,
    waiting: VecDeque<(PaneId, Force)>,
    unsettled: Vec<Unsettled>,
    timer: Option<Timer>,
    /// Rings when the panes that wait are to be asked although no other event comes.
    turn: Option<Timer>,
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
        let mut waiting = self.bedtime.waiting.iter();
        if waiting.any(|(other, _)| *other == id) {
            return Ok(());
        }
        if self.bedtime.waiting.is_empty() && self.sleepers_wanted() > 0 {
            self.fall_asleep(id, processes, force)?;
            self.bedtime.falling.insert(id);
        } else {
            self.bedtime.waiting.push_back((id, force));
        }
        Ok(())
    }

    /// The same for somebody who waits to hear of it: what is about to show its prompt is given a moment.
    ///
    /// # Errors
    /// Why it cannot sleep, in one sentence, if that is known already.
    pub(crate) fn put_to_sleep_soon(
        &mut self,
        id: PaneId,
        processes: &Processes,
        force: Force,
    ) -> Result<(), String> {
        match self.put_to_sleep(id, processes, force) {
            Err(refusal) if refusal.is_passing => {
                self.settles(id, force);
                Ok(())
            }
            outcome => outcome.map_err(|refusal| refusal.text),
        }
    }

    /// Has one of many panes wait until it is asked: to judge them all at once would hold up everything else.
    pub(crate) fn put_to_sleep_in_turn(&mut self, id: PaneId, force: Force) {
        let mut waiting = self.bedtime.waiting.iter();
        if waiting.all(|(other, _)| *other != id) {
            self.bedtime.waiting.push_back((id, force));
        }
    }

    /// Looks at a pane again in a moment.
    fn settles(&mut self, pane: PaneId, force: Force) {
        let mut unsettled = self.bedtime.unsettled.iter();
        if unsettled.all(|other| other.pane != pane) {
            let left = MOMENTS;
            self.bedtime.unsettled.push(Unsettled { pane, force, left });
        }
        if self.bedtime.timer.is_none() {
            self.bedtime.timer = Some(self.set_alarm(Alarm::Settled, A_MOMENT));
        }
    }

    /// Looks at those again that were about to show a prompt.
    pub(super) fn look_at_unsettled(&mut self) {
        self.bedtime.timer = None;
        let processes = Processes::look();
        for mut one in std::mem::take(&mut self.bedtime.unsettled) {
            one.left = one.left.saturating_sub(1);
            match self.put_to_sleep(one.pane, &processes, one.force) {
                Ok(()) => {}
                Err(refusal) if refusal.is_passing && one.left > 0 => {
                    self.bedtime.unsettled.push(one);
                }
                Err(refusal) => self.sleep_told(one.pane, Err(refusal.text)),
            }
        }
        if !self.bedtime.unsettled.is_empty() {
            self.bedtime.timer = Some(self.set_alarm(Alarm::Settled, A_MOMENT));
        }
    }

    /// Other events have had their turn: the panes that wait are asked when this event is over.
    pub(super) fn bedtime_goes_on(&mut self) {
        self.bedtime.turn = None;
    }

    /// How many more shells can be asked.
    fn sleepers_wanted(&mut self) -> usize {
        let panes = &self.state.panes;
        let falling = &mut self.bedtime.falling;
        falling.retain(|id| panes.get(id).is_some_and(|pane| pane.falling.is_some()));
        let falling = falling.iter().filter_map(|id| panes.get(id));
        let (all, asked) = falling.fold((0, 0), |(all, asked), pane| {
            (all + 1, asked + usize::from(pane.is_asked()))
        });
        AT_A_TIME
            .saturating_sub(asked)
            .min(MOST.saturating_sub(all))
    }

    /// Asks the next shells, when half of those before them have answered.
    pub(super) fn ask_next_sleepers(&mut self) {
        // With a turn ahead, everything else goes first.
        if self.bedtime.waiting.is_empty() || self.bedtime.turn.is_some() {
            return;
        }
        let mut wanted = self.sleepers_wanted();
        if wanted < AT_A_TIME / 2 {
            return;
        }
        self.bedtime.turn = None;
        // What they do now is what counts, not what they did when the others were asked.
        let processes = Processes::look();
        // After the look, which takes as long as there are processes: at least one is judged in every turn.
        let began = Instant::now();
        // Those that cannot sleep count nothing: if none of them did, nothing would ever call us again.
        while wanted > 0
            && let Some((id, force)) = self.bedtime.waiting.pop_front()
        {
            if began.elapsed() > SLICE && self.bedtime.turn.is_none() {
                self.bedtime.turn = Some(self.set_alarm(Alarm::Bedtime, A_BREATH));
                self.bedtime.waiting.push_front((id, force));
                return;
            }
            match self.fall_asleep(id, &processes, force) {
                Ok(()) => {
                    wanted -= 1;
                    self.bedtime.falling.insert(id);
                }
                Err(refusal) if refusal.is_passing && self.is_awaited(id) => {
                    self.settles(id, force);
                }
                Err(refusal) => self.sleep_told(id, Err(refusal.text)),
            }
        }
    }

    /// Whether somebody waits to hear what becomes of a pane.
    fn is_awaited(&self, id: PaneId) -> bool {
        let mut jobs = self.sleep_jobs.values();
        jobs.any(|job| !job.is_dry && job.waiting.contains(&id))
    }
}
