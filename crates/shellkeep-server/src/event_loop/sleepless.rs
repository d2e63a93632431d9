//! Sessions that cannot sleep since something runs in the background there. Its end shows in no prompt, so the kernel is asked to
//! tell it: nobody looks again and again.

use std::collections::BTreeMap;

use nix::unistd::Pid;
use shellkeep_core::SessionId;
use shellkeep_keeper::process;
use shellkeep_sleep::{Candidate, Life, Reason, Verdict};
use tokio::io::Interest;
use tokio::task::AbortHandle;

use super::Server;
use super::sleepers::PolicyRound;
use crate::event::Event;
use crate::processes::Processes;
use crate::state::Pane;

/// So many are waited for: each takes a descriptor.
const MOST: usize = 200;

/// The processes that are waited for.
#[derive(Default)]
pub(super) struct Sleepless(BTreeMap<i32, Watch>);

/// One that is waited for, as long as this lives.
struct Watch(AbortHandle);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Server {
    /// Has the end of what keeps sessions awake told, and of nothing else.
    pub(super) fn watch_sleepless(
        &mut self,
        candidates: &[Candidate<SessionId>],
        round: &PolicyRound,
    ) {
        let sleepless = candidates.iter().filter(|one| {
            one.life == Life::Active && !one.is_idle && !one.is_visible && !one.is_held
        });
        let mut wanted: Vec<i32> = sleepless
            .filter_map(|one| round.judged.get(&one.key))
            .flat_map(|judged| judged.wake_blockers.iter().copied())
            .collect();
        wanted.truncate(MOST);
        self.hibernation
            .wake_blockers
            .0
            .retain(|pid, _| wanted.contains(pid));
        for pid in wanted {
            if self.hibernation.wake_blockers.0.contains_key(&pid) {
                continue;
            }
            match self.tell_end(pid) {
                Ok(watch) => drop(self.hibernation.wake_blockers.0.insert(pid, watch)),
                // It is gone already.
                Err(_) => self.sleepers_due(),
            }
        }
    }

    fn tell_end(&self, pid: i32) -> std::io::Result<Watch> {
        let end = process::end_of(Pid::from_raw(pid))?;
        let end = process::watch(end, Interest::READABLE)?;
        let events = self.events.clone();
        let task = tokio::spawn(async move {
            if end.readable().await.is_ok() {
                let _ = events.send(Event::SleeplessEnded).await;
            }
        });
        Ok(Watch(task.abort_handle()))
    }
}

/// The process for which a pane cannot sleep that could otherwise. When that has ended, there may be another: then it is that one's
/// turn.
pub(super) fn wake_blocker(pane: &Pane, verdict: &Verdict, processes: &Processes) -> Option<i32> {
    match verdict {
        Verdict::Refused {
            reason:
                Reason::BackgroundJob(_)
                | Reason::BackgroundCopy(_)
                | Reason::StoppedJob(_)
                | Reason::LeftBehind(_)
                | Reason::DrawingPrompt,
        } => {
            let others = processes.of_shell(pane.pid()?.cast_signed());
            others.first().map(|process| process.pid)
        }
        _ => None,
    }
}
