//! Many panes fall asleep: some of their shells are asked at a time, and the others when these have answered. A machine has few
//! processors, and whoever is asked together with a thousand others might not get to answer within its time.

use std::collections::{BTreeSet, VecDeque};

use shellkeep_core::PaneId;

use super::{Force, Server};
use crate::processes::Processes;

/// So many shells are asked at a time.
const AT_A_TIME: usize = 16;

/// So many panes are on their way at most, those included that are being written down: the recorder tells of each, and is never to
/// wait until the loop has heard it.
const MOST: usize = 64;

/// Panes that are about to fall asleep.
#[derive(Default)]
pub(super) struct Bedtime {
    /// They have begun to.
    falling: BTreeSet<PaneId>,
    waiting: VecDeque<(PaneId, Force)>,
}

impl Server {
    /// Begins to put a pane to sleep, or has it wait until it is asked.
    ///
    /// # Errors
    /// Why it cannot sleep, in one sentence, if that is known already.
    pub(crate) fn put_to_sleep(
        &mut self,
        id: PaneId,
        processes: &Processes,
        force: Force,
    ) -> Result<(), String> {
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
                Err(reason) => self.sleep_told(id, Err(reason)),
            }
        }
    }
}
