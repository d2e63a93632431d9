//! Many panes fall asleep: some of their shells are asked at a time, and the others when these have answered. A machine has few
//! processors, and whoever is asked together with a thousand others might not get to answer within its time.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use shellkeep_core::PaneId;
use shellkeep_sleep::Verdict;

use super::{Force, Server};
use crate::alarm::{Alarm, Timer};
use crate::processes::Processes;

/// So many shells are asked at a time.
const AT_A_TIME: usize = 16;

/// So many panes are on their way at most, those included that are being written down: the recorder tells of each, and is never to
/// wait until the loop has heard it.
const MOST: usize = 64;

/// A shell that is about to show its prompt is looked at again after so long, and so often: for a second.
const A_MOMENT: Duration = Duration::from_millis(50);
const MOMENTS: u32 = 20;

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
        if self.bedtime.waiting.is_empty() {
            return;
        }
        let mut wanted = self.sleepers_wanted();
        if wanted < AT_A_TIME / 2 {
            return;
        }
        // What they do now is what counts, not what they did when the others were asked.
        let processes = Processes::look();
        // Those that cannot sleep count nothing: if none of them did, nothing would ever call us again.
        while wanted > 0
            && let Some((id, force)) = self.bedtime.waiting.pop_front()
        {
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
