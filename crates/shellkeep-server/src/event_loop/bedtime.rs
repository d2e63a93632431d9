//! Many panes fall asleep: some of their shells are asked at a time, and the others when these have answered. A machine has few
//! processors, and whoever is asked together with a thousand others might not get to answer within its time.

use std::collections::{BTreeSet, VecDeque};

use shellkeep_core::PaneId;

use super::{Force, Server};
use crate::processes::Processes;

/// So many shells are asked at a time.
const AT_A_TIME: usize = 16;

/// Panes that are about to fall asleep.
#[derive(Default)]
pub(super) struct Bedtime {
    /// Whose shells have not answered yet.
    asked: BTreeSet<PaneId>,
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
        if self.bedtime.asked.len() < AT_A_TIME && self.bedtime.waiting.is_empty() {
            self.bedtime.asked.insert(id);
            let asked = self.fall_asleep(id, processes, force);
            if asked.is_err() {
                self.bedtime.asked.remove(&id);
            }
            return asked;
        }
        if self
            .bedtime
            .waiting
            .iter()
            .all(|(waiting, _)| *waiting != id)
        {
            self.bedtime.waiting.push_back((id, force));
        }
        Ok(())
    }

    /// Asks the next shells, when half of those before them have answered.
    pub(super) fn ask_next_sleepers(&mut self) {
        let Bedtime { asked, waiting } = &mut self.bedtime;
        if asked.is_empty() && waiting.is_empty() {
            return;
        }
        let panes = &self.state.panes;
        asked.retain(|id| panes.get(id).is_some_and(|pane| pane.is_asked()));
        if waiting.is_empty() || asked.len() > AT_A_TIME / 2 {
            return;
        }
        // What they do now is what counts, not what they did when the others were asked.
        let processes = Processes::look();
        while self.bedtime.asked.len() < AT_A_TIME {
            let Some((id, force)) = self.bedtime.waiting.pop_front() else {
                return;
            };
            match self.fall_asleep(id, &processes, force) {
                Ok(()) => {
                    self.bedtime.asked.insert(id);
                }
                Err(reason) => self.sleep_told(id, Err(reason)),
            }
        }
    }
}
